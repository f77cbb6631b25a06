// 4_visa_header: declarations of variables, their aliases, their sizes.
#include "module/canonical.h"
#include "verify/chapters.h"

#include <bit>

namespace visor::verify {

namespace {

using isa::Type;

constexpr isa::TypeSet not_declared = isa::types(Type::v, Type::vf, Type::uv, Type::boolean);

// The table of predefined variables says which may be aliased.
bool may_be_aliased(uint32_t id) {
    using enum isa::Predefined;
    return !isa::is_predefined(id) || id == isa::id(r0) || id == isa::id(arg) || id == isa::id(retval) ||
           id == isa::id(impl_arg_buf_ptr) || id == isa::id(local_id_buf_ptr);
}

bool check_alias_base(const Context& context, const GeneralVariable& variable, uint32_t id) {
    if (!context.declared(variable.alias))
        return context.diag(rule("alias-base"), variable.where)
               << "`" << variable.name << "` is an alias of a variable that is not declared";
    if (variable.alias >= id)
        return context.diag(rule("alias-base"), variable.where)
               << "`" << variable.name << "` is an alias of `"
               << general_name(context.function, variable.alias) << "`, which is declared later";
    // The implementation does not look, and compilers alias %hw_id.
    if (!may_be_aliased(variable.alias))
        return context.diag(rule("alias-base"), habitual, variable.where)
               << "`" << general_name(context.function, variable.alias) << "` may not be aliased";
    return true;
}

// How far the storage's declaration promises to be aligned; what fills a register begins at one.
uint64_t promised_alignment(const Context& context, uint32_t root) {
    const Variable& storage = context.variable(root);
    if (isa::is_predefined(root) || storage.bytes >= context.grf_bytes)
        return context.grf_bytes;
    const GeneralVariable& declared = context.function.general[root - isa::first_user_general];
    return std::max<uint64_t>(bytes(declared.align, context.grf_bytes), isa::size_of(storage.type));
}

void check_alias_place(const Context& context, const GeneralVariable& declared, const Variable& alias) {
    const std::string base = general_name(context.function, alias.root);
    if (alias.root_offset >= alias.root_bytes) {
        context.diag(rule("alias-offset"), declared.where)
            << "`" << declared.name << "` begins at byte " << alias.root_offset << " of `" << base
            << "`, which has " << alias.root_bytes << " bytes";
        return;
    }
    if (alias.root_offset + alias.bytes > alias.root_bytes)
        context.diag(rule("alias-size"), declared.where)
            << "`" << declared.name << "` ends at byte " << alias.root_offset + alias.bytes << " of `" << base
            << "`, which has " << alias.root_bytes << " bytes";
    const uint64_t element = std::max<uint64_t>(isa::size_of(alias.type), 1);
    if (declared.alias_offset % element != 0)
        context.diag(rule("alias-alignment"), declared.where)
            << "the alias offset " << declared.alias_offset << " of `" << declared.name
            << "` is no multiple of " << element << ", the size of its type " << isa::facts(alias.type).name;
    if (promised_alignment(context, alias.root) % element != 0)
        context.diag(rule("alias-alignment"), refused, declared.where)
            << "`" << declared.name << "` of type " << isa::facts(alias.type).name << " lies in `" << base
            << "`, which is aligned to less than its type's " << element << " bytes";
}

void check_alias(const Context& context, const GeneralVariable& declared, uint32_t id) {
    if (declared.alias == 0) {
        if (declared.alias_offset != 0)
            context.diag(rule("alias-offset"), declared.where)
                << "`" << declared.name << "` has an alias offset but is no alias";
        return;
    }
    if (check_alias_base(context, declared, id))
        check_alias_place(context, declared, context.variable(id));
}

// The page has 4096 elements and less than 4 KiB; the implementation takes a whole register file.
void check_general_size(const Context& context, const GeneralVariable& declared, const Variable& variable) {
    constexpr uint64_t page_elements = 4096;
    constexpr uint64_t page_bytes = 4096;
    const uint64_t file = uint64_t{256} * context.grf_bytes;
    if (declared.elements == 0 || declared.elements > file || variable.bytes > most_variable_bytes) {
        context.diag(rule("num-elts"), declared.where)
            << "`" << declared.name << "` has " << declared.elements << " elements; 1 to " << page_elements
            << " are allowed";
        return;
    }
    if (declared.elements > page_elements || variable.bytes >= page_bytes)
        context.diag(rule("num-elts"), habitual, declared.where)
            << "`" << declared.name << "` has " << declared.elements << " elements and " << variable.bytes
            << " bytes; at most " << page_elements << " elements and less than " << page_bytes
            << " bytes are allowed";
}

void check_general(const Context& context, uint32_t index) {
    const GeneralVariable& declared = context.function.general[index];
    const uint32_t id = isa::first_user_general + index;
    if (isa::contains(not_declared, declared.type) || isa::size_of(declared.type) == 0) {
        context.diag(rule("variable-type"), declared.where)
            << "`" << declared.name << "` has type " << isa::facts(declared.type).name
            << ", which no variable may have";
        return;
    }
    check_general_size(context, declared, context.variable(id));
    check_alias(context, declared, id);
}

void check_count(const Context& context, const OtherVariable& variable, bool good, std::string_view allowed) {
    if (!good)
        context.diag(rule("num-elts"), variable.where)
            << "`" << variable.name << "` has " << variable.elements << " elements; allowed: " << allowed;
}

} // namespace

void check_declarations(const Context& context) {
    const Function& function = context.function;
    for (uint32_t index = 0; index < function.general.size(); ++index)
        check_general(context, index);
    // Devices from Xe3P on have twice the address registers.
    const bool large = context.options.device != nullptr && context.options.device->id >= isa::DeviceId::cri;
    const uint32_t addresses = large ? 32 : 16;
    for (const OtherVariable& variable : function.addresses)
        check_count(context, variable, variable.elements >= 1 && variable.elements <= addresses,
                    large ? "1 to 32" : "1 to 16");
    for (const OtherVariable& variable : function.predicates)
        check_count(context, variable, variable.elements <= 32 && std::has_single_bit(variable.elements),
                    "1, 2, 4, 8, 16, 32");
    for (const OtherVariable& variable : function.samplers)
        check_count(context, variable, variable.elements >= 1 && variable.elements <= 32, "1 to 32");
    for (const OtherVariable& variable : function.surfaces)
        check_count(context, variable, variable.elements >= 1 && variable.elements <= 256, "1 to 256");
}

} // namespace visor::verify
