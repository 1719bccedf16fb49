vim9script
# Keys that are no action of the server's; g:todo_no_maps leaves all of them out.
if get(g:, 'todo_no_maps', false)
  finish
endif
nnoremap <buffer> g? <Cmd>call todo#Menu()<CR>
nnoremap <buffer> <nowait> q <Cmd>call todo#view#Close()<CR>
