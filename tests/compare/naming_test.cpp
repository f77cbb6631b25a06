#include "compare/naming.h"

#include "parsed.h"

#include <array>

namespace visor::compare {
namespace {

using Names = std::vector<Name>;

Name general(uint32_t id) {
    return {Space::general, id};
}

TEST(Naming, OneToOne) {
    const Module module = code("ret (M1, 1)\n");
    const Canonical made = canonical(module.functions.front(), 32);
    Naming naming(made, made);
    EXPECT_TRUE(naming.agrees(Names{general(32), general(33)}, Names{general(33), general(32)}));
    EXPECT_FALSE(naming.agrees(Names{general(32), general(32)}, Names{general(33), general(32)}));
    EXPECT_FALSE(naming.agrees(Names{general(32), general(33)}, Names{general(32), general(32)}));
    EXPECT_FALSE(naming.agrees(Names{general(32)}, Names{}));
    EXPECT_FALSE(naming.agrees(Names{general(32)}, Names{{Space::predicate, 1}}));
    EXPECT_TRUE(naming.is_free(general(32), general(33))); // asking binds nothing
    naming.bind(Names{general(32)}, Names{general(33)});
    EXPECT_TRUE(naming.stands_for(general(32), general(33)));
    EXPECT_FALSE(naming.agrees(Names{general(32)}, Names{general(32)}));
    EXPECT_FALSE(naming.agrees(Names{general(34)}, Names{general(33)}));
}

TEST(Naming, PredefinedOnesStandForThemselves) {
    const Module module = code("ret (M1, 1)\n");
    const Canonical made = canonical(module.functions.front(), 32);
    Naming naming(made, made);
    EXPECT_TRUE(naming.agrees(Names{general(7)}, Names{general(7)}));
    EXPECT_FALSE(naming.agrees(Names{general(7)}, Names{general(8)}));
    EXPECT_FALSE(naming.agrees(Names{general(7)}, Names{general(32)}));
    EXPECT_FALSE(naming.is_free(general(7), general(7)));
}

TEST(Naming, OnlyWhatIsDeclaredAlike) {
    const Module first = parsed(".version 4.1\n.kernel \"k\"\n.decl A v_type=G type=d num_elts=8\n"
                                ".decl P v_type=P num_elts=8\n    ret (M1, 1)\n");
    const Module second = parsed(".version 4.1\n.kernel \"k\"\n.decl A v_type=G type=w num_elts=16\n"
                                 ".decl P v_type=P num_elts=16\n    ret (M1, 1)\n");
    const Canonical a = canonical(first.functions.front(), 32);
    const Canonical b = canonical(second.functions.front(), 32);
    const Naming naming(a, b);
    EXPECT_FALSE(naming.alike({Space::predicate, 1}, {Space::predicate, 1}));
    // As many bytes; what type they have is said where they are used.
    EXPECT_TRUE(naming.alike(general(32), general(32)));
}

} // namespace
} // namespace visor::compare
