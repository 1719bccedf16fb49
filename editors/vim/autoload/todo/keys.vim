vim9script
# How a window of ours looks and which keys it has: the same in every list, whatever it lists.

import autoload './view.vim'
import autoload './rows.vim'

# Options and keys for the buffer that came into the current window.
export def Dress(is_text: bool)
  &l:statusline = ' %{todo#Statusline()} %{&modified ? "[+]" : ""}%=%l/%L  g? keys '
  for key in is_text ? ['-'] : ['-', 'x', 'dd', 'o', 'a'] + split('ABCDEFIJKOPQRSTUWXYZ', '\zs')
    execute $"nnoremap <buffer> <nowait> {key} <Cmd>call todo#Press('{key ==# 'a' ? 'o' : key}')<CR>"
  endfor
  nnoremap <buffer> g? <Cmd>call todo#Menu()<CR>
  if is_text
    autocmd! todo TextChanged,TextChangedI,TextChangedP <buffer> todo#view#Tell(bufnr())
    return
  endif
  [&l:cursorline, &l:wrap, &l:number, &l:relativenumber, &l:list] = [true, false, false, false, false]
  nnoremap <buffer> <nowait> <CR> <Cmd>call todo#Choose()<CR>
  nnoremap <buffer> <nowait> <Tab> <Cmd>call todo#keys#Next()<CR>
  nnoremap <buffer> <nowait> q <Cmd>execute winnr('$') > 1 ? 'close' : 'enew'<CR>
  autocmd! todo CursorMoved,WinScrolled <buffer> todo#keys#Scrolled()
enddef

# Moves to the next line of a page that can be chosen.
export def Next()
  const lines = keys(get(view.Of(bufnr()), 'targets', {}))->mapnew((_, key) => str2nr(key))
  const further = copy(lines)->filter((_, line) => line > line('.'))
  cursor(min(empty(further) ? lines : further), 1)
enddef

export def Scrolled()
  if view.IsFront(bufnr()) && has_key(view.Of(bufnr()), 'ids')
    rows.Reach(view.Of(bufnr()), line('w0'), line('w$'))
  endif
enddef
