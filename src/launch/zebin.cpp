#include "launch/bind.h"
#include "launch/zebin.h"
