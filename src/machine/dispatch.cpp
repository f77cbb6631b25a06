#include "machine/dispatch.h"
