#include "rig.h"

#include "check/checkers.h"
#include "exec/plan.h"
#include "interp/interp.h"
#include "isa/table.h"
#include "jit/driver/pipeline.h"
#include "launch/bind.h"
#include "nan_bits.h"
#include "text/text.h"
#include "verify/verify.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace visor::jit_fuzz {

namespace {

using exec_test::Random;

constexpr uint64_t fuel = 200'000;
constexpr uint64_t reserve = uint64_t{1} << 30U;

uint64_t hash_of(std::string_view name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
}

// Numbers of all types, their edges among them; now and then the same one over and over.
void scribble(std::span<std::byte> bytes, Random& random) {
    using oracle::Type;
    constexpr std::array types{Type::ud, Type::d, Type::uw, Type::f, Type::hf, Type::df, Type::q, Type::ub};
    const unsigned mood = random.below(4);
    const Type only = types.at(random.below(types.size()));
    for (size_t at = 0; at < bytes.size();) {
        const Type type = mood != 0 ? only : types.at(random.below(types.size()));
        const uint64_t bits = random.below(3) == 0 ? random.next() : exec_test::sample(type, false, random);
        const size_t size = std::min<size_t>(bytes.size() - at, oracle::bytes(type));
        std::memcpy(bytes.data() + at, &bits, size);
        at += size;
    }
}

std::vector<uint32_t> lines_of(const Diagnostics& diagnostics, const std::string& text) {
    std::vector<uint32_t> lines;
    for (const Diagnostic& diagnostic : diagnostics.all())
        if (diagnostic.severity != Severity::warning && diagnostic.severity != Severity::note)
            lines.push_back(diagnostic.where ? line_column(text, diagnostic.where->offset).line : 0);
    std::ranges::sort(lines);
    return lines;
}

std::string first_message(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics.all())
        if (diagnostic.severity != Severity::warning && diagnostic.severity != Severity::note)
            return diagnostic.message;
    return "";
}

std::string told(const machine::Fault& fault) {
    return fmt::format("{} of group {} thread {} lane {} at instruction {}, address 0x{:x}, {} bytes: {}",
                       machine::name_of(fault.kind), fault.group[0], fault.thread, fault.lane,
                       fault.instruction, fault.address, fault.bytes, fault.detail);
}

launch::HandInput input_of(const std::string& name, uint64_t bytes, uint64_t data) {
    if (name == "TID")
        return {name, launch::InputFiller{machine::Filler::thread}};
    if (name == "LANE")
        return {name, launch::InputFiller{machine::Filler::lane}};
    Random random(data ^ hash_of(name));
    launch::InputBytes content;
    content.content.resize(bytes);
    scribble(content.content, random);
    if (name.starts_with("LIM")) { // how often lanes go round
        for (std::byte& byte : content.content)
            byte &= std::byte{3};
        for (size_t at = 0; at < bytes; ++at)
            if (at % 4 != 0)
                content.content[at] = std::byte{0};
    }
    return {name, std::move(content)};
}

} // namespace

Rig::Rig(volatile Stage& stage, bool mistaken, Fence fence)
    : stage_(stage), mistaken_(mistaken), fence_(fence), memory_(reserve) {
    constexpr std::array<std::pair<const char*, uint64_t>, 4> all{
        {{"B0", 1024}, {"B1", 37}, {"B2", 4096}, {"OUT", out_bytes}}};
    for (const auto& [name, bytes] : all)
        buffers_.push_back({name, memory_.allocate(bytes, name).value(), bytes});
}

std::shared_ptr<const Program> Rig::prepare(const Setting& setting, const std::string& text,
                                            Trial& trial) const {
    trial.verdict = Verdict::refused;
    const isa::Device* const device = isa::device_named(setting.device);
    if (device == nullptr) {
        trial.what = "there is no such device";
        return nullptr;
    }
    Diagnostics diagnostics;
    auto module = text::parse(text, {device->grf_bytes}, diagnostics);
    if (module)
        verify::verify(*module, {.profile = verify::Profile::run, .device = device}, diagnostics);
    if (!module || !diagnostics.ok() || module->functions.size() != 1) {
        trial.lines = lines_of(diagnostics, text);
        trial.what = first_message(diagnostics);
        return nullptr;
    }
    auto program = program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                    *device, diagnostics);
    if (!program) {
        trial.what = first_message(diagnostics);
        return nullptr;
    }
    for (const PreparedInstruction& instruction : program->code)
        if (interp::handler(*program, instruction) == nullptr)
            trial.lines.push_back(line_column(text, program->source_of(instruction).where.offset).line);
    if (!trial.lines.empty()) {
        trial.what = "not executed";
        return nullptr;
    }
    trial.verdict = Verdict::same;
    return std::make_shared<const Program>(std::move(*program));
}

launch::HandInput Rig::state_of(const Function& function, const Input& input) const {
    if (input.klass == InputClass::sampler)
        return {function.samplers.at(input.id).name, machine::Sampler{}};
    const Buffer& buffer = buffers_.at(input.id % buffers_.size());
    return {surface_name(function, input.id), launch::Buffer{buffer.address, buffer.bytes}};
}

std::vector<std::byte> Rig::first_content(uint64_t seed) const {
    std::vector<std::byte> content;
    for (const Buffer& buffer : buffers_) {
        const size_t at = content.size();
        content.resize(at + buffer.bytes, std::byte{0xcd});
        Random random(seed ^ hash_of(buffer.name));
        if (buffer.name != "OUT")
            scribble(std::span(content).subspan(at), random);
    }
    return content;
}

Rig::State Rig::launch(const Program& program, const Setting& setting, uint64_t data,
                       const machine::Engine& engine, machine::Watcher* watcher, std::string& problem) {
    const std::vector<std::byte> content = first_content(data);
    std::vector<launch::HandInput> inputs;
    for (size_t at = 0; const Buffer& buffer : buffers_) {
        std::memcpy(machine::Memory::host(buffer.address), content.data() + at, buffer.bytes);
        at += buffer.bytes;
        const auto named = [&buffer](const OtherVariable& surface) { return surface.name == buffer.name; };
        if (std::ranges::any_of(program.function->surfaces, named))
            inputs.push_back({buffer.name, launch::Buffer{buffer.address, buffer.bytes}});
    }
    for (const Input& input : program.function->inputs) {
        if (input.implicit != 0)
            continue;
        if (input.klass != InputClass::general) { // of programs that the maker did not draw
            inputs.push_back(state_of(*program.function, input));
            continue;
        }
        const std::string name = general_name(*program.function, input.id);
        if (name.starts_with("BASE")) {
            const Buffer& buffer = buffers_.at(static_cast<size_t>(name.back() - '0'));
            inputs.push_back({name, launch::Buffer{buffer.address, buffer.bytes}});
        } else {
            inputs.push_back(input_of(name, program.variables[input.id].bytes, data));
        }
    }
    const launch::HandGeometry geometry{.simd = setting.simd,
                                        .in_threads = true,
                                        .groups = {setting.groups, 1, 1},
                                        .threads = setting.threads};
    auto plan = launch::bind_hand_written(program, inputs, {}, geometry, memory_);
    if (!plan || plan->launches.size() != 1) {
        problem = plan ? "several launches" : plan.error().message;
        return {};
    }
    machine::Launch& launch = plan->launches.front();
    launch.last_thread_lanes = setting.last_lanes;
    State state;
    fence_(true);
    state.result = machine::run(launch, engine, {.fuel = fuel}, watcher);
    fence_(false);
    for (const Buffer& buffer : buffers_) {
        const std::byte* const bytes = machine::Memory::host(buffer.address);
        state.memory.insert(state.memory.end(), bytes, bytes + buffer.bytes);
    }
    for (const uint64_t address : plan->resources.allocations)
        memory_.free(address);
    return state;
}

namespace {

std::string words_of(const check::Finding& finding) {
    const check::Party& party = finding.party;
    std::string text =
        fmt::format("{} {} {}: {}, at {}, group {} thread {} lane {} instruction {} {}, {} times\n",
                    check::kind_names.at(static_cast<size_t>(finding.kind)),
                    finding.severity == check::Severity::error ? "error" : "note", finding.rule,
                    finding.message, finding.place, party.group[0], party.thread, party.lane,
                    party.instruction, party.doing, finding.count);
    for (const std::string& note : finding.notes)
        text += "  " + note + '\n';
    return text;
}

} // namespace

Rig::State Rig::checked(const Program& program, const Setting& setting, uint64_t data,
                        const machine::Engine& engine, jit::Engine* native, std::string& problem) {
    const machine::EventKinds told = machine::EventKinds::of(setting.told);
    std::array<bool, check::kinds> chosen{};
    chosen.at(static_cast<size_t>(check::Kind::memory)) = told.outside;
    chosen.at(static_cast<size_t>(check::Kind::conflict)) = told.conflicts;
    chosen.at(static_cast<size_t>(check::Kind::align)) = told.alignment;
    check::Checkers checkers(chosen);
    if (native != nullptr)
        native->set_flat_filter(checkers.watch_filter() ? checkers.watch_filter()->flat : nullptr);
    State state = launch(program, setting, data, engine, checkers.listener(), problem);
    for (const check::Finding& finding : checkers.findings().all())
        state.findings += words_of(finding);
    return state;
}

namespace {

// "" or the first bytes that differ.
template <class Buffers>
std::string memory_differs(const Buffers& buffers, const std::vector<std::byte>& want,
                           const std::vector<std::byte>& got) {
    const auto [is, should] = std::ranges::mismatch(got, want);
    if (is == got.end())
        return "";
    auto at = static_cast<size_t>(is - got.begin());
    for (const auto& buffer : buffers) {
        if (at < buffer.bytes) {
            const size_t begin = at / 4 * 4;
            std::string text = fmt::format("{} byte {}:", buffer.name, at);
            const size_t offset = static_cast<size_t>(is - got.begin()) - at + begin;
            for (size_t k = offset; k < std::min(offset + 16, got.size()); ++k)
                text += fmt::format(" {:02x}/{:02x}", std::to_integer<unsigned>(want[k]),
                                    std::to_integer<unsigned>(got[k]));
            return text + " (interpreter/JIT)";
        }
        at -= buffer.bytes;
    }
    return "";
}

std::shared_ptr<const Program> with_mistake(Program program) {
    for (PreparedInstruction& instruction : program.code)
        if (instruction.row == isa::find("add"))
            instruction.row = isa::find("avg");
    return std::make_shared<const Program>(std::move(program));
}

bool same(const machine::Fault& a, const machine::Fault& b) {
    return a.kind == b.kind && a.group == b.group && a.thread == b.thread && a.lane == b.lane &&
           a.instruction == b.instruction && a.address == b.address && a.bytes == b.bytes &&
           a.detail == b.detail;
}

} // namespace

bool Rig::is_of_nans(const Program& program, const Setting& setting, uint64_t data,
                     const machine::Engine& reference, const State& want, const State& got) {
    std::vector<bool> depends(want.memory.size(), false);
    for (uint64_t way = 0; way < OtherNans::ways; ++way) {
        OtherNans other(way);
        std::string problem;
        const State run = launch(program, setting, data, reference, &other, problem);
        if (!same(run.result.fault, want.result.fault) || run.result.instructions != want.result.instructions)
            return true;
        for (size_t i = 0; i < depends.size(); ++i)
            depends[i] = depends[i] || run.memory[i] != want.memory[i];
    }
    if (!same(got.result.fault, want.result.fault))
        return false;
    for (size_t i = 0; i < depends.size(); ++i)
        if (want.memory[i] != got.memory[i] && !depends[i])
            return false;
    return got.result.instructions == want.result.instructions ||
           want.result.fault.kind != machine::FaultKind::none;
}

namespace {

// Code made in this process, so that a crash is seen; better code is there as soon as it is looked for.
class InPlace final : public jit::CodeProvider {
public:
    InPlace(volatile Stage& stage, Rig::Fence fence, bool rises)
        : stage_(stage), fence_(fence), rises_(rises) {}

    [[nodiscard]] jit::TierUp tier_up() const override {
        return {.groups = 0, .instructions = 1, .per_instruction = 0};
    }
    [[nodiscard]] jit::ProvidedObject make(const Program& code,
                                           const jit::CompileOptions& wanted) const override {
        stage_ = Stage::generating;
        fence_(false);
        auto object = jit::compile(code, wanted);
        if (!object && object.error().starts_with(jit::internal_error)) {
            fmt::print(stderr, "{}\n", object.error());
            std::abort();
        }
        fence_(true);
        stage_ = Stage::running;
        return object;
    }
    [[nodiscard]] std::unique_ptr<jit::Pending> start(const Program& code,
                                                      const jit::CompileOptions& wanted) const override {
        return rises_ ? std::make_unique<There>(make(code, wanted)) : nullptr;
    }

private:
    class There final : public jit::Pending {
    public:
        explicit There(jit::ProvidedObject object) : object_(std::move(object)) {}
        std::optional<jit::ProvidedObject> take() override { return std::move(object_); }
        std::optional<jit::ProvidedObject> take_within(std::chrono::milliseconds /*patience*/) override {
            return take();
        }

    private:
        jit::ProvidedObject object_;
    };

    volatile Stage& stage_;
    Rig::Fence fence_;
    bool rises_;
};

} // namespace

std::string Rig::difference(const State& want, const State& got) const {
    std::string what = memory_differs(buffers_, want.memory, got.memory);
    if (!same(want.result.fault, got.result.fault))
        what = fmt::format("interpreter: {}\nJIT: {}", told(want.result.fault), told(got.result.fault));
    else if (what.empty() && want.result.fault.kind == machine::FaultKind::none &&
             want.result.instructions != got.result.instructions)
        what = fmt::format("{} instructions, JIT {}", want.result.instructions, got.result.instructions);
    if (what.empty() && want.findings != got.findings)
        what = fmt::format("the interpreter's findings:\n{}JIT:\n{}", want.findings, got.findings);
    return what;
}

Trial Rig::run(const Setting& setting, const std::string& text) {
    Trial trial;
    stage_ = Stage::making;
    const auto program = prepare(setting, text, trial);
    if (program == nullptr)
        return trial;
    const interp::Interpreter reference(program);
    jit::Reference steps{.engine = &reference, .steps = {reference.handlers(0)}};
    const jit::CompileOptions options{.simd = setting.simd,
                                      .lowered = setting.lowered,
                                      .level = static_cast<jit::Level>(std::min(setting.level, 3U)),
                                      .tier = setting.tiers == 0 ? jit::Tier::best : jit::Tier::quick,
                                      .inputs = {},
                                      .reported = machine::EventKinds::of(setting.told),
                                      .switches = {.verify = true},
                                      .eager = setting.data % 2 != 0};
    const InPlace maker(stage_, fence_, setting.tiers == 2);
    const auto compiled = mistaken_ ? with_mistake(*program) : program;
    fence_(true);
    const auto engine = jit::make_engine({compiled}, std::move(steps), options, maker);
    fence_(false);
    if (!engine) {
        trial.verdict = Verdict::no_code;
        trial.what = engine.error();
        return trial;
    }
    for (uint32_t i = 0; i < setting.launches && trial.verdict == Verdict::same; ++i) {
        const uint64_t data = setting.data + i;
        stage_ = Stage::interpreting;
        const State want = checked(*program, setting, data, reference, nullptr, trial.what);
        trial.instructions += want.result.instructions;
        if (!trial.what.empty() || want.result.fault.kind == machine::FaultKind::fuel) {
            trial.verdict = trial.what.empty() ? Verdict::endless : Verdict::refused;
            return trial;
        }
        trial.faulted = trial.faulted || want.result.fault.kind != machine::FaultKind::none;
        stage_ = Stage::running;
        const State got = checked(*program, setting, data, **engine, engine->get(), trial.what);
        trial.findings += want.findings.empty() ? 0 : 1;
        const std::string what = difference(want, got);
        if (!what.empty() && is_of_nans(*program, setting, data, reference, want, got)) {
            trial.nan_bits = true;
        } else if (!what.empty()) {
            trial.verdict = Verdict::differs;
            trial.what = fmt::format("launch {}: {}", i, what);
        }
    }
    const jit::EngineFacts facts = (*engine)->facts();
    for (const auto& [name, times] : facts.called_out)
        trial.called_out += times;
    if (trial.verdict == Verdict::same && !facts.refused.empty()) {
        trial.verdict = Verdict::no_code;
        trial.what = facts.refused.front();
    }
    return trial;
}

} // namespace visor::jit_fuzz
