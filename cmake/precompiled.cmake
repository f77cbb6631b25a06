# Headers that most files include, compiled once for each kind of target. Nothing else knows of it, and the builds
# without it (the presets `no-llvm` and `release`, and what the linter reads) are what proves that every file includes
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
list(REMOVE_ITEM libraries visor_jit)
if(TARGET visor-opencl)
  list(APPEND libraries visor-opencl)
endif()
list(REMOVE_ITEM libraries visor_isa) # small files: the headers take longer to load than to compile
visor_precompile(libraries HEADERS ${VISOR_PRECOMPILED_LIBRARIES} TARGETS ${libraries})
# Arithmetic that rounds as it is told is compiled with a flag of its own.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/number/round.cpp TARGET_DIRECTORY visor_number
             PROPERTY SKIP_PRECOMPILE_HEADERS ON)
if(VISOR_JIT)
  visor_precompile(jit HEADERS ${VISOR_PRECOMPILED_JIT} LIBRARIES visor_llvm TARGETS visor_jit)
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

# Several files at a time, where what they include takes far longer than what they say. Names of anonymous namespaces
# meet there: a file whose names are others' as well has SKIP_UNITY_BUILD_INCLUSION.
foreach(target IN ITEMS visor visor_cli visor_capi visor_machine visor-opencl visor_python opencl_test text_test)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
  endif()
endforeach()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/cli/units.cpp TARGET_DIRECTORY visor_cli
             PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/capi/launch.cpp TARGET_DIRECTORY visor_capi
             PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
if(TARGET visor-opencl)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/opencl/image.cpp TARGET_DIRECTORY visor-opencl
               PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
endif()
