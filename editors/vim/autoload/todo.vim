vim9script
scriptencoding utf-8
# What the user does: commands, keys, :w and :e become requests.

import autoload './todo/server.vim'
import autoload './todo/screen.vim' as draw
import autoload './todo/view.vim'
import autoload './todo/talk.vim'

const SAVE_MS = 5000
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

# :Todo
export def Command(mods: string, line: string)
  const [word, text] = matchlist(line, '^\(\S*\)\s*\(.*\)$')[1 : 2]
  const program = get(server.Command(), 0, '')
  if word ==# 'stop'
    server.Stop()
    redrawstatus!
    return
  elseif !executable(program)
    # job_start() itself would tell it only later, from a child.
    talk.Say('error', $'cannot run "{program}": no executable. See g:todo_command')
    return
  elseif word ==# 'doctor'
    term_start(server.Command() + ['doctor'])
    return
  elseif word ==# 'restart' || !server.IsRunning()
    server.Stop()
    view.Forget()
    server.Start()
  endif
  if server.IsRunning() && empty(server.stack)
    talk.Say('warning', 'the server has not answered yet; :Todo shows its screens when it has')
  elseif server.IsRunning()
    view.Open(mods)
    if index(['', 'restart'], word) < 0
      Act(word, text)
    endif
  endif
enddef

export def Complete(_: string, _: string, _: number): string
  const names = mapnew(get(Screen(), 'actions', []), (_, action) => action.name)
  return join(names + ['doctor', 'restart', 'stop'], "\n")
enddef

# The screen in front as the server describes it; for scripts, after `User TodoRender`.
export def Screen(): dict<any>
  return deepcopy(get(server.stack, -1, {}))
enddef

# For 'statusline': what this buffer shows, and of a text what is wrong with it; elsewhere what is in front.
export def Statusline(): string
  const here = view.Of(bufnr())
  const title = get(here, 'title', get(Screen(), 'title', 'todo'))
  if !server.IsRunning()
    return $'{title} ({server.death})'
  elseif view.IsLoading()
    return SPINNER[float2nr(reltimefloat(reltime()) * 5) % len(SPINNER)] .. ' ' .. title
  endif
  const words = has_key(here, 'names') ? mapnew(draw.Errors(here.screen), (_, error) => '! ' .. error) : []
  return join([title] + words + (has_key(here, 'names') ? draw.Message(here.screen) : []), '  ')
enddef

# A new rendering came.
export def Changed()
  view.DrawSoon()
  if exists('#User#TodoRender')
    doautocmd <nomodeline> User TodoRender
  endif
enddef

export def Died()
  talk.Say('error', server.death .. '. :Todo restart')
  redrawstatus!
enddef

# Whether the server is there, and this buffer is what is in front; says so if not.
def IsReady(): bool
  if !server.IsRunning()
    talk.Say('error', 'the server is not running. :Todo restart starts it.')
  elseif !view.IsFront(bufnr())
    talk.Say('warning', $'this is not in front now: :Todo shows "{get(Screen(), 'title', '')}"')
  else
    return true
  endif
  return false
enddef

# A key of a screen, or :w. When that fails the buffer stays modified, and :wq does not close its window.
export def Press(key: string)
  if !IsReady()
    return
  endif
  const screen = view.Of(bufnr()).screen
  const target = key ==# '<CR>' && screen.body.kind !=# 'list' ? view.Target() : {}
  if has_key(target, 'field')
    Type(draw.Named(screen.body.fields, target.field))
  elseif key ==# '-' && !empty(view.Typed())
    talk.Say('error', 'there is unsaved text: :w saves it, :e! brings back the saved one')
  else
    const name = get(target, 'action', get(draw.Keys(screen), key, ''))
    if !empty(name)
      Act(name)
    endif
  endif
enddef

# Asks for a field of a page, shows while it is typed what the server thinks of it, and goes on to the next one.
def Type(field: any)
  const Params = (text: string) => view.Params({values: {[field.name]: text}})
  const answer = talk.Question(field, (text) => server.Request('screen/change', Params(text)))
  if !empty(answer) || !has_key(field, 'secret')
    talk.Ask('screen/change', Params(get(answer, 0, get(field, 'value', ''))))
    view.Draw()
  endif
  if !empty(answer) || has_key(field, 'secret')
    Next()
  endif
enddef

# <Tab>: moves to the next line of a page that can be chosen.
export def Next()
  const here = view.Of(bufnr())
  const rows = range(len(here.targets))->filter((_, row) => !empty(here.targets[row]))
  const further = copy(rows)->filter((_, row) => row > line('.') - here.first)
  cursor(here.first + get(further, 0, get(rows, 0, 0)), 1)
enddef

# Does an action of the screen in front: asks first what there is to ask. `argument` answers its first question.
export def Act(name: string, argument = '', is_sure = false)
  if !IsReady()
    return
  endif
  const screen = view.Of(bufnr()).screen
  const action = draw.Named(screen.actions, name)
  const is_of_item = get(action, 'scope', '') ==# 'item'
  final values = view.Typed()
  const item = is_of_item ? get(view.Target(), 'item', '') : null
  const params = view.Params({action: name, values: values, item: item})
  # What was typed can enable the action that it comes with.
  if empty(action) || !action.enabled && empty(values)
    talk.Say('warning', get(draw.Errors(screen), 0, $'"{get(action, 'title', name)}" is not possible now'))
    return
  elseif is_of_item && empty(item)
    talk.Say('warning', $'"{action.title}" needs a row of the list')
    return
  elseif has_key(action, 'confirm') && !is_sure
    popup_dialog($' {action.confirm} (y/n) ', {
      filter: 'popup_filter_yesno',
      callback: (_, answer) => answer == 1 ? Act(name, argument, true) : 0,
    })
    return
  endif
  for [index, field] in items(get(action, 'input', []))
    const is_given = index == 0 && !empty(argument) && !has_key(field, 'secret')
    const answer = is_given ? [argument] : talk.Question(field)
    if empty(answer)
      return
    endif
    values[field.name] = answer[0]
  endfor
  const depth = len(server.stack)
  if has_key(view.Of(bufnr()), 'names')
    const ticks = mapnew(view.parts, (_, buf) => [buf, getbufvar(buf, 'changedtick')])
    talk.Ask('screen/act', params, SAVE_MS, () => Saved(ticks, depth))
    return
  endif
  const is_done = talk.Ask('screen/act', params)
  view.Draw()
  if is_done && len(server.stack) > depth
    # For reading its text again.
    extend(view.Of(view.parts[0]), {origin: params})
  endif
enddef

# After a save the texts are not modified any more, unless they were typed over. When it led to another screen rather
# than back, they are not stored yet: they count as modified until that is drawn, so that :wq stays.
def Saved(ticks: list<any>, depth: number)
  for [buf, tick] in ticks
    extend(view.Of(buf), {saved: tick})
    if len(server.stack) < depth && getbufvar(buf, 'changedtick') == tick
      setbufvar(buf, '&modified', false)
      echo 'todo: saved'
    endif
  endfor
  # The buffer of a window cannot well be changed while it is written, but must be before keys that were typed ahead.
  feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
enddef

# :e and :e!: the server's text again. A form keeps what was typed, so it is left, and opened again as it was before; or
# what was there is typed again.
export def Reread(buf: number)
  const here = view.Of(buf)
  setbufvar(buf, '&modified', false)
  if IsReady() && get(here, 'is_told', false)
    const way_back = get(here.screen.bar, 'left', '')
    if has_key(here, 'origin') && !empty(way_back)
      talk.Ask('screen/act', view.Params({action: way_back})) && talk.Ask('screen/act', here.origin)
    else
      talk.Ask('screen/change', view.Params({values: draw.Values(here.names, here.lines)}))
    endif
  endif
  # Vim has emptied the buffer.
  view.Draw()
enddef

# All actions of the screen in front with their keys; choosing one does it.
export def Menu()
  if IsReady()
    const screen = view.Of(bufnr()).screen
    const all = draw.Keys(screen)
    const Key = (name: string) => keys(all)->filter((_, key) => all[key] ==# name)->join()
    popup_menu(mapnew(screen.actions, (_, action) => printf('%-6s %s', Key(action.name), draw.Label(action))), {
      title: $' {screen.title} ',
      callback: (_, number) => number > 0 ? Act(screen.actions[number - 1].name) : 0,
    })
  endif
enddef
