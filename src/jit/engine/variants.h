// A kernel's code in variants: specialized for the payload, the local memory and the images of launches, for
// threads with all lanes dispatched; and for any launch. Thread-safe.
#pragma once

#include "jit/engine/image_windows.h"
#include "jit/engine/native_engine.h"
#include "jit/engine/tiered_code.h"
#include "machine/thread_payload.h"

#include <memory>
#include <mutex>
#include <vector>

namespace visor::jit {

class Variants {
public:
    // `program` and `provider` outlive it.
    Variants(const CodeProvider& provider, const Program& program, const CompileOptions& options);

    // For threads with all lanes dispatched and this launch's payload. Sizes of shared local memory enter it
    // as lower bounds; launches without any use the variant for every size.
    TieredCode& of_launch(const machine::Launch& launch);
    // `of_full`, or the variant for threads with some lanes. nullptr: the interpreter runs this thread.
    TieredCode* of_thread(const machine::Thread& thread, TieredCode& of_full);
    // For all lanes dispatched, whatever the launch.
    TieredCode& generic() { return generic_; }

    // The kernel's image messages; none where the interpreter makes them all.
    [[nodiscard]] const ImageMessages& image_messages() const { return image_messages_; }
    // Adds what compiling took, and why there is no code.
    void add_facts(EngineFacts& facts) const;

private:
    TieredCode& find(const machine::Launch& launch, const std::vector<ImageAccess>& images);

    const CodeProvider& provider_;
    const Program& program_;
    const CompileOptions options_;
    const ImageMessages image_messages_;
    mutable std::mutex mutex_; // of what follows
    std::vector<std::unique_ptr<TieredCode>> specialized_;
    machine::InputShape last_shape_;
    std::vector<ImageAccess> last_images_;
    TieredCode* last_ = nullptr; // for launches of that shape with these images
    TieredCode generic_;
    TieredCode partial_mask_; // of threads with some lanes
};

} // namespace visor::jit
