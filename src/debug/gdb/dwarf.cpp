#include "debug/gdb/dwarf.h"

#include "debug/gdb/bytes.h"

namespace visor::debug::gdb {

namespace {

constexpr uint16_t version = 4;
constexpr uint8_t address_bytes = 8;

enum Tag : uint8_t { tag_compile_unit = 0x11, tag_subprogram = 0x2e };
enum Attribute : uint8_t {
    at_name = 0x03,
    at_stmt_list = 0x10,
    at_low_pc = 0x11,
    at_high_pc = 0x12,
    at_language = 0x13,
    at_comp_dir = 0x1b,
    at_producer = 0x25,
    at_prototyped = 0x27,
    at_decl_file = 0x3a,
    at_decl_line = 0x3b,
    at_external = 0x3f,
};
enum Form : uint8_t {
    form_addr = 0x01,
    form_data2 = 0x05,
    form_data8 = 0x07,
    form_string = 0x08,
    form_udata = 0x0f,
    form_sec_offset = 0x17,
    form_flag_present = 0x19,
};
constexpr uint16_t language_c99 = 0x0c;

enum Abbreviation : uint8_t { abbreviation_unit = 1, abbreviation_function = 2 };

std::vector<std::byte> abbreviations() {
    Bytes out;
    const auto entry = [&](uint8_t code, uint8_t tag, bool children,
                           std::initializer_list<std::pair<uint8_t, uint8_t>> attributes) {
        out.leb(code);
        out.leb(tag);
        out.byte(children ? 1 : 0);
        for (const auto& [attribute, form] : attributes) {
            out.leb(attribute);
            out.leb(form);
        }
        out.leb(0);
        out.leb(0);
    };
    entry(abbreviation_unit, tag_compile_unit, true,
          {{at_producer, form_string},
           {at_language, form_data2},
           {at_name, form_string},
           {at_comp_dir, form_string},
           {at_low_pc, form_addr},
           {at_high_pc, form_data8},
           {at_stmt_list, form_sec_offset}});
    entry(abbreviation_function, tag_subprogram, false,
          {{at_external, form_flag_present},
           {at_name, form_string},
           {at_decl_file, form_udata},
           {at_decl_line, form_udata},
           {at_prototyped, form_flag_present},
           {at_low_pc, form_addr},
           {at_high_pc, form_data8}});
    out.leb(0);
    return out.data();
}

void add_unit(Bytes& info, const FunctionImage& function, const std::string& directory, size_t line_offset) {
    const size_t begin = info.size();
    info.number(uint32_t{0});
    info.number(version);
    info.number(uint32_t{0}); // the abbreviations, which all units share
    info.byte(address_bytes);
    info.leb(abbreviation_unit);
    info.string("Visor");
    info.number(language_c99);
    info.string(function.files.empty() ? "" : function.files.front());
    info.string(directory);
    info.number(function.begin);
    info.number(function.end - function.begin);
    info.number(static_cast<uint32_t>(line_offset));
    info.leb(abbreviation_function);
    info.string(function.name);
    info.leb(function.rows.empty() ? 1 : function.rows.front().file + 1);
    info.leb(function.rows.empty() ? 1 : function.rows.front().line);
    info.number(function.begin);
    info.number(function.end - function.begin);
    info.leb(0); // the unit's children
    info.set_length(begin);
}

// ---- lines

enum LineOpcode : uint8_t {
    line_extended = 0,
    line_copy = 1,
    line_advance_pc = 2,
    line_advance_line = 3,
    line_set_file = 4
};
enum LineExtended : uint8_t { line_end_sequence = 1, line_set_address = 2 };
constexpr uint8_t first_special = 10; // standard opcodes are below it
constexpr uint8_t operands_of_standard[] = {0, 1, 1, 1, 1, 0, 0, 0, 1};

void add_line_header(Bytes& out, const FunctionImage& function) {
    const size_t begin = out.size();
    out.number(uint32_t{0});
    out.byte(1);                        // smallest instruction
    out.byte(1);                        // operations of an instruction
    out.byte(1);                        // rows are of statements
    out.byte(static_cast<uint8_t>(-1)); // line base and range of special opcodes, which are not used
    out.byte(4);
    out.byte(first_special);
    for (const uint8_t count : operands_of_standard)
        out.byte(count);
    out.byte(0); // no directories but the unit's
    for (const std::string& file : function.files) {
        out.string(file);
        out.leb(0); // directory, time, size
        out.leb(0);
        out.leb(0);
    }
    out.byte(0);
    out.set_length(begin);
}

void add_line_program(Bytes& out, const FunctionImage& function) {
    const auto extended = [&](uint8_t code, size_t operand_bytes) {
        out.byte(line_extended);
        out.leb(1 + operand_bytes);
        out.byte(code);
    };
    const auto advance = [&](uint64_t by) {
        out.byte(line_advance_pc);
        out.leb(by);
    };
    extended(line_set_address, address_bytes);
    out.number(function.begin);
    uint64_t address = function.begin;
    uint32_t file = 0;
    int64_t line = 1;
    for (const LineRow& row : function.rows) {
        if (row.file != file) {
            out.byte(line_set_file);
            out.leb(uint64_t{row.file} + 1);
        }
        out.byte(line_advance_line);
        out.signed_leb(int64_t{row.line} - line);
        advance(row.address - address);
        out.byte(line_copy);
        address = row.address;
        file = row.file;
        line = row.line;
    }
    advance(function.end - address);
    extended(line_end_sequence, 0);
}

void add_lines(Bytes& out, const FunctionImage& function) {
    const size_t begin = out.size();
    out.number(uint32_t{0});
    out.number(version);
    add_line_header(out, function);
    add_line_program(out, function);
    out.set_length(begin);
}

// ---- frames

enum FrameOpcode : uint8_t { cfa_nop = 0x00, cfa_undefined = 0x07, cfa_def_cfa = 0x0c, cfa_offset = 0x80 };
constexpr uint8_t register_rsp = 7;
constexpr uint8_t register_return_address = 16;

// At rsp there is the return address, and above it the caller's stack; a kernel has no caller.
void add_frame_rules(Bytes& out, bool is_kernel) {
    const size_t begin = out.size();
    out.number(uint32_t{0});
    out.number(uint32_t{0xffffffff});
    out.byte(1); // version
    out.string("");
    out.leb(1);         // of code
    out.signed_leb(-8); // of data
    out.byte(register_return_address);
    out.byte(cfa_def_cfa);
    out.leb(register_rsp);
    out.leb(address_bytes);
    if (is_kernel) {
        out.byte(cfa_undefined);
        out.leb(register_return_address);
    } else {
        out.byte(cfa_offset | register_return_address);
        out.leb(1);
    }
    out.align(address_bytes);
    out.set_length(begin);
}

void add_frame(Bytes& out, const FunctionImage& function, size_t rules) {
    const size_t begin = out.size();
    out.number(uint32_t{0});
    out.number(static_cast<uint32_t>(rules));
    out.number(function.begin);
    out.number(function.end - function.begin);
    out.align(address_bytes);
    out.set_length(begin);
}

} // namespace

Dwarf dwarf_of(std::span<const FunctionImage> functions, const std::string& directory) {
    Bytes info;
    Bytes line;
    Bytes frame;
    const size_t of_kernels = frame.size();
    add_frame_rules(frame, true);
    const size_t of_functions = frame.size();
    add_frame_rules(frame, false);
    for (const FunctionImage& function : functions) {
        add_unit(info, function, directory, line.size());
        add_lines(line, function);
        add_frame(frame, function, function.is_kernel ? of_kernels : of_functions);
    }
    return {
        .abbreviations = abbreviations(), .info = info.data(), .line = line.data(), .frame = frame.data()};
}

} // namespace visor::debug::gdb
