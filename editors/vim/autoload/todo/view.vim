vim9script
scriptencoding utf-8
# Windows: those that show one of the buffers follow the screen in front.

import autoload './server.vim'
import autoload './paint.vim'
import autoload './screen.vim' as draw

const SOON_MS = 10
# The pause after the last key before edits are sent, and the age of the first unsent key from which
# they are not put off any more.
const [PAUSE_MS, UNSENT_SECONDS] = [400, 0.6]
# The interval between drawings of a loading screen. A screen that is gone sooner is not drawn at
# all.
const LOADING_MS = 200
# The distance to the end of the loaded rows at which more are requested.
const MARGIN_ROWS = 100
# What compared sides need to be beside each other, or else one above the other.
const [SIDES_COLUMNS, SIDE_ROWS] = [100, 2]

# The buffers of the screens that were drawn last, the one in front last.
export var drawn: list<number> = []
# The screen that has last got a window, and the window in which the user waits for a screen, with
# its contents then.
var shown = ''
var wanted: list<any> = []
# The ID of the message that was shown last.
var announced = 0
var draw_timer = 0
var [preview, pinned] = [0, 0]

export def IsLoading(): bool
  return server.IsRunning() && !empty(server.stack) && server.stack[-1].body.kind ==# 'progress'
enddef

# Draws soon, once for all that comes until then, and not while something is saved; what is loading
# is drawn again and again.
export def DrawSoon()
  const ms = IsLoading() ? LOADING_MS : SOON_MS
  if get(timer_info(draw_timer), 0, {time: 0}).time != ms
    timer_stop(draw_timer)
    draw_timer = timer_start(ms, Draw, {repeat: -1})
  endif
enddef

# Shows all screens in their buffers, and the one in front in a window that is wanted for it.
export def Draw(timer = 0)
  if timer > 0 && !empty(state('x') .. getcmdwintype())
    return
  endif
  timer_stop(IsLoading() ? 0 : draw_timer)
  drawn = paint.Screens()->mapnew((_, screen) => paint.Paint(screen))
  if !empty(drawn)
    Show(paint.Ours()->filter((_, buf) => index(drawn, paint.Of(buf).home.buf) < 0))
    # A text has no line for the server's message, which is shown once.
    const message = get(server.stack[-1], 'message', {id: 0, level: 'info', text: ''})
    const is_seen = message.level ==# 'info' && !has_key(paint.Of(drawn[-1]), 'fields')
    if message.id != announced && !empty(message.text) && !is_seen
      server.Say(message.level, message.text)
    endif
    announced = message.id
    Preview()
  endif
  mapnew(paint.Ours(), (_, buf) => paint.Tell(buf))
  Remind()
  # The user may be answering a question, and sees what the server thinks of it.
  execute empty(drawn) ? '' : 'redraw'
  redrawstatus!
enddef

# Shows the screen in front in the window that waits for it or had a closed screen, or else, if it
# is new, in another todo window; unsaved text stays where it is. No window changes while the user
# types.
def Show(dead: list<number>)
  const [front, id] = [drawn[-1], server.stack[-1].id]
  if paint.IsTyping()
    autocmd! todo ModeChanged * ++once DrawSoon()
    return
  endif
  final free = Windows(paint.Ours()->filter((_, buf) => !paint.IsUnsaved(buf)))
  final turned = copy(free)->filter((_, window) => index(dead, winbufnr(window)) >= 0)
    ->filter((_, window) => paint.Of(winbufnr(window)).home.buf == winbufnr(window))
  if !empty(wanted) && wanted == Glance(wanted[0])
    add(turned, wanted[0])
  elseif !empty(wanted)
    # Not over what was opened or typed there meanwhile.
    server.Say('info', $':Todo shows {server.stack[-1].title}')
  elseif shown !=# id && empty(win_findbuf(front))
    # Sides that are compared belong to words which may stay in their window.
    if empty(free) && !empty(paint.Of(front).sides)
      tab split
      add(free, win_getid())
    endif
    extend(turned, index(free, win_getid()) < 0 ? free[: 0] : [win_getid()])
  endif
  for window in turned
    const is_first = empty(paint.Of(winbufnr(window)))
    if is_first
      setwinvar(window, 'todo_before', winbufnr(window))
      # Not 'scroll', which depends on the height.
      setwinvar(window, 'todo_look', getwinvar(window, '&')->filter((option, _) => option !=# 'scroll'))
    endif
    # The cursor begins at the first row, and CTRL-^ returns to the buffer before it.
    win_execute(window, $'silent hide {is_first ? '' : 'keepalt'} buffer {front} | call todo#paint#Begin()')
  endfor
  if !empty(turned)
    # What is at the right depends on the width of the window.
    paint.Paint(server.stack[-1])
    Compare(bufwinid(front), paint.Of(front).sides)
  endif
  [shown, wanted] = [empty(win_findbuf(front)) ? shown : id, []]
  for buf in dead
    if !paint.IsUnsaved(buf)
      execute $'silent bwipeout! {buf}'
    elseif server.pending == 0 && !getbufvar(buf, '&buflisted')
      # It can be saved when its screen is there again. Listed so that it can be found.
      setbufvar(buf, '&buflisted', true)
      const title = paint.Of(buf).title
      server.Say('warning', $'"{title}" is gone; its unsaved text stays in buffer {buf}')
    endif
  endfor
enddef

# Shows the sides of a text beside it. Without the width for that, mine is above theirs, and the
# text below them; without the height, the text is alone, for it has what differs of both.
def Compare(window: number, sides: list<number>)
  const [is_wide, rows] = [winwidth(window) >= SIDES_COLUMNS, winheight(window) / 3]
  for [index, side] in items(is_wide || rows >= SIDE_ROWS ? sides : [])
    if empty(win_findbuf(side))
      const place = is_wide ? (index == 0 ? 'leftabove vertical' : 'rightbelow vertical') : 'leftabove'
      win_execute(window, $'silent {place} sbuffer {side}')
      if !is_wide
        win_execute(bufwinid(side), $'resize {min([getbufinfo(side)[0].linecount, rows])} | setlocal winfixheight')
      endif
    endif
  endfor
enddef

# Shows the screen in front in a window of another screen, or else in this one.
export def Open(mods: string)
  const ours = Windows(paint.Ours())
  if !empty(mods) || paint.IsUnsaved(bufnr()) && index(drawn, bufnr()) < 0
    execute mods 'split'
  elseif !empty(ours) && index(ours, win_getid()) < 0
    win_gotoid(ours[0])
  endif
  wanted = Glance(win_getid())
  Draw()
enddef

# A window, and the state of the buffer in it. What cannot be modified changes only when it is drawn.
def Glance(window: number): list<any>
  const buf = winbufnr(window)
  return [window, buf, getbufvar(buf, '&modifiable') ? getbufvar(buf, 'changedtick') : 0]
enddef

# Shows the previous buffer in the window, or closes it, or shows an empty one.
export def Close()
  const before = get(w:, 'todo_before', -1)
  execute bufexists(before) ? $'buffer {before}' : winnr('$') > 1 ? 'close' : 'enew'
enddef

# Gives a window its options back when help is shown again: Vim keeps those of the window there.
def Restore()
  for [option, value] in &buftype ==# 'help' ? items(get(w:, 'todo_look', {})) : []
    setwinvar(0, '&' .. option, value)
  endfor
enddef

# Shows the screen in front in a window of an earlier session, or closes it if another window does.
export def Revive()
  const others = wanted[: 0] + Windows(paint.Ours())
  if empty(others)
    # The other windows come while the server starts.
    wanted = Glance(win_getid())
    execute 'Todo'
  endif
  if !empty(others) || !server.IsRunning()
    execute winnr('$') > 1 || tabpagenr('$') > 1 ? 'close' : 'enew'
  endif
enddef

def Windows(bufs: list<number>): list<number>
  return flattennew(mapnew(bufs, (_, buf) => win_findbuf(buf)))
enddef

# Sends the edits of a text when no key was pressed for a while, or if there is no pause for long.
export def SendSoon(buf: number)
  final here = paint.Of(buf)
  here.unsent_since = get(here, 'unsent_since', reltime())
  if reltimefloat(reltime(here.unsent_since)) < UNSENT_SECONDS
    timer_stop(get(here, 'timer', 0))
    here.timer = timer_start(PAUSE_MS, (_) => Send(buf))
  endif
enddef

# Sends the edits of a text, so that they survive the end of Vim, and the server tells what is wrong
# with them; not while a response is due, such as to a save, or before the first key. A form that is
# gone, as after a restart, is opened again only for the text in which the user works, and not over a
# list.
export def Send(buf: number)
  final [here, is_here] = [paint.Of(buf), index(drawn + [bufnr()], buf) >= 0]
  const is_changed = getbufvar(buf, 'changedtick', 0) != get(here, 'adopted', 0)
  filter(here, (member, _) => member !=# 'unsent_since')
  if server.pending > 0
    SendSoon(buf)
  elseif is_here && server.IsRunning() && is_changed && !empty(here) && !empty(paint.Typed(here))
    server.Request('screen/change', paint.Params(here, {values: paint.Typed(here), open: true}))
  endif
enddef

# Options and keys for the buffer that came into the current window.
export def Dress()
  if empty(paint.Of(bufnr()))
    return
  endif
  # If there is not enough room, the beginning of the message is cut off. Sides have none, but their
  # names and keys. Only after another item does Vim keep a comma that an item begins with.
  const news = empty(b:todo.side) ? ' %<%{todo#News()}' : ''
  &l:statusline = ' %{todo#Statusline()}' .. news .. '%{" "}%=%{todo#Hints()} %<'
  # Virtual lines above a line scroll sideways with it if it is not wrapped.
  execute 'setlocal' &filetype !=# 'todo' ? 'wrap linebreak'
    : 'cursorline nowrap nonumber norelativenumber nolist nospell signcolumn=no foldcolumn=0'
    .. ' matchpairs=' .. (&l:foldexpr ==# 'todo#paint#Fold()' ? '' : ' foldmethod=expr foldenable foldlevel=1')
    .. ' foldminlines=0 fillchars+=fold:\  foldexpr=todo#paint#Fold() foldtext=todo#paint#Heading()'
  setlocal conceallevel=2 concealcursor=nvic
  w:todo_joiner = get(w:, 'todo_joiner', 0) ?? matchadd('Conceal', draw.JOINER)
  execute empty(b:todo.side) ? 'diffoff' : 'diffthis | setlocal foldcolumn=0 wrap'
  # Also where file types have no plugins, and for actions that are new.
  runtime! ftplugin/todo.vim
enddef

# Requests the rows around the window before the user reaches them, unless they are loaded.
export def Reach()
  const here = paint.Of(bufnr())
  const body = get(here, 'screen', {body: {}}).body
  if get(body, 'kind', '') !=# 'list'
    return
  endif
  const above = here.first - body.offset
  const from = max([line('w0') - above - MARGIN_ROWS, 0])
  const to = min([line('w$') - above + MARGIN_ROWS, body.total])
  if from < body.offset || to > body.offset + len(body.items)
    const offset = max([(from + to - server.ROWS) / 2, 0])
    server.Request('screen/window', {screen: here.screen.name, offset: offset, limit: server.ROWS})
  endif
enddef

# Opens the page of the row under the cursor at its source.
export def Link()
  const page = get(draw.Named(get(b:todo.screen.body, 'items', []), paint.TargetAt(b:todo, line('.')), 'id'), 'url', '')
  if page !~# '^https\=://'
    server.Say('warning', 'this row has no page at a source')
  elseif !executable('xdg-open')
    server.Say('error', $'{page} cannot be opened without xdg-open')
  else
    job_start(['xdg-open', page], {stoponexit: ''})
  endif
enddef

export def HasStatusline(): bool
  return &laststatus >= 2 || &laststatus == 1 && winnr('$') > 1
enddef

# Shows a text in a popup at the place that Place() returns, also after a resize. Returns the popup.
export def Popup(text: string, Place: func(): dict<any>, look: dict<any>): number
  const popup = popup_create(text, extend(Place(), look))
  setwinvar(popup, 'TodoPlace', Place)
  return popup
enddef

# Moves the popups to their places in the resized terminal. Vim would crash on drawing one that has
# several lines below the end of the terminal.
def Move()
  for popup in popup_list()
    popup_move(popup, getwinvar(popup, 'TodoPlace', () => ({}))())
  endfor
enddef

# Shows a text at the bottom of the window, or at its top if the cursor is at the bottom. Returns the
# popup.
export def Pin(text: string, more: dict<any> = {}): number
  const Place = (): dict<any> => {
    const [place, width, room] = [win_screenpos(0), winwidth(0), winheight(0)]
    const height = min([(strwidth(text) + width - 1) / width, max([room / 2, 1])])
    const is_low = winline() > room - height
    return {line: place[0] + (is_low ? 0 : room - 1), col: place[1],
      pos: is_low ? 'topleft' : 'botleft', minwidth: width, maxwidth: width, maxheight: height}
  }
  return Popup(text, Place, extend({highlight: 'todoNews', scrollbar: false}, more))
enddef

# Shows the state of the window's buffer that the user should know about, for as long as it lasts,
# where the status line has no room for it.
export def Remind()
  popup_close(pinned)
  const [here, state] = [paint.Of(bufnr()), todo#State()]
  const bar = todo#Statusline() .. todo#News() .. todo#Hints()
  const has_room = HasStatusline() && strwidth(bar) + 4 <= winwidth(0) && empty(get(here, 'side', ''))
  if !empty(here) && !empty(state) && !has_room && winheight(0) > 1
    pinned = Pin(draw.Joined([state, server.IsRunning() ? '' : ':Todo restart'], '  '))
  endif
enddef

# Shows the beginning of the note of the row of the cursor beside the rows, in a window that is wide
# enough, until the cursor moves.
export def Preview()
  const here = paint.Of(bufnr())
  const items: list<any> = get(get(here, 'screen', {body: {}}).body, 'items', [])
  const item = empty(items) || line('.') < here.first ? {} : get(items, line('.') - here.first, {})
  popup_close(preview)
  if winwidth(0) >= paint.PREVIEW_COLUMNS && !empty(get(item, 'preview', ''))
    const [room, place] = [paint.Room(bufnr()), win_screenpos(0)]
    const [width, height] = [winwidth(0) - room - 3, winheight(0)]
    preview = popup_create(split(item.preview, '\r\=\n', true), {
      line: place[0], col: place[1] + room + 1, minwidth: width, maxwidth: width,
      minheight: height, maxheight: height, padding: [0, 0, 0, 1], border: [0, 0, 0, 1],
      borderchars: ['│'], borderhighlight: ['todoMuted'], highlight: 'todoPopup', scrollbar: false,
    })
  endif
enddef

augroup todo
  autocmd BufEnter,WinEnter,WinScrolled * Preview() | Remind()
  autocmd VimResized * Move()
  # While Vim waits for a key, a timer that an autocommand starts runs only after the next one, but the
  # end of a job is handled.
  autocmd VimResized todo://* job_start(['true'], {close_cb: (_) => DrawSoon()})
  autocmd BufWinEnter * Restore()
augroup END
