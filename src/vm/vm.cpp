#include "vm/vm.h"
