#include "isa/table.h"
