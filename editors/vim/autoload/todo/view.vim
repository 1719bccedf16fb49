vim9script
# Buffers and windows: each screen has a buffer (or several, when texts stand side by side), whose b:todo says what it
# shows, and the window that shows one of them follows the screen in front.

import autoload './server.vim'
import autoload './screen.vim' as draw
import autoload './rows.vim'
import autoload './talk.vim'

# A loading screen that is gone sooner is not worth a flicker.
const LOADING_MS = 200

var buffers: dict<number> = {}
# Those of the screen in front.
var parts: list<number> = []
# Names of secret fields that were typed: they come back with no value.
var typed: dict<bool> = {}
var announced: list<string> = []
# Buffers with unsaved text whose screens have just gone.
var unsaved: list<number> = []
var draw_timer = 0
var loading_since: list<any> = []

export def Front(): any
  return get(server.stack, -1, {})
enddef

# What a buffer shows: {screen, depth, title, names, ...}, or {} if it is none of ours; depth is -1 when it is gone.
export def Of(buf: number): any
  return getbufvar(buf, 'todo', {})
enddef

export def IsFront(buf: number): bool
  return get(Of(buf), 'depth', -1) == len(server.stack) - 1 && !empty(server.stack)
enddef

# Draws soon, once for all that comes until then.
export def DrawSoon(delay = 0)
  timer_stop(draw_timer)
  draw_timer = timer_start(delay, (_) => Draw())
enddef

export def Draw()
  if empty(server.stack)
    return
  elseif server.is_waiting || !empty(getcmdwintype()) || IsTooEarly(Front())
    DrawSoon(LOADING_MS / 4)
    return
  endif
  var alive: list<string> = []
  for [depth, screen] in items(server.stack)
    const texts = draw.Texts(screen)
    const names = len(texts) < 2 ? [screen.name] : mapnew(texts, (_, fields) => $'{screen.name}/{fields[0].name}')
    parts = mapnew(names, (_, name) => Buffer(name, !empty(texts)))
    for [index, buf] in items(parts)
      const title = len(texts) < 2 ? screen.title : $'{screen.title}: {texts[index][0].label}'
      if get(Of(buf), 'depth', -1) < 0
        extend(Of(buf), {is_new: true, is_free: false})
      endif
      extend(Of(buf), {screen: screen.name, depth: depth, title: title, is_side: len(texts) > 1})
      Paint(buf, screen, get(texts, index, []))
    endfor
    alive += names
  endfor
  Drop(alive)
  Show()
  if mode() ==# 'c'
    # Somebody answers a question, and wants to see what the server thinks of it.
    redraw
  endif
  Announce(Front())
enddef

def IsTooEarly(front: any): bool
  loading_since = front.body.kind !=# 'progress' ? [] : empty(loading_since) ? reltime() : loading_since
  return !empty(loading_since) && reltimefloat(reltime(loading_since)) * 1000 < LOADING_MS
enddef

def Paint(buf: number, screen: any, fields: list<any>)
  final here = Of(buf)
  if screen.body.kind ==# 'list'
    rows.Paint(buf, screen)
  elseif empty(fields)
    const [lines, targets] = draw.Page(screen, typed)
    here.targets = targets
    rows.Put(buf, lines)
  elseif !getbufvar(buf, '&modified')
    extend(here, {names: mapnew(fields, (_, field) => field.name), is_told: false})
    rows.Put(buf, draw.Lines(fields))
    setbufvar(buf, '&modifiable', true)
  endif
enddef

# The buffer of that name. Unsaved text of a screen that is gone keeps its buffer: then this is another.
def Buffer(name: string, is_text: bool): number
  if has_key(buffers, name) && bufexists(buffers[name])
    return buffers[name]
  endif
  var buf = bufadd('todo://' .. name)
  while getbufvar(buf, '&modified')
    buf = bufadd($'{bufname(buf)}+')
  endwhile
  # Before it is loaded, or Vim looks for a folder of that name.
  setbufvar(buf, '&buftype', 'acwrite')
  noautocmd silent bufload(buf)
  for [option, value] in items({bufhidden: 'hide', swapfile: false, buflisted: false, modifiable: is_text})
    setbufvar(buf, '&' .. option, value)
  endfor
  setbufvar(buf, 'todo', {})
  setbufvar(buf, '&filetype', is_text ? 'todotext' : 'todo')
  execute $'autocmd! todo BufWinEnter <buffer={buf}> todo#keys#Dress({is_text})'
  buffers[name] = buf
  return buf
enddef

# The text buffers of the screen in front.
export def TextBuffers(): list<number>
  return copy(parts)->filter((_, buf) => IsFront(buf) && has_key(Of(buf), 'names'))
enddef

export def Values(buf: number): dict<string>
  return draw.Values(Of(buf).names, getbufline(buf, 1, '$'))
enddef

# Tells the server when there is unsaved text, and when it was undone: it says when others change what is under it.
export def Tell(buf: number)
  const is_unsaved = !!getbufvar(buf, '&modified')
  if IsFront(buf) && is_unsaved != Of(buf).is_told && server.IsRunning()
    extend(Of(buf), {is_told: is_unsaved})
    server.Request('screen/change', {screen: Of(buf).screen, values: Values(buf)}, (_) => 0)
  endif
enddef

# Remembers that a secret was typed, or with '' that none is any more.
export def Remember(name: string)
  typed = empty(name) ? {} : extend(typed, {[name]: true})
enddef

# Lets go of the buffers of screens that are gone. Those with unsaved text are listed so that they can be found.
export def Drop(alive: list<string> = [])
  parts = empty(alive) ? [] : parts
  final dead = keys(buffers)->filter((_, name) => index(alive, name) < 0)->map((_, name) => remove(buffers, name))
    ->filter((_, buf) => bufexists(buf))
  for buf in dead
    extend(Of(buf), {depth: -1})
    setbufvar(buf, '&buflisted', getbufvar(buf, '&modified'))
  endfor
  unsaved += dead->filter((_, buf) => getbufvar(buf, '&modified'))
enddef

# Shows the screen in front in the window that shows one of ours, or else in this one.
export def Open(mods: string)
  const ours = Windows()
  if !empty(mods) || empty(ours) && &modified && !&hidden
    execute mods 'split'
  elseif !empty(ours) && index(ours, win_getid()) < 0
    win_gotoid(ours[0])
  endif
  Draw()
  if !empty(parts) && index(parts, bufnr()) < 0
    Show(win_getid())
  endif
enddef

def Windows(of: list<number> = []): list<number>
  final ids: list<number> = gettabinfo(tabpagenr())[0].windows
  return ids->filter((_, id) => empty(of) ? !get(Of(winbufnr(id)), 'is_free', true) : index(of, winbufnr(id)) >= 0)
enddef

# Shows the screen in front in `into`, or where ours are shown; windows that nobody chose for us stay as they are.
def Show(into = 0)
  final ours = Windows()
  if empty(ours) && into == 0
    return
  elseif empty(Windows(parts)) || into > 0
    var target = into > 0 ? into : index(ours, win_getid()) >= 0 ? win_getid() : ours[0]
    const is_here = target == win_getid()
    Turn(target, parts[0])
    for buf in parts[1 :]
      win_execute(target, $'silent rightbelow vertical sbuffer {buf}')
      target = bufwinid(buf)
    endfor
    if len(parts) > 1
      mapnew(parts, (_, buf) => win_execute(bufwinid(buf), 'diffthis'))
    endif
    if is_here
      win_gotoid(bufwinid(parts[len(parts) / 2]))
    endif
  endif
  for id in ours->filter((_, id) => get(Of(winbufnr(id)), 'depth', 0) < 0)
    if Of(winbufnr(id)).is_side && winnr('$') > 1
      win_execute(id, 'close')
    else
      Turn(id, parts[0])
    endif
  endfor
  for buf in parts->copy()->filter((_, buf) => Of(buf).is_new && !empty(win_findbuf(buf)))
    # To what can be chosen there first.
    const targets = keys(get(Of(buf), 'targets', {}))->mapnew((_, key) => str2nr(key))
    win_execute(bufwinid(buf), $':{empty(targets) ? get(Of(buf), 'head', 0) + 1 : min(targets)}')
    extend(Of(buf), {is_new: false})
  endfor
enddef

def Turn(id: number, buf: number)
  win_execute(id, $'if &diff | diffoff | endif | silent keepalt buffer {buf}')
enddef

# Says what the server says about a text once: there is no line for it in the buffer.
def Announce(screen: any)
  const message = empty(draw.Texts(screen)) ? [] : draw.Message(screen)
  if message != announced && !empty(message)
    talk.Say(screen.message.level, screen.message.text)
  endif
  announced = message
  for buf in unsaved
    # From now on a window that shows it is the user's.
    extend(Of(buf), {is_free: true})
    talk.Say('warning', $'the unsaved text stays in buffer {buf} (:buffer {buf})')
  endfor
  unsaved = []
enddef
