vim9script
scriptencoding utf-8
# What a screen looks like as lines, and which keys its actions have. Pure: the same screen, the same lines.

const DOTS = '••••••••'
# Capitals that move in a list and stay what they are.
const TAKEN = 'GHLMNV'

export def Fields(screen: any): list<any>
  return get(screen.body, 'fields', [])
enddef

# The fields that are edited as text, by buffer, or [] when a screen is drawn: one text, with or without a line above
# it, is a buffer, and several texts stand side by side.
export def Texts(screen: any): list<any>
  const fields = Fields(screen)
  const kinds = mapnew(fields, (_, field) => get(field, 'secret', false) ? '*' : get(field, 'multiline', false) ? 't' : '-')
  const form = join(kinds, '')
  return form ==# 't' || form ==# '-t' ? [fields] : form =~# '^t\+$' ? mapnew(fields, (_, field) => [field]) : []
enddef

export def Action(screen: any, name: string): dict<any>
  const found = indexof(screen.actions, (_, action) => action.name ==# name)
  return found < 0 ? {} : screen.actions[found]
enddef

# What saving does: the right end of the bar, else the first action.
export def Main(screen: any): string
  return get(screen.bar, 'right', get(get(screen.actions, 0, {}), 'name', ''))
enddef

# {keys: action name}, by what the description says of an action and where it stands, never by its name.
export def Keys(screen: any): dict<string>
  final of_item = copy(screen.actions)->filter((_, action) => action.scope ==# 'item')
  const plain = copy(of_item)->filter((_, action) => !has_key(action, 'confirm'))
  const asking = copy(of_item)->filter((_, action) => has_key(action, 'confirm'))
  final keys = {'<CR>': get(plain, 0, {}), x: get(plain, 1, {}), dd: get(asking, 0, {}),
    o: screen.body.kind ==# 'list' ? Action(screen, get(screen.bar, 'right', '')) : {},
    ':w': empty(Texts(screen)) ? {} : Action(screen, Main(screen)),
    '-': Action(screen, get(screen.bar, 'left', ''))}->filter((_, action) => !empty(action))
    ->mapnew((_, action) => action.name)
  for action in empty(Texts(screen)) ? screen.actions : []
    const letters = toupper(action.title .. action.name)->substitute($'[^A-Z]\|[{TAKEN}]', '', 'g')->split('\zs')
    const free = indexof(letters, (_, letter) => !has_key(keys, letter))
    if index(values(keys), action.name) < 0 && free >= 0
      keys[letters[free]] = action.name
    endif
  endfor
  return keys
enddef

# What the server says about a screen: one line or none.
export def Message(screen: any): list<string>
  return has_key(screen, 'message') ? [$'{screen.message.level}: {screen.message.text}'] : []
enddef

export def FirstError(screen: any): string
  const wrong = Fields(screen)->copy()->filter((_, field) => has_key(field, 'error'))
  return empty(wrong) ? '' : wrong[0].error
enddef

# The lines of a form or of progress, and what can be chosen there: {line: {field or action}}. `typed` has the names of
# secrets that were typed.
export def Page(screen: any, typed: dict<bool>): list<any>
  final lines = [screen.title, '']
  final targets: dict<any> = {}
  for field in Fields(screen)
    targets[len(lines) + 1] = {field: field}
    const value = get(field, 'secret', false) ? (has_key(typed, field.name) ? DOTS : '') : get(field, 'value', '')
    const texts = split(value, '\r\=\n', true)->map((_, line) => trim('| ' .. line, ' ', 2))
    extend(lines, get(field, 'multiline', false) ? [field.label .. ':'] + texts : [trim($'{field.label}: {value}', ' ', 2)])
    extend(lines, has_key(field, 'error') ? ['! ' .. field.error] : [])
  endfor
  if screen.body.kind ==# 'progress'
    const numbers = ['done', 'total']->filter((_, member) => has_key(screen.body, member))
    add(lines, trim($'{screen.body.text} {mapnew(numbers, (_, member) => screen.body[member])->join('/')}'))
  endif
  extend(lines, Message(screen) + [''])
  for action in screen.actions
    if action.enabled
      targets[len(lines) + 1] = {action: action.name}
    endif
    add(lines, action.enabled ? $'[{action.title}]' : $'({action.title})')
  endfor
  return [lines, targets]
enddef

# An item of a list as a line.
export def Row(item: dict<any>): string
  const mark = has_key(item, 'checked') ? (item.checked ? '[x] ' : '[ ] ') : ''
  const parts = ['title', 'detail', 'badge']->filter((_, member) => has_key(item, member))
  return mark .. mapnew(parts, (_, member) => item[member])->join(' · ')
enddef

# A text buffer for fields: a line for the first when there are two, a blank line, the text if there is one.
export def Lines(fields: list<any>): list<string>
  const text = split(get(fields[-1], 'value', ''), "\n", true)
  return len(fields) == 1 ? text : [get(fields[0], 'value', '')] + (text == [''] ? [''] : [''] + text)
enddef

# The other way round: Values() of Lines() loses no byte.
export def Values(names: list<string>, lines: list<string>): dict<string>
  if len(names) == 1
    return {[names[0]]: join(lines, "\n")}
  endif
  return {[names[0]]: lines[0], [names[1]]: join(lines[get(lines, 1, '') ==# '' ? 2 : 1 :], "\n")}
enddef
