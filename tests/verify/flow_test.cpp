// 3_execution_model, Control Flow: labels, subroutines, ends.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

std::vector<Instruction>& code(Module& module) {
    return module.functions[0].code;
}

const Case cases[] = {
    {.rule = "duplicate-label",
     .broken = "here:\n{{there}}:",
     .message = "label `here` is defined twice",
     .damage = [](Module& module) { code(module)[1].operands[0].id = code(module)[0].operands[0].id; },
     .note = "the first definition"},
    {.rule = "undefined-label",
     .broken = "goto (M1, 16) {{here}}\nhere:",
     .message = "label `here` is used but not defined",
     .damage = [](Module& module) { code(module).erase(code(module).begin() + 1); }},
    {.rule = "undefined-label",
     .broken = "goto (M1, 16) {{here}}\nhere:",
     .message = "label 99 does not exist; there are 1",
     .damage = [](Module& module) { code(module)[0].operands[0].id = 99; }},

    // "It must be a block label" (GOTO), "only subroutine labels may be the target of a subroutine call"
    // (Labels).
    {.rule = "label-kind",
     .broken = "goto (M1, 16) {{sub}}\nret (M1, 1)\n.function \"sub\"\nsub:\nret (M1, 1)",
     .message = "goto leads to the subroutine `sub`; it takes a label",
     .fixed = "call (M1, 16) sub\nret (M1, 1)\n.function \"sub\"\nsub:\nret (M1, 1)",
     .ends_itself = true},
    {.rule = "label-kind",
     .broken = "call (M1, 16) {{here}}\nhere:",
     .message = "call leads to the label `here`; it takes a subroutine",
     .fixed = "goto (M1, 16) here\nhere:"},

    // "A jump or goto instruction may not be used to enter/exit a subroutine."
    {.rule = "goto-across-subroutines",
     .broken = "call (M1, 16) sub\nhere:\nret (M1, 1)\n.function \"sub\"\nsub:\ngoto (M1, 16) {{here}}",
     .message = "goto leads to `here` in another subroutine",
     .fixed = "call (M1, 16) sub\nret (M1, 1)\n.function \"sub\"\nsub:\nhere:\ngoto (M1, 16) here",
     .igc = warning,
     .ends_itself = true},

    {.rule = "missing-return",
     .broken = "{{mov (M1, 16) ud16(0,0)<1> 0x0:ud}}",
     .message = "control runs past the end of `k`: the last instruction is no ret",
     .fixed = "mov (M1, 16) ud16(0,0)<1> 0x0:ud\nret (M1, 1)",
     .igc = warning,
     .ends_itself = true},
    {.rule = "missing-return",
     .broken = "{{(P16) ret (M1, 16)}}",
     .message = "control runs past the end of `k`: the last instruction is no ret",
     .fixed = "(P16) ret (M1, 16)\nret (M1, 16)\nLOC 3",
     .igc = warning,
     .ends_itself = true},

    {.rule = "subroutine-fallthrough",
     .broken = "call (M1, 16) sub\n{{.function \"sub\"}}\nsub:\nret (M1, 1)",
     .message = "control runs into the subroutine `sub`",
     .fixed = "call (M1, 16) sub\nret (M1, 1)\n.function \"sub\"\nsub:\nret (M1, 1)",
     .igc = warning,
     .note = "control comes from here",
     .ends_itself = true},

    // "Recursion is not permitted."
    {.rule = "subroutine-recursion",
     .broken = "call (M1, 16) a\nret (M1, 1)\n"
               ".function \"a\"\na:\ncall (M1, 16) b\nret (M1, 1)\n"
               ".function \"b\"\nb:\n{{call (M1, 16) a}}\nret (M1, 1)",
     .message = "this call leads back into a subroutine that has not returned",
     .fixed = "call (M1, 16) a\ncall (M1, 16) b\nret (M1, 1)\n"
              ".function \"a\"\na:\ncall (M1, 16) b\nret (M1, 1)\n"
              ".function \"b\"\nb:\nret (M1, 1)",
     .igc = warning,
     .ends_itself = true},

    {.rule = "fret-in-kernel",
     .broken = "{{fret (M1, 1)}}",
     .message = "fret returns from a function; `k` is a kernel",
     .fixed = "ret (M1, 1)",
     .igc = warning,
     .ends_itself = true},
};

TEST(Flow, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> flow_cases() {
    return cases;
}

} // namespace visor::verify
