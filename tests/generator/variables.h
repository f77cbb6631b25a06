// The variables of a module that is being made: an operand asks for one that suits it and gets an old one or
// a new one. Names are unique, and now and then of the kind that has to be quoted.
#pragma once

#include "generator.h"
#include "random.h"

#include <set>
#include <string>
#include <string_view>

namespace visor::generator {

class Variables {
public:
    Variables(Random& random, const GeneratorOptions& options, Function& function);

    // A general variable of one of these types with so many bytes; 0 types: any. Its id.
    [[nodiscard]] uint32_t general(isa::TypeSet types, uint32_t bytes, bool is_written);
    [[nodiscard]] uint32_t address(uint32_t elements);
    [[nodiscard]] uint32_t predicate(uint32_t lanes);
    [[nodiscard]] uint32_t sampler();
    [[nodiscard]] uint32_t surface();

    [[nodiscard]] uint32_t bytes_of(uint32_t general_id) const;

    // Inputs, attributes and variables that nothing uses.
    void add_extras();

private:
    [[nodiscard]] std::string name(char letter, uint32_t number);
    [[nodiscard]] isa::Type type_of(isa::TypeSet types);
    [[nodiscard]] bool suits(uint32_t id, isa::TypeSet types, uint32_t bytes) const;
    [[nodiscard]] uint32_t declare_general(isa::TypeSet types, uint32_t bytes);
    void make_alias(GeneralVariable& variable);
    [[nodiscard]] OtherVariable other(char letter, uint32_t number, uint32_t elements);
    void add_input();

    Random& random_;
    const GeneratorOptions& options_;
    Function& function_;
    std::set<std::string, std::less<>> names_;
};

// A name of any function, label or string: mostly plain, sometimes one that has to be quoted.
[[nodiscard]] std::string odd_name(Random& random, std::string_view plain);

// An attribute of a kernel or a variable that the medium can hold.
[[nodiscard]] Attribute attribute(Random& random, Medium medium, bool of_kernel);

} // namespace visor::generator
