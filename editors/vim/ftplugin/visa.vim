" vISA text: comments, `gf` and errors of `visor check` (compiler/visor.vim).
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,://
setlocal iskeyword+=%,$,@-@,?
compiler visor

let b:undo_ftplugin = "setlocal commentstring< comments< iskeyword< makeprg< errorformat<"
