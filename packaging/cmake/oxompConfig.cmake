# CMake's package of oxomp.
#
#   find_package(oxomp REQUIRED)
#   target_link_libraries(app PRIVATE oxomp::oxomp)
#
# compiles C, C++ and Fortran of `app` with OpenMP, with oxomp's omp.h, omp-tools.h and ompt.h in the
# search path, and links the program with oxomp's runtime, under the name that the compiler's code
# asks for. CMake writes the folder of the libraries into the program as its run path, so that it
# runs from the build folder; for the installed program set CMAKE_INSTALL_RPATH_USE_LINK_PATH to ON.
#
# A project that uses CMake's own module keeps its targets OpenMP::OpenMP_C, _CXX and _Fortran:
#
#   find_package(oxomp REQUIRED)
#   oxomp_use_for_openmp()
#   find_package(OpenMP REQUIRED)
#
# Without a change of the project: cmake -C DIR/oxompOpenMP.cmake ..., where DIR is this folder,
# which `oxomp paths cmake` prints.
#
# Variables: oxomp_FOUND, oxomp_VERSION, oxomp_LIBRARY_DIR, oxomp_INCLUDE_DIR.

include("${CMAKE_CURRENT_LIST_DIR}/oxompFolders.cmake")
if(NOT oxomp_LIBRARY_DIR OR NOT oxomp_INCLUDE_DIR)
  set(oxomp_FOUND FALSE)
  set(oxomp_NOT_FOUND_MESSAGE
    "oxomp's libraries or headers are not where ${CMAKE_CURRENT_LIST_DIR} expects them")
  return()
endif()

if(NOT TARGET oxomp::oxomp)
  add_library(oxomp::oxomp INTERFACE IMPORTED)
  set(_oxomp_gnu "")
  set(_oxomp_llvm "")
  foreach(_oxomp_language IN ITEMS C CXX Fortran)
    list(APPEND _oxomp_gnu "$<${_oxomp_language}_COMPILER_ID:GNU>")
    list(APPEND _oxomp_llvm
      "$<${_oxomp_language}_COMPILER_ID:Clang>"
      "$<${_oxomp_language}_COMPILER_ID:Flang>"
      "$<${_oxomp_language}_COMPILER_ID:LLVMFlang>"
      "$<${_oxomp_language}_COMPILER_ID:IntelLLVM>")
  endforeach()
  list(JOIN _oxomp_gnu "," _oxomp_gnu)
  list(JOIN _oxomp_llvm "," _oxomp_llvm)
  # A program of both families links both names; one library answers to both.
  set(_oxomp_gnu "$<$<OR:${_oxomp_gnu}>:${oxomp_LIBRARY_DIR}/libgomp.so>")
  set(_oxomp_llvm "$<$<OR:${_oxomp_llvm}>:${oxomp_LIBRARY_DIR}/libomp.so>")
  set(_oxomp_languages "$<COMPILE_LANGUAGE:C>,$<COMPILE_LANGUAGE:CXX>,$<COMPILE_LANGUAGE:Fortran>")
  set_target_properties(oxomp::oxomp PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${oxomp_INCLUDE_DIR}"
    INTERFACE_COMPILE_OPTIONS "$<$<OR:${_oxomp_languages}>:-fopenmp>"
    INTERFACE_LINK_DIRECTORIES "${oxomp_LIBRARY_DIR}"
    INTERFACE_LINK_LIBRARIES "${_oxomp_gnu};${_oxomp_llvm}")
  unset(_oxomp_gnu)
  unset(_oxomp_llvm)
  unset(_oxomp_language)
  unset(_oxomp_languages)
endif()

set(_oxomp_openmp "${CMAKE_CURRENT_LIST_DIR}/oxompOpenMP.cmake")

# Lets a later find_package(OpenMP) give targets that link oxomp's runtime.
macro(oxomp_use_for_openmp)
  include("${_oxomp_openmp}")
endmacro()
