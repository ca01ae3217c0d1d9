# The folders of oxomp, seen from this one: the libraries lie in the folder that holds `cmake/`, as
# in oxomp's own folder, or in `oxomp/` there, as in a system. The headers lie accordingly.

get_filename_component(_oxomp_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
unset(oxomp_LIBRARY_DIR)
unset(oxomp_INCLUDE_DIR)
foreach(_oxomp_folder IN ITEMS "${_oxomp_lib}" "${_oxomp_lib}/oxomp")
  if(NOT oxomp_LIBRARY_DIR AND EXISTS "${_oxomp_folder}/liboxomp_collect.so")
    set(oxomp_LIBRARY_DIR "${_oxomp_folder}")
  endif()
endforeach()
# Around `lib/`, and around `lib/<machine>/`.
foreach(_oxomp_folder IN ITEMS include include/oxomp ../include/oxomp)
  get_filename_component(_oxomp_folder "${_oxomp_lib}/../${_oxomp_folder}" ABSOLUTE)
  if(NOT oxomp_INCLUDE_DIR AND EXISTS "${_oxomp_folder}/ompt.h")
    set(oxomp_INCLUDE_DIR "${_oxomp_folder}")
  endif()
endforeach()
unset(_oxomp_lib)
unset(_oxomp_folder)
