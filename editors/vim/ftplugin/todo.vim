vim9script
# The keys of a screen, in the buffer that shows it, and the plugin's own; each only where the user
# has no mapping of the buffer's own. g:todo_no_maps leaves all of them out.

import autoload 'todo/screen.vim' as draw

# Other plugins have files of this type, too.
if !exists('b:todo')
  finish
endif

const Call = (what: string) => $'"<Cmd>call todo#{what}()<CR>"'
final calls = {'g?': Call('Menu')}->extend(
  &filetype ==# 'todo' ? {gq: Call('view#Close'), gx: Call('view#Link')} : {'<LocalLeader>b': Call('Before')})
final maps = {n: calls, x: {}}
const bindings = draw.Bindings(b:todo.screen)
for action in b:todo.screen.actions
  for key in bindings[action.name]
    calls[key] = $'todo#Key({string(get(action, 'role', action.name))})'
    # For a selection the half of a doubled key is enough, such as d.
    const half = substitute(key, '^\(.\)\1$', '\1', '')
    extend(maps.x, has_key(action, 'many') ? {[half]: calls[key]} : {})
  endfor
endfor
for [mode, keys] in get(g:, 'todo_no_maps', false) ? [] : items(maps)
  for [key, call] in items(keys)
    if key[0] !=# ':' && !get(maparg(key, mode, false, true), 'buffer', false)
      execute $'{mode}noremap <buffer> <nowait> <expr> {key} {call}'
    endif
  endfor
endfor
