// Immediates: numbers with a type, as the compiler's grammar has them. An integer in front of `:f`, `:df`,
// `:hf` or
// `:bf` is the bit pattern of a float; what does not fit its type is an error; the printed form is the bit
// pattern.
#pragma once

#include "module/operand.h"
#include "text/reader.h"
#include "text/writer.h"

namespace visor::text {

[[nodiscard]] bool read_immediate(Reader& reader, Operand& operand);
void write_immediate(Writer& writer, const Operand& operand);

} // namespace visor::text
