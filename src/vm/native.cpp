#include "vm/native.h"

#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/parts.h"
#include "compile/worker.h"
#include "text/text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <mutex>
#include <string_view>
#include <sys/wait.h>
#include <thread>

namespace visor::vm {

namespace {

using namespace compile;

constexpr const char* worker_file = "visor-jit-worker";

// The worker limits its CPU time; the wall-clock limit is longer, for loaded machines.
constexpr double clock_for_cpu = 4;

// The first processor's feature lines of /proc/cpuinfo; "" if the file is missing.
std::string cpu_identity() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    std::string found;
    while (std::getline(file, line) && !line.empty())
        if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
            found += line + '\n';
    return found;
}

std::string worker_identity(const std::string& path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    const auto written = std::filesystem::last_write_time(path, error);
    return fmt::format("{} {} {} {}", VISOR_VERSION, path, bytes, written.time_since_epoch().count());
}

std::string bytes_of(const std::vector<uint32_t>& numbers) {
    std::string bytes(numbers.size() * sizeof(uint32_t), '\0');
    if (!numbers.empty())
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

Message question_of(const visor::Program& program, const jit::CompileOptions& options) {
    Module module;
    module.functions.push_back(*program.function);
    return {MessageKind::generate,
            {text::print(module), program.device->name, std::to_string(options.simd),
             options.full ? "1" : "0", options.lowered ? "1" : "0",
             std::to_string(static_cast<unsigned>(options.level)),
             std::to_string(static_cast<unsigned>(options.tier)), options.waits ? "1" : "0",
             bytes_of(machine::numbers_of(options.inputs)), bytes_of(machine::numbers_of(options.shared)),
             std::to_string(options.slm_bytes), std::to_string(options.scratch_bytes),
             std::to_string(options.reported.bits()), bytes_of(jit::numbers_of(options.images)),
             fmt::format("{}", fmt::join(options.switches.disabled, ",")),
             fmt::format("{}", fmt::join(options.switches.print_after, ",")),
             options.switches.time ? "1" : "0", options.switches.verify ? "1" : "0"}};
}

bool read_list(const std::string& bytes, std::vector<uint32_t>& numbers) {
    if (bytes.size() % sizeof(uint32_t) != 0)
        return false;
    numbers.resize(bytes.size() / sizeof(uint32_t));
    if (!bytes.empty())
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return true;
}

// Deserializes the worker's answer; nothing when it does not fit this program.
std::optional<jit::Object> object_of(const Message& answer, const visor::Program& program) {
    jit::Object object;
    std::vector<uint32_t> counts;
    std::vector<uint32_t> handles;
    if (answer.kind != MessageKind::generated || answer.fields.size() != generated_field_count ||
        !read_list(answer.fields[generated_counts], counts) || counts.size() != 4 ||
        !read_list(answer.fields[generated_surfaces], object.surfaces) ||
        !read_list(answer.fields[generated_named_surfaces], object.named_surfaces) ||
        !read_list(answer.fields[generated_handles], handles) ||
        !read_list(answer.fields[generated_pinned], object.pinned) || object.pinned.size() % 2 != 0)
        return std::nullopt;
    for (size_t k = 0; k < object.pinned.size(); k += 2)
        if (uint64_t{object.pinned[k]} + object.pinned[k + 1] > program.register_bytes)
            return std::nullopt;
    if (counts[0] != program.register_bytes || counts[1] != program.code.size())
        return std::nullopt;
    auto given = jit::handles_of(handles, program);
    if (!given)
        return std::nullopt;
    object.handles = std::move(*given);
    object.bytes = answer.fields[generated_object];
    object.log = answer.fields[generated_log];
    object.sites = counts[2];
    object.looks_up = counts[3] != 0;
    return object;
}

Message answer_of(const jit::Object& object, const visor::Program& program) {
    return {MessageKind::generated,
            {object.bytes,
             bytes_of({program.register_bytes, static_cast<uint32_t>(program.code.size()), object.sites,
                       object.looks_up ? 1U : 0U}),
             bytes_of(object.surfaces), bytes_of(object.named_surfaces),
             bytes_of(jit::numbers_of(object.handles)), bytes_of(object.pinned), object.log}};
}

std::optional<Message> message_in(const std::string& bytes) {
    if (bytes.size() < header_bytes)
        return std::nullopt;
    const std::span<const char, header_bytes> header(bytes.data(), header_bytes);
    const auto expected = body_bytes(header);
    if (!expected || *expected != bytes.size() - header_bytes)
        return std::nullopt;
    return decode(header, std::span(bytes).subspan(header_bytes));
}

// A request to the worker, and the cache entry of its answer.
class Order {
public:
    static std::expected<Order, std::string> of(const visor::Program& program,
                                                const jit::CompileOptions& options) {
        auto worker = find_part(worker_file);
        if (!worker)
            return std::unexpected(std::move(worker.error()));
        return Order(std::move(*worker), program, options);
    }

    [[nodiscard]] std::optional<jit::Object> kept() const {
        if (folder_.empty() || logs_) // code of the cache has no log
            return std::nullopt;
        if (const auto found = cache().find(key_))
            if (const auto answer = message_in(found->zebin))
                return object_of(*answer, program_);
        return std::nullopt;
    }

    // Why an earlier process got no code for the same request; nothing: none did.
    [[nodiscard]] std::optional<std::string> kept_refusal() const {
        if (folder_.empty() || logs_)
            return std::nullopt;
        if (const auto found = cache().find(refusal_key()))
            if (const auto answer = message_in(found->zebin);
                answer && answer->kind == MessageKind::missing && answer->fields.size() == 1)
                return answer->fields.front();
        return std::nullopt;
    }

    [[nodiscard]] std::expected<std::unique_ptr<Inquiry>, WorkerFailure> ask(Standby& standby) const {
        const double seconds = clock_for_cpu * jit::compile_seconds(program_.code.size(), tier_);
        const auto limit =
            std::chrono::duration_cast<Deadline::duration>(std::chrono::duration<double>(seconds));
        return standby.start_inquiry(worker_, question_, std::chrono::steady_clock::now() + limit,
                                     "code generation");
    }

    [[nodiscard]] jit::ProvidedObject receive(const std::expected<Message, WorkerFailure>& answer,
                                              bool keeps) const {
        if (!answer) {
            if (was_too_slow(answer.error()))
                keep_refusal(answer.error().message);
            return std::unexpected(answer.error().message);
        }
        if (answer->kind == MessageKind::missing) {
            const std::string reason = answer->fields.empty() ? "no code" : answer->fields.front();
            keep_refusal(reason);
            return std::unexpected(reason);
        }
        auto object = object_of(*answer, program_);
        if (!object)
            return std::unexpected("the code generator compiled something else");
        if (logs_)
            write_log(object->log);
        else if (keeps)
            keep(*answer);
        return std::move(*object);
    }

    void keep(const Message& answer) const {
        if (!folder_.empty() && !logs_)
            cache().store(key_, {encode(answer), ""});
    }

private:
    Order(std::string worker, const visor::Program& program, const jit::CompileOptions& options)
        : worker_(std::move(worker)), program_(program), tier_(options.tier), logs_(options.switches.logs()),
          log_file_(options.switches.log_file), question_(question_of(program, options)),
          folder_(cache_folder()),
          key_(worker_identity(worker_) + '\0' + cpu_identity() + '\0' + encode(key_question(question_))) {}

    // Whether a launch waited does not change the code.
    static Message key_question(Message question) {
        question.fields[generate_waits] = "";
        return question;
    }

    // It came to the limit of its CPU time, and would again.
    static bool was_too_slow(const WorkerFailure& failure) {
        return failure.kind == WorkerFailure::Kind::died && failure.status >= 0 &&
               WIFSIGNALED(failure.status) && WTERMSIG(failure.status) == SIGXCPU;
    }

    [[nodiscard]] std::string refusal_key() const {
        return "refused" + key_ + question_.fields[generate_waits];
    }

    void keep_refusal(const std::string& reason) const {
        if (!folder_.empty() && !logs_)
            cache().store(refusal_key(), {encode({MessageKind::missing, {reason}}), ""});
    }

    void write_log(const std::string& log) const {
        if (log_file_.empty())
            fmt::print(stderr, "{}", log);
        else if (!(std::ofstream(log_file_, std::ios::app) << log << std::flush))
            fmt::print(stderr, "visor: VISOR_JIT_LOG: {} cannot be written\n", log_file_);
    }

    [[nodiscard]] Cache cache() const { return {folder_, "native"}; }

    std::string worker_;
    const visor::Program& program_;
    jit::Tier tier_;
    bool logs_;
    std::string log_file_; // "": standard error
    Message question_;
    std::string folder_; // of the cache; "": there is none
    std::string key_;
};

// A pending request to the worker.
class WorkerPending final : public jit::Pending {
public:
    WorkerPending(Order order, std::unique_ptr<Inquiry> inquiry)
        : order_(std::move(order)), inquiry_(std::move(inquiry)) {}

    std::optional<jit::ProvidedObject> take() override {
        return received(inquiry_->answer(Inquiry::at_once));
    }
    std::optional<jit::ProvidedObject> take_within(std::chrono::milliseconds patience) override {
        return received(inquiry_->answer_before(std::chrono::steady_clock::now() + patience));
    }

private:
    [[nodiscard]] std::optional<jit::ProvidedObject> received(const Inquiry::Answer& answer) const {
        if (!answer)
            return std::nullopt;
        return order_.receive(*answer, true);
    }

    Order order_;
    std::unique_ptr<Inquiry> inquiry_;
};

class WorkerProvider final : public jit::CodeProvider {
public:
    void prepare() const {
        if (const auto worker = find_part(worker_file))
            standby_.prepare(*worker);
    }

    // Each CPU thread runs at least one group in the first code.
    [[nodiscard]] jit::TierUp tier_up() const override {
        jit::TierUp tier_up;
        tier_up.groups *= only_quick() ? 0 : std::max(std::thread::hardware_concurrency(), 1U);
        return tier_up;
    }
    [[nodiscard]] jit::ProvidedObject make(const visor::Program& program,
                                           const jit::CompileOptions& options) const override {
        const auto order = Order::of(program, options);
        if (!order)
            return std::unexpected(order.error());
        if (options.tier == jit::Tier::best)
            if (auto object = order->kept())
                return std::move(*object);
        if (auto refusal = order->kept_refusal())
            return std::unexpected(std::move(*refusal));
        auto inquiry = order->ask(standby_);
        if (!inquiry)
            return std::unexpected(inquiry.error().message);
        const auto answer = *(*inquiry)->answer(Inquiry::when_it_comes);
        see_out_later(std::move(*inquiry));
        return order->receive(answer, options.tier == jit::Tier::best);
    }

    [[nodiscard]] std::optional<jit::Object> kept(const visor::Program& program,
                                                  const jit::CompileOptions& options) const override {
        if (only_quick() && options.tier == jit::Tier::best)
            return std::nullopt;
        const auto order = Order::of(program, options);
        return order ? order->kept() : std::nullopt;
    }

    void keep(const visor::Program& program, const jit::CompileOptions& options,
              const jit::Object& object) const override {
        if (const auto order = Order::of(program, options))
            order->keep(answer_of(object, program));
    }

    [[nodiscard]] std::unique_ptr<jit::Pending> start(const visor::Program& program,
                                                      const jit::CompileOptions& options) const override {
        if (only_quick())
            return nullptr;
        auto order = Order::of(program, options);
        if (!order || order->kept_refusal())
            return nullptr;
        auto inquiry = order->ask(standby_);
        if (!inquiry)
            return nullptr;
        return std::make_unique<WorkerPending>(std::move(*order), std::move(*inquiry));
    }

private:
    // For tests of tier 1 code.
    static bool only_quick() {
        const char* const tier = getenv("VISOR_JIT_TIER");
        return tier != nullptr && std::string_view(tier) == "quick";
    }

    // A worker takes some milliseconds to exit after its answer; the launch does not wait for that.
    void see_out_later(std::unique_ptr<Inquiry> inquiry) const {
        const std::lock_guard lock(mutex_);
        answered_.swap(inquiry); // the previous one has exited by now
    }

    mutable Standby standby_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<Inquiry> answered_;
};

const WorkerProvider& the_provider() {
    static const WorkerProvider provider;
    return provider;
}

} // namespace

void prepare_worker() {
    the_provider().prepare();
}

const jit::CodeProvider& worker_code_provider() {
    return the_provider();
}

} // namespace visor::vm
