ck.cl
#include "a.h"
# include <b.h>
kernel void k() { /* include */ }
