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

var was_entered = false
var OnTyped: func

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
  return join(mapnew(get(Screen(), 'actions', []), (_, action) => action.name) + ['doctor', 'restart', 'stop'], "\n")
enddef

# The screen in front as the server describes it; for scripts, after `User TodoRender`.
export def Screen(): dict<any>
  return deepcopy(get(server.stack, -1, {}))
enddef

# For 'statusline': what this buffer is about; elsewhere what is in front.
export def Statusline(): string
  const here = paint.Of(bufnr())
  const title = get(here, 'side', get(here, 'title', get(server.stack, -1, {title: 'todo'}).title))
  return Frame() .. title .. (&modified && !empty(here) ? ' [+]' : '')
enddef

# What turns while something is loaded.
export def Frame(): string
  return view.IsLoading() ? SPINNER[float2nr(reltimefloat(reltime()) * 5) % strchars(SPINNER)] .. ' ' : ''
enddef

# For 'statusline': what there is to be known just now.
export def News(): string
  const here = paint.Of(bufnr())
  if !server.IsRunning()
    return $'({server.death})'
  elseif get(here, 'is_gone', false)
    return 'is not open now; :w opens it again'
  endif
  # Sides that are compared have room for their names only; what is said of them was said below.
  const message = has_key(here, 'fields') && !has_key(here, 'side') ? draw.Message(here.screen) : []
  const standing = draw.Standing(get(here, 'screen', {body: {}}))
  final words: list<string> = message + [standing, server.pending > 0 ? '…' : '']
  return join(words->filter((_, text) => !empty(text)), '  ')
enddef

# For 'statusline': the keys that matter most, or the one that ends up with a side, and the way to
# help.
export def Hints(): string
  final here = paint.Of(bufnr())
  const side = get(get(get(here, 'fields', []), 0, {}), 'side', '')
  if !server.IsRunning()
    return ':Todo restart'
  elseif empty(here) || empty(side) && (winwidth(0) < 60 || News() =~ '[^ …]')
    return 'g? help'
  endif
  const [all, main] = [draw.Keys(here.screen), get(draw.Main(here.screen), 'name', '')]
  const IsOffered = (action: any) => action.enabled || action.name ==# main
  const IsWay = (action: any) => get(action, 'role', '') ==# get(WAYS, side, '')
  const Hint = (action: any) => get(all[action.name], 0, 'g?') .. ' ' .. tolower(action.title)
  const IsFirst = (action: any) => has_key(action, 'primary') ? 0 : 1
  const hints = copy(here.screen.actions)->sort((a, b) => IsFirst(a) - IsFirst(b))
    ->filter((_, action) => empty(side) ? IsOffered(action) : IsWay(action))
    ->mapnew((_, action) => Readable(Hint(action)))
  const help = index(['mine', 'theirs'], side) < 0 ? ['g? help'] : []
  return join(hints[: 2] + help, '  ')
enddef

def Readable(keys: string): string
  return substitute(keys, '<LocalLeader>', escape(get(g:, 'maplocalleader', '\'), '\'), 'g')
enddef

# A key of a screen.
export def Press(key: string)
  const all = draw.Keys(paint.Of(bufnr()).screen)
  Act(get(keys(all)->filter((_, name) => index(all[name], key) >= 0), 0, ''))
enddef

# An action by its name or role, from wherever the user is: of this buffer, or else of the nearest screen that has it.
export def Do(name: string, argument = '')
  const here = get(paint.Of(bufnr()), 'screen', {})
  for screen in ([here] + reverse(copy(server.stack)))->filter((_, one) => has_key(one, 'actions'))
    const action = extend(draw.Named(screen.actions, name, 'role'), draw.Named(screen.actions, name))
    const bufs = paint.Showing(screen.id)
    if !empty(action) && !empty(bufs)
      Act(action.name, argument, bufs[0])
      return
    endif
  endfor
  const why = $'"{name}" is not possible here: {get(Screen(), 'title', '')}'
  server.Say('error', server.IsRunning() ? why : server.NOT_RUNNING)
enddef

# :w. When it fails the buffer stays modified, and :wq does not close its window. Sides that are
# compared are not settled by accident: something has to be changed first, or :w! says it.
export def Write(is_sure: bool)
  final here = paint.Of(bufnr())
  # A save that has no answer yet says which version this one is made from.
  server.Wait(() => server.pending == 0 || !server.IsRunning(), SAVE_MS)
  const is_side = get(here.screen.body, 'layout', '') ==# 'compare'
  if is_side && !is_sure && get(here, 'drawn', -1) == b:changedtick
    const how = ':w! saves it as it is, g? shows the other ways out'
    server.Say('warning', $'nothing was changed here yet; {how}')
  else
    Act(get(draw.Main(here.screen), 'name', ''))
  endif
enddef

# [answer] to a question for a field, or [] if the user thought better of it. A secret is asked by Vim's own prompt
# for secrets, which keeps it out of every history. Typed is called with what is there, while it is typed.
def Question(field: any, Typed: func = (_) => 0): list<string>
  const is_secret = has_key(field, 'secret')
  [was_entered, OnTyped] = [false, is_secret ? (_) => 0 : Typed]
  # Vim does not say how a question ended.
  cnoremap <buffer> <expr> <CR> todo#Entered()
  autocmd! todo CmdlineChanged @ OnTyped(getcmdline())
  try
    const answer = is_secret ? inputsecret(field.label .. ': ') : input(field.label .. ': ', get(field, 'value', ''))
    return was_entered ? [answer] : []
  finally
    autocmd! todo CmdlineChanged @
    cunmap <buffer> <CR>
    # The answer, or the dots of a secret, would stay on the last line.
    redraw
    echo ''
  endtry
  return []
enddef

export def Entered(): string
  was_entered = true
  return "\<CR>"
enddef

# Whether the words of another text, which is in front, are out of the way: saved or dropped, as the
# user says.
def IsSettled(id: string): bool
  const IsOpen = (part: number) => paint.IsUnsaved(part) && paint.Of(part).screen.id !=# id
  const open = get(copy(view.parts)->filter((_, part) => IsOpen(part)), 0, 0)
  if open == 0
    return true
  endif
  const [title, screen] = [paint.Of(open).title, paint.Of(open).screen]
  const letter = server.Letter($'"{title}" has unsaved words: (s)ave, (d)rop or (c)ancel?')
  const back = draw.Named(screen.actions, 'back', 'role')
  return letter ==# 's' ? Tell(open, draw.Main(screen), paint.Typed(open))
    : letter ==# 'd' && !empty(back) && Tell(open, back, {})
enddef

# What an action goes with: the text; or the fields of a page from the cursor on, each of which the server hears of
# while it is typed; and what the action asks for besides. With null the user gave up. `argument` answers the first
# question.
def Collect(buf: number, action: any, argument: string): any
  final here = paint.Of(buf)
  const is_main = action.name ==# get(draw.Main(here.screen), 'name', '')
  final values = is_main && has_key(here, 'fields') ? paint.Typed(buf) : {}
  const Say = (said: any) => server.Request('screen/change', paint.Params(buf, {values: said}))
  final fields: list<any> = is_main && !has_key(here, 'fields') ? copy(get(here.screen.body, 'fields', [])) : []
  const from = max([index(here.targets, paint.TargetAt(here, line('.'))), 0])
  for field in fields->filter((_, field) => index(here.targets, field.name) >= from)
    cursor(here.first + index(here.targets, field.name), 1)
    const answer = Question(field, (text) => Say({[field.name]: text}))
    const is_secret = has_key(field, 'secret')
    if empty(answer)
      if !is_secret
        Say({[field.name]: get(field, 'value', '')})
      endif
      return null
    endif
    values[field.name] = answer[0]
    here.typed->extend(is_secret && !empty(answer[0]) ? {[field.name]: true} : {})
  endfor
  for [index, field] in items(get(action, 'input', []))
    const is_given = index == 0 && !empty(argument) && !has_key(field, 'secret')
    const answer = is_given ? [argument] : Question(field)
    if empty(answer)
      return null
    endif
    values[field.name] = answer[0]
  endfor
  return values
enddef

# Does an action of a buffer's screen: asks first what there is to ask. `argument` answers its first
# question. Whether it is possible is for the server to say, since what was typed can enable the
# action that it comes with.
export def Act(name: string, argument = '', buf = bufnr())
  final here = paint.Of(buf)
  var action = draw.Named(here.screen.actions, name)
  if empty(action)
    return
  endif
  const is_of_item = action.scope ==# 'item'
  if is_of_item && buf == bufnr()
    # A row that was not sent yet is fetched.
    paint.Reach((method, params) => server.Ask(method, params, ROW_MS))
    view.Draw()
  endif
  const item = is_of_item && buf == bufnr() ? paint.TargetAt(here, line('.')) : ''
  if is_of_item && empty(item)
    server.Say('warning', 'there is no row here')
    return
  endif
  # What there is to ask may depend on what was typed, and the form of a text may not be in front:
  # only a save of the one in front says everything at once.
  const is_main = action == draw.Main(here.screen)
  const is_front = get(Screen(), 'id', '') ==# here.screen.id
  if paint.IsUnsaved(buf) && !(is_front && get(action, 'role', '') ==# 'save')
    const typed = paint.Params(buf, {values: paint.Typed(buf), open: true})
    if !server.Ask('screen/change', typed, SAVE_MS)
      return
    endif
    here.screen = extend(copy(here.screen), draw.Named(server.stack, here.screen.id, 'id'))
    action = is_main ? draw.Main(here.screen) : draw.Named(here.screen.actions, name)
  endif
  const question = get(action, 'confirm', '')
  const is_sure = empty(question) || server.Letter(question .. ' (y/n)') ==# 'y'
  const values = is_sure && IsSettled(here.screen.id) ? Collect(buf, action, argument) : null
  if values != null
    Tell(buf, action, values, empty(item) ? {} : {item: item})
  endif
enddef

# Tells the server of an action. What was typed is then with the server, at least what was there when it was sent.
def Tell(buf: number, action: any, values: dict<string>, more = {}): bool
  final here = paint.Of(buf)
  const is_main = has_key(here, 'fields') && action.name ==# get(draw.Main(here.screen), 'name', '')
  const params = paint.Params(buf, {action: action.name, values: values, stay: is_main}->extend(more))
  const ticks = paint.Showing(here.screen.id)->mapnew((_, side) => [side, getbufvar(side, 'changedtick')])
  if has_key(here, 'fields')
    return server.Ask('screen/act', params, SAVE_MS, () => Saved(ticks, is_main ? copy(values) : {}, here.screen.id))
  endif
  # A secret that was used is forgotten.
  const is_done = server.Ask('screen/act', params, 0, () => extend(here, {typed: {}}))
  view.Draw()
  return is_done
enddef

# What a save has stored, however late its answer is. What led to sides to be compared is not stored
# yet: it counts as modified until they are drawn, so that :wq stays.
def Saved(ticks: list<any>, values: dict<string>, id: string)
  const front = server.stack[-1]
  const layout = get(front.body, 'layout', '')
  const Trimmed = (texts: dict<string>) => mapnew(texts, (_, text) => trim(text))
  for [buf, tick] in ticks
    final here = paint.Of(buf)
    here.handed = tick
    if layout !=# 'compare' && getbufvar(buf, 'changedtick') == tick
      setbufvar(buf, '&modified', false)
    endif
    if layout ==# 'text' && !empty(values) && has_key(here, 'fields')
      # It may live on under another name, as a new one.
      here.id = here.id ==# id && empty(draw.Named(server.stack, id, 'id')) ? front.id : here.id
      const said = draw.Values(here.fields, draw.Lines(draw.Texts(front)[0]))
      here.base = Trimmed(said) == Trimmed(values) ? get(front.body, 'base', '') : here.base
    endif
  endfor
  if layout !=# 'compare' && !empty(values)
    echo 'todo: saved'
  endif
  # The buffer of a window cannot well be changed while it is written, but must be before keys that
  # were typed ahead.
  feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
enddef

# :e and :e!: the server's text again. It shows that when the text is set back to what it was made from.
export def Reread(buf: number)
  final here = paint.Of(buf)
  setbufvar(buf, '&modified', false)
  if has_key(here, 'fields')
    server.Ask('screen/change', paint.Params(buf, {values: draw.Values(here.fields, here.lines)}), SAVE_MS)
  endif
  here.is_new = true
  # Vim has emptied the buffer.
  view.Draw()
enddef

# What both sides of a comparison were made from, until the cursor moves.
export def Before()
  const base = draw.Named(get(paint.Of(bufnr()), 'screen', {body: {fields: []}}).body.fields, 'base', 'side')
  if !empty(base)
    popup_atcursor(split(base.value, "\n", true), {title: $' {base.label} ', border: [], moved: 'any'})
  endif
enddef

# All actions of the screen in front with their keys, those of a row first; choosing one does it.
export def Menu()
  const screen = paint.Of(bufnr()).screen
  const all = draw.Keys(screen)
  const Label = (action: any) => action.enabled ? $'[{action.title}]' : $'({action.title})'
  const Line = (action: any) => printf('%-12s %s', Readable(join(all[action.name])), Label(action))
  popup_menu(mapnew(screen.actions, (_, action) => Line(action)), {
    title: $' {screen.title} ',
    callback: (_, number) => number > 0 ? Act(screen.actions[number - 1].name) : 0,
  })
enddef
