" A list in Vim by ALE. Run by test_clients.py.
" ALE declares that it applies no edits, so only the user changes the buffer.

set nocompatible noswapfile encoding=utf-8 runtimepath^=/usr/share/vim-ale
filetype plugin on
let g:ale_linters_explicit = 1
let g:ale_linters = {'markdown': ['todo']}
let g:ale_lint_delay = 0
runtime plugin/ale.vim

let s:server = split($TODO_LSP, "\n")
call ale#linter#Define('markdown', {
  \ 'name': 'todo', 'lsp': 'stdio', 'executable': s:server[0],
  \ 'command': join(map(copy(s:server), 'shellescape(v:val)')),
  \ 'project_root': {-> getcwd()} })

function! s:Wait(what, is_done) abort
  let l:start = reltime()
  while !eval(a:is_done)
    if reltimefloat(reltime(l:start)) > 60
      verbose echo 'waited for ' . a:what . "\n" . join(getline(1, '$'), "\n")
      cquit
    endif
    sleep 20m
  endwhile
endfunction

" Returns the diagnostics that ALE shows.
function! Said() abort
  return map(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.text')
endfunction

" Returns the todos of the list from another server.
function! Titles() abort
  return system($TODO_TITLES)
endfunction

execute 'edit' fnameescape($TODO_FILE)
setlocal filetype=markdown
call setline(2, ['- [ ] Typed in Vim 😀', '  A note'])
silent write
call s:Wait('the todo', "Titles() =~# '\\[ \\] Typed in Vim 😀 (A note)'")

" A line without a title is reported.
call append(1, '- [ ] ')
silent write
call s:Wait('the line without a title', "match(Said(), 'is not a todo') >= 0")
2delete _

" The edited line is the same todo, although its anchor is never inserted.
call setline(2, '- [x] Typed in Vim 😀 again')
silent write
call s:Wait('the second version', "Titles() =~# '\\[x\\] Typed in Vim 😀 again (A note)'")
if count(Titles(), 'Typed in Vim') != 1
  verbose echo Titles()
  cquit
endif
verbose echo 'ok'
qall!
