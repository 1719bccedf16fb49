vim9script
# The keys of a screen, in the buffer that shows it, and the plugin's own; each only where the user
# has no mapping of the buffer's own. g:todo_no_maps leaves all of them out.

import autoload 'todo/screen.vim' as draw

# Other plugins have files of this type, too.
if !exists('b:todo')
  finish
endif

final calls = {'g?': 'Menu()'}->extend(
  &filetype ==# 'todo' ? {q: 'view#Close()'} : {'<LocalLeader>b': 'Before()'})
const bindings = draw.Bindings(b:todo.screen)
for action in b:todo.screen.actions
  for key in bindings[action.name]
    calls[key] = $'Act({string(get(action, 'role', action.name))})'
  endfor
endfor
for [key, call] in get(g:, 'todo_no_maps', false) ? [] : items(calls)
  if key[0] !=# ':' && !get(maparg(key, 'n', false, true), 'buffer', false)
    # Where something is recorded, q ends that, as everywhere.
    const does = $'"<Cmd>call todo#{call}<CR>"'
    const is_end = key ==# 'q' ? 'reg_recording() != "" ? "q" :' : ''
    execute $'nnoremap <buffer> <nowait> <expr> {key} {is_end} {does}'
  endif
endfor
