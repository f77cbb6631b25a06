// 4_visa_header, Attributes and Kernel.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "unknown-attribute",
     .broken = ".kernel_attr {{SimdSized}}=16",
     .message = "there is no attribute `SimdSized` (did you mean `SimdSize`, `SLMSize`?); nothing that has "
                "it is launched",
     .fixed = ".kernel_attr NumGRF=128",
     .spec = warning,
     .igc = warning},
    {.rule = "unknown-attribute",
     .broken = ".decl x v_type=G type=ud num_elts=1 attrs={ {{Putput}} }",
     .message = "there is no attribute `Putput` (did you mean `Output`?); nothing that has it is launched",
     .fixed = ".decl x v_type=G type=ud num_elts=1 attrs={Output}",
     .spec = warning,
     .igc = warning},

    {.rule = "attribute-kind",
     .broken = ".kernel_attr {{NoBarrier}}=\"yes\"",
     .message = "the attribute `NoBarrier` takes no value",
     .fixed = ".kernel_attr NoBarrier"},
    {.rule = "attribute-kind",
     .broken = ".kernel_attr {{SLMSize}}=\"4\"",
     .message = "the attribute `SLMSize` takes a number",
     .fixed = ".kernel_attr SLMSize=4"},
    {.rule = "attribute-kind",
     .broken = ".kernel_attr {{OutputAsmPath}}=3",
     .message = "the attribute `OutputAsmPath` takes a string",
     .fixed = ".kernel_attr OutputAsmPath=\"k\""},

    {.rule = "attribute-value",
     .broken = ".kernel_attr {{SimdSize}}=7",
     .message = "SimdSize is 7; allowed: 8, 16, 32",
     .fixed = ".kernel_attr SimdSize=8",
     .igc = warning},
    {.rule = "attribute-value",
     .broken = ".kernel_attr {{SLMSize}}=65",
     .message = "SLMSize is 65; allowed: 0 to 64 (KiB)",
     .fixed = ".kernel_attr SLMSize=64",
     .igc = warning},
    {.rule = "attribute-value",
     .broken = ".kernel_attr {{SLMSize}}=65",
     .message = "SLMSize is 65; allowed: 0 to 64 (KiB)",
     .fixed = ".kernel_attr SLMSize=65",
     .igc = warning,
     .device = "skl",
     .fixed_device = "pvc"},
    {.rule = "attribute-value",
     .broken = ".kernel_attr {{Target}}=2",
     .message = "Target is 2; allowed: 0, 1",
     .fixed = ".kernel_attr Target=\"3d\"",
     .igc = warning},

    {.rule = "duplicate-attribute",
     .broken = ".kernel_attr {{SLMSize}}=4",
     .message = "`SLMSize` is given twice",
     .damage =
         [](Module& module) {
             std::vector<Attribute>& attributes = module.functions[0].attributes;
             attributes.push_back(attributes.back());
         },
     .note = "the first one is here"},
};

TEST(Attributes, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> attribute_cases() {
    return cases;
}

} // namespace visor::verify
