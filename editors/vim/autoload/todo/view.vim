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

# The buffers that were drawn last, and which of them are those of the screen in front.
var alive: list<number> = []
export var parts: list<number> = []
# The texts that were saved: [buffer, its b:changedtick then] of each.
export var saved: list<any> = []
var announced: list<string> = []
var draw_timer = 0

# What a buffer shows: {screen, title, base, ...}, or {} if it is none of ours.
export def Of(buf: number): any
  return getbufvar(buf, 'todo', {})
enddef

def Ours(): list<number>
  return getbufinfo()->mapnew((_, info) => info.bufnr)->filter((_, buf) => !empty(Of(buf)))
enddef

export def IsLoading(): bool
  return server.IsRunning() && !empty(server.stack) && server.stack[-1].body.kind ==# 'progress'
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
    [alive, parts] = [[], []]
    return
  elseif server.is_waiting || !empty(getcmdwintype())
    DrawSoon()
    return
  elseif !IsLoading()
    timer_stop(draw_timer)
  endif
  Settle()
  final drawn: list<number> = []
  # Of a screen that is far below, a server may say only what it is.
  for screen in copy(server.stack)->filter((_, one) => has_key(one, 'body'))
    const texts = draw.Texts(screen)
    parts = empty(texts) ? [PaintRows(screen)] : mapnew(texts, (_, fields) => PaintText(screen, fields, len(texts) > 1))
    extend(drawn, parts)
  endfor
  const dead = Ours()->filter((_, buf) => index(drawn, buf) < 0)
  Show(dead, is_here)
  alive = drawn
  for buf in dead
    setbufvar(buf, 'todo', {})
    if getbufvar(buf, '&modified')
      # Listed so that it can be found.
      setbufvar(buf, '&buflisted', true)
      server.Say('warning', $'the unsaved text stays in buffer {buf} (:buffer {buf})')
    endif
  endfor
  # A text has no line for what the server says about it, which is said once.
  const message = has_key(Of(parts[0]), 'names') ? draw.Message(server.stack[-1]) : []
  if message != announced && !empty(message)
    server.Say(server.stack[-1].message.level, server.stack[-1].message.text)
  endif
  announced = message
  redrawstatus!
  # Somebody may be answering a question, and wants to see what the server thinks of it.
  redraw
enddef

# The buffer of that name for a screen. Unsaved text of a screen that is gone keeps its buffer: then this is another.
def Buffer(name: string, title: string, screen: any, is_text: bool): number
  var buf = bufadd('todo://' .. name)
  while index(alive, buf) < 0 && getbufvar(buf, '&modified')
    buf = bufadd(bufname(buf) .. '+')
  endwhile
  if index(alive, buf) < 0
    # Before it is loaded, or Vim looks for a folder of that name.
    setbufvar(buf, '&buftype', 'acwrite')
    noautocmd silent bufload(buf)
    for [option, value] in items({bufhidden: 'hide', swapfile: false, buflisted: false, modifiable: false})
      setbufvar(buf, '&' .. option, value)
    endfor
    setbufvar(buf, 'todo', {first: 1, targets: []})
    setbufvar(buf, '&filetype', is_text ? 'todotext' : 'todo')
    execute $'autocmd! todo BufWinEnter <buffer={buf}> todo#view#Dress({is_text})'
  endif
  extend(Of(buf), {screen: screen, title: title})
  return buf
enddef

# A text that is drawn once somebody types into it stays as it is.
def PaintText(screen: any, fields: list<any>, is_side: bool): number
  const [name, title] = is_side ? ['/' .. fields[0].name, ': ' .. fields[0].label] : ['', '']
  const buf = Buffer(screen.name .. name, screen.title .. title, screen, true)
  if !getbufvar(buf, '&modified')
    const [names, lines] = [mapnew(fields, (_, field) => field.name), draw.Lines(fields)]
    extend(Of(buf), {base: get(screen.body, 'base', ''), is_told: false, names: names, lines: lines})
    if getbufline(buf, 1, '$') != lines
      Fill(buf, lines)
    endif
    setbufvar(buf, '&modifiable', !empty(copy(fields)->filter((_, field) => !has_key(field, 'readOnly'))))
  endif
  return buf
enddef

# Rows keep the cursor of each window on what it was on.
def PaintRows(screen: any): number
  const buf = Buffer(screen.name, screen.title, screen, false)
  final here = Of(buf)
  const places = win_findbuf(buf)->mapnew((_, id) => [id, TargetAt(here, line('.', id))])
  const is_list = screen.body.kind ==# 'list'
  const [head, rows] = [[screen.title] + (is_list ? draw.Message(screen) : ['']), draw.Rows(screen)]
  const [offset, total] = is_list ? [screen.body.offset, screen.body.total] : [0, 0]
  const [first, last] = [len(head) + offset + 1, len(head) + max([total, len(rows)])]
  Fill(buf, head, mapnew(rows, (_, row) => row[0]), first, last)
  const targets = mapnew(rows, (_, row) => row[1])
  extend(here, {base: '', head: len(head), first: first, last: last, targets: targets})
  for [window, target] in places
    const row = empty(target) ? -1 : index(here.targets, target)
    if row >= 0 && first + row != line('.', window)
      win_execute(window, $'keepjumps :{first + row}')
    endif
  endfor
  return buf
enddef

# Makes these the lines of a buffer: `head`, and from line `first` on the rows that the server has sent; the others, up
# to `last`, are blank. It is no step of undo, which would bring back what this screen is not about.
def Fill(buf: number, head: list<string>, rows: list<string> = [], first = 1, last = len(head))
  const [here, levels] = [Of(buf), getbufvar(buf, '&undolevels')]
  setbufvar(buf, '&modifiable', true)
  setbufvar(buf, '&undolevels', -1)
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

# What was typed into the texts in front since they were drawn, by field.
export def Typed(): dict<string>
  return copy(parts)->filter((_, buf) => getbufvar(buf, '&modified'))
    ->reduce((all, buf) => extend(all, draw.Values(Of(buf).names, getbufline(buf, 1, '$'))), {})
enddef

# What the user does to the screen in front, and what its form carried when the text was drawn that is not saved.
export def Params(more: dict<any>): dict<any>
  const typed = copy(parts)->filter((_, buf) => getbufvar(buf, '&modified'))
  const base = Of((typed + parts)[0]).base
  return {screen: Of(parts[0]).screen.name}->extend(empty(base) ? {} : {base: base})->extend(more)
enddef

# Tells the server when there is unsaved text, and when it was undone: it says when others change what is under it.
export def Tell(buf: number)
  final here = Of(buf)
  const is_unsaved = !!getbufvar(buf, '&modified')
  if index(parts, buf) >= 0 && is_unsaved != here.is_told
    here.is_told = is_unsaved
    server.Request('screen/change', Params({values: draw.Values(here.names, getbufline(buf, 1, '$'))}))
  endif
enddef

# Shows the screen in front in a window that shows one of ours, or else in this one.
export def Open(mods: string)
  const ours = Windows(Ours())
  if !empty(mods) || empty(ours) && &modified && !&hidden
    execute mods 'split'
  elseif !empty(ours) && index(ours, win_getid()) < 0
    win_gotoid(ours[0])
  endif
  Draw(true)
enddef

def Windows(bufs: list<number>): list<number>
  return getwininfo()->filter((_, info) => index(bufs, info.bufnr) >= 0)->mapnew((_, info) => info.winid)
enddef

# Shows the screen in front here, or where ours are shown; windows with one that is still there stay as they are.
def Show(dead: list<number>, is_here: bool)
  const [here, ours] = [win_getid(), Windows(Ours())]
  if is_here && index(parts, bufnr()) < 0 || !empty(ours) && empty(Windows(parts))
    var target = is_here || index(ours, here) >= 0 ? here : ours[0]
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
  # All are looked at first: a window that is closed can take the next one out of the diff ('diffopt').
  for [id, is_side] in Windows(dead)->mapnew((_, id) => [id, getwinvar(id, '&diff')])
    if is_side && winnr('$') > 1
      win_execute(id, 'close')
    else
      Turn(id, parts[0])
    endif
  endfor
enddef

# Shows a buffer in a window; the cursor begins at the first thing that can be chosen.
def Turn(id: number, buf: number)
  const begin = index(alive, buf) < 0 ? '| keepjumps :1 | call todo#Next()' : ''
  win_execute(id, $'if &diff | diffoff | endif | silent keepalt buffer {buf} {begin}')
enddef

# Options and keys for the buffer that came into the current window: the same in every list, whatever it lists.
export def Dress(is_text: bool)
  &l:statusline = ' %{todo#Statusline()} %{&modified ? "[+]" : ""}%=%l/%L  g? keys '
  for key in is_text ? ['-'] : ['-', '<CR>', 'x', 'dd', 'o'] + split('ABCDEFIJKOPQRSTUWXYZ', '\zs')
    execute $"nnoremap <buffer> <nowait> {key} <Cmd>call todo#Press('{substitute(key, '<', '<lt>', '')}')<CR>"
  endfor
  nnoremap <buffer> g? <Cmd>call todo#Menu()<CR>
  if is_text
    autocmd! todo TextChanged,TextChangedI,TextChangedP <buffer> todo#view#Tell(bufnr())
  else
    [&l:cursorline, &l:wrap, &l:number, &l:relativenumber, &l:list] = [true, false, false, false, false]
    nmap <buffer> <nowait> a o
    nnoremap <buffer> <nowait> <Tab> <Cmd>call todo#Next()<CR>
    nnoremap <buffer> <nowait> q <Cmd>execute winnr('$') > 1 ? 'close' : 'enew'<CR>
    autocmd! todo CursorMoved,WinScrolled <buffer> todo#view#Reach()
  endif
enddef
