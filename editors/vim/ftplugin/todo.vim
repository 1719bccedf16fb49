vim9script
# The keys of a screen, in the buffer that shows it, and the plugin's own; each only where the user
# has no mapping of the buffer's own. g:todo_no_maps leaves all of them out.

import autoload 'todo/screen.vim' as draw

# Other plugins have files of this type, too.
if !exists('b:todo')
  finish
endif

final calls = {'g?': 'Menu()'}->extend(
  &filetype ==# 'todo' ? {gq: 'view#Close()'} : {'<LocalLeader>b': 'Before()'})
const bindings = draw.Bindings(b:todo.screen)
for action in b:todo.screen.actions
  for key in bindings[action.name]
    const what = string(get(action, 'role', action.name))
    calls[key] = $'{has_key(action, 'many') ? 'Operator' : 'Act'}({what})'
  endfor
endfor
for [key, call] in get(g:, 'todo_no_maps', false) ? [] : items(calls)
  const is_operator = call =~# '^Operator'
  const does = is_operator ? $'<expr> {key} todo#{call}' : $'{key} <Cmd>call todo#{call}<CR>'
  if key[0] !=# ':' && !get(maparg(key, 'n', false, true), 'buffer', false)
    execute $'nnoremap <buffer> <nowait> {does}'
  endif
  # For a selection the half of a doubled key is enough, such as d.
  const half = substitute(key, '^\(.\)\1$', '\1', '')
  if is_operator && !get(maparg(half, 'x', false, true), 'buffer', false)
    execute $'xnoremap <buffer> <nowait> <expr> {half} todo#{call}'
  endif
endfor
