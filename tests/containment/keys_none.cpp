// For systems and builds without protection keys.
#include "keys.h"

#include <cstdio>

namespace visor::containment {

bool have_keys() {
    return false;
}
bool keys_are_on() {
    return false;
}
int with_keys(const std::function<int()>& /*body*/) {
    std::puts("skipped: this build has no protection keys");
    return skipped;
}
void share(const void* /*bytes*/, size_t /*count*/) {}
void share(const machine::Memory& /*memory*/) {}
void lock_process() {}
void unlock_process() {}
uint64_t locked() {
    return 0;
}

} // namespace visor::containment
