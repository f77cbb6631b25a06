#include "launch/zebin.h"
#include "launch/bind.h"
