#include "machine/memory.h"
