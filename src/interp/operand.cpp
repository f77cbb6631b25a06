#include "interp/operand.h"
