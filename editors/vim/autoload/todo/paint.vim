vim9script
scriptencoding utf-8
# What stands in the buffers: each screen has one (or several, when texts stand side by side), whose b:todo says what it
# shows.

import autoload './server.vim'
import autoload './screen.vim' as draw

# How near the end of what was sent more is asked for.
const MARGIN_ROWS = 100
# How wide a window has to be for notes beside its rows.
const PREVIEW_COLUMNS = 100
const GROUPS = {todoTitle: 'Title', todoLabel: 'Comment', todoMuted: 'Comment', todoError: 'ErrorMsg',
  todoNotice: 'MoreMsg', todoAlert: 'WarningMsg', todoDone: ''}
const LEVELS = {info: 'todoNotice', warning: 'todoAlert', error: 'todoError'}

var preview = 0

# What a buffer shows: {id, screen, title, base, ...}, or {} if it is none of ours.
export def Of(buf: number): any
  return getbufvar(buf, 'todo', {})
enddef

export def Ours(): list<number>
  return getbufinfo()->mapnew((_, info) => info.bufnr)->filter((_, buf) => !empty(Of(buf)))
enddef

# The buffers of a screen.
export def Showing(id: string): list<number>
  return Ours()->filter((_, buf) => Of(buf).screen.id ==# id)
enddef

# Whether a buffer has words that nobody else has, or somebody is just typing them.
export def IsUnsaved(buf: number): bool
  const [here, tick] = [Of(buf), getbufvar(buf, 'changedtick')]
  const is_typing = buf == bufnr() && mode() =~# '^[iR]'
  return has_key(here, 'fields') && (is_typing || getbufvar(buf, '&modified') && get(here, 'handed', -1) != tick)
enddef

# Shows a screen in its buffers, and answers which they are.
export def Paint(screen: any): list<number>
  const texts = draw.Texts(screen)
  return empty(texts) ? [PaintRows(screen)] : mapnew(texts, (_, fields) => PaintText(screen, fields, len(texts) > 1))
enddef

# The buffer that is about `id`, and shows a screen, or a side of it.
def Buffer(id: string, side: string, screen: any, is_text: bool): number
  const subject = get(screen, 'subject', '')
  var buf = get(Ours()->filter((_, one) => Of(one).id ==# id), 0, 0)
  if buf == 0
    var name = join(['todo:/', screen.name] + [side, subject]->filter((_, part) => !empty(part)), '/')
    name = substitute(name, '[[:cntrl:]]', ' ', 'g')
    # Unsaved text of an earlier screen may have the name.
    while bufexists(name) && (!empty(Of(bufnr($'^{name}$'))) || getbufvar(name, '&modified'))
      name ..= '+'
    endwhile
    buf = bufadd(name)
    # Before it is loaded, or Vim looks for a folder of that name.
    setbufvar(buf, '&buftype', 'acwrite')
    noautocmd silent bufload(buf)
    const off = {swapfile: false, buflisted: false, modifiable: false, modeline: false}
    for [option, value] in items(extend({bufhidden: 'hide'}, off))
      setbufvar(buf, '&' .. option, value)
    endfor
    setbufvar(buf, 'todo', {id: id, first: 1, targets: [], typed: {}, is_new: true})
    execute $'autocmd! todo BufWinEnter <buffer={buf}> todo#view#Dress({is_text})'
  endif
  const title = (empty(side) ? '' : side .. ': ') .. screen.title .. (empty(subject) ? '' : ' · ' .. subject)
  extend(Of(buf), {screen: screen, title: title, is_gone: false}->extend(empty(side) ? {} : {side: side}))
  if empty(getbufvar(buf, '&filetype'))
    setbufvar(buf, '&filetype', is_text ? 'todotext' : 'todo')
  endif
  return buf
enddef

# What the server says is only shown where nobody has typed since: a text with unsaved words stays as it is.
def PaintText(screen: any, fields: list<any>, is_side: bool): number
  const buf = Buffer(screen.id .. (is_side ? '/' .. fields[0].name : ''), is_side ? fields[0].label : '', screen, true)
  final here = Of(buf)
  const lines = draw.Lines(fields)
  here.fields = fields
  if here.is_new || !IsUnsaved(buf) && !getbufvar(buf, '&modified')
    # After a save the text is as it was typed, but for blanks at the ends: that can be undone with the rest.
    if getbufline(buf, 1, '$') != lines
      Fill(buf, lines, [], 1, len(lines), get(here, 'handed', -1) == getbufvar(buf, 'changedtick'))
    endif
    extend(here, {base: get(screen.body, 'base', ''), is_told: false, lines: lines, is_new: false})
    here.drawn = getbufvar(buf, 'changedtick')
    const is_typed = !has_key(fields[0], 'readOnly')
    setbufvar(buf, '&modifiable', is_typed)
    # Sides that are compared are there because somebody's words could not be saved.
    setbufvar(buf, '&modified', is_typed && is_side)
  endif
  # The names of the fields stand above their lines, and below them what is wrong.
  const last = getbufinfo(buf)[0].linecount
  Clear(buf)
  Bar(buf)
  for [index, field] in items(fields)
    const is_long = has_key(field, 'multiline')
    const line = min([is_long && index > 0 ? index + 2 : index + 1, last])
    if !is_side
      Note(buf, line, 'todoLabel', field.label, 'above')
    endif
    if has_key(field, 'error')
      Note(buf, is_long ? last : line, 'todoError', '! ' .. field.error, 'below')
    endif
  endfor
  return buf
enddef

# Rows keep the cursor of each window on what it was on.
def PaintRows(screen: any): number
  const buf = Buffer(screen.id, '', screen, false)
  final here = Of(buf)
  const places = win_findbuf(buf)->mapnew((_, id) => [id, TargetAt(here, line('.', id))])
  const [head, rows] = [[screen.title] + draw.Message(screen), draw.Rows(screen, here.typed)]
  const [first, total] = [len(head) + get(screen.body, 'offset', 0) + 1, get(screen.body, 'total', 0)]
  const last = len(head) + max([total, len(rows)])
  Fill(buf, head, mapnew(rows, (_, row) => row[0]), first, last)
  extend(here, {base: '', head: len(head), first: first, last: last, targets: mapnew(rows, (_, row) => row[1])})
  Clear(buf)
  Bar(buf)
  Color(buf, 1, ['todoTitle', len(head[0])])
  Color(buf, 2, len(head) > 1 ? [LEVELS[screen.message.level], len(head[1])] : [])
  for [index, row] in items(rows)
    Color(buf, first + index, row[2])
  endfor
  for [index, item] in items(get(screen.body, 'items', []))
    Remark(buf, first + index, item)
  endfor
  # The row that the server chose, once.
  const select = get(screen.body, 'select', '')
  const is_selected = index(here.targets, select) >= 0 && select !=# get(here, 'selected', '')
  here.selected = select
  for [window, place] in places
    const target = is_selected ? select : place
    const row = empty(target) ? -1 : index(here.targets, target)
    if row >= 0 && first + row != line('.', window)
      win_execute(window, $'keepjumps :{first + row}')
    endif
  endfor
  return buf
enddef

# How many columns the rows of a buffer have: notes stand beside them where a window is wide enough.
def Room(buf: number): number
  const width = max([winwidth(bufwinid(buf)), 20])
  return width >= PREVIEW_COLUMNS ? width / 2 : width - 1
enddef

# What a list says of a row beside its title, at the right.
def Remark(buf: number, line: number, item: dict<any>)
  const words = ['detail', 'badge']->filter((_, member) => has_key(item, member))->map((_, member) => item[member])
  const tone = {notice: 'todoNotice', alert: 'todoAlert'}->get(get(item, 'tone', ''), 'todoMuted')
  if !empty(words)
    const used = strdisplaywidth(getbufline(buf, line)[0] .. join(words))
    Note(buf, line, tone, join(words), 'after', max([Room(buf) - used, 1]))
  endif
  if get(item, 'checked', false)
    prop_add(line, 5, {type: 'todoDone', bufnr: buf, end_col: len(getbufline(buf, line)[0]) + 1})
  endif
enddef

# How a line begins: [type, length], or [].
def Color(buf: number, line: number, look: list<any>)
  if !empty(look)
    prop_add(line, 1, {type: look[0], bufnr: buf, length: look[1]})
  endif
enddef

# What stands beside the lines and is no text of anybody's.
def Note(buf: number, line: number, type: string, text: string, place: string, padding = 0)
  final look: dict<any> = {type: type, bufnr: buf, text: text, text_align: place}
  prop_add(line, 0, extend(look, padding > 0 ? {text_padding_left: padding} : {}))
  add(Of(buf).notes, {line: line, text: text, place: place})
enddef

# Where a window has no status line, the way to help stands at the right of the first line.
def Bar(buf: number)
  if &laststatus == 0 || &laststatus == 1 && winnr('$') == 1
    prop_add(1, 0, {type: 'todoMuted', bufnr: buf, text: todo#Frame() .. 'g? help', text_align: 'right'})
  endif
enddef

def Clear(buf: number)
  extend(Of(buf), {notes: []})
  prop_remove({types: keys(GROUPS), bufnr: buf, all: true}, 1, getbufinfo(buf)[0].linecount)
enddef

# Makes these the lines of a buffer: `head`, and from line `first` on the rows that the server has sent; the others, up
# to `last`, are blank. It is no step of undo, which would bring back what this screen is not about.
def Fill(buf: number, head: list<string>, rows: list<string>, first: number, last: number, is_undoable = false)
  const [here, levels] = [Of(buf), getbufvar(buf, '&undolevels')]
  setbufvar(buf, '&modifiable', true)
  if !is_undoable
    setbufvar(buf, '&undolevels', -1)
  endif
  # Blank rows are many: only those are touched that were sent before or are now.
  setbufline(buf, here.first, repeat([''], len(here.targets)))
  appendbufline(buf, '$', repeat([''], last - getbufinfo(buf)[0].linecount))
  silent deletebufline(buf, last + 1, '$')
  setbufline(buf, 1, head)
  setbufline(buf, first, rows)
  setbufvar(buf, '&undolevels', levels)
  setbufvar(buf, '&modifiable', false)
  setbufvar(buf, '&modified', false)
enddef

# What the line of a buffer is about: an item or a field by its name, or ''.
export def TargetAt(here: any, line: number): string
  return line < here.first ? '' : get(here.targets, line - here.first, '')
enddef

# Asks for the rows around the window before somebody gets there, unless the server has sent them.
export def Reach(Send: func = server.Request)
  const here = Of(bufnr())
  const [from, to] = [max([line('w0') - MARGIN_ROWS, here.head + 1]), min([line('w$') + MARGIN_ROWS, here.last])]
  const is_front = !empty(server.stack) && server.stack[-1].id ==# here.screen.id
  if is_front && from <= to && (from < here.first || to >= here.first + len(here.targets))
    const offset = max([(from + to - server.WINDOW_ROWS) / 2 - here.head, 0])
    Send('screen/window', {screen: here.screen.name, offset: offset, limit: server.WINDOW_ROWS})
  endif
enddef

# Shows the beginning of the note of the row of the cursor beside the rows, in a window that is wide enough.
export def Preview()
  const here = Of(bufnr())
  const items: list<any> = get(get(here, 'screen', {body: {}}).body, 'items', [])
  const item = empty(items) || line('.') < here.first ? {} : get(items, line('.') - here.first, {})
  popup_close(preview)
  if winwidth(0) >= PREVIEW_COLUMNS && !empty(get(item, 'preview', ''))
    const [room, place] = [Room(bufnr()), win_screenpos(0)]
    const [width, height] = [winwidth(0) - room - 3, winheight(0)]
    preview = popup_create(split(item.preview, '\r\=\n', true), {
      line: place[0], col: place[1] + room + 1, minwidth: width, maxwidth: width, minheight: height, maxheight: height,
      padding: [0, 0, 0, 1], border: [0, 0, 0, 1], borderchars: ['│'], borderhighlight: ['todoMuted'],
      highlight: 'Normal', scrollbar: false,
    })
  endif
enddef

export def HidePreview()
  popup_close(preview)
enddef

# What stands in the texts of a buffer's screen that can be typed into, by field.
export def Typed(buf: number): dict<string>
  const IsTyped = (here: any) => has_key(here, 'fields') && !has_key(here.fields[0], 'readOnly')
  return Showing(Of(buf).screen.id)->filter((_, one) => IsTyped(Of(one)))
    ->reduce((all, one) => extend(all, draw.Values(Of(one).fields, getbufline(one, 1, '$'))), {})
enddef

# What the user does to the screen of a buffer, and what its form carried when the text was drawn that is not saved.
export def Params(buf: number, more: dict<any>): dict<any>
  const base = get(Of(buf), 'base', '')
  return {screen: Of(buf).screen.name}->extend(empty(base) ? {} : {base: base})->extend(more)
enddef

export def DefineColors()
  for [type, group] in items(GROUPS)
    execute empty(group) ? $'highlight default {type} cterm=strikethrough gui=strikethrough'
      : $'highlight default link {type} {group}'
    if empty(prop_type_get(type))
      prop_type_add(type, {highlight: type, combine: true})
    endif
  endfor
enddef

DefineColors()
augroup todo
  autocmd! ColorScheme * todo#paint#DefineColors()
augroup END
