vim9script
scriptencoding utf-8
# What a screen looks like as lines, and which keys its actions have. Pure: the same screen, the same lines.

# Capitals that move in a list and stay what they are.
const TAKEN = 'GHLMNV'

# The fields that are edited as text, by buffer, or [] when a screen is drawn: one text, with or without a line above
# it, is a buffer, and several texts stand side by side.
export def Texts(screen: any): list<any>
  const fields = get(screen.body, 'fields', [])
  const form = mapnew(fields, (_, field) => has_key(field, 'secret') ? '*' : has_key(field, 'multiline') ? 't' : '-')
    ->join('')
  return form ==# 't' || form ==# '-t' ? [fields] : form =~# '^t\+$' ? mapnew(fields, (_, field) => [field]) : []
enddef

# The one of these fields or actions that has this name, or {}.
export def Named(these: list<any>, name: string): dict<any>
  return get(copy(these)->filter((_, one) => one.name ==# name), 0, {})
enddef

# {key: action name}, by what the description says of an action and where it stands, never by its name.
export def Keys(screen: any): dict<string>
  final keys: dict<string> = {}
  const left = get(screen.bar, 'left', '')
  const is_list = screen.body.kind ==# 'list'
  const main = get(screen.bar, 'right', is_list || empty(screen.actions) ? '' : screen.actions[0].name)
  for action in screen.actions
    const places = action.scope ==# 'item' ? (has_key(action, 'confirm') ? ['dd'] : ['<CR>', 'x'])
      : action.name ==# left ? ['-'] : action.name ==# main ? [is_list ? 'o' : ':w'] : []
    const letters = toupper(action.title .. action.name)->substitute($'[^A-Z]\|[{TAKEN}]', '', 'g')->split('\zs')
    const free = copy(empty(Texts(screen)) ? places + letters : places)->filter((_, key) => !has_key(keys, key))
    if !empty(free)
      keys[free[0]] = action.name
    endif
  endfor
  return keys
enddef

# What the server says about a screen: one line or none.
export def Message(screen: any): list<string>
  return has_key(screen, 'message') ? [$'{screen.message.level}: {screen.message.text}'] : []
enddef

export def Label(action: dict<any>): string
  return action.enabled ? $'[{action.title}]' : $'({action.title})'
enddef

# The rows, and what can be chosen on each: [line, {item} or {field} or {action}, each by its name, or {}].
export def Rows(screen: any): list<any>
  const body = screen.body
  if body.kind ==# 'list'
    return body.total == 0 ? [[body.empty, {}]] : mapnew(body.items, (_, item) => [Item(item), {item: item.id}])
  endif
  final rows: list<any> = []
  for field in get(body, 'fields', [])
    const value = get(field, 'secret', false) ? '***' : get(field, 'value', '')
    const texts = get(field, 'multiline', false) ? split(value, '\r\=\n', true)->map((_, text) => '| ' .. text) : []
    const target = has_key(field, 'readOnly') ? {} : {field: field.name}
    add(rows, [field.label .. ':' .. (empty(texts) ? ' ' .. value : ''), target])
    extend(rows, mapnew(texts + (has_key(field, 'error') ? ['! ' .. field.error] : []), (_, text) => [text, {}]))
  endfor
  if body.kind ==# 'progress'
    const numbers = ['done', 'total']->filter((_, member) => has_key(body, member))
    add(rows, [$'{body.text} {mapnew(numbers, (_, member) => body[member])->join('/')}', {}])
  endif
  extend(rows, mapnew(Message(screen) + [''], (_, text) => [text, {}]))
  extend(rows, mapnew(screen.actions, (_, action) => [Label(action), action.enabled ? {action: action.name} : {}]))
  return mapnew(rows, (_, row) => [trim(row[0], ' ', 2), row[1]])
enddef

def Item(item: dict<any>): string
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
