vim9script
# Buffers and windows: each screen has a buffer (or several, when texts stand side by side), whose b:todo says what it
# shows, and the window that shows one of them follows the screen in front.

import autoload './server.vim'
import autoload './screen.vim' as draw

const SOON_MS = 10
# How often a loading screen is drawn; one that is gone sooner is not worth a flicker.
const LOADING_MS = 200
# How near the end of what was sent more is asked for.
const MARGIN_ROWS = 100
const GROUPS = {todoLabel: 'Comment', todoMuted: 'Comment', todoError: 'ErrorMsg', todoNotice: 'MoreMsg', todoAlert: 'WarningMsg'}

# The buffers that were drawn last, which of them are those of the screen in front, and which that was.
var alive: list<number> = []
var shown = ''
export var parts: list<number> = []
# The texts that were saved: [buffer, its b:changedtick then] of each.
export var saved: list<any> = []
var announced: any = 0
# The row that was acted on last: {list, title, action, item}.
export var opened: dict<any> = {}
var draw_timer = 0

# What a buffer shows: {screen, title, base, ...}, or {} if it is none of ours.
export def Of(buf: number): any
  return getbufvar(buf, 'todo', {})
enddef

# The buffer that shows a screen, or 0.
export def Showing(id: string): number
  return get(Ours()->filter((_, buf) => Of(buf).screen.id ==# id), 0, 0)
enddef

def Ours(): list<number>
  return getbufinfo()->mapnew((_, info) => info.bufnr)->filter((_, buf) => !empty(Of(buf)))
enddef

export def IsLoading(): bool
  return server.IsRunning() && !empty(server.stack) && server.stack[-1].body.kind ==# 'progress'
enddef

# A text that is open again is what is in front.
export def Front(buf: number)
  parts = [buf]
enddef

# Whether a buffer has words that nobody else has, or somebody is just typing them.
export def IsUnsaved(buf: number): bool
  const here = Of(buf)
  const is_typing = buf == bufnr() && mode() =~# '^[iR]'
  return has_key(here, 'fields') && (is_typing || getbufvar(buf, '&modified') && get(here, 'handed', -1) != getbufvar(buf, 'changedtick'))
enddef

# Draws soon, once for all that comes until then; what is loading is drawn again and again.
export def DrawSoon()
  const ms = IsLoading() ? LOADING_MS : SOON_MS
  if get(timer_info(draw_timer), 0, {time: 0}).time != ms
    timer_stop(draw_timer)
    draw_timer = timer_start(ms, (_) => Draw(), {repeat: -1})
  endif
enddef

# The texts that were saved are not modified any more, unless they were typed over.
export def Settle()
  for [buf, tick] in saved
    extend(Of(buf), {handed: tick})
    if getbufvar(buf, 'changedtick') == tick
      setbufvar(buf, '&modified', false)
    endif
  endfor
  saved = []
enddef

# Shows all screens in their buffers; with `is_here`, the one in front in this window.
export def Draw(is_here = false)
  if empty(server.stack)
    # Of a server that is gone, nothing is in front.
    [alive, parts, shown, announced] = [[], [], '', 0]
    return
  elseif server.is_waiting || !empty(getcmdwintype())
    DrawSoon()
    return
  elseif !IsLoading()
    timer_stop(draw_timer)
  endif
  Settle()
  final drawn: list<number> = []
  # Of a screen that is far below, the server says only what it is.
  for screen in copy(server.stack)->filter((_, one) => has_key(one, 'body'))
    const texts = draw.Texts(screen)
    parts = empty(texts) ? [PaintRows(screen)] : mapnew(texts, (_, fields) => PaintText(screen, fields, len(texts) > 1))
    extend(drawn, parts)
  endfor
  const dead = Ours()->filter((_, buf) => index(drawn, buf) < 0)
  Show(dead, is_here)
  alive = drawn
  for buf in dead
    if !IsUnsaved(buf)
      setbufvar(buf, 'todo', {})
    elseif !get(Of(buf), 'is_gone', false)
      # It can be saved when its screen is there again. Listed so that it can be found.
      extend(Of(buf), {is_gone: true})
      setbufvar(buf, '&buflisted', true)
      server.Say('warning', $'"{Of(buf).title}" is gone; its unsaved text stays in buffer {buf}')
    endif
  endfor
  # A text has no line for what the server says about it, which is said once.
  const message = get(server.stack[-1], 'message', {id: 0})
  if message.id != announced && message.id != 0 && (has_key(Of(parts[0]), 'fields') || message.level !=# 'info')
    server.Say(message.level, message.text)
  endif
  announced = message.id
  redrawstatus!
  # Somebody may be answering a question, and wants to see what the server thinks of it.
  redraw
enddef

# The buffer that is about `id`, and shows a screen or a side of it.
def Buffer(id: string, side: string, screen: any, is_text: bool): number
  const subject = get(screen, 'subject', '')
  const title = side .. screen.title .. (empty(subject) ? '' : ' · ' .. subject)
  var buf = get(Ours()->filter((_, one) => Of(one).id ==# id), 0, 0)
  if buf == 0
    var name = 'todo://' .. screen.name .. (empty(side) ? '' : '/' .. side[: -3]) .. (empty(subject) ? '' : '/' .. substitute(subject, '[[:cntrl:]]', ' ', 'g'))
    # Unsaved text of an earlier screen may have the name.
    while bufexists(name) && (!empty(Of(bufnr($'^{name}$'))) || getbufvar(name, '&modified'))
      name ..= '+'
    endwhile
    buf = bufadd(name)
    # Before it is loaded, or Vim looks for a folder of that name.
    setbufvar(buf, '&buftype', 'acwrite')
    noautocmd silent bufload(buf)
    for [option, value] in items({bufhidden: 'hide', swapfile: false, buflisted: false, modifiable: false, modeline: false})
      setbufvar(buf, '&' .. option, value)
    endfor
    setbufvar(buf, 'todo', {id: id, first: 1, targets: [], typed: {}, from: copy(opened), is_new: true})
    execute $'autocmd! todo BufWinEnter <buffer={buf}> todo#view#Dress({is_text})'
  endif
  extend(Of(buf), {screen: screen, title: title, is_gone: false})
  if empty(getbufvar(buf, '&filetype'))
    setbufvar(buf, '&filetype', is_text ? 'todotext' : 'todo')
  endif
  return buf
enddef

# What the server says is only shown where nobody has typed since: a text with unsaved words stays as it is.
def PaintText(screen: any, fields: list<any>, is_side: bool): number
  const buf = Buffer(screen.id .. (is_side ? '/' .. fields[0].name : ''), is_side ? fields[0].label .. ': ' : '', screen, true)
  final here = Of(buf)
  const lines = draw.Lines(fields)
  here.fields = fields
  if get(here, 'is_new', false) || !IsUnsaved(buf) && !getbufvar(buf, '&modified')
    # After a save the text is as it was typed, but for blanks at the ends: that can be undone with the rest.
    const is_saved = get(here, 'handed', -1) == getbufvar(buf, 'changedtick')
    if getbufline(buf, 1, '$') != lines
      Fill(buf, lines, [], 1, len(lines), is_saved)
    endif
    extend(here, {base: get(screen.body, 'base', ''), is_told: false, lines: lines, is_new: false})
    here.drawn = getbufvar(buf, 'changedtick')
    const is_typed = !empty(copy(fields)->filter((_, field) => !has_key(field, 'readOnly')))
    setbufvar(buf, '&modifiable', is_typed)
    # Sides that are compared are there because somebody's words could not be saved.
    setbufvar(buf, '&modified', is_typed && is_side)
  endif
  Label(buf, fields, is_side)
  return buf
enddef

# The names of the fields above their lines, and below them what is wrong.
def Label(buf: number, fields: list<any>, is_side: bool)
  const last = getbufinfo(buf)[0].linecount
  Clear(buf)
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
enddef

# Rows keep the cursor of each window on what it was on.
def PaintRows(screen: any): number
  const buf = Buffer(screen.id, '', screen, false)
  final here = Of(buf)
  const places = win_findbuf(buf)->mapnew((_, id) => [id, TargetAt(here, line('.', id))])
  const is_list = screen.body.kind ==# 'list'
  const [head, rows] = [[screen.title] + (is_list ? draw.Message(screen) : ['']), draw.Rows(screen, here.typed)]
  const [offset, total] = is_list ? [screen.body.offset, screen.body.total] : [0, 0]
  const [first, last] = [len(head) + offset + 1, len(head) + max([total, len(rows)])]
  Fill(buf, head, mapnew(rows, (_, row) => row[0]), first, last)
  const targets = mapnew(rows, (_, row) => row[1])
  extend(here, {base: '', head: len(head), first: first, last: last, targets: targets})
  Remark(buf, screen, first)
  # The row that the server chose; of a page that was refused, the secret that may be wrong.
  const message = get(screen, 'message', {id: 0, level: ''})
  const secret = message.level ==# 'error' ? copy(get(screen.body, 'fields', []))->filter((_, field) => has_key(field, 'secret')) : []
  const select = empty(secret) ? {item: get(screen.body, 'select', '')} : {field: secret[0].name}
  const is_selected = index(targets, select) >= 0 && [select, message.id] != get(here, 'selected', [])
  here.selected = [select, message.id]
  for [window, place] in places
    const target = is_selected ? select : place
    const row = empty(target) ? -1 : index(here.targets, target)
    if row >= 0 && first + row != line('.', window)
      win_execute(window, $'keepjumps :{first + row}')
    endif
  endfor
  return buf
enddef

# What stands beside the lines and is no text of anybody's.
def Note(buf: number, line: number, type: string, text: string, place: string)
  prop_add(line, 0, {type: type, bufnr: buf, text: text, text_align: place})
  add(Of(buf).notes, {line: line, text: text, place: place})
enddef

def Clear(buf: number)
  extend(Of(buf), {notes: []})
  prop_remove({types: keys(GROUPS), bufnr: buf, all: true}, 1, getbufinfo(buf)[0].linecount)
enddef

# What a list says of its rows beside their titles, at the right.
def Remark(buf: number, screen: any, first: number)
  Clear(buf)
  for [index, item] in items(get(screen.body, 'items', []))
    const words = ['detail', 'badge']->filter((_, member) => has_key(item, member))->map((_, member) => item[member])->join(' ')
    const tone = {notice: 'todoNotice', alert: 'todoAlert'}->get(get(item, 'tone', ''), 'todoMuted')
    if !empty(words)
      Note(buf, first + index, tone, words, 'right')
    endif
    if get(item, 'tone', '') ==# 'muted'
      prop_add(first + index, 1, {type: 'todoMuted', bufnr: buf, length: len(getbufline(buf, first + index)[0])})
    endif
  endfor
enddef

# Makes these the lines of a buffer: `head`, and from line `first` on the rows that the server has sent; the others, up
# to `last`, are blank. It is no step of undo, which would bring back what this screen is not about.
def Fill(buf: number, head: list<string>, rows: list<string> = [], first = 1, last = len(head), is_undoable = false)
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

def TargetAt(here: any, line: number): dict<any>
  return line < here.first ? {} : get(here.targets, line - here.first, {})
enddef

# What can be chosen on the line of the cursor; a row that was not sent yet is fetched.
export def Target(): dict<any>
  Reach(server.Ask)
  Draw()
  return TargetAt(Of(bufnr()), line('.'))
enddef

# Asks for the rows around the window before somebody gets there, unless the server has sent them.
export def Reach(Send: func = server.Request)
  const here = Of(bufnr())
  const [from, to] = [max([line('w0') - MARGIN_ROWS, here.head + 1]), min([line('w$') + MARGIN_ROWS, here.last])]
  if index(parts, bufnr()) >= 0 && from <= to && (from < here.first || to >= here.first + len(here.targets))
    const offset = max([(from + to - server.WINDOW_ROWS) / 2 - here.head, 0])
    Send('screen/window', {screen: here.screen.name, offset: offset, limit: server.WINDOW_ROWS})
  endif
enddef

# The buffers of the screen that a buffer shows.
export def Sides(buf: number): list<number>
  const id = Of(buf).screen.id
  return Ours()->filter((_, one) => Of(one).screen.id ==# id)
enddef

# What stands in the texts of a buffer's screen that can be typed into, by field.
export def Typed(buf: number): dict<string>
  return Sides(buf)->filter((_, one) => has_key(Of(one), 'fields') && !has_key(Of(one).fields[0], 'readOnly'))
    ->reduce((all, one) => extend(all, draw.Values(Of(one).fields, getbufline(one, 1, '$'))), {})
enddef

# What the user does to the screen of a buffer, and what its form carried when the text was drawn that is not saved.
export def Params(buf: number, more: dict<any>): dict<any>
  const base = get(Of(buf), 'base', '')
  return {screen: Of(buf).screen.name}->extend(empty(base) ? {} : {base: base})->extend(more)
enddef

# Tells the server when there is unsaved text, and when it was undone: it says when others change what is under it.
export def Tell(buf: number)
  final here = Of(buf)
  const is_unsaved = !!getbufvar(buf, '&modified')
  if index(parts, buf) >= 0 && is_unsaved != get(here, 'is_told', false)
    here.is_told = is_unsaved
    server.Request('screen/change', Params(buf, {values: Typed(buf)}))
  endif
enddef

# Shows the screen in front in a window that shows one of ours, or else in this one.
export def Open(mods: string)
  const ours = Windows(Ours())
  if !empty(mods) || IsUnsaved(bufnr()) && index(parts, bufnr()) < 0 || empty(ours) && &modified && !&hidden
    execute mods 'split'
  elseif !empty(ours) && index(ours, win_getid()) < 0
    win_gotoid(ours[0])
  endif
  Draw(true)
enddef

# Gives a window back the buffer that was there, or closes it, or shows an empty one.
export def Close()
  const before = get(w:, 'todo_before', -1)
  execute bufexists(before) ? $'buffer {before}' : winnr('$') > 1 ? 'close' : 'enew'
enddef

def Windows(bufs: list<number>): list<number>
  return getwininfo()->filter((_, info) => index(bufs, info.bufnr) >= 0)->mapnew((_, info) => info.winid)
enddef

# Shows the screen in front here, or where ours are shown; windows with a list that is still there, and with unsaved
# text, stay as they are.
def Show(dead: list<number>, is_here: bool)
  const here = win_getid()
  const free = Windows(Ours())->filter((_, id) => !IsUnsaved(winbufnr(id)))
  const is_new = shown !=# server.stack[-1].id && empty(Windows(parts))
  if is_here && index(parts, bufnr()) < 0 || !empty(free) && is_new
    var target = is_here || index(free, here) >= 0 ? here : free[0]
    Turn(target, parts[0])
    for buf in parts[1 :]
      win_execute(target, $'diffthis | silent rightbelow vertical sbuffer {buf} | diffthis')
      target = win_findbuf(buf)[0]
    endfor
    if len(parts) > 1 && bufnr() == parts[0]
      const mine = copy(parts)->filter((_, buf) => getbufvar(buf, '&modifiable'))
      win_gotoid(win_findbuf(get(mine, 0, parts[0]))[0])
    endif
  endif
  shown = empty(Windows(parts)) ? shown : server.stack[-1].id
  # All are looked at first: a window that is closed can take the next one out of the diff ('diffopt').
  for [id, is_side] in Windows(copy(dead)->filter((_, buf) => !IsUnsaved(buf)))->mapnew((_, id) => [id, getwinvar(id, '&diff')])
    if is_side && winnr('$') > 1
      win_execute(id, 'close')
    else
      Turn(id, parts[0])
    endif
  endfor
enddef

# Shows a buffer in a window; the cursor begins at the first thing that can be chosen.
def Turn(id: number, buf: number)
  if empty(Of(winbufnr(id)))
    setwinvar(id, 'todo_before', winbufnr(id))
  endif
  const begin = index(alive, buf) < 0 ? '| keepjumps :1 | call todo#Next()' : ''
  win_execute(id, $'if &diff | diffoff | endif | silent keepalt buffer {buf} {begin}')
enddef

# Options for the buffer that came into the current window.
export def Dress(is_text: bool)
  &l:statusline = ' %{todo#Statusline()} %{&modified ? "[+] " : ""}%<%{todo#News()}%=%{todo#Hints()} '
  # Where file types have no plugins, ours is there all the same.
  if !exists('g:did_load_ftplugin')
    execute $'runtime! ftplugin/{&filetype}.vim'
  endif
  MapKeys()
  if is_text
    autocmd! todo TextChanged,TextChangedI,TextChangedP <buffer> todo#view#Tell(bufnr())
    autocmd! todo InsertLeave <buffer> todo#view#DrawSoon()
  else
    [&l:cursorline, &l:wrap, &l:number, &l:relativenumber, &l:list] = [true, false, false, false, false]
    autocmd! todo CursorMoved,WinScrolled <buffer> todo#view#Reach()
  endif
enddef

# Maps the keys of the screen in the current buffer, each once, and only where the user has none.
def MapKeys()
  final here = Of(bufnr())
  here.mapped = get(here, 'mapped', {})
  for [key, name] in items(get(g:, 'todo_no_maps', false) ? {} : draw.Keys(here.screen))
    if !has_key(here.mapped, key) && key[0] !=# ':' && empty(maparg(key, 'n', false, true)->filter((what, on) => what ==# 'buffer' && on))
      execute $"nnoremap <buffer> <nowait> {key} <Cmd>call todo#Press('{substitute(key, '<', '<lt>', '')}')<CR>"
    endif
    here.mapped[key] = 1
  endfor
enddef

for [type, group] in items(GROUPS)
  execute $'highlight default link {type} {group}'
  if empty(prop_type_get(type))
    prop_type_add(type, {highlight: type, combine: true})
  endif
endfor
