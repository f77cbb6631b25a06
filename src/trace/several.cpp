#include "trace/several.h"

namespace visor::trace {

void Several::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                          uint32_t lanes) {
    for (machine::Watcher* watcher : watchers_)
        watcher->instruction(thread, instruction, lanes);
}

void Several::memory(const machine::MemoryEvent& event) {
    for (machine::Watcher* watcher : watchers_)
        watcher->memory(event);
}

void Several::undefined(const machine::UndefinedEvent& event) {
    for (machine::Watcher* watcher : watchers_)
        watcher->undefined(event);
}

void Several::barrier(const machine::Thread& thread, const PreparedInstruction& instruction) {
    for (machine::Watcher* watcher : watchers_)
        watcher->barrier(thread, instruction);
}

void Several::barrier_released(const machine::Thread& any) {
    for (machine::Watcher* watcher : watchers_)
        watcher->barrier_released(any);
}

void Several::thread_ended(const machine::Thread& thread) {
    for (machine::Watcher* watcher : watchers_)
        watcher->thread_ended(thread);
}

} // namespace visor::trace
