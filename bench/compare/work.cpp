// What all pieces of work share: plain C++ as a runner, and the kernels' sources.
#include "work.h"

#include <fstream>
#include <iostream>
#include <sstream>

namespace visor::compare {

namespace {

class Native final : public Runner {
public:
    explicit Native(const Work& work) : work_(work) { reset(); }
    [[nodiscard]] bool run() override {
        std::vector<std::span<std::byte>> arrays(buffers_.begin(), buffers_.end());
        work_.native(arrays);
        return true;
    }
    void reset() override {
        buffers_.resize(work_.buffers.size());
        for (size_t i = 0; i < buffers_.size(); ++i)
            buffers_[i] = work_.buffers[i].content;
    }
    [[nodiscard]] std::vector<std::byte> content(size_t buffer) override { return buffers_[buffer]; }

private:
    const Work& work_;
    std::vector<std::vector<std::byte>> buffers_;
};

} // namespace

std::unique_ptr<Runner> native_runner(const Work& work) {
    return work.native == nullptr ? nullptr : std::make_unique<Native>(work);
}

std::string source_of(const Work& work) {
    std::vector<std::string> paths = work.files;
    if (paths.empty())
        paths.push_back(std::string(VISOR_COMPARE_KERNELS) + "/" + work.source + ".cl");
    std::ostringstream text;
    for (const std::string& path : paths) {
        std::ifstream file(path);
        text << file.rdbuf() << '\n';
        if (!file) {
            std::cerr << path << ": cannot be read\n";
            return {};
        }
    }
    return text.str();
}

} // namespace visor::compare
