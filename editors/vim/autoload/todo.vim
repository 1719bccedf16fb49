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
      if index(['', 'restart'], word) >= 0 || empty(view.Of(bufnr()))
        view.Open(mods)
      endif
      if index(['', 'restart'], word) < 0
        Do(word, text)
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

# For 'statusline': what this buffer is about; elsewhere what is in front.
export def Statusline(): string
  const here = view.Of(bufnr())
  const title = get(here, 'title', get(server.stack, -1, {title: 'todo'}).title)
  return view.IsLoading() ? SPINNER[float2nr(reltimefloat(reltime()) * 5) % strchars(SPINNER)] .. ' ' .. title : title
enddef

# For 'statusline': what there is to be known just now.
export def News(): string
  const here = view.Of(bufnr())
  if !server.IsRunning()
    return $' ({server.death})'
  elseif get(here, 'is_gone', false)
    return ' is not open now; :w opens it again'
  endif
  const message = has_key(here, 'fields') ? draw.Message(here.screen) : []
  final words: list<string> = message + [draw.Standing(get(here, 'screen', {body: {}}))]
  return join([''] + words->filter((_, text) => !empty(text)), '  ')
enddef

# For 'statusline': the keys that matter most, and the way to help.
export def Hints(): string
  const screen = get(view.Of(bufnr()), 'screen', {})
  if !has_key(screen, 'body') || winwidth(0) < 60 || !empty(News())
    return 'g? help'
  endif
  const all = draw.Keys(screen)
  const main = get(draw.Main(screen), 'name', '')
  const actions: list<any> = screen.actions
  const shown = copy(actions)->filter((_, action) => action.name ==# main || action.enabled
    && index(['toggle', 'create', 'back', 'register', 'keep', 'take'], get(action, 'role', '')) >= 0)
  const Hint = (action: any) => (keys(all)->filter((_, key) => all[key] ==# action.name)->sort((a, b) => len(a) - len(b)) + ['g?'])[0] .. ' ' .. tolower(action.title)
  return join(mapnew(shown[: 2], (_, action) => Hint(action)) + ['g? help'], '  ')
enddef

# Whether the server is there, and this buffer is in front, or a list below that; says so if not.
def IsReady(): bool
  const here = view.Of(bufnr())
  const screen = draw.Named(server.stack, get(get(here, 'screen', {}), 'id', ''), 'id')
  const is_here = index(view.parts, bufnr()) >= 0 || has_key(screen, 'body') && screen.body.kind ==# 'list'
  const problem = !server.IsRunning() ? 'the server is not running. :Todo restart starts it.'
    : !is_here ? $'this is not in front now: :Todo shows "{get(Screen(), 'title', '')}"' : ''
  if !empty(problem)
    server.Say('error', problem)
  endif
  return empty(problem)
enddef

# A key of a screen.
export def Press(key: string)
  if !IsReady()
    return
  endif
  const screen = view.Of(bufnr()).screen
  const target = key ==# '<CR>' ? view.Target() : {}
  const name = get(target, 'action', get(draw.Keys(screen), key, ''))
  if has_key(target, 'field')
    Type(draw.Named(screen.body.fields, target.field))
  elseif !empty(name)
    Act(name)
  endif
enddef

# An action by its name or role, from wherever the user is: of this buffer, or else of the nearest screen that has it.
export def Do(name: string, argument = '')
  final places: list<any> = [view.Of(bufnr())] + reverse(copy(server.stack))->mapnew((_, screen) => ({screen: screen}))
  for place in places->filter((_, one) => has_key(one, 'screen') && has_key(one.screen, 'actions'))
    const action = extend(draw.Named(place.screen.actions, name, 'role'), draw.Named(place.screen.actions, name))
    const buf = view.Showing(place.screen.id)
    if !empty(action) && buf > 0
      Act(action.name, argument, buf)
      return
    endif
  endfor
  server.Say('error', server.IsRunning() ? $'"{name}" is not possible here: {get(Screen(), 'title', '')}'
    : 'the server is not running. :Todo restart starts it.')
enddef

# :w. When it fails the buffer stays modified, and :wq does not close its window. Sides that are compared are not
# settled by accident: something has to be changed first, or :w! says it.
export def Write(is_sure: bool)
  final here = view.Of(bufnr())
  if get(here, 'is_gone', false) && !Reopen() || !IsReady()
    return
  endif
  const is_side = get(here.screen.body, 'layout', '') ==# 'compare'
  if is_side && !is_sure && get(here, 'drawn', -1) == b:changedtick
    server.Say('warning', 'nothing was changed here yet; :w! saves it as it is, g? shows the other ways out')
    return
  endif
  if has_key(draw.Main(here.screen), 'confirm')
    # Whether there is something to ask depends on what was typed, which the server may not have yet.
    server.Ask('screen/change', view.Params(bufnr(), {values: view.Typed(bufnr())}), SAVE_MS)
    here.screen = extend(copy(here.screen), draw.Named(server.stack, here.screen.id, 'id'))
  endif
  Act(get(draw.Main(here.screen), 'name', ''))
enddef

# Opens the screen of a text again, as after a restart: from the list that it came from. What is gone there can become
# a new entry.
def Reopen(): bool
  final here = view.Of(bufnr())
  const from = here.from
  const list = draw.Named(server.stack, get(from, 'list', ''), 'id')
  if !server.IsRunning() || !has_key(list, 'body')
    server.Say('error', server.IsRunning() ? $'not saved: show "{get(from, 'title', here.title)}" again with :Todo, then :w'
      : 'the server is not running. :Todo restart starts it.')
    return false
  endif
  const Tell = (params: dict<any>) => server.Ask('screen/act', extend({screen: list.name}, params), SAVE_MS)
  var is_open = Tell({action: from.action, item: from.item})
  const create = draw.Named(list.actions, 'create', 'role')
  if !is_open && get(get(server.last_error, 'data', {}), 'reason', '') ==# 'itemGone' && !empty(create)
      && server.Undisturbed(() => confirm($'It is not in "{list.title}" any more. Save the text as a new entry?', "&Yes\n&No", 1)) == 1
    const typed = view.Typed(bufnr())
    final values: dict<string> = {}
    for input in get(create, 'input', [])
      values[input.name] = get(typed, input.name, '')
    endfor
    is_open = Tell({action: create.name, values: values})
    from.item = get(draw.Named(server.stack, from.list, 'id').body, 'select', '')
    is_open = is_open && Tell({action: from.action, item: from.item})
    if is_open
      [here.id, here.base] = [server.stack[-1].id, get(server.stack[-1].body, 'base', '')]
    endif
  endif
  if is_open
    extend(here, {screen: server.stack[-1], is_gone: false})
    view.Front(bufnr())
  endif
  return is_open
enddef

# Asks for a field of a page, shows while it is typed what the server thinks of it, and goes on to the next one.
def Type(field: any)
  const Params = (text: string) => view.Params(bufnr(), {values: {[field.name]: text}})
  const answer = Question(field, (text) => server.Request('screen/change', Params(text)))
  if !empty(answer) && has_key(field, 'secret')
    final typed: dict<bool> = view.Of(bufnr()).typed
    typed[field.name] = true
  endif
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

# Whether the words of another text, which is in front, are out of the way: saved or dropped, as the user says.
def IsSettled(buf: number): bool
  const open = copy(view.parts)->filter((_, part) => view.IsUnsaved(part) && view.Of(part).screen.id !=# view.Of(buf).screen.id)
  if empty(open)
    return true
  endif
  const choice = server.Undisturbed(() => confirm($'"{view.Of(open[0]).title}" has unsaved words.', "&Save\n&Drop\n&Cancel", 3))
  const screen = view.Of(open[0]).screen
  const action = choice == 1 ? draw.Main(screen) : draw.Named(screen.actions, 'back', 'role')
  if choice != 1 && choice != 2 || empty(action)
    return false
  endif
  const ticks = mapnew(open, (_, part) => [part, getbufvar(part, 'changedtick')])
  const more = choice == 1 ? {action: action.name, values: view.Typed(open[0])} : {action: action.name}
  return server.Ask('screen/act', view.Params(open[0], more), SAVE_MS, () => Saved(ticks, {}, ''))
enddef

def IsYes(question: string): bool
  redraw
  echo question .. ' (y/n)'
  const is_sure = getcharstr() ==? 'y'
  redraw
  echo ''
  return is_sure
enddef

# Does an action of a buffer's screen: asks first what there is to ask. `argument` answers its first question. Whether
# it is possible is for the server to say, since what was typed can enable the action that it comes with.
export def Act(name: string, argument = '', buf = bufnr())
  const here = view.Of(buf)
  if buf == bufnr() && !IsReady()
    return
  endif
  const action = draw.Named(here.screen.actions, name)
  const is_text = has_key(here, 'fields')
  const is_main = is_text && name ==# get(draw.Main(here.screen), 'name', '')
  final values = is_main ? view.Typed(buf) : {}
  const needs_item = get(action, 'scope', '') ==# 'item'
  const item = needs_item && buf == bufnr() ? get(view.Target(), 'item', null) : null
  if needs_item && item == null
    server.Say('warning', 'there is no row here')
    return
  endif
  final params = view.Params(buf, {action: name, values: values, item: item, stay: is_main})
  const loses = get(action, 'role', '') ==# 'back' && is_text && view.IsUnsaved(buf) ? 'Drop the unsaved text?' : ''
  const question = get(action, 'confirm', loses)
  if !IsSettled(buf) || !empty(question) && !IsYes(question)
    return
  endif
  for [index, field] in items(get(action, 'input', []))
    const is_given = index == 0 && !empty(argument) && !has_key(field, 'secret')
    const answer = is_given ? [argument] : Question(field)
    if empty(answer)
      return
    endif
    values[field.name] = answer[0]
  endfor
  if needs_item
    extend(view.opened, {list: here.screen.id, title: here.screen.title, action: name, item: item})
  endif
  if is_text
    const ticks = mapnew(view.Sides(buf), (_, side) => [side, getbufvar(side, 'changedtick')])
    server.Ask('screen/act', params, SAVE_MS, () => Saved(ticks, copy(values), here.screen.id))
  else
    server.Ask('screen/act', params)
    view.Draw()
  endif
enddef

# What was typed is with the server, at least what was there when it was sent. When that led to sides to be compared, it
# is not stored yet: it counts as modified until that is drawn, so that :wq stays.
def Saved(ticks: list<any>, values: dict<string>, id: string)
  extend(view.saved, ticks)
  const front = server.stack[-1]
  for [buf, tick] in ticks
    final here = view.Of(buf)
    if !empty(values) && !empty(here) && get(front.body, 'layout', '') ==# 'text'
      # It may live on under another name, as a new one.
      here.id = here.id ==# id && empty(draw.Named(server.stack, id, 'id')) ? front.id : here.id
      const said = draw.Values(here.fields, draw.Lines(front.body.fields))
      if mapnew(said, (_, text) => trim(text)) == mapnew(values, (_, text) => trim(text))
        here.base = get(front.body, 'base', '')
      endif
    endif
  endfor
  if get(front.body, 'layout', '') !=# 'compare'
    view.Settle()
    if !empty(values)
      echo 'todo: saved'
    endif
  endif
  # The buffer of a window cannot well be changed while it is written, but must be before keys that were typed ahead.
  feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
enddef

# :e and :e!: the server's text again. It shows that when the text is set back to what it was made from.
export def Reread(buf: number)
  final here = view.Of(buf)
  setbufvar(buf, '&modified', false)
  if IsReady() && has_key(here, 'fields')
    server.Ask('screen/change', view.Params(buf, {values: draw.Values(here.fields, here.lines)}))
  endif
  here.is_new = true
  # Vim has emptied the buffer.
  view.Draw()
enddef

# What both sides of a comparison were made from, until the cursor moves.
export def Before()
  const base = draw.Named(get(view.Of(bufnr()), 'screen', {body: {fields: []}}).body.fields, 'base', 'side')
  if !empty(base)
    popup_atcursor(split(base.value, "\n", true), {title: $' {base.label} ', border: [], moved: 'any'})
  endif
enddef

# All actions of the screen in front with their keys; choosing one does it.
export def Menu()
  if IsReady()
    const screen = view.Of(bufnr()).screen
    const all = draw.Keys(screen)
    const Key = (name: string) => keys(all)->filter((_, key) => all[key] ==# name)->sort()->join()
    popup_menu(mapnew(screen.actions, (_, action) => printf('%-12s %s', Key(action.name), draw.Label(action))), {
      title: $' {screen.title} ',
      callback: (_, number) => number > 0 ? Act(screen.actions[number - 1].name) : 0,
    })
  endif
enddef
