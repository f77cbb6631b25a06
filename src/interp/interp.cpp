#include "interp/interp.h"

#include "isa/row.h"
#include "machine/element.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::interp {

namespace {

using machine::FaultKind;
using machine::Status;
using machine::Thread;

constexpr uint32_t atomics_before_yield = 1000;

void unsupported(Thread& thread, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    const std::string_view why = row.unsupported;
    thread.fail(FaultKind::unsupported, instruction,
                why.empty() ? fmt::format("`{}` is not executed yet in this form", row.mnemonic)
                            : fmt::format("`{}` is not executed: {}", row.mnemonic, why));
}

// When no lane is active, control continues at the nearest later point where lanes are parked (facts:
// control flow). False when there is none.
bool resume_parked(Thread& thread) {
    const std::vector<uint32_t>& joins = thread.program->joins;
    const auto from = static_cast<size_t>(std::ranges::lower_bound(joins, thread.pc) - joins.begin());
    for (size_t i = from; i < joins.size(); ++i) {
        if (thread.waiting[i] != 0) {
            thread.pc = joins[i];
            return true;
        }
    }
    return false;
}

} // namespace

Handler handler(const Program& program, const PreparedInstruction& instruction) {
    using Binder = Handler (*)(const Program&, const PreparedInstruction&);
    const Binder binder = [&]() -> Binder {
        switch (instruction.row->family) {
        case isa::Family::arith:
            return family::arith;
        case isa::Family::logic:
            return family::logic;
        case isa::Family::compare:
            return family::compare;
        case isa::Family::move:
        case isa::Family::address:
            return family::move;
        case isa::Family::flow:
            return family::flow;
        case isa::Family::scattered:
            return family::scattered;
        case isa::Family::block:
            return family::block;
        case isa::Family::svm:
            return family::svm;
        case isa::Family::lsc:
            return instruction.row->form == isa::TextForm::lsc_fence ? family::sync : family::lsc;
        case isa::Family::atomic:
            return family::atomic;
        case isa::Family::matrix:
            return family::matrix;
        case isa::Family::media:
            return family::media;
        case isa::Family::typed:
            return family::typed;
        case isa::Family::sampler:
            return family::sampler;
        case isa::Family::sync:
        case isa::Family::debug:
            return family::sync;
        default:
            return nullptr;
        }
    }();
    return binder == nullptr ? nullptr : binder(program, instruction);
}

Interpreter::Interpreter(std::shared_ptr<const Program> program)
    : Interpreter(std::vector{std::move(program)}) {}

Interpreter::Interpreter(std::vector<std::shared_ptr<const Program>> functions)
    : functions_(std::move(functions)) {
    for (const auto& program : functions_) {
        std::vector<Handler>& handlers = handlers_.emplace_back();
        handlers.reserve(program->code.size());
        for (const PreparedInstruction& instruction : program->code) {
            const Handler found = handler(*program, instruction);
            handlers.push_back(found != nullptr ? found : unsupported);
        }
    }
}

template <bool watched>
void Interpreter::run_loop(Thread& thread) const {
    do {
        thread.status = Status::running;
        run_function<watched>(thread);
    } while (thread.status == Status::switched);
}

template <bool watched>
void Interpreter::run_function(Thread& thread) const {
    const Program& program = *functions_[thread.function];
    const Handler* const handlers = handlers_[thread.function].data();
    const PreparedInstruction* code = program.code.data();
    const auto size = static_cast<uint32_t>(program.code.size());
    while (thread.status == Status::running) {
        if (thread.pc >= size) [[unlikely]] {
            thread.fail(FaultKind::bad_branch, size == 0 ? PreparedInstruction{} : code[size - 1],
                        "control ran past the end of the function");
            return;
        }
        const uint32_t pc = thread.pc;
        const PreparedInstruction& instruction = code[pc];
        if (instruction.join != no_target) {
            thread.execution_mask |= thread.waiting[instruction.join];
            thread.waiting[instruction.join] = 0;
        }
        if (thread.instructions >= thread.fuel) [[unlikely]] {
            thread.fail(FaultKind::fuel, instruction,
                        fmt::format("the hardware thread has spent its {} instructions", thread.fuel));
            return;
        }
        ++thread.instructions;
        thread.pc = pc + 1;
        if constexpr (watched) {
            thread.watcher->instruction(thread, instruction, machine::running_lanes(thread, instruction));
            if (thread.control != nullptr && thread.control->leaves()) [[unlikely]] {
                thread.status = Status::rewound;
                return;
            }
        }
        handlers[pc](thread, instruction);
        // Consecutive atomics may be a thread that spins until another of its group has written.
        if (thread.idle_atomics >= atomics_before_yield && thread.status == Status::running) [[unlikely]]
            thread.status = Status::yielded;
        if (thread.execution_mask == 0 && thread.status == Status::running && !resume_parked(thread))
            [[unlikely]] {
            thread.fail(FaultKind::bad_branch, instruction, "no lane is left to run and none is parked");
            return;
        }
    }
}

void Interpreter::run(Thread& thread) const {
    thread.untouched = false;
    if (thread.watcher != nullptr && thread.watcher->wants_instructions())
        run_loop<true>(thread);
    else
        run_loop<false>(thread);
}

} // namespace visor::interp
