autocmd BufNewFile,BufRead *.visaasm setfiletype visa
