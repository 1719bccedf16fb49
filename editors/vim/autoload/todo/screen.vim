vim9script
scriptencoding utf-8
# The lines of a screen, and the keys of its actions. Pure functions: the same screen has the same
# lines.

# The key of a role: in a list or on a page, and in a text, where letters are text.
const IDIOMS = {toggle: 'x', remove: 'dd', create: 'a', search: '/', undo: 'u', redo: '<C-R>',
  back: '-'}
const WORDS = {save: ':w', merge: ':w', back: '-'}
const BAR_CELLS = 20
const DOTS = '••••••••'
export const JOINER = "\u200d"
# The columns of a title that stay before the details beside it are cut off.
const TITLE_COLUMNS = 16
# The section of the rows that are done.
export const DONE = 'Done'

# The fields that are edited as text, by buffer, or [] when a screen is drawn as a page: a text is
# one buffer, single lines first; of sides that are compared each is a buffer, the one that can be
# typed into first.
export def Texts(screen: any): list<any>
  const fields: list<any> = get(screen.body, 'fields', [])
  if get(screen.body, 'layout', '') ==# 'compare'
    return ['merged', 'mine', 'theirs']->mapnew((_, side) => [Named(fields, side, 'side')])
  endif
  const IsTyped = (field: any) => !has_key(field, 'readOnly') && !has_key(field, 'secret')
  const typed = copy(fields)->filter((_, field) => IsTyped(field))
  const single = copy(typed)->filter((_, field) => !has_key(field, 'multiline'))
  const long = copy(typed)->filter((_, field) => has_key(field, 'multiline'))
  return has_key(screen.body, 'layout') || !empty(long) ? [single + long[: 0]] : []
enddef

# The one of these fields, actions or screens that has this name, or what else `member` says, or {}.
export def Named(these: list<any>, name: string, member = 'name'): dict<any>
  return get(copy(these)->filter((_, one) => get(one, member, '') ==# name), 0, {})
enddef

# Whether an action is possible now, for this row if it is one of rows.
export def IsPossible(action: any, row: any): bool
  const is_for_row = action.scope ==# 'item' && get(action, 'role', '') !=# 'open'
  return action.enabled && !(is_for_row && has_key(row, 'readOnly'))
enddef

# The action of a screen that has this name or role, or {}.
export def Action(screen: any, what: string): dict<any>
  return Named(screen.actions, what) ?? Named(screen.actions, what, 'role')
enddef

# The action of Enter, for a row or for the screen.
export def Main(screen: any): dict<any>
  const scope = screen.body.kind ==# 'list' ? 'item' : 'screen'
  const scoped: list<any> = copy(screen.actions)->filter((_, action) => action.scope ==# scope)
  return get(copy(scoped)->filter((_, action) => has_key(action, 'primary')) + scoped, 0, {})
enddef

# The action that leaves a form or a comparison. It asks whether to drop unsaved edits.
export def Leave(screen: any): dict<any>
  return Action(screen, 'back') ?? Action(screen, 'keep')
enddef

# The keys of each action by its name: the editor's idiom for its role, then the server's where that
# hides no other one.
export def Bindings(screen: any): dict<list<string>>
  final keys: dict<list<string>> = {}
  const is_text = !empty(Texts(screen))
  const Idiom = (action: any) => get(is_text ? WORDS : IDIOMS, get(action, 'role', ''), '')
  const idioms = mapnew(screen.actions, (_, action) => Idiom(action))
  for [index, action] in items(screen.actions)
    const key = get(action, 'key', '')
    const is_hidden = empty(key) || !is_text && match(idioms, '^\V' .. escape(key, '\')) >= 0
    keys[action.name] = (is_text || action != Main(screen) ? [] : ['<CR>'])
      + (empty(idioms[index]) ? [] : [idioms[index]])
      + (is_hidden ? [] : [(is_text ? '<LocalLeader>' : '') .. key])
  endfor
  return keys
enddef

# The actions that matter most, with a key of each: for a side those that end up with it.
export def Hints(screen: any, role: string): list<string>
  const [keys, main] = [Bindings(screen), Main(screen)]
  const IsMeant = (action: any) => empty(role) ? action.enabled || action == main
    : get(action, 'role', '') ==# role
  const Rank = (action: any) => has_key(action, 'primary') ? 0 : 1
  return copy(screen.actions)->filter((_, action) => IsMeant(action))
    ->sort((a, b) => Rank(a) - Rank(b))[: 2]
    ->mapnew((_, action) => get(keys[action.name], 0, 'g?') .. ' ' .. tolower(action.title))
enddef

# The texts that there are, with `gap` between them.
export def Joined(texts: list<string>, gap: string): string
  return join(copy(texts)->filter((_, text) => !empty(text)), gap)
enddef

# A text in one line, and without the joiners of emojis, of which Vim shows the code.
export def Plain(text: string): string
  return substitute(substitute(text, '[[:cntrl:]]', ' ', 'g'), JOINER, '', 'g')
enddef

# A text of at most `width` columns: of a longer one the middle is left out.
export def Fit(whole: string, width: number): string
  const text = Plain(whole)
  const tail = strcharpart(text, strchars(text) - width / 4)
  return strwidth(text) <= width ? text : printf($'%.{width * 3 / 4 - 2}S…', text) .. tail
enddef

# The message of a screen: one line or none.
export def Message(screen: any): list<string>
  return has_key(screen, 'message') ? [$'{screen.message.level}: {screen.message.text}'] : []
enddef

# The seconds from now to a timestamp of the server.
def Until(time: string): number
  # strptime() reads the UTC timestamp as local time: add the offset of the zone.
  const zone = str2nr(strftime('%z'))
  const local = strptime('%Y-%m-%dT%H:%M:%S', time) + (zone / 100 * 60 + zone % 100) * 60
  return local - localtime()
enddef

def Span(seconds: number): string
  return seconds < 60 ? $'{seconds} s'
    : seconds < 3600 ? $'{seconds / 60} min' : $'{seconds / 3600} h'
enddef

# The state of a list, in words: how many rows are open and done, if all are here, and the sync.
export def Standing(screen: any): string
  const status = get(screen.body, 'status', {})
  const items: list<any> = get(screen.body, 'items', [])
  const Number = (is_done: bool, word: string): string => {
    const count = len(copy(items)->filter((_, item) => get(item, 'checked', !is_done) == is_done))
    return count == 0 || len(items) < screen.body.total ? '' : $'{count} {word}'
  }
  const Count = (member: string, one: string) => get(status, member, 0) == 0 ? ''
    : $'{status[member]} {status[member] == 1 ? one : member}'
  # A time on the other side of now is not shown.
  const Time = (member: string, words: string, sign: number) => {
    const seconds = has_key(status, member) ? sign * Until(status[member]) : -1
    return seconds < 0 ? '' : printf(words, Span(seconds))
  }
  const counts = [['pending', 'pending'], ['conflicts', 'conflict'], ['failed', 'failed']]
    ->mapnew((_, words) => Count(words[0], words[1]))
    + [Time('syncedAt', 'synced %s ago', -1), Time('retryAt', 'again in %s', 1)]
  return Joined([Number(false, 'open'), Number(true, 'done')] + counts, ', ')
enddef

# A row: its text, what it is about (an item or a field by its name, or ''), and how parts of it
# look: column, type and length of each.
def Row(text: string, about = '', type = '', length = len(text)): list<any>
  return [text, about, empty(type) ? [] : [[1, type, length]]]
enddef

# The rows of a screen, of `width` columns; in the fields of `typed` a secret stands that the server
# does not repeat.
export def Rows(screen: any, typed: dict<bool>, width: number): list<any>
  const body = screen.body
  if body.kind ==# 'list'
    return body.total == 0 ? [Row(body.empty, '', 'todoMuted')]
      : mapnew(body.items, (_, item) => Item(item, width))
  elseif body.kind ==# 'progress'
    return [Row(Progress(body))]
  endif
  final rows: list<any> = []
  for field in body.fields
    const value = has_key(typed, field.name) ? DOTS : get(field, 'value', '')
    const [label, is_long] = [field.label .. ':', has_key(field, 'multiline')]
    const line = is_long || empty(value) ? label : $'{label} {value}'
    const lines = is_long ? split(value, '\r\=\n', true) : []
    add(rows, Row(line, field.name, 'todoLabel', len(label)))
    extend(rows, mapnew(lines, (_, text) => Row('| ' .. text)))
    extend(rows, has_key(field, 'error') ? [Row('! ' .. field.error, '', 'todoError')] : [])
  endfor
  return rows
enddef

def Progress(body: dict<any>): string
  const [done, total] = [get(body, 'done', -1), get(body, 'total', 0)]
  const filled = total > 0 ? min([BAR_CELLS * done / total, BAR_CELLS]) : 0
  const bar = total > 0 ? repeat('█', filled) .. repeat('░', BAR_CELLS - filled) .. ' ' : ''
  return done < 0 ? body.text : $'{body.text} {bar}{done}{total > 0 ? '/' .. total : ''}'
enddef

# The box of a row, if it can be ticked.
export def Box(item: dict<any>): string
  return has_key(item, 'checked') ? get(g:, 'todo_boxes', ['[ ] ', '[x] '])[item.checked ? 1 : 0] : ''
enddef

# With g:todo_fold_done, the done rows of a list without sections come below the others, into a
# section of their own. The rows of a part of a list stay where they are.
export def MoveDone(screen: dict<any>): dict<any>
  final body = get(screen, 'body', {})
  final items: list<any> = get(body, 'items', [])
  const is_whole = len(items) == get(body, 'total', 0)
  const IsPlain = (_, item) => !has_key(item, 'section')
  if get(g:, 'todo_fold_done', false) && is_whole && len(copy(items)->filter(IsPlain)) == len(items)
    final done = copy(items)->filter((_, item) => get(item, 'checked', false))
    mapnew(done, (_, item) => extend(item, {section: DONE}))
    body.items = copy(items)->filter(IsPlain) + done
  endif
  return screen
enddef

# The details of a row, at the right of its title: the type and the text of each.
export def Details(item: dict<any>): list<list<string>>
  const tone = {notice: 'todoNotice', alert: 'todoAlert'}->get(get(item, 'tone', ''), 'todoMuted')
  const labels = get(item, 'labels', [])->mapnew((_, label) => ['todoTag', '#' .. label])
  return ([[tone, get(item, 'detail', '')]] + labels + [[tone, get(item, 'badge', '')]])
    ->filter((_, detail) => !empty(detail[1]))
enddef

# The sign of a row that has a note.
export def NoteSign(item: dict<any>): string
  return empty(get(item, 'preview', '')) ? '' : ' ≡'
enddef

def Item(item: dict<any>, width: number): list<any>
  const [is_done, is_muted] = [get(item, 'checked', false), get(item, 'tone', '') ==# 'muted']
  const mark = Box(item)
  const beside = NoteSign(item) .. Details(item)->mapnew((_, detail) => ' ' .. detail[1])->join('')
  const room = max([width - strwidth(mark .. beside), TITLE_COLUMNS])
  const text = mark .. (empty(beside) ? Plain(item.title) : Fit(item.title, room))
  final row = Row(text, item.id, is_muted ? 'todoMuted' : '')
  extend(row[2], is_done ? [[len(mark) + 1, 'todoDone', len(text) - len(mark)]] : [])
  return row
enddef

# A text buffer for fields, of which only the last may have several lines: a line for each single
# one, a blank line, the text. `texts` are in place of their values.
export def Lines(fields: list<any>, texts: dict<string> = {}): list<string>
  final lines: list<string> = []
  for field in fields
    const value = get(texts, field.name, get(field, 'value', ''))
    const gap = empty(lines) || empty(value) ? [] : ['']
    extend(lines, has_key(field, 'multiline') ? gap + split(value, "\n", true)
      : [substitute(value, "[\r\n]", ' ', 'g')])
  endfor
  return lines
enddef

# The other way round: Values() of Lines() loses no byte.
export def Values(fields: list<any>, lines: list<string>): dict<string>
  final values: dict<string> = {}
  for [row, field] in items(fields)
    const start = row > 0 && get(lines, row, '') ==# '' ? row + 1 : row
    values[field.name] = has_key(field, 'multiline') ? join(lines[start :], "\n")
      : get(lines, row, '')
  endfor
  return values
enddef
