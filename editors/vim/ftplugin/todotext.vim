vim9script
# A text has the same help as a list.
if !get(g:, 'todo_no_maps', false)
  nnoremap <buffer> g? <Cmd>call todo#Menu()<CR>
endif
