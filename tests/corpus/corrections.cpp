#include "corrections.h"

#include "check/suppression.h"
#include "tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace visor::corpus {

namespace {

// Each element of an array or scalar.
void fill(std::vector<std::byte>& bytes, const vm::Parameter& parameter, const std::string& value) {
    const auto put = [&](size_t at, auto number, size_t size) { std::memcpy(&bytes[at], &number, size); };
    const isa::Type type = parameter.element_known ? parameter.element : isa::Type::ud;
    const size_t step = isa::size_of(type);
    for (size_t at = 0; at + step <= bytes.size(); at += step) {
        const std::string number = value == "iota" ? std::to_string(at / step) : value;
        if (type == isa::Type::f)
            put(at, std::stof(number), step);
        else if (type == isa::Type::df)
            put(at, std::stod(number), step);
        else
            put(at, std::stoll(number, nullptr, 0), step);
    }
}

void set_sizes(test::Sizes& sizes, const std::string& value, unsigned& dimensions) {
    const std::vector<std::string> numbers = test::split(value, ',');
    for (size_t d = 0; d < 3; ++d)
        sizes[d] = d < numbers.size() ? std::stoull(numbers[d]) : 1;
    dimensions = static_cast<unsigned>(numbers.size());
}

// `1,2,3` at a byte: dwords.
void put_dwords(std::vector<std::byte>& data, size_t at, const std::string& value) {
    for (const std::string& word : test::split(value, ',')) {
        const auto number = static_cast<uint32_t>(std::stoll(word, nullptr, 0));
        if (at + sizeof number > data.size())
            throw std::runtime_error(fmt::format("launches.tsv: byte {} lies outside its argument", at));
        std::memcpy(&data[at], &number, sizeof number);
        at += sizeof number;
    }
}

void correct(test::Argument& argument, const vm::Parameter& parameter, const std::string& value,
             const Kept& kept) {
    if (value.starts_with("local:")) {
        argument.local_bytes = std::stoull(value.substr(6));
    } else if (value.starts_with("bytes:")) {
        argument.data.assign(std::stoull(value.substr(6)), std::byte{0});
    } else if (value == "kept") {
        if (const auto found = kept.find(parameter.name); found != kept.end())
            argument.data = found->second;
    } else {
        fill(argument.data, parameter, value);
    }
}

// `false`: there is no such argument.
bool correct(test::Launch& launch, const vm::KernelFacts& kernel, const std::string& word, const Kept& kept) {
    const size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "fuel")
        return true;
    if (name == "global" || name == "local") {
        set_sizes(name == "global" ? launch.global : launch.local, value, launch.dimensions);
        return true;
    }
    const size_t offset = name.find('@');
    const std::string place = offset == std::string::npos ? "" : name.substr(offset + 1);
    name = name.substr(0, offset);
    bool found = false;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
        if (kernel.parameters[i].name != name)
            continue;
        found = true;
        if (place.empty())
            correct(launch.arguments[i], kernel.parameters[i], value, kept);
        else
            put_dwords(launch.arguments[i].data, std::stoull(place), value);
    }
    return found;
}

} // namespace

Corrections::Corrections(const std::string& path) {
    test::read_tsv(path, [&](const std::vector<std::string>& row) {
        rows_.push_back({row.at(0), row.at(1), test::split(row.at(2), ' ')});
    });
}

bool Corrections::Row::matches(const std::string& source_name, const std::string& kernel_name) const {
    return check::matches_wildcard(source, source_name) && check::matches_wildcard(kernel, kernel_name);
}

void Corrections::apply(const std::string& source, const vm::KernelFacts& kernel, const Kept& kept,
                        test::Launch& launch) const {
    for (const Row& row : rows_) {
        if (!row.matches(source, kernel.name))
            continue;
        for (const std::string& word : row.words)
            if (!correct(launch, kernel, word, kept) && row.kernel == kernel.name)
                throw std::runtime_error(
                    fmt::format("launches.tsv: `{}` has no argument for `{}`", kernel.name, word));
    }
}

uint64_t Corrections::fuel(const std::string& source, const std::string& kernel) const {
    uint64_t fuel = 0;
    for (const Row& row : rows_)
        for (const std::string& word : row.words)
            if (word.starts_with("fuel=") && row.matches(source, kernel))
                fuel = std::stoull(word.substr(5));
    return fuel;
}

} // namespace visor::corpus
