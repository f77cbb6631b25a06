#include "compile/compile.h"
