#include "machine/multicast_watcher.h"

namespace visor::machine {

void MulticastWatcher::instruction(const Thread& thread, const PreparedInstruction& instruction,
                                   uint32_t lanes) {
    for (Watcher* watcher : followers_)
        watcher->instruction(thread, instruction, lanes);
}

void MulticastWatcher::memory(const MemoryEvent& event) {
    for (Watcher* watcher : watchers_)
        watcher->memory(event);
}

void MulticastWatcher::undefined(const UndefinedEvent& event) {
    for (Watcher* watcher : watchers_)
        watcher->undefined(event);
}

void MulticastWatcher::launch_began(const Launch& launch) {
    followers_.clear();
    for (Watcher* watcher : watchers_) {
        watcher->launch_began(launch);
        if (watcher->wants_instructions()) // which may be a matter of the launch's programs
            followers_.push_back(watcher);
    }
}

void MulticastWatcher::group_began(std::span<const Thread> threads) {
    for (Watcher* watcher : watchers_)
        watcher->group_began(threads);
}

void MulticastWatcher::barrier_signalled(const Thread& thread, const PreparedInstruction& instruction,
                                         int barrier) {
    for (Watcher* watcher : watchers_)
        watcher->barrier_signalled(thread, instruction, barrier);
}

void MulticastWatcher::barrier_released(const Thread& any, int barrier) {
    for (Watcher* watcher : watchers_)
        watcher->barrier_released(any, barrier);
}

void MulticastWatcher::barrier_passed(const Thread& thread, int barrier) {
    for (Watcher* watcher : watchers_)
        watcher->barrier_passed(thread, barrier);
}

void MulticastWatcher::fenced(const Thread& thread, const PreparedInstruction& instruction, Fence fence) {
    for (Watcher* watcher : watchers_)
        watcher->fenced(thread, instruction, fence);
}

void MulticastWatcher::thread_ended(const Thread& thread) {
    for (Watcher* watcher : watchers_)
        watcher->thread_ended(thread);
}

} // namespace visor::machine
