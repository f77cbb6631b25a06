// Accepts both signatures of a recording function: version 0.9.5 of the extension inserted a property list
// before the command's parameters (ruling 210). The calling convention passes all parameters as 64-bit words,
// so the function takes the words of the longer signature, and infers the form from their values. In the
// shorter form the last word is undefined and ignored.
#pragma once

#include "opencl/commands/command_buffer.h"
#include "opencl/commands/record_commands.h"

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace visor::opencl {

using Word = uint64_t;
static_assert(sizeof(void*) == sizeof(Word));

template <class T>
T from_word(Word word) {
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<T>(word);
    else
        return static_cast<T>(word); // upper bits of narrower types are undefined
}

// From the third parameter on: whether the first word is the command's parameter, of this type.
[[nodiscard]] RecordForm form_of(_cl_command_buffer_khr& buffer, std::span<const Word> words,
                                 std::type_identity<cl_mem> first);
[[nodiscard]] RecordForm form_of(_cl_command_buffer_khr& buffer, std::span<const Word> words,
                                 std::type_identity<void*> first);
[[nodiscard]] RecordForm form_of(_cl_command_buffer_khr& buffer, std::span<const Word> words,
                                 std::type_identity<cl_uint> first); // a barrier's count of sync points

template <auto function>
struct EitherForm;
template <class First, class... Rest,
          cl_int (*function)(cl_command_buffer_khr, cl_command_queue, CommandProperties, First, Rest...)>
struct EitherForm<function> {
    template <class>
    using AsWord = Word;

    static cl_int call(cl_command_buffer_khr buffer, cl_command_queue queue, Word third, Word fourth,
                       AsWord<Rest>... rest) {
        if (!is_valid(buffer))
            return CL_INVALID_COMMAND_BUFFER_KHR;
        const std::array words{third, fourth, rest...};
        const bool is_old =
            form_of(*buffer, words, std::type_identity<First>()) == RecordForm::without_properties;
        return forward(buffer, queue, is_old ? nullptr : from_word<CommandProperties>(third),
                       std::span(words).subspan(is_old ? 0 : 1), std::index_sequence_for<Rest...>());
    }

private:
    template <size_t... index>
    static cl_int forward(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                          std::span<const Word> own, std::index_sequence<index...> /*rest*/) {
        return function(buffer, queue, properties, from_word<First>(own[0]),
                        from_word<Rest>(own[index + 1])...);
    }
};

} // namespace visor::opencl
