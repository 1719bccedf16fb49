vim9script
scriptencoding utf-8
# What a screen looks like as lines, and which keys its actions have. Pure: the same screen, the same lines.

# The keys of a role: in a list or on a page, and in a text, where letters are text.
const IDIOMS = {toggle: ['x'], remove: ['dd'], create: ['a'], search: ['/'], undo: ['u'], redo: ['<C-R>'],
  refresh: ['R'], back: ['-']}
const WORDS = {save: [':w'], merge: [':w'], back: ['q']}
const BAR_CELLS = 20

# The fields that are edited as text, by buffer, or [] when a screen is drawn as a page: a text is one buffer, single
# lines first; sides that are compared are a buffer each, and what they were made from is only there if it is one of
# two.
export def Texts(screen: any): list<any>
  const fields: list<any> = get(screen.body, 'fields', [])
  if get(screen.body, 'layout', '') ==# 'compare'
    const sides = (len(fields) < 4 ? ['base'] : []) + ['mine', 'merged', 'theirs']
    const At = (side: string) => copy(fields)->filter((_, field) => get(field, 'side', 'merged') ==# side)
    return mapnew(sides, (_, side) => At(side))->filter((_, side) => !empty(side))
  endif
  const IsTyped = (field: any) => !has_key(field, 'readOnly') && !has_key(field, 'secret')
  const typed = copy(fields)->filter((_, field) => IsTyped(field))
  const single = copy(typed)->filter((_, field) => !has_key(field, 'multiline'))
  const long = copy(typed)->filter((_, field) => has_key(field, 'multiline'))
  return has_key(screen.body, 'layout') || !empty(long) ? [single + long[: 0]] : []
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

# The keys of each action by its name: the editor's idiom for its role, then the server's where that hides no other one.
export def Keys(screen: any): dict<list<string>>
  final keys: dict<list<string>> = {}
  const [is_text, main] = [!empty(Texts(screen)), get(Main(screen), 'name', '')]
  for action in screen.actions
    const idioms = get(is_text ? WORDS : IDIOMS, get(action, 'role', ''), [])
    keys[action.name] = (action.name ==# main && !is_text ? ['<CR>'] : []) + idioms
  endfor
  const taken = flattennew(values(keys))
  for action in copy(screen.actions)->filter((_, action) => has_key(action, 'key'))
    if is_text || match(taken, '^\V' .. escape(action.key, '\')) < 0
      add(keys[action.name], (is_text ? '<LocalLeader>' : '') .. action.key)
    endif
  endfor
  return keys
enddef

# What the server says about a screen: one line or none.
export def Message(screen: any): list<string>
  return has_key(screen, 'message') ? [$'{screen.message.level}: {screen.message.text}'] : []
enddef

# How long it is until a time that the server says, or since then, in words.
def Span(time: string): string
  # What is read as local time is compared with the local clock as if it stood in UTC.
  const zone = str2nr(strftime('%z'))
  const seconds = abs(strptime('%Y-%m-%dT%H:%M:%S', time) + (zone / 100 * 60 + zone % 100) * 60 - localtime())
  return seconds < 60 ? $'{seconds} s' : seconds < 3600 ? $'{seconds / 60} min' : $'{seconds / 3600} h'
enddef

# How a list stands towards its source, in words.
export def Standing(screen: any): string
  const status = get(screen.body, 'status', {})
  final words: list<string> = []
  for [member, word] in [['pending', 'pending'], ['conflicts', 'conflict'], ['failed', 'failed']]
    const count = get(status, member, 0)
    extend(words, count == 0 ? [] : [$'{count} {count == 1 ? word : member}'])
  endfor
  extend(words, has_key(status, 'syncedAt') ? [$'synced {Span(status.syncedAt)} ago'] : [])
  return join(words + (has_key(status, 'retryAt') ? [$'again in {Span(status.retryAt)}'] : []), ', ')
enddef

# The rows: the text of each, what it is about (an item or a field by its name, or ''), and how its beginning looks.
export def Rows(screen: any, typed: dict<bool>): list<any>
  const body = screen.body
  if body.kind ==# 'list'
    const Look = (item: any) => get(item, 'tone', '') ==# 'muted' ? ['todoMuted', len(Item(item))] : []
    return body.total == 0 ? [[body.empty, '', ['todoMuted', len(body.empty)]]]
      : mapnew(body.items, (_, item) => [Item(item), item.id, Look(item)])
  elseif body.kind ==# 'progress'
    return [[Progress(body), '', []]]
  endif
  final rows: list<any> = []
  for field in body.fields
    const value = has_key(typed, field.name) ? '••••••••' : get(field, 'value', '')
    const texts = has_key(field, 'multiline') ? split(value, '\r\=\n', true)->map((_, text) => '| ' .. text) : []
    const line = trim($'{field.label}: {empty(texts) ? value : ''}', ' ', 2)
    add(rows, [line, field.name, ['todoLabel', len(field.label) + 1]])
    extend(rows, mapnew(texts, (_, text) => [text, '', []]))
    const error = '! ' .. get(field, 'error', '')
    extend(rows, has_key(field, 'error') ? [[error, '', ['todoError', len(error)]]] : [])
  endfor
  return rows
enddef

def Progress(body: dict<any>): string
  const [done, total] = [get(body, 'done', -1), get(body, 'total', 0)]
  const filled = total > 0 ? min([BAR_CELLS * done / total, BAR_CELLS]) : 0
  const bar = total > 0 ? repeat('█', filled) .. repeat('░', BAR_CELLS - filled) .. ' ' : ''
  return done < 0 ? body.text : $'{body.text} {bar}{done}{total > 0 ? '/' .. total : ''}'
enddef

def Item(item: dict<any>): string
  const mark = has_key(item, 'checked') ? (item.checked ? '[x] ' : '[ ] ') : ''
  return mark .. substitute(item.title, '[[:cntrl:]]', ' ', 'g')
enddef

# A text buffer for fields, of which only the last may have several lines: a line for each single
# one, a blank line, the text.
export def Lines(fields: list<any>): list<string>
  final lines: list<string> = []
  for field in fields
    const value = get(field, 'value', '')
    if !has_key(field, 'multiline')
      add(lines, substitute(value, "[\r\n]", ' ', 'g'))
    else
      const has_gap = !empty(lines) && !(empty(value) && len(lines) == 1)
      extend(lines, (has_gap ? [''] : []) + split(value, "\n", true))
    endif
  endfor
  return lines
enddef

# The other way round: Values() of Lines() loses no byte.
export def Values(fields: list<any>, lines: list<string>): dict<string>
  final values: dict<string> = {}
  for [row, field] in items(fields)
    const start = row > 0 && get(lines, row, '') ==# '' ? row + 1 : row
    const is_long = has_key(field, 'multiline')
    values[field.name] = is_long ? join(lines[start :], "\n") : get(lines, row, '')
  endfor
  return values
enddef
