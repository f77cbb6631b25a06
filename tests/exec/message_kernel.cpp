#include "exec/message_kernel.h"

#include "exec/literal.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace visor::exec_test {

namespace {

using oracle::Space;

constexpr std::array<size_t, 6> region_sizes{256, 64, 37, 1024, 4096, 8};
constexpr size_t shared_local_bytes = 1024;
constexpr size_t window = messages_in_kernel * register_bytes + shared_local_bytes;
constexpr std::array types{"ub", "ud", "d", "f", "uq", "q", "df"};

// Numbers of all sizes, floats among them.
void scribble(oracle::Bytes& bytes, Random& random) {
    for (size_t at = 0; at < bytes.size(); at += 8) {
        constexpr std::array kinds{oracle::Type::ud, oracle::Type::f, oracle::Type::uq, oracle::Type::df};
        uint64_t value = random.next();
        if (random.below(2) != 0)
            value = sample(kinds.at(random.below(4)), false, random) |
                    sample(kinds.at(random.below(2)), false, random) << 32U;
        if (random.below(8) == 0) // zeros of both signs, for the least and the greatest of floats
            value &= 0x8000'0000'8000'0000;
        std::memcpy(bytes.data() + at, &value, std::min<size_t>(8, bytes.size() - at));
    }
}

std::string bytes_differ(const std::string& what, std::span<const std::byte> got,
                         std::span<const std::byte> want, const oracle::Bytes& before) {
    const auto [is, should] = std::ranges::mismatch(got, want);
    if (is == got.end())
        return "";
    const auto at = static_cast<size_t>(is - got.begin());
    return fmt::format("  {} byte {}: 0x{:02x}, expected 0x{:02x}, was 0x{:02x}\n", what, at,
                       std::to_integer<unsigned>(*is), std::to_integer<unsigned>(*should),
                       std::to_integer<unsigned>(before.at(at)));
}

std::string described(const MessagePlan& plan) {
    std::string text = fmt::format("{}    lanes on: 0x{:x}", plan.text, plan.message.enabled);
    if (plan.message.addresses == oracle::null)
        return text + "\n";
    text += ", from the addresses' first byte:";
    for (size_t i = 0; i < 8 && plan.message.addresses + 8 * i + 8 <= plan.registers.size(); ++i) {
        uint64_t value = 0;
        std::memcpy(&value, plan.registers.data() + plan.message.addresses + 8 * i, 8);
        text += fmt::format(" {:016x}", value);
    }
    return text + "\n";
}

// Lanes of a kernel that are on; never none.
uint32_t some_lanes(uint32_t simd, Random& random) {
    const uint32_t all = simd == 32 ? UINT32_MAX : (1U << simd) - 1;
    const uint32_t some = static_cast<uint32_t>(random.next()) & all;
    return random.below(3) == 0 || some == 0 ? all : some;
}

bool runs_on(const MessageRow& row, const isa::Device& device) {
    const std::string_view name = row.mnemonic;
    if (name.starts_with("lsc_"))
        return device.lsc;
    return !name.starts_with("qw_") || device.id >= isa::DeviceId::xehp;
}

} // namespace

MessageRig::MessageRig(const isa::Device& device, vm::EngineKind engine, bool mistaken)
    : context_(device), engine_(engine), mistaken_(mistaken) {
    for (size_t i = 0; i < region_sizes.size(); ++i) {
        const std::string name = fmt::format("B{}", i);
        buffers_.emplace_back(name, context_.allocate(region_sizes.at(i), name).value());
    }
    in_ = context_.allocate(window, "IN").value();
    out_ = context_.allocate(window, "OUT").value();
}

Setting MessageRig::setting(uint32_t active) const {
    Setting setting{.active = active, .surfaces = {}};
    for (size_t i = 0; i < buffers_.size(); ++i)
        setting.surfaces.push_back({buffers_[i].first, {Space::region, i}, static_cast<uint32_t>(i)});
    setting.surfaces.push_back({"UNBOUND", {}, 40});
    setting.surfaces.push_back({"%scratch", {}, 255}); // ruling 49
    setting.surfaces.push_back({"%slm", {Space::shared_local, 0}, 254});
    return setting;
}

oracle::World MessageRig::world(Random& random) const {
    oracle::World world;
    world.grf = device().grf_bytes;
    world.shared_local.resize(shared_local_bytes);
    scribble(world.shared_local, random);
    for (const auto& [name, buffer] : buffers_) {
        world.regions.push_back({buffer.address, oracle::Bytes(buffer.bytes)});
        scribble(world.regions.back().bytes, random);
    }
    return world;
}

MessageKernel MessageRig::kernel(uint64_t number, std::span<const MessageShape> shapes,
                                 std::optional<size_t> only) const {
    constexpr std::array<uint32_t, 3> sizes{8, 16, 32};
    Random random(number);
    MessageKernel kernel;
    kernel.number = number;
    kernel.simd = sizes.at(random.below(3));
    const uint32_t active = some_lanes(kernel.simd, random);
    const Setting now = setting(active);
    kernel.start = world(random);
    kernel.end = kernel.start;
    const bool ends_in_fault = shapes.empty() && random.below(3) == 0;
    const size_t count = shapes.empty() ? messages_in_kernel : shapes.size();
    for (size_t i = 0; i < count; ++i) {
        Random own(random.next()); // so that a message can be run alone
        if (only && i != *only)
            continue;
        const bool fault = ends_in_fault && i + 1 == count;
        MessageShape shape = shapes.empty() ? random_shape(device().grf_bytes, own) : shapes[i];
        while (shapes.empty() && (!runs_on(*shape.row, device()) || (fault && !is_flat(shape.row->kind))))
            shape = random_shape(device().grf_bytes, own);
        if (runs_on(*shape.row, device()))
            add(kernel, plan_message(shape, now, kernel.end, fault, own), fault);
    }
    kernel.text = text(kernel, active);
    return kernel;
}

void MessageRig::add(MessageKernel& kernel, MessagePlan plan, bool fault) const {
    oracle::Message message = plan.message;
    message.enabled ^= mistaken_ ? 1U : 0U;
    oracle::World after = kernel.end;
    after.registers = plan.registers;
    const oracle::Verdict verdict = oracle::run(after, message);
    // A NaN's bits would be in question in all that follows; a fault ends the kernel.
    if (verdict.free_bits || (verdict.fault && !fault))
        return;
    kernel.fault = verdict.fault;
    kernel.after.push_back(std::move(after.registers));
    after.registers.clear();
    kernel.end = std::move(after);
    kernel.plans.push_back(std::move(plan));
}

std::string MessageRig::text(const MessageKernel& kernel, uint32_t active) const {
    std::string text = ".version 4.1\n.kernel \"messages\"\n";
    text += fmt::format(".decl Vub v_type=G type=ub num_elts={} align=GRF\n", register_bytes);
    for (const char* const type : std::span(types).subspan(1))
        text += fmt::format(".decl V{0} v_type=G type={0} num_elts={1} alias=<Vub, 0>\n", type,
                            register_bytes / oracle::bytes(*oracle::type_named(type)));
    for (const char* const type : types)
        text += fmt::format(".decl W{0} v_type=G type={0} num_elts={1} alias=<Vub, {2}>\n", type,
                            (register_bytes - alias_begin) / oracle::bytes(*oracle::type_named(type)),
                            alias_begin);
    text += ".decl A0 v_type=A num_elts=1\n.decl P1 v_type=P num_elts=32\n.decl P3 v_type=P num_elts=32\n";
    for (const auto& [name, buffer] : buffers_)
        text += fmt::format(".decl {} v_type=T num_elts=1\n", name);
    for (const char* const name : {"IN", "OUT", "UNBOUND"})
        text += fmt::format(".decl {} v_type=T num_elts=1\n", name);
    text += fmt::format(".kernel_attr SimdSize={}\n.kernel_attr SLMSize=1\n\n", kernel.simd);
    text += "    mov (M1_NM, 1) %cr0(0,0)<1> 0x4c0:ud\n";
    append_messages(text, true, "IN", messages_in_kernel * register_bytes, "Vub", shared_local_bytes);
    append_messages(text, false, "%slm", 0, "Vub", shared_local_bytes);
    text += fmt::format("    setp (M1_NM, 32) P3 0x{:x}:ud\n    (P3) goto (M1, {}) others\n", ~active,
                        kernel.simd);
    std::string shared_local;
    append_messages(shared_local, true, "%slm", 0, "Vub", shared_local_bytes);
    append_messages(shared_local, false, "OUT", messages_in_kernel * register_bytes, "Vub",
                    shared_local_bytes);
    for (size_t i = 0; i < kernel.plans.size(); ++i) {
        const bool faults = kernel.fault && i + 1 == kernel.plans.size();
        if (faults) // what is to be seen of the others
            text += shared_local;
        append_messages(text, true, "IN", i * register_bytes, "Vub", register_bytes);
        text += kernel.plans[i].text;
        append_messages(text, false, "OUT", i * register_bytes, "Vub", register_bytes);
    }
    return text + shared_local + "others:\n    ret (M1, 1)\n";
}

void MessageRig::fill(const MessageKernel& kernel) {
    const auto in = context_.bytes_of(in_);
    for (size_t i = 0; i < kernel.plans.size(); ++i)
        std::ranges::copy(kernel.plans[i].registers, in.subspan(i * register_bytes).begin());
    std::ranges::copy(kernel.start.shared_local, in.last(shared_local_bytes).begin());
    std::ranges::fill(context_.bytes_of(out_), std::byte{0xcd});
    for (size_t i = 0; i < buffers_.size(); ++i)
        std::ranges::copy(kernel.start.regions[i].bytes, context_.bytes_of(buffers_[i].second).begin());
}

std::string MessageRig::run(const MessageKernel& kernel) {
    vm::LoadOptions options;
    options.device = device().name;
    std::string warnings;
    const auto program = context_.load("messages.visaasm", kernel.text, options, warnings);
    if (!program)
        return program.error().text.substr(0, 1500) + "\n";
    fill(kernel);
    std::vector<launch::HandInput> inputs{{"IN", in_}, {"OUT", out_}};
    for (const auto& [name, buffer] : buffers_)
        inputs.push_back({name, buffer});
    launch::HandGeometry geometry;
    geometry.simd = kernel.simd;
    geometry.in_threads = true;
    vm::RunSettings settings;
    settings.engine = engine_;
    const auto report = context_.run(**program, "", inputs, {}, geometry, settings);
    return report ? compare(kernel, *report) : report.error().text + "\n";
}

std::string MessageRig::compare(const MessageKernel& kernel, const vm::RunReport& report) {
    const machine::Fault& fault = report.fault;
    std::string text;
    if (kernel.fault) {
        if (fault.kind != machine::FaultKind::out_of_bounds || fault.lane != kernel.fault->lane ||
            fault.address != kernel.fault->address)
            text +=
                fmt::format("  expected a fault of lane {} at 0x{:x}, got kind {} of lane {} at 0x{:x}\n{}",
                            kernel.fault->lane, kernel.fault->address, static_cast<int>(fault.kind),
                            fault.lane, fault.address, described(kernel.plans.back()));
    } else if (report.error) {
        return "  " + report.error->text + "\n";
    }
    const auto out = context_.bytes_of(out_);
    for (size_t i = 0; i < kernel.plans.size(); ++i) {
        if (kernel.fault && i + 1 == kernel.plans.size())
            break; // registers are gone with the thread
        const std::string wrong = bytes_differ("registers", out.subspan(i * register_bytes, register_bytes),
                                               kernel.after[i], kernel.plans[i].registers);
        if (!wrong.empty())
            text += described(kernel.plans[i]) + wrong;
    }
    // A fault may have left something in flat memory, never in shared local memory.
    text += bytes_differ("shared local memory", out.last(shared_local_bytes), kernel.end.shared_local,
                         kernel.start.shared_local);
    for (size_t i = 0; i < buffers_.size(); ++i)
        text += bytes_differ(buffers_[i].first, context_.bytes_of(buffers_[i].second),
                             kernel.end.regions[i].bytes, kernel.start.regions[i].bytes);
    return text;
}

} // namespace visor::exec_test
