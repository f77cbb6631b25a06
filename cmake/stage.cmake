# visor_stage(NAME SOURCES ... DEPENDS ... PRIVATE ...)
#
# One library a folder. Its headers are reached as "NAME/header.h" through an include root of its own, which only
# the stages that name it in DEPENDS get: a wrong include does not compile.
function(visor_stage name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  set(root ${VISOR_INCLUDE_ROOTS}/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  add_library(visor_${name} STATIC ${ARG_SOURCES})
  target_include_directories(visor_${name} PUBLIC ${root})
  list(TRANSFORM ARG_DEPENDS PREPEND visor_)
  target_link_libraries(visor_${name} PUBLIC ${ARG_DEPENDS} PRIVATE visor_build_options ${ARG_PRIVATE})
endfunction()
