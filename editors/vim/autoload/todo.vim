vim9script
scriptencoding utf-8
# Turns the commands and keys of the user, :w and :e into requests.

import autoload './todo/server.vim'
import autoload './todo/screen.vim' as draw
import autoload './todo/paint.vim'
import autoload './todo/view.vim'
import autoload './todo/ask.vim'

const ROW_MS = 2000
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
# The role of the action that ends up with a side of a comparison.
const WAYS = {mine: 'keep', theirs: 'take', merged: 'merge'}
const MOVES = ['moveUp', 'moveDown']

# The action that `.` repeats.
var operated = ''
# The popup with the text before a conflict; 0 if there was none.
var base_popup = 0

# :Todo
export def Command(mods: string, line: string)
  const [word, text] = matchlist(line, '^\(\S*\)\s*\(.*\)$')[1 : 2]
  const [program, is_action] = [get(server.Command(), 0, ''), index(['', 'restart'], word) < 0]
  if word ==# 'stop'
    server.Stop()
  elseif &encoding !=# 'utf-8'
    server.Say('error', server.UTF_8)
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

# For 'statusline': what this buffer is about; elsewhere what is in front. A side has all the room
# beside its keys, for its label has what its text does not show, such as the date.
export def Statusline(): string
  const here = paint.Of(bufnr())
  const side = get(here, 'side', '')
  const title = empty(here) ? get(server.stack, -1, {title: 'todo'}).title : side ?? here.title
  const room = empty(side) ? winwidth(0) / 2 : winwidth(0) - strwidth(Hints()) - 4
  return Frame() .. draw.Fit(title, max([room, 10])) .. (&modified && !empty(here) ? ' [+]' : '')
enddef

# The spinner of the status line while something is loading.
export def Frame(): string
  return view.IsLoading() ? SPINNER[float2nr(reltimefloat(reltime()) * 5) % 10] .. ' ' : ''
enddef

# What the user should know about this buffer for as long as it lasts: that the server has ended, or
# a message that no line of the buffer shows.
export def State(): string
  const here = paint.Of(bufnr())
  const message = draw.Message(get(here, 'screen', {}))
  return !server.IsRunning() ? $'({server.death})'
    : has_key(here, 'fields') && empty(draw.Named(server.stack, here.screen.id, 'id'))
    ? 'is not open now; :w opens it again'
    : empty(get(here, 'side', '')) && (has_key(here, 'fields') || strwidth(join(message)) > winwidth(0))
    ? join(message) : ''
enddef

# For 'statusline': the state of the buffer and of the sync.
export def News(): string
  const [here, more] = [paint.Of(bufnr()), server.pending > 0 ? '…' : '']
  const standing = server.IsRunning() ? [draw.Standing(get(here, 'screen', {body: {}})), more] : []
  return draw.Joined([State()] + standing, '  ')
enddef

# For 'statusline': the keys that matter most, or the one that ends up with a side, and the way to
# help.
export def Hints(): string
  const here = paint.Of(bufnr())
  const side = get(get(get(here, 'fields', []), 0, {}), 'side', '')
  if !server.IsRunning()
    return ':Todo restart'
  elseif empty(here) || empty(side) && (winwidth(0) < 60 || has_key(here, 'fields') && News() =~ '[^ …]')
    return 'g? help'
  endif
  const help = index(['mine', 'theirs'], side) < 0 ? ['g? help'] : []
  const all = Readable(join(draw.Hints(here.screen, get(WAYS, side, '')) + help, '  '))
  # What a list has to say comes first.
  return empty(side .. here.side) && strwidth(Statusline() .. News() .. all) + 4 > winwidth(0) ? 'g? help' : all
enddef

def Readable(keys: string): string
  const leader = keytrans(get(g:, 'maplocalleader', '') ?? '\')
  return substitute(keys, '<LocalLeader>', escape(leader, '\&'), 'g')
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

# :w. When it fails the buffer stays modified, and :wq does not close its window.
export def Write()
  const here = b:todo.home
  # The answer to an earlier save has the version on which this one is based.
  server.Wait(() => server.pending == 0, server.LONG_MS)
  paint.Repaint(here)
  Act(draw.Main(here.screen).name)
enddef

# Returns the params of an action: the text, or the fields of a page from the cursor on, and the
# answers to the questions of the action. It asks none if the action is disabled: the server then
# reports the reason. null: the user has cancelled. `argument` answers the first question.
def Collect(here: any, action: any, argument: string): any
  const is_main = action == draw.Main(here.screen)
  final [values, is_page] = [is_main ? paint.Typed(here) : {}, is_main && !has_key(here, 'fields')]
  const fields: list<any> = is_page ? get(here.screen.body, 'fields', []) : []
  const from = index(here.targets, paint.TargetAt(here, line('.')))
  const asked = copy(fields)->filter((_, field) => index(here.targets, field.name) >= from)
  for field in asked + (action.enabled ? get(action, 'input', []) : [])
    const is_on_page = index(asked, field) >= 0
    if is_on_page
      cursor(here.first + index(here.targets, field.name), 1)
    endif
    const is_given = empty(values) && !empty(argument) && !has_key(field, 'secret')
    const answer = is_given ? [argument] : ask.Field(here, field, is_on_page)
    if empty(answer)
      return null
    endif
    values[field.name] = answer[0]
    here.typed->extend(has_key(field, 'secret') && !empty(answer[0]) ? {[field.name]: true} : {})
  endfor
  return values
enddef

# The rows of these lines, or [] where there is none; those that were not sent yet are fetched. The
# lines above the first row have none.
def Rows(lines: list<number>): list<string>
  const Find = (): list<string> => range(lines[0], lines[-1])
    ->filter((_, line) => line >= b:todo.first)->mapnew((_, line) => paint.TargetAt(b:todo, line))
  if index(Find(), '') >= 0
    view.Reach()
    server.Wait(() => server.pending == 0, ROW_MS)
    view.Draw()
  endif
  return index(Find(), '') < 0 ? Find() : []
enddef

# The keys that an action is mapped to. One for several rows is an operator, so that it can be
# counted, repeated and done to a selection. On the title it does nothing, whatever the count. A move
# is done as often as the count says, each after the answer to the one before.
export def Key(what: string): string
  const here = get(b:, 'todo', {screen: {actions: []}, first: 0})
  if !has_key(draw.Action(here.screen, what), 'many') || mode() ==# 'n' && line('.') < here.first
    const count = index(MOVES, what) < 0 ? 1 : min([v:count1, line('$')])
    return repeat($"\<Cmd>call todo#Do({string(what)})\<CR>", count)
  endif
  [operated, &operatorfunc] = [what, 'todo#Operate']
  return mode() ==# 'n' ? 'g@_' : 'g@'
enddef

export def Operate(_: string)
  # `.` may be pressed in any buffer.
  if exists('b:todo')
    Act(operated, '', b:todo.home, false, [line("'["), line("']")])
  endif
enddef

# Does an action of a buffer's screen, by its name or role, after its questions. `argument` answers
# the first of them. The server decides whether the action is possible, since the edits sent with it
# can enable it.
export def Act(what: string, argument = '', here: any = b:todo.home, is_refused = false,
    lines = [line('.')])
  popup_close(base_popup)
  var action = draw.Action(here.screen, what)
  const is_of_item = get(action, 'scope', '') ==# 'item'
  const rows = is_of_item && here.buf == bufnr() ? Rows(lines) : []
  if empty(action) || is_of_item && empty(rows)
    server.Say('warning', empty(action) ? 'that is not possible here' : 'no row here')
    return
  endif
  const locked = copy(rows)->map((_, id) => draw.Named(here.screen.body.items, id, 'id'))
    ->filter((_, row) => !draw.IsPossible(action, row) && has_key(row, 'readOnly'))
  if !empty(locked)
    server.Say('warning', $'“{draw.Plain(locked[0].title)}” can only be read')
    return
  endif
  # An action elsewhere closes the form in front if the server does not know its edits.
  if here.buf != get(view.drawn, -1, here.buf)
    view.Send(view.drawn[-1])
  endif
  const [role, front] = [get(action, 'role', action.name), get(server.stack, -1, {id: '', body: {kind: ''}})]
  const is_save = has_key(here, 'fields') && action == draw.Main(here.screen)
  # The questions depend on the edits, and the form of a text may not be in front. A save without a
  # known question is refused if there is one.
  const is_known = is_save && !is_refused && !has_key(action, 'confirm')
  if !(is_known && front.id ==# here.screen.id) && !empty(paint.Typed(here))
    const edits = paint.Params(here, {values: paint.Typed(here), open: true})
    if server.Ask('screen/change', edits, (_) => 0, server.LONG_MS) !=# 'done'
      return
    endif
    paint.Repaint(here)
    action = draw.Action(here.screen, role)
  endif
  const row = empty(rows) ? {} : draw.Named(here.screen.body.items, rows[0], 'id')
  const subject = draw.Plain(get(row, 'title', get(here.screen, 'subject', here.screen.title)))
  const one = has_key(action, 'confirm') ? $'{action.confirm} “{subject}”' : ''
  const many = substitute(get(action, 'confirmMany', one), '{count}', string(len(rows)), '')
  const question = len(rows) > 1 ? many : one
  # A yes decides about the sides that the question is about.
  const decided = !empty(question) && index(values(WAYS), role) >= 0 ? {base: here.screen.body.base} : {}
  const is_sure = empty(question) || server.Letter($'{question} (y/n)') ==# 'y'
  # The operation adds to a list that is not in front; keys change none below a text, which may be unsaved.
  const is_elsewhere = role ==# 'create' && here.screen.id !=# front.id
    && (!empty(argument) || front.body.kind !=# 'form')
  action = is_elsewhere ? extendnew(action, {enabled: true}) : action
  const values = is_sure ? Collect(here, action, argument) : null
  if values == null
    return
  endif
  final [texts, version] = [paint.Texts(here), here.version]
  final params = {action: action.name, values: values, stay: is_save}
  const sent = paint.Params(here, extend(params, empty(rows) ? decided : {items: rows}))
  const is_told = is_elsewhere || role ==# 'create' && !empty(argument)
  const Done = (result: any) => {
    Settle(here, texts, version, is_save, result)
    execute is_told && get(result, 'outcome', '') !=# 'asks' ? 'echo "todo: added"' : ''
  }
  const [method, all] = is_elsewhere ? ['addTodo', values] : ['screen/act', sent]
  const end = server.Ask(method, all, Done, is_save ? server.LONG_MS : 0)
  # The buffer of a window cannot well be changed while it is written, but must be before keys that
  # were typed ahead.
  if end ==# 'unconfirmed' && !is_refused
    Act(role, argument, here, true)
  elseif empty(state('x'))
    view.Draw()
  else
    feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
  endif
enddef

# An action ended well, however late; `texts` are those of the buffer when it was sent, and `version`
# is what they were based on. Text that is not stored counts as modified, so that :wq stays.
def Settle(here: any, texts: dict<string>, version: any, is_save: bool, result: any)
  const is_stored = get(result, 'outcome', '') !=# 'asks'
  const [front, open] = [server.stack[-1], draw.Named(paint.Screens(), here.screen.id, 'id')]
  # A text that is saved as a new todo continues under another name.
  const is_new = is_save && is_stored && empty(open) && front.name ==# here.screen.name
  const [screen, is_compared] = [is_new ? front : open, !is_stored && empty(open)]
  # A secret that was used is forgotten.
  here.typed = {}
  if empty(texts) || is_stored && !is_save && !empty(open)
    return
  endif
  # The sent text is stored, or is now a side of a comparison, whose text counts as unsaved.
  const is_over = is_stored || is_compared && texts == paint.Texts(here)
  extend(is_compared ? paint.Of(paint.Paint(front)) : {}, {is_asked: true})
  extend(version, is_over ? {loaded: texts} : {})
  extend(version, is_stored ? {base: get(result, 'base', version.base)} : {})
  extend(here, is_over ? {told: {}, is_asked: false} : {})
  if !empty(screen)
    extend(here, {id: is_new ? front.id : here.id, screen: screen, fields: draw.Texts(screen)[0]})
    # Edits made during a save are based on the version that it stored. Nothing changes while the
    # user inserts.
    if here.buf != bufnr() || !paint.IsTyping()
      paint.Adopt(here, is_stored ? here.version.base : null)
    endif
  endif
  setbufvar(here.buf, '&modified', is_compared || !empty(paint.Typed(here)))
  execute is_save && is_stored ? 'echo "todo: saved"' : ''
enddef

# :e and :e!: discards the edits, also those that the server has or has recovered, and shows the
# server's text again. It has the stored text of a form that was left and is opened again; a
# comparison cannot be left, and is set back to its base.
export def Reread(buf: number)
  final here = paint.Of(buf)
  if empty(here)
    Revive(buf)
    return
  endif
  server.Wait(() => server.pending == 0, server.LONG_MS)
  const screen = draw.Named(paint.Screens(), here.screen.id, 'id') ?? here.screen
  const back = draw.Action(screen, 'back')
  const before = empty(back) ? mapnew(here.told, (name, _) => here.version.loaded[name]) : {}
  extend(here, {version: {base: here.version.base, loaded: {}}, step: -1, told: {}, is_asked: empty(back) && here.is_asked})
  if has_key(back, 'confirm')
    server.Ask('screen/act', paint.Params(here, {action: back.name}), (_) => 0, server.LONG_MS)
  endif
  if has_key(back, 'confirm') || !empty(before)
    const edits = paint.Params(here, {values: before, open: true})
    server.Ask('screen/change', edits, (_) => 0, server.LONG_MS)
  endif
  # Vim has emptied the buffer.
  paint.Repaint(here)
enddef

# A buffer of an earlier session.
export def Revive(buf: number)
  if empty(paint.Of(buf))
    setbufvar(buf, '&buftype', 'nofile')
    setbufvar(buf, '&bufhidden', 'wipe')
    timer_start(0, (_) => mapnew(win_findbuf(buf), (_, window) => win_execute(window, 'call todo#view#Revive()', '')))
  endif
enddef

# Turns a text into the buffer of a file, after `:saveas`.
export def Release()
  if !empty(paint.Of(bufnr()))
    unlet b:todo
    prop_clear(1, line('$'))
    # Vim detects the type of a file that has none.
    setlocal buftype= filetype= statusline< conceallevel< concealcursor< wrap< linebreak< bufhidden<
    setlocal buflisted swapfile< undofile< modeline< textwidth< wrapmargin< formatoptions<
    mapclear <buffer>
  endif
enddef

# Shows the base of both sides of a comparison, until the cursor moves or the user acts.
export def Before()
  const base = draw.Named(get(b:todo.screen.body, 'fields', []), 'base', 'side')
  if !empty(base)
    const look = {title: $' {base.label} ', border: [], moved: 'any', highlight: 'todoPopup'}
    base_popup = popup_atcursor(split(base.value, "\n", true), look)
  endif
enddef

# All actions of the screen in front with their keys, those of a row first; choosing one does it,
# and any other key closes it.
export def Menu()
  final screen = b:todo.screen
  const all = draw.Bindings(screen)
  const row = draw.Named(get(screen.body, 'items', []), paint.TargetAt(b:todo, line('.')), 'id')
  const Label = (action: any) => draw.IsPossible(action, row) ? $'[{action.title}]' : $'({action.title})'
  const keys = min([&columns / 4, 12])
  const Line = (action: any) =>
    printf($'%-{keys}s %s', Readable(join(all[action.name])), Label(action))
  const Scoped = (scope: string) =>
    copy(screen.actions)->filter((_, action) => action.scope ==# scope)
  const rows = Scoped('item')
  const chosen = rows + (empty(rows) ? [] : [{}]) + Scoped('screen')
  const moves = ['j', 'k', "\<Down>", "\<Up>", "\<CR>", ' ']
  popup_menu(mapnew(chosen, (_, action) => empty(action) ? '' : Line(action)), {
    title: $' {screen.title} ', maxheight: &lines - 3, highlight: 'todoPopup',
    filter: (id, key) => popup_filter_menu(id, index(moves, key) < 0 ? 'x' : key),
    callback: (_, number) => number > 0 ? Act(get(chosen[number - 1], 'name', '')) : 0,
  })
enddef
