// genx_ir_rows REPOSITORY
//
// Sends the example of every row of the instruction table that a binary can hold through our writer and the
// outside reader, on the first device that has the row.
#include "forms.h"

#include "isa/opcode.h"
#include "isa/reference.h"
#include "isa/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace {

using namespace visor;

// All that an example may name; so aligned that the reader has no reason to align it further.
std::vector<std::string> declarations() {
    std::vector<std::string> lines;
    for (unsigned id = 32; id < 48; ++id)
        lines.push_back(fmt::format(".decl V00{} v_type=G type=ud num_elts=256 align=wordx64", id));
    lines.insert(lines.end(), {".decl A0 v_type=A num_elts=16", ".decl P1 v_type=P num_elts=32",
                               ".decl P2 v_type=P num_elts=32", ".decl S0 v_type=S num_elts=1",
                               ".decl T6 v_type=T num_elts=1"});
    return lines;
}

// Those that Debian 12's GenX_IR knows, as the compiler of the same version does.
const isa::Device* first_device(const isa::Row& row) {
    using enum isa::DeviceId;
    constexpr std::array known{skl, icllp, tgllp, dg2, pvc};
    const auto devices = isa::devices();
    const auto found = std::ranges::find_if(devices, [&](const isa::Device& device) {
        return std::ranges::find(known, device.id) != known.end() && isa::contains(row.devices, device.id);
    });
    return found == devices.end() ? nullptr : &*found;
}

// Behind a call it begins a subroutine.
void add_label(oracle::Form& form) {
    const std::string line = form.code.front();
    if (line.find("L1") == std::string::npos || line.ends_with(':') || line.starts_with(".function"))
        return;
    if (line.starts_with("call"))
        form.code.insert(form.code.end(), {"ret (M1, 1)", ".function \"L1\""});
    form.code.emplace_back("L1:");
}

std::vector<oracle::Form> forms() {
    std::vector<oracle::Form> forms;
    for (const isa::Row* row : isa::table()) {
        const isa::Device* device = first_device(*row);
        if (isa::has(*row, isa::no_binary))
            continue;
        if (device == nullptr) {
            fmt::print("{}: left out: on no device that GenX_IR knows\n", row->mnemonic);
            continue;
        }
        oracle::Form form{.name = row->mnemonic,
                          .device = device,
                          .declarations = declarations(),
                          .code = {isa::reference(*row).example}};
        if (row->opcode == isa::opcode::lsc_typed)
            form.name += ".typed";
        add_label(form);
        forms.push_back(std::move(form));
    }
    return forms;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: genx_ir_rows REPOSITORY\n");
        return 2;
    }
    try {
        return oracle::all_return(forms(), argv[1], "rows") ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "genx_ir_rows: {}\n", error.what());
        return 2;
    }
}
