// 4_visa_header, General Variables and the other classes.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "variable-type",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1",
     .message = "`x` has type v, which no variable may have",
     .damage = [](Module& module) { module.functions[0].general.back().type = isa::Type::v; }},
    {.rule = "variable-type",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1",
     .message = "`x` has type bool, which no variable may have",
     .damage = [](Module& module) { module.functions[0].general.back().type = isa::Type::boolean; }},

    // "Valid range is [1, 4096], and the variable size must be less than 4K bytes."
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=G type=ub num_elts=4097",
     .message =
         "`x` has 4097 elements and 4097 bytes; at most 4096 elements and less than 4096 bytes are allowed",
     .fixed = ".decl x v_type=G type=ub num_elts=4095",
     .igc = nothing},
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1024",
     .message =
         "`x` has 1024 elements and 4096 bytes; at most 4096 elements and less than 4096 bytes are allowed",
     .fixed = ".decl x v_type=G type=ud num_elts=1023",
     .igc = nothing},
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1",
     .message = "`x` has 0 elements; 1 to 4096 are allowed",
     .damage = [](Module& module) { module.functions[0].general.back().elements = 0; }},
    // 65,544 bytes: less than pvc's 16,384 elements, and more than text declares.
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=G type=uq num_elts=1",
     .message = "`x` has 8193 elements; 1 to 4096 are allowed",
     .device = "pvc",
     .damage = [](Module& module) { module.functions[0].general.back().elements = 8193; }},
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=P num_elts=3",
     .message = "`x` has 3 elements; allowed: 1, 2, 4, 8, 16, 32",
     .fixed = ".decl x v_type=P num_elts=4"},
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=A num_elts=17",
     .message = "`x` has 17 elements; allowed: 1 to 16",
     .fixed = ".decl x v_type=A num_elts=16"},
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=S num_elts=33",
     .message = "`x` has 33 elements; allowed: 1 to 32",
     .fixed = ".decl x v_type=S num_elts=32"},
    {.rule = "num-elts",
     .broken = ".decl {{x}} v_type=T num_elts=257",
     .message = "`x` has 257 elements; allowed: 1 to 256",
     .fixed = ".decl x v_type=T num_elts=256"},

    {.rule = "alias-base",
     .broken = ".decl {{x}} v_type=G type=uw num_elts=1 alias=<%thread_x, 0>",
     .message = "`%thread_x` may not be aliased",
     .fixed = ".decl x v_type=G type=uw num_elts=1 alias=<%r0, 0>",
     .igc = nothing},
    {.rule = "alias-base",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1",
     .message = "`x` is an alias of `x`, which is declared later",
     .damage =
         [](Module& module) {
             std::vector<GeneralVariable>& general = module.functions[0].general;
             general.back().alias = isa::first_user_general + static_cast<uint32_t>(general.size()) - 1;
         }},
    {.rule = "alias-base",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1",
     .message = "`x` is an alias of a variable that is not declared",
     .damage = [](Module& module) { module.functions[0].general.back().alias = 99; }},

    {.rule = "alias-offset",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1 alias=<ud16, 60>",
     .message = "`x` begins at byte 64 of `ud16`, which has 64 bytes",
     .damage = [](Module& module) { module.functions[0].general.back().alias_offset = 64; }},
    {.rule = "alias-offset",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1",
     .message = "`x` has an alias offset but is no alias",
     .damage = [](Module& module) { module.functions[0].general.back().alias_offset = 4; }},

    {.rule = "alias-size",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=2 alias=<ud16, 60>",
     .message = "`x` ends at byte 68 of `ud16`, which has 64 bytes",
     .fixed = ".decl x v_type=G type=ud num_elts=1 alias=<ud16, 60>",
     .igc = warning},
    // Offsets add up along a chain.
    {.rule = "alias-size",
     .broken = ".decl y v_type=G type=ud num_elts=4 alias=<ud16, 48>\n"
               ".decl {{x}} v_type=G type=ud num_elts=3 alias=<y, 8>",
     .message = "`x` ends at byte 68 of `ud16`, which has 64 bytes",
     .fixed = ".decl y v_type=G type=ud num_elts=4 alias=<ud16, 48>\n"
              ".decl x v_type=G type=ud num_elts=2 alias=<y, 8>",
     .igc = warning},

    {.rule = "alias-alignment",
     .broken = ".decl {{x}} v_type=G type=ud num_elts=1 alias=<ud16, 2>",
     .message = "the alias offset 2 of `x` is no multiple of 4, the size of its type ud",
     .fixed = ".decl x v_type=G type=uw num_elts=1 alias=<ud16, 2>",
     .igc = warning},
    {.rule = "alias-alignment",
     .broken = ".decl y v_type=G type=ub num_elts=4 align=word\n"
               ".decl {{x}} v_type=G type=ud num_elts=1 alias=<y, 0>",
     .message = "`x` of type ud lies in `y`, which is aligned to less than its type's 4 bytes",
     .fixed = ".decl y v_type=G type=ub num_elts=4 align=dword\n"
              ".decl x v_type=G type=ud num_elts=1 alias=<y, 0>"},
};

TEST(Declarations, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> declaration_cases() {
    return cases;
}

} // namespace visor::verify
