#include "examples/host.h"
namespace visor::test {
std::span<const Check> hashing_checks() {
    return {};
}
} // namespace visor::test
