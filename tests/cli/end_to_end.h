// What the end-to-end tests share: the program, a folder of their own, two kernels to run.
#pragma once

#include "process/process.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::cli {

inline constexpr const char* saxpy = VISOR_TEST_SOURCES "/saxpy_and_scale.cl";

// Adds 5 to each of eight numbers.
inline constexpr const char* hand_written = R"(.version 4.1
.kernel "add5"
.decl to v_type=G type=uq num_elts=1 align=qword
.decl amount v_type=G type=d num_elts=1 align=dword
.decl data v_type=G type=d num_elts=8 align=GRF
.input to offset=32 size=8
.input amount offset=40 size=4
.kernel_attr SimdSize=8
    svm_block_ld (2) to(0,0)<0;1,0> data.0
    add (M1, 8) data(0,0)<1> data(0,0)<1;1,0> amount(0,0)<0;1,0>
    svm_block_st (2) to(0,0)<0;1,0> data.0
    ret (M1, 1)
)";

// Each test has a folder of its own, the same from run to run: the cache of compiled kernels knows them by
// their place.
class EndToEnd : public testing::Test {
protected:
    EndToEnd()
        : folder_(std::filesystem::path(VISOR_TEST_FOLDER) /
                  testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() /
                  testing::UnitTest::GetInstance()->current_test_info()->name()) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }

    [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }
    std::string source(const std::string& name, const std::string& content) const {
        test::write_file(file(name), content);
        return file(name);
    }
    [[nodiscard]] test::Finished
    visor(std::vector<std::string> words,
          const std::vector<std::pair<std::string, std::string>>& environment = {},
          const std::string& input = "") const {
        words.insert(words.begin(), VISOR_PROGRAM);
        return test::run(words, environment, input);
    }
    [[nodiscard]] test::Finished run_saxpy(const std::vector<std::string>& more) const {
        std::vector<std::string> words{"run", saxpy, "-k", "saxpy", "-g", "4"};
        words.insert(words.end(), more.begin(), more.end());
        return visor(words);
    }

    std::filesystem::path folder_;
};

inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

inline std::string last_line(const std::string& text) {
    const size_t end = text.size() - (text.ends_with('\n') ? 1 : 0);
    const size_t begin = text.rfind('\n', end == 0 ? 0 : end - 1);
    return text.substr(begin == std::string::npos ? 0 : begin + 1,
                       end - (begin == std::string::npos ? 0 : begin + 1));
}

// The text with the first `what` in it replaced; the test fails when it is not there.
inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
    const size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

} // namespace visor::cli
