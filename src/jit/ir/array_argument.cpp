#include "jit/ir/array_argument.h"

#include <string>

namespace visor::jit {

namespace {

constexpr const char* array_attribute = "visor-array-bytes";

} // namespace

void set_array_argument(llvm::Function& function, unsigned argument, uint64_t bytes) {
    function.addParamAttr(
        argument, llvm::Attribute::get(function.getContext(), array_attribute, std::to_string(bytes)));
}

uint64_t array_argument_bytes(const llvm::Argument& argument) {
    const llvm::AttributeList attributes = argument.getParent()->getAttributes();
    const llvm::Attribute found = attributes.getParamAttr(argument.getArgNo(), array_attribute);
    uint64_t bytes = 0;
    return found.isValid() && !found.getValueAsString().getAsInteger(10, bytes) ? bytes : 0;
}

} // namespace visor::jit
