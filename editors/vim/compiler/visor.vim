" `:compiler visor`, then `:make`: what `visor check` says of the file, in the quickfix list.
if exists("current_compiler")
  finish
endif
let current_compiler = "visor"

CompilerSet makeprg=visor\ check\ --color\ never\ --\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ unsupported\ by\ Visor:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
