#include "opencl/commands/forms.h"

#include "opencl/context.h"

namespace visor::opencl {

namespace {

constexpr Word first_page = 4096; // applications have no objects there, and counts are smaller

RecordForm note_form(_cl_command_buffer_khr& buffer, RecordForm form) {
    buffer.form = form;
    return form;
}

} // namespace

// A list of properties is no handle of a memory object, not even of one that has ended.
RecordForm form_of(_cl_command_buffer_khr& buffer, std::span<const Word> words,
                   std::type_identity<cl_mem> /*first*/) {
    const bool is_object = is_handle_memory(Kind::memory, from_word<const void*>(words[0]));
    return note_form(buffer, is_object ? RecordForm::without_properties : RecordForm::with_properties);
}

// Nor is it in memory of the context. A null pointer before a size is the command's target, an error.
RecordForm form_of(_cl_command_buffer_khr& buffer, std::span<const Word> words,
                   std::type_identity<void*> /*first*/) {
    if (words[0] == 0 && words[2] < first_page)
        return RecordForm::without_properties;
    const auto in_memory = buffer.queue->context->pointers.at_or_before(from_word<const void*>(words[0]));
    return note_form(buffer, in_memory ? RecordForm::without_properties : RecordForm::with_properties);
}

// Count, list, sync point, handle of the command; perhaps preceded by a property list. If only the third word
// is not zero, it is the shorter form's sync point, or an invalid list of the longer form: the form of
// earlier calls decides.
RecordForm form_of(_cl_command_buffer_khr& buffer, std::span<const Word> words,
                   std::type_identity<cl_uint> /*first*/) {
    if (words[0] != 0)
        return note_form(buffer, words[0] < first_page ? RecordForm::without_properties
                                                       : RecordForm::with_properties);
    if (words[1] != 0 || words[3] != 0 || buffer.form == RecordForm::with_properties)
        return RecordForm::with_properties;
    return RecordForm::without_properties;
}

} // namespace visor::opencl
