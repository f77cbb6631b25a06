#include "examples/host.h"

namespace visor::test {

std::vector<Check> all_checks() {
    std::vector<Check> checks;
    for (const std::span<const Check> theme :
         {basic_checks(), integer_checks(), floating_checks(), math_checks(), vector_checks(),
          atomic_checks(), memory_checks(), group_checks(), flow_checks(), sorting_checks(), hashing_checks(),
          linear_checks(), grid_checks(), search_checks(), function_checks(), picture_checks()})
        checks.insert(checks.end(), theme.begin(), theme.end());
    return checks;
}

} // namespace visor::test
