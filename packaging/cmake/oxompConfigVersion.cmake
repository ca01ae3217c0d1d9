# Which versions the installed oxomp satisfies: its own and earlier ones, from 1.0 on those of the
# same first number, before that of the same first two.

set(PACKAGE_VERSION "@VERSION@")
if(NOT CMAKE_SIZEOF_VOID_P STREQUAL "" AND NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(PACKAGE_VERSION "${PACKAGE_VERSION} (64 bits)")
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
  return()
endif()
string(REGEX MATCH "^(0\\.[0-9]+|[1-9][0-9]*)" _oxomp_series "${PACKAGE_VERSION}")
if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(PACKAGE_VERSION VERSION_GREATER_EQUAL "${PACKAGE_FIND_VERSION}")
  if("${PACKAGE_FIND_VERSION}." MATCHES "^${_oxomp_series}\\."
      OR "${PACKAGE_FIND_VERSION}" STREQUAL "0")
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
endif()
unset(_oxomp_series)
