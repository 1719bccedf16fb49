" A list in Vim by ALE. Run by test_clients.py.
" ALE says that it applies no edits, so what stands in the buffer is what was typed there.

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

" What ALE shows of the document.
function! Said() abort
  return map(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.text')
endfunction

" The todos of the list, as another server has them.
function! Titles() abort
  return system($TODO_TITLES)
endfunction

execute 'edit' fnameescape($TODO_FILE)
setlocal filetype=markdown
call setline(2, ['- [ ] Typed in Vim 😀', '  A note'])
silent write
call s:Wait('the todo', "Titles() =~# '\\[ \\] Typed in Vim 😀 (A note)'")

" A line that says too little is told.
call append(1, '- [ ] ')
silent write
call s:Wait('what is no todo', "match(Said(), 'is not a todo') >= 0")
2delete _

" It is typed in again: the same todo, though its mark never comes to stand there.
call setline(2, '- [x] Typed in Vim 😀 again')
silent write
call s:Wait('the second version', "Titles() =~# '\\[x\\] Typed in Vim 😀 again (A note)'")
if count(Titles(), 'Typed in Vim') != 1
  verbose echo Titles()
  cquit
endif
verbose echo 'ok'
qall!
