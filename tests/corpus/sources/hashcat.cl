// One of hashcat's kernels. All of its helper functions are visible outside by default, and the compiler spends ten
// seconds on those that nothing calls.
#include "inc_vendor.h"
#undef DECLSPEC
#define DECLSPEC static
#include HASHCAT_KERNEL
