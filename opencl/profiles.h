// The costs of all launches of the process, and the files that they go to.
#pragma once

#include "opencl/headers.h"
#include "profile/outputs.h"
#include "vm/vm.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace visor::opencl {

class ProfiledLaunch;

class Profiles {
public:
    explicit Profiles(const profile::Paths& paths)
        : paths_(paths), state_(paths.any() ? std::make_unique<State>(paths) : nullptr) {}

    [[nodiscard]] bool wanted() const { return state_ != nullptr; }
    // As it was printed, for the page.
    void found(std::string_view finding);
    // A command that is no kernel begins.
    void host(cl_command_type command);
    // At the end of the process.
    void finish();
    // In a child of fork(): what its parent counted is the parent's.
    void reset_after_fork();

private:
    friend class ProfiledLaunch;
    void write();

    struct State {
        explicit State(const profile::Paths& paths) : outputs(paths) {}

        std::mutex lock;
        std::mutex findings_lock;          // taken alone, or under the other
        std::vector<std::string> findings; // that the outputs do not have yet
        profile::Outputs outputs;
        bool is_child = false;                         // of fork()
        bool used = false;                             // something was launched
        std::chrono::steady_clock::time_point written; // the last time
    };

    profile::Paths paths_;
    std::unique_ptr<State> state_; // null: nothing is wanted
};

// As long as it lives its launch is the only one of the process: there is one timeline, whatever the
// contexts.
class ProfiledLaunch {
public:
    struct What {
        const vm::Program& program;
        std::string_view kernel;
        uint64_t number = 0;     // of the program
        std::string_view source; // of the program, where the application gave it as text; else ""
        bool checked = false;
    };
    ProfiledLaunch(Profiles& profiles, const What& what);
    // Writes what there is, from time to time: the process may be killed.
    ~ProfiledLaunch();
    ProfiledLaunch(const ProfiledLaunch&) = delete;
    ProfiledLaunch& operator=(const ProfiledLaunch&) = delete;
    ProfiledLaunch(ProfiledLaunch&&) = delete;
    ProfiledLaunch& operator=(ProfiledLaunch&&) = delete;

    // `first` is told first; nullptr: none.
    [[nodiscard]] machine::Watcher* listener(machine::Watcher* first);

private:
    Profiles& profiles_;
    std::unique_lock<std::mutex> held_;
    machine::MulticastWatcher watchers_;
};

} // namespace visor::opencl
