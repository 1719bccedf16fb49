vim9script
scriptencoding utf-8
# Buffers and windows. A screen has a buffer, or several when sides are compared, whose b:todo says
# what it shows; windows that show one of them follow the screen in front.

import autoload './server.vim'
import autoload './screen.vim' as draw

const SOON_MS = 10
# How often a loading screen is drawn; one that is gone sooner is not worth a flicker.
const LOADING_MS = 200
# How near the end of what was sent more is asked for.
const MARGIN_ROWS = 100
# How wide a window has to be for notes beside its rows.
const PREVIEW_COLUMNS = 100
const GROUPS = {todoTitle: 'Title', todoLabel: 'Comment', todoMuted: 'Comment',
  todoError: 'ErrorMsg', todoNotice: 'MoreMsg', todoAlert: 'WarningMsg', todoDone: 'NONE'}

# The buffers of the screens that were drawn last, the one in front last.
export var drawn: list<number> = []
# The screen that a window was given for last, and the window in which the user waits for one.
var shown = ''
var wanted = 0
# The message that was said last.
var announced = 0
var draw_timer = 0
var preview = 0

# What a buffer shows: {buf, id, screen, title, base, ...}, or {} if it is none of ours. `home` is
# what is acted on: that of the side that can be typed into, or else itself.
export def Of(buf: number): any
  return getbufvar(buf, 'todo', {})
enddef

def Ours(): list<number>
  return getbufinfo()->mapnew((_, info) => info.bufnr)->filter((_, buf) => !empty(Of(buf)))
enddef

def Windows(bufs: list<number>): list<number>
  return flattennew(mapnew(bufs, (_, buf) => win_findbuf(buf)))
enddef

export def IsLoading(): bool
  return server.IsRunning() && !empty(server.stack) && server.stack[-1].body.kind ==# 'progress'
enddef

# Whether a buffer has words that nobody else has, or somebody is just typing them.
export def IsUnsaved(buf: number): bool
  const is_typing = buf == bufnr() && mode() =~# '^[iR]'
  return has_key(Of(buf), 'lines') && (is_typing || getbufline(buf, 1, '$') != Of(buf).lines)
enddef

# What stands in a text, by field.
export def Typed(here: any): dict<string>
  return has_key(here, 'fields') ? draw.Values(here.fields, getbufline(here.buf, 1, '$')) : {}
enddef

# What the user does to the screen of a buffer, and what its form carried when the text was drawn
# that is not saved.
export def Params(here: any, more: dict<any>): dict<any>
  return extend({screen: here.screen.name, base: here.base}, more)
enddef

# What the line of a buffer is about: an item or a field by its name, or ''.
export def TargetAt(here: any, line: number): string
  return line < here.first ? '' : get(here.targets, line - here.first, '')
enddef

# Draws soon, once for all that comes until then, and not while something is saved; what is loading
# is drawn again and again.
export def DrawSoon()
  const ms = IsLoading() ? LOADING_MS : SOON_MS
  if get(timer_info(draw_timer), 0, {time: 0}).time != ms
    timer_stop(draw_timer)
    draw_timer = timer_start(ms, (_) => {
      if empty(state('x') .. getcmdwintype())
        Draw()
      endif
    }, {repeat: -1})
  endif
enddef

# Of a screen that is far below, the server says only what it is.
def Screens(): list<any>
  return copy(server.stack)->filter((_, screen) => has_key(screen, 'body'))
enddef

# Shows all screens in their buffers, and the one in front in a window that is wanted for it.
export def Draw()
  if !IsLoading()
    timer_stop(draw_timer)
  endif
  drawn = Screens()->mapnew((_, screen) => Paint(screen))
  if !empty(drawn)
    Show(Ours()->filter((_, buf) => index(drawn, Of(buf).home.buf) < 0))
    # A text has no line for what the server says about it, which is said once.
    const message = get(server.stack[-1], 'message', {id: 0, level: 'info', text: ''})
    const is_seen = message.level ==# 'info' && !has_key(Of(drawn[-1]), 'fields')
    if message.id != announced && !empty(message.text) && !is_seen
      server.Say(message.level, message.text)
    endif
    announced = message.id
    Preview()
    # Somebody may be answering a question, and wants to see what the server thinks of it.
    redraw
  endif
  redrawstatus!
enddef

# Shows the screen in front where it is waited for or where one was that is gone, or else, if it is
# new, in a window of ours; unsaved text stays where it is.
def Show(dead: list<number>)
  const [front, id] = [drawn[-1], server.stack[-1].id]
  const free = Windows(Ours()->filter((_, buf) => !IsUnsaved(buf)))
  final turned = copy(free)->filter((_, window) => index(dead, winbufnr(window)) >= 0)
    ->filter((_, window) => Of(winbufnr(window)).home.buf == winbufnr(window))
  if win_id2win(wanted) > 0
    add(turned, wanted)
  elseif shown !=# id && !empty(free) && empty(win_findbuf(front))
    add(turned, index(free, win_getid()) < 0 ? free[0] : win_getid())
  endif
  for window in turned
    if empty(Of(winbufnr(window)))
      setwinvar(window, 'todo_before', winbufnr(window))
    endif
    # The cursor begins at the first row.
    const begin = $'cursor(max([line("."), {Of(front).first}]), 0)'
    win_execute(window, $'silent hide keepalt buffer {front} | {begin}')
  endfor
  for [index, side] in items(empty(turned) ? [] : Of(front).sides)
    if empty(win_findbuf(side))
      const place = index == 0 ? 'leftabove' : 'rightbelow'
      win_execute(bufwinid(front), $'silent {place} vertical sbuffer {side}')
    endif
  endfor
  [shown, wanted] = [empty(win_findbuf(front)) ? shown : id, 0]
  for buf in dead
    if !IsUnsaved(buf)
      execute 'silent bwipeout!' buf
    elseif !Of(buf).is_gone
      # It can be saved when its screen is there again. Listed so that it can be found.
      setbufvar(buf, '&buflisted', true)
      extend(Of(buf), {is_gone: true})
      server.Say('warning', $'"{Of(buf).title}" is gone; its unsaved text stays in buffer {buf}')
    endif
  endfor
enddef

# Shows the screen in front in a window that shows one of ours, or else in this one.
export def Open(mods: string)
  const ours = Windows(Ours())
  if !empty(mods) || IsUnsaved(bufnr()) && index(drawn, bufnr()) < 0
    execute mods 'split'
  elseif !empty(ours) && index(ours, win_getid()) < 0
    win_gotoid(ours[0])
  endif
  wanted = win_getid()
  Draw()
enddef

# Gives a window back the buffer that was there, or closes it, or shows an empty one.
export def Close()
  const before = get(w:, 'todo_before', -1)
  execute bufexists(before) ? $'buffer {before}' : winnr('$') > 1 ? 'close' : 'enew'
enddef

# Tells the server when there is unsaved text, and when it was undone: it says when others change
# what is under it; and of each change while something is wrong, until that is right.
export def Tell(buf: number)
  final [here, is_unsaved] = [Of(buf), !!getbufvar(buf, '&modified')]
  const is_wrong = get(here, 'fields', [])->indexof((_, field) => has_key(field, 'error')) >= 0
  if index(drawn, buf) >= 0 && (is_wrong || here.is_told != is_unsaved)
    here.is_told = is_unsaved
    server.Request('screen/change', Params(here, {values: Typed(here)}))
  endif
enddef

# Shows the newest of a screen.
export def Repaint(here: any)
  Paint(draw.Named(Screens(), here.screen.id, 'id') ?? here.screen)
enddef

# Shows a screen in its buffers, and answers the one that is acted on.
def Paint(screen: any): number
  const texts = draw.Texts(screen)
  const bufs = empty(texts) ? [PaintRows(screen)]
    : mapnew(texts, (_, fields) => PaintText(screen, fields, len(texts) > 1))
  for buf in bufs
    extend(Of(buf), {home: Of(bufs[0]), sides: bufs[1 :]})
    # Where a window has no status line, the way to help stands at the right of the first line.
    if &laststatus == 0 || &laststatus == 1 && winnr('$') == 1
      const help = {type: 'todoMuted', bufnr: buf, text_align: 'right'}
      prop_add(1, 0, extend({text: todo#Frame() .. 'g? help'}, help))
    endif
  endfor
  return bufs[0]
enddef

# The buffer that is about `id`, and shows a screen, or a side of it, without anything beside it.
def Buffer(id: string, side: string, screen: any, is_text: bool): number
  const subject = get(screen, 'subject', '')
  var buf = get(Ours()->filter((_, one) => Of(one).id ==# id), 0, 0)
  if buf == 0
    var name = draw.Joined(['todo:/', screen.name, side, subject], '/')
      ->substitute('[[:cntrl:]]', ' ', 'g')
    while bufexists(name)
      name ..= '+'
    endwhile
    buf = bufadd(name)
    # Before it is loaded, or Vim looks for a folder of that name.
    setbufvar(buf, '&buftype', 'acwrite')
    noautocmd silent bufload(buf)
    for [option, value] in items({bufhidden: 'hide', swapfile: false, buflisted: false,
        modifiable: false, modeline: false, undolevels: -1})
      setbufvar(buf, '&' .. option, value)
    endfor
    final nothing = {base: null, first: 1, targets: [], typed: {}, is_told: false}
    setbufvar(buf, 'todo', extend({buf: buf, id: id, screen: screen}, nothing))
    setbufvar(buf, '&filetype', is_text ? 'todotext' : 'todo')
  endif
  const title = draw.Joined([side, draw.Joined([screen.title, subject], ' · ')], ': ')
  extend(Of(buf), {screen: screen, title: title, side: side, is_gone: false, notes: []})
  prop_remove({types: keys(GROUPS), bufnr: buf, all: true}, 1, Last(buf))
  return buf
enddef

# What the server says is only shown where nobody has typed since: a text with unsaved words stays
# as it is, also while an answer is to come to what was typed.
def PaintText(screen: any, fields: list<any>, is_side: bool): number
  const side = is_side ? fields[0] : {name: '', label: ''}
  const buf = Buffer(screen.id .. side.name, side.label, screen, true)
  final here = extend(Of(buf), {fields: fields})
  const is_new = !has_key(here, 'lines')
  const lines = draw.Lines(fields)
  # The server cuts off the blanks at the ends.
  const Words = (texts: list<string>) => draw.Values(fields, texts)->map((_, text) => trim(text))
  if is_new || !IsUnsaved(buf) && server.pending == 0
    if is_new || Words(getbufline(buf, 1, '$')) != Words(lines)
      Fill(buf, [], lines, 1, len(lines))
    endif
    const is_typed = !has_key(fields[0], 'readOnly')
    setbufvar(buf, '&modifiable', is_typed)
    # Sides that are compared are there because somebody's words could not be saved.
    setbufvar(buf, '&modified', is_typed && is_side)
    # The first text was no step of undo, which would bring back an empty one.
    setbufvar(buf, '&undolevels', &g:undolevels)
    extend(here, {lines: getbufline(buf, 1, '$'), is_told: false})
  endif
  # What was typed is made from what the server has, also when it has it from here.
  here.base = Words(here.lines) == Words(lines) ? get(screen.body, 'base', null) : here.base
  # The names of the fields stand above their lines, and below them what is wrong.
  for [index, field] in items(fields)
    const is_long = has_key(field, 'multiline')
    const line = min([is_long && index > 0 ? index + 2 : index + 1, Last(buf)])
    if !is_side
      Note(buf, line, 'todoLabel', field.label, 'above')
    endif
    if has_key(field, 'error')
      Note(buf, is_long ? Last(buf) : line, 'todoError', '! ' .. field.error, 'below')
    endif
  endfor
  return buf
enddef

# Rows keep the cursor of each window on what it was on.
def PaintRows(screen: any): number
  const buf = Buffer(screen.id, '', screen, false)
  final [here, body] = [Of(buf), screen.body]
  const places = win_findbuf(buf)->mapnew((_, id) => [id, TargetAt(here, line('.', id))])
  const [head, rows] = [draw.Head(screen), draw.Rows(screen, here.typed)]
  const first = len(head) + get(body, 'offset', 0) + 1
  const last = len(head) + max([body.kind ==# 'list' ? body.total : 0, len(rows)])
  const Text = (_: any, row: any) => row[0]
  Fill(buf, mapnew(head, Text), mapnew(rows, Text), first, last)
  extend(here, {first: first, targets: mapnew(rows, (_, row) => row[1])})
  for [index, row] in items(head + rows)
    const line = index < len(head) ? index + 1 : first + index - len(head)
    for [column, type, length] in row[2]
      prop_add(line, column, {type: type, bufnr: buf, length: length})
    endfor
  endfor
  # What a list says of a row beside its title, at the right.
  for [index, item] in items(get(body, 'items', []))
    const words = draw.Joined([get(item, 'detail', ''), get(item, 'badge', '')], ' ')
    const tone = {notice: 'todoNotice', alert: 'todoAlert'}->get(get(item, 'tone', ''), 'todoMuted')
    if !empty(words)
      const padding = max([Room(buf) - strdisplaywidth(rows[index][0] .. words), 1])
      Note(buf, first + index, tone, words, 'after', padding)
    endif
  endfor
  # The row that the server chose, once.
  const select = has_key(body, 'select') ? remove(body, 'select') : ''
  for [window, place] in places
    const target = index(here.targets, select) >= 0 ? select : place
    win_execute(window, empty(target) ? '' : $'cursor({first + index(here.targets, target)}, 0)')
  endfor
  return buf
enddef

# How many columns the rows of a buffer have: notes stand beside them where a window is wide enough.
def Room(buf: number): number
  const width = max([winwidth(bufwinid(buf)), 20])
  return width >= PREVIEW_COLUMNS ? width / 2 : width - 1
enddef

# What stands beside the lines and is no text of anybody's.
def Note(buf: number, line: number, type: string, text: string, place: string, padding = 0)
  add(Of(buf).notes, {line: line, text: text})
  const look = {type: type, bufnr: buf, text: text, text_align: place, text_padding_left: padding}
  prop_add(line, 0, look)
enddef

def Last(buf: number): number
  return getbufinfo(buf)[0].linecount
enddef

# Makes these the lines of a buffer: `head`, and from line `first` on the rows that the server has
# sent; the others, up to `last`, are blank.
def Fill(buf: number, head: list<string>, rows: list<string>, first: number, last: number)
  setbufvar(buf, '&modifiable', true)
  # Blank rows are many: only those are touched that were sent before or are now.
  setbufline(buf, Of(buf).first, repeat([''], len(Of(buf).targets)))
  appendbufline(buf, '$', repeat([''], last - Last(buf)))
  silent deletebufline(buf, last + 1, '$')
  setbufline(buf, 1, head)
  setbufline(buf, first, rows)
  setbufvar(buf, '&modifiable', false)
  setbufvar(buf, '&modified', false)
enddef

# Asks for the rows around the window before somebody gets there, unless the server has sent them.
export def Reach()
  const here = Of(bufnr())
  const body = get(here, 'screen', {body: {}}).body
  if get(body, 'kind', '') !=# 'list'
    return
  endif
  const above = here.first - body.offset
  const from = max([line('w0') - above - MARGIN_ROWS, 0])
  const to = min([line('w$') - above + MARGIN_ROWS, body.total])
  if from < body.offset || to > body.offset + len(body.items)
    const offset = max([(from + to - server.WINDOW_ROWS) / 2, 0])
    const window = {offset: offset, limit: server.WINDOW_ROWS}
    server.Request('screen/window', extend({screen: here.screen.name}, window))
  endif
enddef

# Shows the beginning of the note of the row of the cursor beside the rows, in a window that is wide
# enough, until the cursor moves.
export def Preview()
  const here = Of(bufnr())
  const items: list<any> = get(get(here, 'screen', {body: {}}).body, 'items', [])
  const item = empty(items) || line('.') < here.first ? {} : get(items, line('.') - here.first, {})
  popup_close(preview)
  if winwidth(0) >= PREVIEW_COLUMNS && !empty(get(item, 'preview', ''))
    const [room, place] = [Room(bufnr()), win_screenpos(0)]
    const [width, height] = [winwidth(0) - room - 3, winheight(0)]
    preview = popup_create(split(item.preview, '\r\=\n', true), {
      line: place[0], col: place[1] + room + 1, minwidth: width, maxwidth: width,
      minheight: height, maxheight: height, padding: [0, 0, 0, 1], border: [0, 0, 0, 1],
      borderchars: ['│'], borderhighlight: ['todoMuted'], highlight: 'Normal', scrollbar: false,
    })
  endif
enddef

# Options and keys for the buffer that came into the current window.
export def Dress()
  if empty(Of(bufnr()))
    return
  endif
  # Of what has no room for it the beginning of the news is left out; sides have none, but their
  # names and keys.
  const news = empty(b:todo.side) ? ' %<%{todo#News()}' : ''
  &l:statusline = ' %{todo#Statusline()}' .. news .. ' %=%{todo#Hints()} %<'
  if &filetype ==# 'todo'
    setlocal cursorline nowrap nonumber norelativenumber nolist
  endif
  execute empty(b:todo.side) ? 'diffoff' : 'diffthis | setlocal foldcolumn=0'
  # Also where file types have no plugins, and for actions that are new.
  runtime! ftplugin/todo.vim
enddef

export def DefineColors()
  highlight default todoDone cterm=strikethrough gui=strikethrough
  for [type, group] in items(GROUPS)
    execute $'highlight default link {type} {group}'
    if empty(prop_type_get(type))
      prop_type_add(type, {highlight: type, combine: true})
    endif
  endfor
enddef

DefineColors()
augroup todo
  autocmd! ColorScheme * todo#view#DefineColors()
augroup END
