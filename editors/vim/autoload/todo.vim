vim9script
scriptencoding utf-8
# What the user does: commands, keys, :w and :e become requests.

import autoload './todo/server.vim'
import autoload './todo/screen.vim' as draw
import autoload './todo/view.vim'

const SAVE_MS = 5000
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

var was_aborted = false
var OnTyped: func

# :Todo
export def Command(mods: string, line: string)
  const [word, text] = matchlist(line, '^\(\S*\)\s*\(.*\)$')[1 : 2]
  const program = get(server.Command(), 0, '')
  if !executable(program)
    # job_start() itself would tell it only later, from a child.
    server.Say('error', $'cannot run "{program}": no executable. See g:todo_command')
  elseif word ==# 'doctor'
    term_start(server.Command() + ['doctor'])
  else
    if word ==# 'restart' || !server.IsRunning()
      server.Start()
    endif
    if !empty(server.stack)
      view.Open(mods)
      if index(['', 'restart'], word) < 0
        Act(word, text)
      endif
    elseif server.IsRunning()
      server.Say('warning', 'the server has not answered yet; :Todo shows its screens when it has')
    endif
  endif
enddef

export def Complete(_: string, _: string, _: number): string
  return join(mapnew(get(Screen(), 'actions', []), (_, action) => action.name) + ['doctor', 'restart'], "\n")
enddef

# The screen in front as the server describes it; for scripts, after `User TodoRender`.
export def Screen(): dict<any>
  return deepcopy(get(server.stack, -1, {}))
enddef

# For 'statusline': what this buffer shows, and of a text what is wrong with it; elsewhere what is in front.
export def Statusline(): string
  const here = view.Of(bufnr())
  const title = get(here, 'title', get(server.stack, -1, {title: 'todo'}).title)
  if !server.IsRunning()
    return $'{title} ({server.death})'
  elseif view.IsLoading()
    return SPINNER[float2nr(reltimefloat(reltime()) * 5) % strchars(SPINNER)] .. ' ' .. title
  elseif !has_key(here, 'names')
    return title
  endif
  const errors = mapnew(here.screen.body.fields, (_, field) => has_key(field, 'error') ? '! ' .. field.error : '')
  return join(filter([title] + errors + draw.Message(here.screen), (_, words) => !empty(words)), '  ')
enddef

# Whether the server is there, and this buffer is what is in front; says so if not.
def IsReady(): bool
  const problem = !server.IsRunning() ? 'the server is not running. :Todo restart starts it.'
    : index(view.parts, bufnr()) < 0 ? $'this is not in front now: :Todo shows "{get(Screen(), 'title', '')}"' : ''
  if !empty(problem)
    server.Say('error', problem)
  endif
  return empty(problem)
enddef

# A key of a screen, or :w. When that fails the buffer stays modified, and :wq does not close its window.
export def Press(key: string)
  if !IsReady()
    return
  endif
  const screen = view.Of(bufnr()).screen
  const target = key ==# '<CR>' ? view.Target() : {}
  const name = get(target, 'action', get(draw.Keys(screen), key, ''))
  if has_key(target, 'field')
    Type(draw.Named(screen.body.fields, target.field))
  elseif key ==# '-' && !empty(view.Typed())
    server.Say('error', 'there is unsaved text: :w saves it, :e! brings back the saved one')
  elseif !empty(name)
    Act(name)
  endif
enddef

# Asks for a field of a page, shows while it is typed what the server thinks of it, and goes on to the next one.
def Type(field: any)
  const Params = (text: string) => view.Params({values: {[field.name]: text}})
  const answer = Question(field, (text) => server.Request('screen/change', Params(text)))
  if !empty(answer) || !has_key(field, 'secret')
    server.Ask('screen/change', Params(get(answer, 0, get(field, 'value', ''))))
    view.Draw()
  endif
  Next()
enddef

# <Tab>: moves to the next line of a page that can be chosen.
export def Next()
  const here = view.Of(bufnr())
  const rows = range(len(here.targets))->filter((_, row) => !empty(here.targets[row]))
  const further = copy(rows)->filter((_, row) => row > line('.') - here.first)
  cursor(here.first + get(further, 0, get(rows, 0, 0)), 1)
enddef

# [answer] to a question for a field, or [] if the user thought better of it. A secret is asked by Vim's own prompt
# for secrets, which keeps it out of every history. Typed is called with what is there, while it is typed.
def Question(field: any, Typed: func = (_) => 0): list<string>
  const is_secret = has_key(field, 'secret')
  [was_aborted, OnTyped] = [false, is_secret ? (_) => 0 : Typed]
  # Vim does not say how a question ended, but what was typed is gone by now when it was given up.
  autocmd! todo CmdlineLeave @ was_aborted = getcmdpos() == 0
  autocmd! todo CmdlineChanged @ OnTyped(getcmdline())
  try
    const answer = is_secret ? inputsecret(field.label .. ': ') : input(field.label .. ': ', get(field, 'value', ''))
    return was_aborted || is_secret && empty(answer) ? [] : [answer]
  finally
    autocmd! todo CmdlineLeave,CmdlineChanged @
    # The answer, or the dots of a secret, would stay on the last line.
    redraw
    echo ''
  endtry
  return []
enddef

# Does an action of the screen in front: asks first what there is to ask. `argument` answers its first question. Whether
# it is possible is for the server to say, since what was typed can enable the action that it comes with.
export def Act(name: string, argument = '')
  if !IsReady()
    return
  endif
  const action = draw.Named(view.Of(bufnr()).screen.actions, name)
  final values = view.Typed()
  const needs_item = get(action, 'scope', '') ==# 'item'
  const item = needs_item ? get(view.Target(), 'item', null) : null
  if needs_item && item == null
    server.Say('warning', 'there is no row here')
    return
  endif
  const params = view.Params({action: name, values: values, item: item})
  if has_key(action, 'confirm')
    echo action.confirm .. ' (y/n)'
    const is_sure = getcharstr() ==? 'y'
    echo ''
    if !is_sure
      return
    endif
  endif
  for [index, field] in items(get(action, 'input', []))
    const is_given = index == 0 && !empty(argument) && !has_key(field, 'secret')
    const answer = is_given ? [argument] : Question(field)
    if empty(answer)
      return
    endif
    values[field.name] = answer[0]
  endfor
  if has_key(view.Of(bufnr()), 'names')
    const [depth, ticks] = [len(server.stack), mapnew(view.parts, (_, buf) => [buf, getbufvar(buf, 'changedtick')])]
    server.Ask('screen/act', params, SAVE_MS, () => Saved(ticks, len(server.stack) < depth))
  else
    server.Ask('screen/act', params)
    view.Draw()
  endif
enddef

# When a save leads to another screen rather than back, the texts are not stored yet: they count as modified until that
# is drawn, so that :wq stays.
def Saved(ticks: list<any>, is_back: bool)
  extend(view.saved, ticks)
  if is_back
    view.Settle()
    echo 'todo: saved'
  endif
  # The buffer of a window cannot well be changed while it is written, but must be before keys that were typed ahead.
  feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
enddef

# :e and :e!: the server's text again. It shows that when the text is set back to what it was made from.
export def Reread(buf: number)
  const here = view.Of(buf)
  setbufvar(buf, '&modified', false)
  if IsReady() && has_key(here, 'names')
    server.Ask('screen/change', view.Params({values: draw.Values(here.names, here.lines)}))
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
