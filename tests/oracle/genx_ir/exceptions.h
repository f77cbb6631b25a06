// What the outside reader cannot take, by name and with the reason (exceptions.tsv). An entry that is no
// longer needed is as much an error as a difference that has none.
#pragma once

#include "isa/device.h"
#include "trip.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace visor::oracle {

class Exceptions {
public:
    // The rows of `part`: kernels, five or rows. Throws std::runtime_error.
    Exceptions(const std::string& repository, const std::string& part);

    struct Verdict {
        bool good = true;
        std::string message; // to print; "" when there is nothing to say
    };
    // Of what the trip of `item` found.
    [[nodiscard]] Verdict judge(const std::string& item, const isa::Device& device, const Trip& trip);

    // Entries whose item was never judged.
    [[nodiscard]] std::vector<std::string> unseen() const;
    [[nodiscard]] size_t used() const { return used_; }

private:
    struct Entry {
        std::string finding; // stands in what the trip finds
        std::string code;    // stands in the reader's machine code; "" = not asked
        std::string reason;
        bool seen = false;
    };
    std::map<std::string, Entry> entries_; // by item and device
    size_t used_ = 0;
};

} // namespace visor::oracle
