// The one file that gdb may read over the connection: the synthetic program.
#pragma once

#include "debug/gdb/packet.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug::gdb {

inline constexpr std::string_view program_path = "/visor/kernels.elf";

class Files {
public:
    // What those see that open it from now on.
    void set(std::vector<std::byte> program);
    // The answer to "vFile:" and these words; "": not supported.
    [[nodiscard]] std::string answer(std::string_view words);

private:
    using Content = std::shared_ptr<const std::vector<std::byte>>;
    [[nodiscard]] std::string open(Fields words);
    [[nodiscard]] std::string read(Fields words) const;
    [[nodiscard]] std::string describe(Fields words) const;
    [[nodiscard]] std::string close(Fields words);

    Content program_ = std::make_shared<const std::vector<std::byte>>();
    uint32_t version_ = 0;
    uint64_t made_ = 0; // seconds of Unix time, later for each version: gdb keeps what has not changed
    std::map<uint64_t, Content> opened_; // by descriptor
};

} // namespace visor::debug::gdb
