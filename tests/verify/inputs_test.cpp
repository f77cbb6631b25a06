// 4_visa_header, Input Variables.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "input-variable",
     .broken = ".decl x v_type=G type=ud num_elts=1 alias=<ud16, 0>\n.input {{x}} offset=64 size=4",
     .message = "the input `x` is an alias",
     .fixed = ".decl x v_type=G type=ud num_elts=1\n.input x offset=64 size=4",
     .igc = warning},
    {.rule = "input-variable",
     .broken = ".input {{ud1}} offset=64 size=4",
     .message = "the input is not a declared variable",
     .damage = [](Module& module) { module.functions[0].inputs[0].id = 7; }},
    {.rule = "input-variable",
     .broken = ".input {{T6}} offset=64 size=4",
     .message = "the input is not a declared surface",
     .damage = [](Module& module) { module.functions[0].inputs[0].id = 5; }},
    {.rule = "input-variable",
     .broken = ".input {{smp}} offset=64 size=4",
     .message = "the input is not a declared sampler",
     .damage = [](Module& module) { module.functions[0].inputs[0].id = 1; }},

    {.rule = "input-size",
     .broken = ".input {{ud16}} offset=64 size=128",
     .message = "the input `ud16` has 128 bytes, its variable 64",
     .fixed = ".input ud16 offset=64 size=64"},
    {.rule = "input-size",
     .broken = ".input {{ud16}} offset=64 size=32",
     .message = "the input `ud16` has 32 bytes, its variable 64",
     .fixed = ".input ud16 offset=64",
     .igc = warning},
    {.rule = "input-size",
     .broken = ".input {{T7}} offset=64 size=4",
     .message = "the input `T7` has 4 bytes, its variable 8",
     .fixed = ".input T7 offset=64 size=8",
     .igc = warning},

    {.rule = "duplicate-input",
     .broken = ".input ud16 offset=64 size=64\n.input {{ud16}} offset=128 size=64",
     .message = "`ud16` is an input already",
     .fixed = ".input ud16 offset=64 size=64\n.input d16 offset=128 size=64",
     .igc = warning,
     .note = "first here"},
    {.rule = "duplicate-input",
     .broken = ".input T6 offset=64 size=4\n.input {{T6}} offset=96 size=4",
     .message = "`T6` is an input already",
     .fixed = ".input T6 offset=64 size=4\n.input smp offset=96 size=4",
     .igc = warning},

    {.rule = "input-alignment",
     .broken = ".input {{ud16}} offset=68 size=64",
     .message = "the input `ud16` is at offset 68, no multiple of 32",
     .fixed = ".input ud16 offset=96 size=64",
     .igc = warning},
    {.rule = "input-alignment",
     .broken = ".input {{ud16}} offset=96 size=64",
     .message = "the input `ud16` is at offset 96, no multiple of 64",
     .fixed = ".input ud16 offset=128 size=64",
     .igc = warning,
     .device = "pvc"},
    {.rule = "input-alignment",
     .broken = ".input {{uq1}} offset=68 size=8",
     .message = "the input `uq1` is at offset 68, no multiple of 8",
     .fixed = ".input uq1 offset=72 size=8",
     .igc = warning},

    {.rule = "input-range",
     .broken = ".input {{ud1}} offset=8160 size=4",
     .message = "the input `ud1` lies in bytes 8160 to 8164, outside the register file",
     .fixed = ".input ud1 offset=8156 size=4"},
    {.rule = "input-range",
     .broken = ".input {{ud1}} offset=-4 size=4",
     .message = "the input `ud1` lies in bytes -4 to 0, outside the register file",
     .fixed = ".input ud1 offset=32 size=4"},
    {.rule = "input-range",
     .broken = ".input {{ud1}} offset=0 size=4",
     .message = "the input `ud1` lies in register 0, which holds the thread's header",
     .fixed = ".input ud1 offset=32 size=4",
     .spec = warning,
     .igc = warning},
    {.rule = "input-range",
     .broken = ".decl x v_type=G type=ud num_elts=3\n.input {{x}} offset=56 size=12",
     .message = "the input `x` of 12 bytes at offset 56 crosses a register of 32 bytes",
     .fixed = ".decl x v_type=G type=ud num_elts=3\n.input x offset=52 size=12"},

    {.rule = "input-overlap",
     .broken = ".input ud1 offset=64 size=4\n.input {{uw1}} offset=66 size=2",
     .message = "two inputs share byte 66 of the register file",
     .fixed = ".input ud1 offset=64 size=4\n.input uw1 offset=68 size=2"},
    // One that ends later hides behind one in between.
    {.rule = "input-overlap",
     .broken = ".input ud16 offset=64 size=64\n.input {{ud1}} offset=124 size=4",
     .message = "two inputs share byte 124 of the register file",
     .fixed = ".input ud16 offset=64 size=64\n.input ud1 offset=128 size=4"},
    // Pseudo inputs arrive nowhere.
    {.rule = "input-overlap",
     .broken = ".input ud1 offset=64 size=4\n.input {{d1}} offset=64 size=4",
     .message = "two inputs share byte 64 of the register file",
     .fixed = ".input ud1 offset=64 size=4\n.implicit_PSEUDO_INPUT d1 offset=64 size=4"},
};

TEST(Inputs, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> input_cases() {
    return cases;
}

} // namespace visor::verify
