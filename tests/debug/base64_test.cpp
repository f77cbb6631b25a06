// The vectors of RFC 4648, section 10.
#include "debug/dap/base64.h"

#include <gtest/gtest.h>

namespace visor::debug::dap {
namespace {

std::string encoded(std::string_view text) {
    return to_base64(std::as_bytes(std::span(text)));
}

TEST(Base64, TheStandardsVectors) {
    for (const auto& [text, code] :
         {std::pair{"", ""}, std::pair{"f", "Zg=="}, std::pair{"fo", "Zm8="}, std::pair{"foo", "Zm9v"},
          std::pair{"foob", "Zm9vYg=="}, std::pair{"fooba", "Zm9vYmE="}, std::pair{"foobar", "Zm9vYmFy"}}) {
        EXPECT_EQ(encoded(text), code);
        const auto back = from_base64(code);
        ASSERT_TRUE(back.has_value());
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(back->data()), back->size()), text);
    }
}

TEST(Base64, WhatIsNoneIsRefused) {
    for (const char* text : {"Z", "Zg=", "Zg==Zg==x", "Z?==", "===="})
        EXPECT_FALSE(from_base64(text).has_value()) << text;
}

} // namespace
} // namespace visor::debug::dap
