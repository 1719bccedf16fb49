vim9script
# Windows: those that show one of the buffers follow the screen in front.

import autoload './server.vim'
import autoload './screen.vim' as draw
import autoload './paint.vim'

const SOON_MS = 10
# How often a loading screen is drawn; one that is gone sooner is not worth a flicker.
const LOADING_MS = 200

# The buffers that were drawn last, which of them are those of the screen in front, and which that was.
var alive: list<number> = []
var shown = ''
# The window in which the user waits for a screen.
var wanted = 0
export var parts: list<number> = []
var announced: any = 0
var draw_timer = 0

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

# Shows all screens in their buffers, and the one in front in a window that is wanted for it.
export def Draw()
  if server.is_waiting || !empty(getcmdwintype())
    DrawSoon()
    return
  elseif !IsLoading()
    timer_stop(draw_timer)
  endif
  if empty(server.stack)
    # Of a server that is gone, nothing is in front.
    [alive, parts, shown, announced] = [[], [], '', 0]
    redrawstatus!
    return
  endif
  final drawn: list<number> = []
  # Of a screen that is far below, the server says only what it is.
  for screen in copy(server.stack)->filter((_, one) => has_key(one, 'body'))
    parts = paint.Paint(screen)
    extend(drawn, parts)
  endfor
  const dead = paint.Ours()->filter((_, buf) => index(drawn, buf) < 0)
  Show(dead)
  [alive, wanted] = [drawn, 0]
  for buf in dead
    final here = paint.Of(buf)
    if !paint.IsUnsaved(buf)
      setbufvar(buf, 'todo', {})
      setbufvar(buf, '&modified', false)
    elseif !here.is_gone
      # It can be saved when its screen is there again. Listed so that it can be found.
      here.is_gone = true
      setbufvar(buf, '&buflisted', true)
      server.Say('warning', $'"{here.title}" is gone; its unsaved text stays in buffer {buf}')
    endif
  endfor
  # A text has no line for what the server says about it, which is said once.
  const message = get(server.stack[-1], 'message', {id: 0})
  const is_news = message.id != 0 && message.id != announced
  if is_news && (has_key(paint.Of(parts[0]), 'fields') || message.level !=# 'info')
    server.Say(message.level, message.text)
  endif
  announced = message.id
  paint.Preview()
  redrawstatus!
  # Somebody may be answering a question, and wants to see what the server thinks of it.
  redraw
  if !empty(server.question)
    echo server.question
  endif
enddef

# Tells the server when there is unsaved text, and when it was undone: it says when others change what is under it.
export def Tell(buf: number)
  final here = paint.Of(buf)
  const is_unsaved = !!getbufvar(buf, '&modified')
  if index(parts, buf) >= 0 && is_unsaved != here.is_told
    here.is_told = is_unsaved
    server.Request('screen/change', paint.Params(buf, {values: paint.Typed(buf)}))
  endif
enddef

# Shows the screen in front in a window that shows one of ours, or else in this one.
export def Open(mods: string)
  const ours = Windows(paint.Ours())
  const is_kept = paint.IsUnsaved(bufnr()) && index(parts, bufnr()) < 0 || empty(ours) && &modified && !&hidden
  if !empty(mods) || is_kept
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

def Windows(bufs: list<number>): list<number>
  return getwininfo()->filter((_, info) => index(bufs, info.bufnr) >= 0)->mapnew((_, info) => info.winid)
enddef

# Shows the screen in front here, or where ours are shown; windows with a list that is still there, and with unsaved
# text, stay as they are.
def Show(dead: list<number>)
  const is_wanted = win_id2win(wanted) > 0
  const here = is_wanted ? wanted : win_getid()
  const free = Windows(paint.Ours())->filter((_, id) => !paint.IsUnsaved(winbufnr(id)))
  const is_new = shown !=# server.stack[-1].id && empty(Windows(parts))
  if is_wanted && index(parts, winbufnr(here)) < 0 || !empty(free) && is_new
    var target = is_wanted || index(free, here) >= 0 ? here : free[0]
    Turn(target, parts[0])
    for buf in parts[1 :]
      const beside = $'silent rightbelow vertical sbuffer {buf} | diffthis | setlocal foldcolumn=0'
      win_execute(target, $'diffthis | setlocal foldcolumn=0 | {beside}')
      target = win_findbuf(buf)[0]
    endfor
    if len(parts) > 1 && bufnr() == parts[0]
      const mine = copy(parts)->filter((_, buf) => getbufvar(buf, '&modifiable'))
      win_gotoid(win_findbuf(get(mine, 0, parts[0]))[0])
    endif
  endif
  shown = empty(Windows(parts)) ? shown : server.stack[-1].id
  # All are looked at first: a window that is closed can take the next one out of the diff ('diffopt').
  const left = Windows(copy(dead)->filter((_, buf) => !paint.IsUnsaved(buf)))
  for [id, is_side] in left->mapnew((_, id) => [id, getwinvar(id, '&diff')])
    if is_side && winnr('$') > 1
      win_execute(id, 'close')
    else
      Turn(id, parts[0])
    endif
  endfor
enddef

# Shows a buffer in a window; the cursor begins at the first row.
def Turn(id: number, buf: number)
  if empty(paint.Of(winbufnr(id)))
    setwinvar(id, 'todo_before', winbufnr(id))
  endif
  const begin = index(alive, buf) < 0 ? $'| keepjumps :{paint.Of(buf).first}' : ''
  win_execute(id, $'if &diff | diffoff | endif | silent keepalt buffer {buf} {begin}')
enddef

# Options for the buffer that came into the current window.
export def Dress(is_text: bool)
  # Of what has no room for it the beginning of the news is left out; sides have none, but their names and keys.
  const news = has_key(b:todo, 'side') ? '' : ' %<%{todo#News()}'
  &l:statusline = ' %{todo#Statusline()}' .. news .. ' %=%{todo#Hints()} %<'
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
    autocmd! todo CursorMoved,WinScrolled <buffer> todo#paint#Reach() | todo#paint#Preview()
    autocmd! todo BufLeave,WinLeave <buffer> todo#paint#HidePreview()
    autocmd! todo VimResized <buffer> todo#view#DrawSoon()
  endif
enddef

# Maps the keys of the screen in the current buffer, each once, and only where the user has none.
def MapKeys()
  final here = paint.Of(bufnr())
  here.mapped = get(here, 'mapped', [])
  final keys: list<string> = get(g:, 'todo_no_maps', false) ? [] : flattennew(values(draw.Keys(here.screen)))
  for key in keys->filter((_, key) => key[0] !=# ':' && index(here.mapped, key) < 0)
    if !get(maparg(key, 'n', false, true), 'buffer', 0)
      execute $"nnoremap <buffer> <nowait> {key} <Cmd>call todo#Press('{substitute(key, '<', '<lt>', '')}')<CR>"
    endif
    add(here.mapped, key)
  endfor
enddef
