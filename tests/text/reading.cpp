#include "reading.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace visor::text {

std::string kernel(std::string_view lines) {
    return fmt::format(".version 4.1\n"
                       ".kernel \"k\"\n"
                       ".decl V0032 v_type=G type=ud num_elts=64 align=GRF\n"
                       ".decl V0033 v_type=G type=uq num_elts=64 align=GRF\n"
                       ".decl V0034 v_type=G type=f num_elts=64 align=GRF\n"
                       ".decl V0035 v_type=G type=w num_elts=64 align=GRF\n"
                       ".decl V0036 v_type=G type=d num_elts=64 align=GRF\n"
                       ".decl A0 v_type=A num_elts=16\n"
                       ".decl P1 v_type=P num_elts=32\n"
                       ".decl P2 v_type=P num_elts=32\n"
                       ".decl S0 v_type=S num_elts=1\n"
                       ".decl T6 v_type=T num_elts=1\n"
                       "{}\n",
                       lines);
}

std::vector<std::string> Reading::reports() const {
    std::vector<std::string> found;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        const LineColumn at = line_column(source, diagnostic.where.value_or(Location{}).offset);
        found.push_back(fmt::format("{}:{} {}", at.line, at.column, diagnostic.rule));
    }
    return found;
}

std::string Reading::rendered() const {
    return render(diagnostics, SourceView{"k.visaasm", source, false}, Color::off);
}

Reading read(std::string source, const Options& options) {
    Reading reading;
    reading.source = std::move(source);
    reading.module = parse(reading.source, options, reading.diagnostics);
    return reading;
}

Instruction read_one(std::string_view line) {
    const Reading reading = read_lines(line);
    EXPECT_TRUE(reading.module.has_value()) << line << '\n' << reading.rendered();
    if (!reading.module.has_value() || reading.function().code.empty())
        return {};
    return reading.code(0);
}

std::string reprinted(std::string_view line) {
    const Reading first = read_lines(line);
    EXPECT_TRUE(first.module.has_value()) << line << '\n' << first.rendered();
    if (!first.module.has_value())
        return "";
    const std::string printed = print(*first.module);
    const Reading second = read(printed);
    EXPECT_TRUE(second.module.has_value()) << line << '\n' << second.rendered();
    if (!second.module.has_value())
        return "";
    EXPECT_TRUE(same(*first.module, *second.module)) << line << '\n' << printed;
    EXPECT_EQ(print(*second.module), printed);
    return print(first.function(), first.code(0));
}

} // namespace visor::text
