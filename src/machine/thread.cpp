#include "machine/thread.h"
