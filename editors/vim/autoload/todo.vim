vim9script
scriptencoding utf-8
# What the user does: commands, keys, :w and :e become requests.

import autoload './todo/server.vim'
import autoload './todo/screen.vim' as draw
import autoload './todo/paint.vim'
import autoload './todo/view.vim'

const SAVE_MS = 5000
const ROW_MS = 2000
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
# The role of the action that ends up with a side of a comparison.
const WAYS = {mine: 'keep', theirs: 'take', merged: 'merge'}

# Whether the question that was asked last was answered, and who hears what is typed there.
var was_entered = false
var Hear: func

# :Todo
export def Command(mods: string, line: string)
  const [word, text] = matchlist(line, '^\(\S*\)\s*\(.*\)$')[1 : 2]
  const [program, is_action] = [get(server.Command(), 0, ''), index(['', 'restart'], word) < 0]
  if word ==# 'stop'
    server.Stop()
  elseif !executable(program)
    # job_start() itself would tell it only later, from a child.
    server.Say('error', $'cannot run "{program}": no executable. See g:todo_command')
  elseif word ==# 'doctor'
    term_start(server.Command() + ['doctor'])
  else
    if word ==# 'restart' || !server.IsRunning()
      server.Start(is_action)
    endif
    if !is_action || empty(paint.Of(bufnr()))
      view.Open(mods)
    endif
    if is_action
      Do(word, text)
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

# For 'statusline': what this buffer is about; elsewhere what is in front.
export def Statusline(): string
  const here = paint.Of(bufnr())
  const title = empty(here) ? get(server.stack, -1, {title: 'todo'}).title : here.side ?? here.title
  const room = max([winwidth(0) / 2, 10])
  return Frame() .. draw.Fit(title, room) .. (&modified && !empty(here) ? ' [+]' : '')
enddef

# What turns while something is loaded.
export def Frame(): string
  const count = float2nr(reltimefloat(reltime()) * 5)
  return view.IsLoading() ? SPINNER[count % strchars(SPINNER)] .. ' ' : ''
enddef

# For 'statusline': what there is to be known just now.
export def News(): string
  const here = paint.Of(bufnr())
  const message = has_key(here, 'fields') ? draw.Message(here.screen) : []
  const standing = draw.Standing(get(here, 'screen', {body: {}}))
  return draw.Joined(!server.IsRunning() ? [$'({server.death})']
    : get(here, 'is_gone', false) ? ['is not open now; :w opens it again']
    : message + [standing, server.pending > 0 ? '…' : ''], '  ')
enddef

# For 'statusline': the keys that matter most, or the one that ends up with a side, and the way to
# help.
export def Hints(): string
  const here = paint.Of(bufnr())
  const side = get(get(get(here, 'fields', []), 0, {}), 'side', '')
  if !server.IsRunning()
    return ':Todo restart'
  elseif empty(here) || empty(side) && (winwidth(0) < 60 || News() =~ '[^ …]')
    return 'g? help'
  endif
  const help = index(['mine', 'theirs'], side) < 0 ? ['g? help'] : []
  return Readable(join(draw.Hints(here.screen, get(WAYS, side, '')) + help, '  '))
enddef

def Readable(keys: string): string
  return substitute(keys, '<LocalLeader>', escape(get(g:, 'maplocalleader', '\'), '\'), 'g')
enddef

# An action by its name or role, from wherever the user is: of this buffer, or else of the nearest
# screen that has it.
export def Do(what: string, argument = '')
  for buf in [bufnr()] + reverse(copy(view.drawn))
    const here = paint.Of(buf)
    if !empty(here) && !empty(draw.Action(here.screen, what))
      Act(what, argument, here.home)
      return
    endif
  endfor
  server.Say('error', $'"{what}" is not possible here: {get(Screen(), 'title', server.death)}')
enddef

# :w. When it fails the buffer stays modified, and :wq does not close its window. Sides that are
# compared are not settled by accident: something has to be changed first, or :w! says it.
export def Write(is_sure: bool)
  const here = b:todo.home
  # A save that has no answer yet says which version this one is made from.
  server.Wait(() => server.pending == 0, SAVE_MS)
  paint.Repaint(here)
  if !empty(here.side) && !is_sure && getbufline(here.buf, 1, '$') == here.lines
    const how = ':w! saves it as it is, g? shows the other ways out'
    server.Say('warning', $'nothing was changed here yet; {how}')
  else
    Act(get(draw.Main(here.screen), 'name', ''))
  endif
enddef

# [answer] to a question for a field, or [] if the user thought better of it. A secret is asked by
# Vim's own prompt for secrets, which keeps it out of every history; of other fields of a page the
# server hears while they are typed.
def Question(here: any, field: any, is_on_page: bool): list<string>
  const is_heard = is_on_page && !has_key(field, 'secret')
  # Vim does not say how a question ended, but where there is no text any more the user gave up.
  was_entered = false
  autocmd todo CmdlineLeave @,- was_entered = getcmdpos() > 0
  const Params = (text: string) => paint.Params(here, {values: {[field.name]: text}})
  Hear = (text) => server.Request('screen/change', Params(text))
  execute 'autocmd! todo CmdlineChanged @' is_heard ? 'Hear(getcmdline())' : ''
  try
    const Prompt = function(has_key(field, 'secret') ? 'inputsecret' : 'input')
    const answer = Prompt(field.label .. ': ', get(field, 'value', ''))
    return was_entered ? [answer] : []
  finally
    autocmd! todo CmdlineChanged,CmdlineLeave @,-
    if is_heard && !was_entered
      Hear(get(field, 'value', ''))
    endif
    # The answer, or the dots of a secret, would stay on the last line.
    redraw
    echo ''
  endtry
  return []
enddef

# What an action goes with: the text; or the fields of a page from the cursor on; and what the
# action asks for besides. With null the user gave up. `argument` answers the first question.
def Collect(here: any, action: any, argument: string): any
  const is_main = action == draw.Main(here.screen)
  final values = is_main ? paint.Typed(here) : {}
  const is_page = is_main && !has_key(here, 'fields')
  const fields: list<any> = is_page ? get(here.screen.body, 'fields', []) : []
  const from = index(here.targets, paint.TargetAt(here, line('.')))
  const asked = copy(fields)->filter((_, field) => index(here.targets, field.name) >= from)
  for field in asked + get(action, 'input', [])
    const is_on_page = index(asked, field) >= 0
    if is_on_page
      cursor(here.first + index(here.targets, field.name), 1)
    endif
    const is_given = empty(values) && !empty(argument) && !has_key(field, 'secret')
    const answer = is_given ? [argument] : Question(here, field, is_on_page)
    if empty(answer)
      return null
    endif
    values[field.name] = answer[0]
    here.typed->extend(has_key(field, 'secret') && !empty(answer[0]) ? {[field.name]: true} : {})
  endfor
  return values
enddef

# Whether the words of another text, which is in front, are out of the way: saved or dropped, as the
# user says.
def IsSettled(here: any): bool
  const front = paint.Of(get(view.drawn, -1, -1))
  if front is here || !paint.IsUnsaved(get(front, 'buf', -1))
    return true
  endif
  const letter = server.Letter($'"{front.title}" has unsaved words: (s)ave, (d)rop or (c)ancel?')
  const back = draw.Named(front.screen.actions, 'back', 'role')
  return letter ==# 's' ? Tell(front, draw.Main(front.screen), paint.Typed(front))
    : letter ==# 'd' && !empty(back) && Tell(front, back, {})
enddef

# The row of the cursor; one that was not sent yet is fetched.
def Row(): string
  if empty(paint.TargetAt(b:todo, line('.')))
    view.Reach()
    server.Wait(() => server.pending == 0, ROW_MS)
    view.Draw()
  endif
  return paint.TargetAt(b:todo, line('.'))
enddef

# Does an action of a buffer's screen, by its name or role: asks first what there is to ask.
# `argument` answers its first question. Whether it is possible is for the server to say, since what
# was typed can enable the action that it comes with.
export def Act(what: string, argument = '', here: any = b:todo.home)
  var action = draw.Action(here.screen, what)
  if empty(action)
    return
  endif
  const item = action.scope ==# 'item' && here.buf == bufnr() ? Row() : null
  if action.scope ==# 'item' && empty(item)
    server.Say('warning', 'there is no row here')
    return
  endif
  # What there is to ask may depend on what was typed, and the form of a text may not be in front:
  # only a save of the one in front says everything at once.
  const [role, front] = [get(action, 'role', action.name), get(server.stack, -1, {id: ''})]
  if paint.IsUnsaved(here.buf) && !(role ==# 'save' && front.id ==# here.screen.id)
    const typed = paint.Params(here, {values: paint.Typed(here), open: true})
    if !server.Ask('screen/change', typed, () => 0, SAVE_MS)
      return
    endif
    paint.Repaint(here)
    action = draw.Action(here.screen, role)
  endif
  const question = get(action, 'confirm', '')
  const row = empty(item) ? {} : draw.Named(here.screen.body.items, item, 'id')
  const subject = get(row, 'title', get(here.screen, 'subject', ''))
  const about = empty(subject) ? '' : $' “{subject}”'
  const is_sure = empty(question) || server.Letter($'{question}{about} (y/n)') ==# 'y'
  const values = is_sure && IsSettled(here) ? Collect(here, action, argument) : null
  if values != null
    Tell(here, action, values, item)
  endif
enddef

# Tells the server of an action.
def Tell(here: any, action: any, values: dict<string>, item: any = null): bool
  const is_save = has_key(here, 'fields') && action == draw.Main(here.screen)
  const sent = getbufline(here.buf, 1, '$')
  const what = {action: action.name, item: item, values: values, stay: is_save}
  const Done = () => Settle(here, sent, is_save)
  const is_done = server.Ask('screen/act', paint.Params(here, what), Done, is_save ? SAVE_MS : 0)
  # The buffer of a window cannot well be changed while it is written, but must be before keys that
  # were typed ahead.
  if empty(state('x'))
    view.Draw()
  else
    feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
  endif
  return is_done
enddef

# What was sent is with the server, however late its answer is. What led to sides to be compared is
# not stored yet: it counts as modified until they are drawn, so that :wq stays.
def Settle(here: any, sent: list<string>, is_save: bool)
  const front = server.stack[-1]
  const is_open = !empty(draw.Named(server.stack, here.screen.id, 'id'))
  # A secret that was used is forgotten.
  here.typed = {}
  if has_key(here, 'lines') && (is_save || !is_open)
    here.lines = sent
    # It may live on under another name, as a new one.
    here.id = !is_open && front.name ==# here.screen.name ? front.id : here.id
  endif
  if is_save && get(front.body, 'layout', '') !=# 'compare'
    setbufvar(here.buf, '&modified', getbufline(here.buf, 1, '$') != sent)
    echo 'todo: saved'
  endif
enddef

# :e and :e!: the server's text again. It shows that when the text is set back to what it was made
# from.
export def Reread(buf: number)
  final here = paint.Of(buf)
  if empty(here)
    Revive(buf)
    return
  endif
  setbufvar(buf, '&modified', false)
  if has_key(here, 'lines')
    const before = draw.Values(here.fields, remove(here, 'lines'))
    server.Ask('screen/change', paint.Params(here, {values: before}), () => 0, SAVE_MS)
  endif
  # Vim has emptied the buffer.
  paint.Repaint(here)
enddef

# A buffer of an earlier session: what is in front comes in its window.
export def Revive(buf: number)
  if empty(paint.Of(buf))
    setbufvar(buf, '&buftype', 'nofile')
    setbufvar(buf, '&bufhidden', 'wipe')
    timer_start(0, (_) => win_execute(bufwinid(buf), 'Todo'))
  endif
enddef

# What both sides of a comparison were made from, until the cursor moves.
export def Before()
  const base = draw.Named(get(b:todo.screen.body, 'fields', []), 'base', 'side')
  if !empty(base)
    const look = {title: $' {base.label} ', border: [], moved: 'any'}
    popup_atcursor(split(base.value, "\n", true), look)
  endif
enddef

# All actions of the screen in front with their keys, those of a row first; choosing one does it,
# and any other key closes it.
export def Menu()
  final screen = b:todo.screen
  const all = draw.Bindings(screen)
  const Label = (action: any) => action.enabled ? $'[{action.title}]' : $'({action.title})'
  const Line = (action: any) => printf('%-12s %s', Readable(join(all[action.name])), Label(action))
  const Scoped = (scope: string) =>
    copy(screen.actions)->filter((_, action) => action.scope ==# scope)
  const rows = Scoped('item')
  const chosen = rows + (empty(rows) ? [] : [{}]) + Scoped('screen')
  const moves = ['j', 'k', "\<Down>", "\<Up>", "\<CR>", ' ']
  popup_menu(mapnew(chosen, (_, action) => empty(action) ? '' : Line(action)), {
    title: $' {screen.title} ',
    filter: (id, key) => popup_filter_menu(id, index(moves, key) < 0 ? 'x' : key),
    callback: (_, number) => number > 0 ? Act(get(chosen[number - 1], 'name', '')) : 0,
  })
enddef
