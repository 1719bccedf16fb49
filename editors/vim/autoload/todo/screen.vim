vim9script
scriptencoding utf-8
# What a screen looks like as lines, and which keys its actions have. Pure: the same screen, the same lines.

# What a key does in a list or on a page: the role of an action. In a text letters are text.
const IDIOMS = {x: 'toggle', dd: 'remove', a: 'create', '/': 'search', u: 'undo', '<C-R>': 'redo', R: 'refresh', '-': 'back'}
const WORDS = {':w': ['save', 'merge'], q: ['back']}

# The fields that are edited as text, by buffer, or [] when a screen is drawn as a page: a text is one buffer, single
# lines first; sides that are compared are a buffer each, and what they were made from is only there if it is one of two.
export def Texts(screen: any): list<any>
  const fields: list<any> = get(screen.body, 'fields', [])
  const typed: list<any> = copy(fields)->filter((_, field) => !has_key(field, 'readOnly') && !has_key(field, 'secret'))
  if get(screen.body, 'layout', '') ==# 'compare'
    const sides = copy(fields)->filter((_, field) => len(fields) < 4 || get(field, 'side', '') !=# 'base')
    const Place = (field: any) => index(['base', 'mine', 'merged', 'theirs'], get(field, 'side', 'merged'))
    return copy(sides)->sort((one, other) => Place(one) - Place(other))->mapnew((_, field) => [field])
  endif
  const long = copy(typed)->filter((_, field) => has_key(field, 'multiline'))
  const is_text = has_key(screen.body, 'layout') || !empty(long)
  return is_text ? [copy(typed)->filter((_, field) => !has_key(field, 'multiline')) + long[: 0]] : []
enddef

# The one of these fields or actions that has this name, or what else `member` says, or {}.
export def Named(these: list<any>, name: string, member = 'name'): dict<any>
  return get(copy(these)->filter((_, one) => get(one, member, '') ==# name), 0, {})
enddef

# What Enter does, for a row or for the screen.
export def Main(screen: any): dict<any>
  const scope = screen.body.kind ==# 'list' ? 'item' : 'screen'
  const scoped: list<any> = copy(screen.actions)->filter((_, action) => action.scope ==# scope)
  return get(copy(scoped)->filter((_, action) => has_key(action, 'primary')) + scoped, 0, {})
enddef

# {key: action name}: the editor's idiom for its role, and the server's key where that hides no other one.
export def Keys(screen: any): dict<string>
  final keys: dict<string> = {}
  const is_text = !empty(Texts(screen))
  const main = get(Main(screen), 'name', '')
  for action in screen.actions
    const role = get(action, 'role', '')
    const idioms = is_text ? keys(WORDS)->filter((_, key) => index(WORDS[key], role) >= 0)
      : (action.name ==# main ? ['<CR>'] : []) + keys(IDIOMS)->filter((_, key) => IDIOMS[key] ==# role)
    for key in idioms
      keys[key] = action.name
    endfor
  endfor
  for action in screen.actions
    const key = is_text ? '<LocalLeader>' .. get(action, 'key', '') : get(action, 'key', '')
    if has_key(action, 'key') && empty(keys(keys)->filter((_, other) => stridx(other, key) == 0))
      keys[key] = action.name
    endif
  endfor
  return keys
enddef

# What the server says about a screen: one line or none.
export def Message(screen: any): list<string>
  return has_key(screen, 'message') ? [$'{screen.message.level}: {screen.message.text}'] : []
enddef

# How a list stands towards its source, in words.
export def Standing(screen: any): string
  const status = get(screen.body, 'status', {})
  final words: list<string> = []
  for [member, word] in [['pending', 'pending'], ['conflicts', 'conflict'], ['failed', 'failed']]
    const count = get(status, member, 0)
    if count > 0
      add(words, $'{count} {member ==# 'conflicts' && count > 1 ? member : word}')
    endif
  endfor
  if has_key(status, 'syncedAt')
    # What is read as local time is compared with the local clock as if it stood in UTC.
    const zone = matchlist(strftime('%z'), '\([+-]\)\(\d\d\)\(\d\d\)')
    const ahead = (zone[1] ==# '-' ? -60 : 60) * (str2nr(zone[2]) * 60 + str2nr(zone[3]))
    const minutes = (localtime() - ahead - strptime('%Y-%m-%dT%H:%M:%S', status.syncedAt[: 18])) / 60
    add(words, 'synced ' .. (minutes < 1 ? 'just now' : minutes < 60 ? $'{minutes} min ago' : $'{minutes / 60} h ago'))
  endif
  return join(words, ', ')
enddef

export def Label(action: dict<any>): string
  return action.enabled ? $'[{action.title}]' : $'({action.title})'
enddef

# The rows, and what can be chosen on each: [line, {item} or {field} or {action}, each by its name, or {}].
export def Rows(screen: any, typed = {}): list<any>
  const body = screen.body
  if body.kind ==# 'list'
    return body.total == 0 ? [[body.empty, {}]] : mapnew(body.items, (_, item) => [Item(item), {item: item.id}])
  endif
  final rows: list<any> = []
  for field in get(body, 'fields', [])
    const value = has_key(typed, field.name) ? '••••••••' : get(field, 'value', '')
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
  return mark .. substitute(item.title, '[[:cntrl:]]', ' ', 'g')
enddef

# A text buffer for fields: a line for each single one, a blank line, the text of several lines if there is one.
export def Lines(fields: list<any>): list<string>
  const [single, long] = Parts(fields)
  const text = empty(long) ? [] : split(get(long[0], 'value', ''), "\n", true)
  const head = mapnew(single, (_, field) => get(field, 'value', '')->substitute("[\r\n]", ' ', 'g'))
  return head + (empty(head) || empty(long) || text == [''] && len(head) == 1 ? text : [''] + text)
enddef

# The other way round: Values() of Lines() loses no byte.
export def Values(fields: list<any>, lines: list<string>): dict<string>
  const [single, long] = Parts(fields)
  final values: dict<string> = {}
  for [index, field] in items(single)
    values[field.name] = get(lines, index, '')
  endfor
  if !empty(long)
    const rest = empty(single) || get(lines, len(single), '') !=# '' ? len(single) : len(single) + 1
    values[long[0].name] = join(lines[rest :], "\n")
  endif
  return values
enddef

def Parts(fields: list<any>): list<any>
  return [copy(fields)->filter((_, one) => !has_key(one, 'multiline')), copy(fields)->filter((_, one) => has_key(one, 'multiline'))]
enddef
