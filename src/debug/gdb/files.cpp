#include "debug/gdb/files.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace visor::debug::gdb {

namespace {

// Of the protocol's File-I/O extension.
constexpr int no_such_file = 2;
constexpr int bad_descriptor = 9;
constexpr int not_permitted = 1;
constexpr int too_many_files = 24;
constexpr uint64_t access_bits = 3; // of the flags; 0: reading
constexpr uint32_t regular_file = 0100444;
constexpr size_t most_open = 64;

std::string failed(int error) {
    return fmt::format("F-1,{:x}", error);
}

// Numbers are big-endian there.
std::string big(uint64_t value, size_t bytes) {
    std::string out;
    for (size_t k = bytes; k-- > 0;)
        out += k < sizeof value ? static_cast<char>(value >> (8 * k)) : '\0';
    return out;
}

} // namespace

void Files::set(std::vector<std::byte> program) {
    program_ = std::make_shared<const std::vector<std::byte>>(std::move(program));
    ++version_;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    made_ = std::max(static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count()),
                     made_ + 1);
}

std::string Files::answer(std::string_view words) {
    Fields fields(words);
    if (fields.take("setfs:"))
        return "F0";
    if (fields.take("open:"))
        return open(fields);
    if (fields.take("pread:"))
        return read(fields);
    if (fields.take("fstat:"))
        return describe(fields);
    if (fields.take("close:"))
        return close(fields);
    return "";
}

std::string Files::open(Fields words) {
    const auto name = from_hex(words.until(','));
    const auto flags = words.number();
    if (name != program_path)
        return failed(no_such_file);
    if (!flags || (*flags & access_bits) != 0)
        return failed(not_permitted);
    uint64_t descriptor = 3;
    while (opened_.contains(descriptor))
        ++descriptor;
    if (opened_.size() >= most_open)
        return failed(too_many_files);
    opened_[descriptor] = program_;
    return fmt::format("F{:x}", descriptor);
}

std::string Files::read(Fields words) const {
    const auto descriptor = words.number();
    const bool has_count = words.take(",");
    const auto count = words.number();
    const bool has_offset = words.take(",");
    const auto offset = words.number();
    const auto found = descriptor ? opened_.find(*descriptor) : opened_.end();
    if (found == opened_.end() || !has_count || !count || !has_offset || !offset)
        return failed(bad_descriptor);
    const std::span<const std::byte> all(*found->second);
    const auto begin = std::min<uint64_t>(*offset, all.size());
    constexpr uint64_t most = most_packet_bytes / 2 - 64; // all of it may need escapes
    const auto part = all.subspan(begin, std::min<uint64_t>({*count, all.size() - begin, most}));
    return fmt::format("F{:x};", part.size()) + escaped(part);
}

std::string Files::describe(Fields words) const {
    const auto descriptor = words.number();
    const auto found = descriptor ? opened_.find(*descriptor) : opened_.end();
    if (found == opened_.end())
        return failed(bad_descriptor);
    const uint64_t bytes = found->second->size();
    constexpr uint64_t block = 4096;
    // Device, inode, mode, links, user, group, device, size, block size, blocks, three times of four bytes.
    const std::string status = big(0, 4) + big(version_, 4) + big(regular_file, 4) + big(1, 4) + big(0, 12) +
                               big(bytes, 8) + big(block, 8) + big((bytes + block - 1) / block, 8) +
                               big(made_, 4) + big(made_, 4) + big(made_, 4);
    return fmt::format("F{:x};", status.size()) + escaped(std::as_bytes(std::span(status)));
}

std::string Files::close(Fields words) {
    const auto descriptor = words.number();
    return descriptor && opened_.erase(*descriptor) != 0 ? "F0" : failed(bad_descriptor);
}

} // namespace visor::debug::gdb
