vim9script
scriptencoding utf-8
# What the user does: commands and keys become requests.

import autoload './todo/server.vim'
import autoload './todo/screen.vim' as draw
import autoload './todo/view.vim'
import autoload './todo/rows.vim'
import autoload './todo/talk.vim'
import autoload './todo/form.vim'
import autoload './todo/keys.vim' as dress

const SPINNER_MS = 100
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

var spinner_timer = 0

# :Todo
export def Command(mods: string, line: string)
  const word = matchstr(line, '^\S*')
  if word ==# 'stop'
    server.Stop()
    view.Drop()
  elseif !empty(server.Problem())
    talk.Say('error', server.Problem())
  elseif word ==# 'doctor'
    term_start(server.Command() + ['doctor'])
  elseif word !=# 'restart' && server.IsRunning() || Start()
    view.Open(mods)
    if !empty(word) && word !=# 'restart'
      Act(word, trim(line[len(word) :]))
    endif
  endif
enddef

export def Complete(_: string, _: string, _: number): string
  const names = mapnew(get(view.Front(), 'actions', []), (_, action) => action.name)
  return join(names + ['doctor', 'restart', 'stop'], "\n")
enddef

# The screen in front as the server describes it; for scripts, after `User TodoRender`.
export def Screen(): dict<any>
  return deepcopy(view.Front())
enddef

def Start(): bool
  server.Stop()
  view.Drop()
  autocmd! todo VimLeavePre * todo#server#Stop()
  server.Start()
  if server.IsRunning() && empty(view.Front())
    talk.Say('warning', 'the server has not answered yet; its screens come when it does')
  endif
  return server.IsRunning()
enddef

def IsLoading(): bool
  return get(view.Front(), 'body', {})->get('kind', '') ==# 'progress'
enddef

# A new rendering came.
export def Changed()
  view.DrawSoon()
  if !IsLoading()
    timer_stop(spinner_timer)
  elseif empty(timer_info(spinner_timer))
    spinner_timer = timer_start(SPINNER_MS, (_) => execute('redrawstatus!'), {repeat: -1})
  endif
  if exists('#User#TodoRender')
    doautocmd <nomodeline> User TodoRender
  endif
enddef

export def Died()
  timer_stop(spinner_timer)
  talk.Say('error', server.death .. '. :Todo restart')
  redrawstatus!
enddef

# For 'statusline': what this buffer shows, or elsewhere what is in front.
export def Statusline(): string
  const title = get(view.Of(bufnr()), 'title', get(view.Front(), 'title', 'todo'))
  if !server.IsRunning()
    return $'{title} ({server.death})'
  elseif !IsLoading()
    return title
  endif
  return SPINNER[float2nr(reltimefloat(reltime()) * 1000) / SPINNER_MS % len(SPINNER)] .. ' ' .. title
enddef

# A key of a screen.
export def Press(key: string)
  const name = talk.IsReady() ? get(draw.Keys(view.Front()), key, '') : ''
  if key ==# '-' && !empty(view.TextBuffers()->filter((_, buf) => getbufvar(buf, '&modified')))
    talk.Say('error', 'there is unsaved text: :w saves it, :e! brings back the saved one')
  elseif !empty(name)
    Act(name)
  endif
enddef

# <CR>: the action of a row, or the field or action on this line of a page.
export def Choose()
  const target = get(view.Of(bufnr()), 'targets', {})->get(line('.'), {})
  if has_key(target, 'action')
    Act(target.action)
  elseif !has_key(target, 'field')
    Press('<CR>')
  elseif talk.IsReady() && form.AskField(target.field)
    dress.Next()
  endif
enddef

# Does an action of the screen in front: asks first what there is to ask. `argument` answers its first question.
export def Act(name: string, argument = '')
  if !talk.IsReady()
    return
  endif
  const screen = view.Front()
  const action = draw.Action(screen, name)
  const item = get(action, 'scope', '') ==# 'item' ? ItemHere() : ''
  if !get(action, 'enabled', false)
    const error = draw.FirstError(screen)
    talk.Say('warning', empty(error) ? $'"{get(action, 'title', name)}" is not possible now' : error)
    return
  elseif action.scope ==# 'item' && empty(item)
    talk.Say('warning', $'"{action.title}" needs a row of the list')
    return
  elseif has_key(action, 'confirm') && !talk.IsYes(action.confirm)
    return
  endif
  var params: dict<any> = {screen: screen.name, action: name, values: {}}
  for [index, field] in items(get(action, 'input', []))
    const is_given = index == 0 && !empty(argument) && !get(field, 'secret', false)
    const answer = is_given ? [argument] : talk.Question(field, (_) => 0)
    if empty(answer)
      return
    endif
    params.values[field.name] = answer[0]
  endfor
  if !empty(item)
    params.item = item
  endif
  const depth = len(server.stack)
  view.Remember('')
  if talk.Do('screen/act', params) && len(server.stack) > depth
    # For reading its text again.
    extend(view.Of(bufnr()), {origin: params})
  endif
enddef

# The item under the cursor; a row that was not sent yet is fetched.
def ItemHere(): string
  final here = view.Of(bufnr())
  if !has_key(here, 'ids')
    return ''
  elseif empty(rows.IdAt(here, line('.'))) && talk.Ask('screen/window', rows.Window(here, line('.')))
    view.Draw()
  endif
  return rows.IdAt(here, line('.'))
enddef

# All actions of the screen in front with their keys; choosing one does it.
export def Menu()
  if talk.IsReady()
    final screen = view.Front()
    final all = draw.Keys(screen)
    final actions = copy(screen.actions)->filter((_, action) => action.enabled)
    const Key = (name: string) => copy(all)->filter((_, action) => action ==# name)->keys()->join()
    popup_menu(mapnew(actions, (_, action) => printf('%-6s %s', Key(action.name), action.title)), {
      title: $' {screen.title} ',
      callback: (_, number) => number > 0 ? Act(actions[number - 1].name) : 0,
    })
  endif
enddef
