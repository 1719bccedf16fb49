vim9script
# A text has the same help as a list, and sides that are compared what both were made from.
if !get(g:, 'todo_no_maps', false)
  nnoremap <buffer> g? <Cmd>call todo#Menu()<CR>
  nnoremap <buffer> <LocalLeader>b <Cmd>call todo#Before()<CR>
endif
