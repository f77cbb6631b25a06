" vISA text. The names of instructions are generated: syntax/visa-instructions.vim.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax iskeyword @,48-57,_,%
runtime! syntax/visa-instructions.vim

" A statement begins a line, or stands behind a label, a predicate or a brace.
syntax match visaStatement "\%(\%(^\|[{}]\|^\s*[A-Za-z_$@?][A-Za-z0-9_$@?-]*:\)\s*\%(([^)]*)\s*\)\?\)\@<=\h\w*\%(\s*\.\s*[A-Za-z0-9_<>-]\+\)*" contains=visaInstruction,visaSuffix
syntax match visaSuffix contained "\.\s*[A-Za-z0-9_<>-]\+"
syntax match visaDebug "^\s*\zs\%(FILE\|LOC\)\>"
syntax match visaLabel "\%(^\|[{}]\)\s*\zs[A-Za-z_$@?][A-Za-z0-9_$@?-]*\ze:"
syntax match visaDirective "^\s*\zs\.\%(version\|kernel\|global_function\|kernel_attr\|decl\|input\|function\|funcdecl\|file\|loc\|implicit_\w\+\)\>"
syntax match visaPart "\<\%(v_type\|type\|num_elts\|align\|alias\|v_name\|offset\|size\|attrs\)\ze\s*="
syntax match visaMask "(\s*\%(M[1-8]\%(_NM\)\?\|NoMask\)\s*,\s*\d\+\s*)"
syntax match visaModifier "(\%(-\|abs\|-abs\|\~\))"
syntax match visaNumber "\<\%(0[xX]\x\+\|\d\+\%(\.\d\+\)\?\%([eE][-+]\?\d\+\)\?\)\>"
syntax match visaType "\%([:=]\s*\)\@<=\%(ub\|b\|uw\|w\|ud\|d\|uq\|q\|hf\|bf\|f\|df\|v\|uv\|vf\|bool\|[ad]\d\+[A-Za-z0-9_.]*\)\>"
syntax match visaPredefined "%\h\w*"
syntax match visaPredicate "(!\?\s*\h\w*\%(\.\%(any\|all\)\)\?)\ze\s*\h"
syntax region visaString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match visaComment "//.*$" contains=visaTodo
syntax region visaComment start="/\*" end="\*/" contains=visaTodo
syntax match visaMetadata "^//! visor:.*$"
syntax keyword visaTodo contained TODO FIXME XXX
syntax sync minlines=100

highlight default link visaInstruction Statement
highlight default link visaSuffix Type
highlight default link visaDebug PreProc
highlight default link visaLabel Label
highlight default link visaDirective PreProc
highlight default link visaPart Identifier
highlight default link visaMask Special
highlight default link visaModifier Operator
highlight default link visaNumber Number
highlight default link visaType Type
highlight default link visaPredefined Constant
highlight default link visaPredicate Conditional
highlight default link visaString String
highlight default link visaComment Comment
highlight default link visaMetadata SpecialComment
highlight default link visaTodo Todo

let b:current_syntax = "visa"
