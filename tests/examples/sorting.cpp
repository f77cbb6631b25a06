#include "examples/host.h"
namespace visor::test {
std::span<const Check> sorting_checks() {
    return {};
}
} // namespace visor::test
