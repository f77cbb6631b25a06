// Atomics of tier 1 code: those that are alike share a function. What they do is looked at by the case
// files, in both tiers.
#include "emitted.h"

namespace visor::jit {
namespace {

constexpr const char* head = ".decl V v_type=G type=ud num_elts=16 align=GRF\n"
                             ".decl W v_type=G type=ud num_elts=16 align=GRF\n"
                             ".decl A v_type=G type=uq num_elts=8 align=GRF\n"
                             ".decl T6 v_type=T num_elts=1\n";
constexpr const char* inc = "    dword_atomic.inc (M1, 16) T6 V.0 %null.0 %null.0 W.0\n";
constexpr const char* inc_for_nobody = "    dword_atomic.inc (M1, 16) T6 V.0 %null.0 %null.0 %null.0\n";
constexpr const char* inc_of_eight = "    dword_atomic.inc (M1, 8) T6 V.0 %null.0 %null.0 W.0\n";
constexpr const char* add = "    dword_atomic.add (M1, 16) T6 V.0 V.0 %null.0 W.0\n";
constexpr const char* local = "    dword_atomic.inc (M1, 16) %slm V.0 %null.0 %null.0 W.0\n";
constexpr const char* flat = "    svm_atomic.inc (M1, 8) A.0 W.0 %null.0 %null.0\n";

struct ProvidedObject {
    size_t functions = 0; // beside the kernel's
    size_t calls = 0;     // of them
    bool operator==(const ProvidedObject&) const = default;
};

ProvidedObject made_of(const std::string& code, bool brief) {
    const Emitted code_of = emitted(head + code + "    ret (M1, 1)\n", {.brief = brief});
    ProvidedObject made;
    for (const llvm::Function& function : *code_of.module)
        if (!function.isDeclaration() && function.getName() != "f") {
            ++made.functions;
            made.calls += function.getNumUses();
        }
    return made;
}

TEST(AtomicCalled, AlikeOnesShareAFunction) {
    EXPECT_EQ(made_of(inc, true), (ProvidedObject{1, 1}));
    EXPECT_EQ(made_of(std::string(inc) + inc + inc, true), (ProvidedObject{1, 3}));
}

TEST(AtomicCalled, OthersHaveTheirOwn) {
    for (const char* const other : {inc_for_nobody, inc_of_eight, add, local, flat})
        EXPECT_EQ(made_of(std::string(inc) + other + inc, true), (ProvidedObject{2, 3})) << other;
}

TEST(AtomicCalled, WellMadeCodeHasNone) {
    EXPECT_EQ(made_of(std::string(inc) + add + local + flat, false), ProvidedObject{});
}

} // namespace
} // namespace visor::jit
