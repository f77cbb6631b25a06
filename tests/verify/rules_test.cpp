#include "verify/verify.h"
#include <gtest/gtest.h>
TEST(X, Y) { EXPECT_FALSE(visor::verify::rules().empty()); }
