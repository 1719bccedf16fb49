" Todos by todo-server: the command, and who reads and writes todo:// buffers.
" The guard is legacy script, so that an older Vim says nothing and loads nothing.
if exists('g:loaded_todo') || !has('patch-9.0.1378') || !has('job') || !has('terminal')
  finish
endif
vim9script noclear
g:loaded_todo = 1

import autoload 'todo.vim'
import autoload 'todo/paint.vim'
import autoload 'todo/view.vim'

command! -nargs=* -complete=custom,todo#Complete Todo todo.Command(<q-mods>, <q-args>)

for role in ['open', 'toggle', 'create', 'remove', 'save', 'back', 'search', 'undo', 'redo',
    'refresh', 'retry', 'sync', 'login', 'logout', 'register', 'keep', 'take', 'merge']
  execute $'nnoremap <expr> <Plug>(todo-{role}) todo#Key("{role}")'
  execute $'xnoremap <expr> <Plug>(todo-{role}) todo#Key("{role}")'
endfor

nnoremap <Plug>(todo-link) <Cmd>call todo#view#Link()<CR>

augroup todo
  autocmd!
  autocmd BufReadCmd todo://* todo.Reread(expand('<abuf>')->str2nr())
  autocmd SessionLoadPost todo://* todo.Revive(expand('<abuf>')->str2nr())
  autocmd BufWriteCmd todo://* todo.Write()
  # With `vim -R`.
  autocmd FileChangedRO todo://* setlocal noreadonly
  autocmd BufFilePost * todo.Release()
  autocmd BufWinEnter todo://* view.Dress()
  autocmd BufEnter,BufLeave todo://* paint.Follow(paint.Of(bufnr()))
  autocmd CursorMoved todo://* view.Reach() | view.Preview() | view.Remind()
  autocmd CursorMovedI todo://* view.Remind()
augroup END
