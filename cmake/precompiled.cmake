# Headers that most files include, compiled once for each kind of target. Nothing else knows of it, and the builds
# without it (the preset `release`, `no-llvm` by name, and what the linter reads) are what proves that every file includes
# what it uses. What brings <iomanip> stays out, as <filesystem> does: std::quoted would be found where the text's own
# `quoted` is meant.
#
# A compiler reads such headers only where its flags and the macros in them are the same: GCC says so as a warning,
# hence an error here. GCC instantiates again, in each file, what templates a header has used: headers that few files
# need cost more than they save.
set(VISOR_PRECOMPILED_LIBRARIES
    <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <expected> <fstream>
    <functional> <map> <memory> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map>
    <utility> <vector> <fmt/format.h>)
set(VISOR_PRECOMPILED_TESTS ${VISOR_PRECOMPILED_LIBRARIES} <gtest/gtest.h>)
set(VISOR_PRECOMPILED_JIT_TESTS
    ${VISOR_PRECOMPILED_TESTS} <llvm/IR/Constants.h> <llvm/IR/Function.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
    <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
set(VISOR_PRECOMPILED_JIT
    ${VISOR_PRECOMPILED_LIBRARIES} <llvm/ADT/PostOrderIterator.h> <llvm/Analysis/LoopInfo.h>
    <llvm/Analysis/ValueTracking.h> <llvm/Analysis/VectorUtils.h> <llvm/IR/Constants.h> <llvm/IR/Dominators.h>
    <llvm/IR/Function.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/Instructions.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/MDBuilder.h> <llvm/IR/Module.h> <llvm/IR/PatternMatch.h>
    <llvm/Transforms/Utils/BasicBlockUtils.h> <llvm/Transforms/Utils/Local.h>)

# visor_precompile(NAME HEADERS ... LIBRARIES ... OPTIONS ... TARGETS ...): HEADERS, with what LIBRARIES and OPTIONS give
# them, for all of TARGETS, which are all libraries or all executables.
function(visor_precompile name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES;OPTIONS;TARGETS" ${ARGN})
  if(NOT ARG_TARGETS)
    return()
  endif()
  set(owner visor_precompiled_${name})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp CONTENT "int main() {}\n")
  list(GET ARG_TARGETS 0 first)
  get_target_property(type ${first} TYPE)
  if(type STREQUAL EXECUTABLE)
    add_executable(${owner} EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  else()
    add_library(${owner} STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  endif()
  target_link_libraries(${owner} PRIVATE visor_build_options fmt::fmt ${ARG_LIBRARIES})
  target_precompile_headers(${owner} PRIVATE ${ARG_HEADERS})
  # Else ccache takes every build of the headers for another.
  set(of_compiler $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  target_compile_options(${owner} PRIVATE ${ARG_OPTIONS} ${of_compiler})
  foreach(target IN LISTS ARG_TARGETS)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
  foreach(target IN ITEMS ${owner} ${ARG_TARGETS})
    # The same in all: {fmt}'s macro, and what visor_number asks of those that use it.
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
    target_compile_options(${target} PRIVATE -ffp-contract=off)
  endforeach()
endfunction()

visor_targets_below(libraries ${PROJECT_SOURCE_DIR}/src STATIC_LIBRARY)
visor_targets_below(more ${PROJECT_SOURCE_DIR}/cli STATIC_LIBRARY)
list(APPEND libraries ${more})
set(rooms ir analysis transform target translate memory driver) # that are made of LLVM
list(TRANSFORM rooms PREPEND visor_jit_)
list(REMOVE_ITEM libraries ${rooms})
if(TARGET visor-opencl)
  list(APPEND libraries visor-opencl)
endif()
list(REMOVE_ITEM libraries visor_isa) # small files: the headers take longer to load than to compile
visor_precompile(libraries HEADERS ${VISOR_PRECOMPILED_LIBRARIES} TARGETS ${libraries})
# Arithmetic that rounds as it is told is compiled with a flag of its own.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/number/round.cpp TARGET_DIRECTORY visor_number
             PROPERTY SKIP_PRECOMPILE_HEADERS ON)
if(VISOR_JIT)
  visor_precompile(jit HEADERS ${VISOR_PRECOMPILED_JIT} LIBRARIES visor_llvm TARGETS ${rooms})
endif()
if(VISOR_TESTS)
  find_package(GTest REQUIRED)
  visor_gtest_programs(tests)
  if(VISOR_JIT)
    list(REMOVE_ITEM tests jit_code_test)
    visor_precompile(jit_tests HEADERS ${VISOR_PRECOMPILED_JIT_TESTS} LIBRARIES visor_llvm GTest::gtest
                     OPTIONS -O0 TARGETS jit_code_test)
  endif()
  visor_precompile(tests HEADERS ${VISOR_PRECOMPILED_TESTS} LIBRARIES GTest::gtest OPTIONS -O0 TARGETS ${tests})
endif()

# visor_together(TARGET APART ...): its files are compiled several at a time, where what they include takes far longer
# than what they say. Names of anonymous namespaces meet there: a file whose names are others' as well stands APART, and
# so does one that is compiled with definitions of its own. CMake's own UNITY_BUILD writes the place of the repository
# into these files, and ccache would know none of them in another clone.
function(visor_together target)
  if(NOT TARGET ${target})
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "APART" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(REMOVE_ITEM sources ${ARG_APART})
  set(kept ${ARG_APART})
  set(made ${CMAKE_BINARY_DIR}/together)
  set(place 0)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${made})
    math(EXPR number "${place} / 5")
    string(APPEND text_${number} "#include \"${source}\"\n")
    math(EXPR place "${place} + 1")
  endforeach()
  foreach(each RANGE ${number})
    file(CONFIGURE OUTPUT ${made}/${target}_${each}.cpp CONTENT "${text_${each}}" @ONLY)
    list(APPEND kept ${made}/${target}_${each}.cpp)
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${kept})
endfunction()

visor_together(visor_cli_value)
visor_together(visor_cli_console)
visor_together(visor_cli_launch)
visor_together(visor_cli_report APART units.cpp)
visor_together(visor_cli_options APART manual.cpp)
visor_together(visor_cli_verbs APART application.cpp)
visor_together(visor_capi APART launch.cpp)
visor_together(visor_machine)
visor_together(visor-opencl APART memory/image.cpp)
visor_together(visor_python)
visor_together(opencl_test)
visor_together(text_test)
visor_together(visor_compile APART crash.cpp parts.cpp worker.cpp)
visor_together(visor_launch APART elf.cpp zebin.cpp)
visor_together(binary_test APART cache_control_test.cpp)
visor_together(compile_test)
visor_together(interp_test)
if(VISOR_JIT)
  visor_together(visor_jit_driver)
endif()
