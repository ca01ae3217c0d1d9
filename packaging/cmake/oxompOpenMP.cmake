# Points CMake's module FindOpenMP at oxomp: cmake -C DIR/oxompOpenMP.cmake ..., where DIR is this
# folder, or oxomp_use_for_openmp() after find_package(oxomp).
#
# The module takes the compiler's library from these variables of the cache, if they are set: gcc's
# and gfortran's code asks for libgomp, that of clang and flang for libomp.

include("${CMAKE_CURRENT_LIST_DIR}/oxompFolders.cmake")
if(NOT oxomp_LIBRARY_DIR)
  message(FATAL_ERROR "oxomp's libraries are not where ${CMAKE_CURRENT_LIST_DIR} expects them")
endif()
foreach(_oxomp_name IN ITEMS gomp omp)
  set(OpenMP_${_oxomp_name}_LIBRARY "${oxomp_LIBRARY_DIR}/lib${_oxomp_name}.so" CACHE FILEPATH
    "oxomp's runtime under the name of lib${_oxomp_name}" FORCE)
endforeach()
unset(_oxomp_name)
