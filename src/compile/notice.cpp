#include "compile/notice.h"

#include "compile/names.h"

#include <fmt/format.h>

namespace visor::compile {

std::optional<std::chrono::steady_clock::time_point> notice_time(std::chrono::steady_clock::time_point start,
                                                                 bool is_terminal) {
    return is_terminal ? std::optional(start + wait_without_notice) : std::nullopt;
}

std::string wait_text(const Request& request, std::chrono::steady_clock::duration waited) {
    return fmt::format("compiling {} for {}: {} s so far", described(request), request.device,
                       std::chrono::floor<std::chrono::seconds>(waited).count());
}

} // namespace visor::compile
