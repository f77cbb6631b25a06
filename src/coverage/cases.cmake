# coverage_cases.h: how many cases tests/exec has of each instruction, counted when the build is configured.
file(GLOB_RECURSE exec_cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/exec/*.case)
set(case_entries "")
foreach(exec_case IN LISTS exec_cases)
  set_property(
    DIRECTORY
    APPEND
    PROPERTY CMAKE_CONFIGURE_DEPENDS ${exec_case})
  get_filename_component(case_name ${exec_case} NAME)
  string(REGEX REPLACE "\\.case$" "" case_name ${case_name})
  if(exec_case MATCHES "/lsc_typed/") # typed messages have the names of untyped ones
    string(APPEND case_name ".tgm")
  endif()
  file(STRINGS ${exec_case} case_lines REGEX "^(case|sweep|mix|modes) ")
  list(LENGTH case_lines case_count)
  list(APPEND case_entries "CaseCount{\"${case_name}\", ${case_count}}")
endforeach()
list(SORT case_entries)
list(LENGTH case_entries case_total)
list(JOIN case_entries ",\n    " case_entries)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cases.h.in ${CMAKE_CURRENT_BINARY_DIR}/generated/coverage_cases.h @ONLY)
