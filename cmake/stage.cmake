# visor_stage(NAME SOURCES ... DEPENDS ... PRIVATE ...)
#
# One library a folder. Its headers are reached as "NAME/header.h" through an include root of its own, which only
# the stages that name it in DEPENDS get: a wrong include does not compile. The target of a room, as in "jit/ir", is
# visor_jit_ir.
function(visor_stage name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  string(REPLACE / _ own ${name})
  set(root ${VISOR_INCLUDE_ROOTS}/${own})
  get_filename_component(parent ${root}/${name} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  add_library(visor_${own} STATIC ${ARG_SOURCES})
  target_include_directories(visor_${own} PUBLIC ${root})
  list(TRANSFORM ARG_DEPENDS REPLACE / _)
  list(TRANSFORM ARG_DEPENDS PREPEND visor_)
  target_link_libraries(visor_${own} PUBLIC ${ARG_DEPENDS} PRIVATE visor_build_options ${ARG_PRIVATE})
endfunction()
