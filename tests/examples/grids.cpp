#include "examples/host.h"
namespace visor::test {
std::span<const Check> grid_checks() {
    return {};
}
} // namespace visor::test
