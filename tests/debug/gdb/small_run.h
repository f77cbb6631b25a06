// A launch of two threads in one group, whose instructions do nothing: what a session listens to, without an
// engine.
#pragma once

#include "debug/session.h"
#include "isa/device.h"
#include "machine/dispatch.h"
#include "program/program.h"
#include "text/text.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

namespace visor::debug::gdb {

class SmallRun {
public:
    static constexpr std::string_view text = ".version 4.1\n"
                                             ".kernel \"k\"\n"
                                             ".decl A v_type=G type=d num_elts=16 align=GRF\n"
                                             ".decl sp v_type=G type=uq num_elts=1 align=GRF\n"
                                             ".decl P v_type=P num_elts=16\n"
                                             ".kernel_attr SimdSize=16\n"
                                             "    cmp.lt (M1, 16) P A(0,0)<1;1,0> 0x3:d\n"
                                             "    mov (M1, 1) sp(0,0)<1> 0x5:d\n"
                                             "here:\n"
                                             "    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> 0x1:d\n"
                                             "    (P) goto (M1, 16) here\n"
                                             "    ret (M1, 1)\n";

    // It goes on in a thread of its own until the session is killed or detached, or it has ended.
    explicit SmallRun(Session& session) : session_(session) {
        Diagnostics diagnostics;
        const auto module = text::parse(text, {}, diagnostics);
        function_ = std::make_shared<Function>(module->functions.front());
        program_ = program::prepare(function_, isa::device(isa::DeviceId::skl), diagnostics);
        launch_.memory = &memory_;
        launch_.simd = 16;
        launch_.threads = count;
        group_.slm = slm_;
        for (uint32_t index = 0; index < count; ++index) {
            registers_.emplace_back(program_->register_bytes);
            machine::Thread& thread = threads_.emplace_back();
            thread.launch = &launch_;
            thread.group = &group_;
            thread.index = index;
            thread.program = &*program_;
            thread.registers = registers_.back().data();
            thread.execution_mask = 0xffff;
            thread.predicates.assign(program_->predicate_count, 0);
            order_.push_back(index);
        }
        runner_ = std::thread([this] {
            run();
            session_.finish();
        });
    }
    ~SmallRun() { runner_.join(); }
    SmallRun(const SmallRun&) = delete;
    SmallRun& operator=(const SmallRun&) = delete;
    SmallRun(SmallRun&&) = delete;
    SmallRun& operator=(SmallRun&&) = delete;

private:
    static constexpr uint32_t count = 2;

    void run() {
        const std::array sources{Source{function_, "small.visaasm", text}};
        session_.prepare(sources, {}, {});
        machine::GroupState state{group_, threads_, order_, position_, random_, result_, scratch_};
        session_.launch_began(launch_);
        session_.group_began(threads_);
        session_.begin(state);
        for (;;) {
            if (position_ == threads_.size()) {
                --position_;
                if (!session_.over(state, {}))
                    return;
                continue;
            }
            machine::Thread& thread = threads_[order_[position_]];
            if (thread.pc >= program_->code.size()) {
                ++position_;
                continue;
            }
            const PreparedInstruction& instruction = program_->code[thread.pc++];
            ++thread.instructions;
            session_.instruction(thread, instruction, 1);
            if (session_.leaves())
                session_.rewind(state);
        }
    }

    Session& session_;
    std::shared_ptr<const Function> function_;
    std::optional<Program> program_;
    machine::Memory memory_;
    machine::Launch launch_;
    machine::Group group_;
    std::array<std::byte, 256> slm_{};
    std::array<std::byte, 64> scratch_{};
    std::vector<std::vector<std::byte>> registers_;
    std::vector<machine::Thread> threads_;
    std::vector<uint32_t> order_;
    size_t position_ = 0;
    uint64_t random_ = 0;
    machine::RunResult result_;
    std::thread runner_;
};

} // namespace visor::debug::gdb
