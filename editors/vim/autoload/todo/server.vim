vim9script
# The process and the wire: requests, renderings and messages to the user. Nothing here depends on
# the kinds of screens.

import autoload './view.vim'
import autoload './screen.vim' as draw

# The number of rows of a list per request.
export const ROWS = 500
# The longest wait for a start or a save, or for the screen for which keys were typed ahead.
export const LONG_MS = 5000
# In any other encoding Vim replaces characters of the texts.
export const UTF_8 = 'needs "set encoding=utf-8" in the vimrc, or a UTF-8 locale'
const SILENCE_MS = 300
# The longest wait for the answer to any other key.
const KEY_MS = 200
# The room that a message needs on the last line, and the time that it has all of it.
const [MESSAGE_COLUMNS, MESSAGE_MS] = [20, 4000]
# The time that the server may take to exit after its last message.
const END_MS = 1000

# The screens of the newest rendering, the one in front last; those below may have no body.
export var stack: list<any> = []
# The reason why there is no server.
export var death = 'no server'
# The number of requests in flight.
export var pending = 0

var process: job = null_job
var last_words = ''
# The popup with a whole message.
var whole = 0

# The command of the user's choice, as a list.
export def Command(): list<string>
  const chosen: any = get(g:, 'todo_command', $TODO_SERVER ?? 'todo-server')
  return type(chosen) == v:t_list ? chosen : split(chosen)
enddef

export def IsRunning(): bool
  return process != null_job && job_status(process) ==# 'run'
enddef

# Shuts the server down cleanly: it finishes the requests that it has received.
export def Stop()
  Request('shutdown', {})
  silent! ch_sendexpr(process, {method: 'exit'})
  [process, stack, last_words, pending, death] = [null_job, [], '', 0, 'stopped']
  view.Draw()
enddef

# Starts the server, and waits a moment for its first rendering, or with `is_needed` longer. Vim
# ends it together with itself.
export def Start(is_needed = false)
  Stop()
  process = job_start(Command(), {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1,
    out_cb: Receive,
    err_cb: (channel, line) => {
      last_words = IsOurs(channel) && line =~ '\S' ? ': ' .. trim(line) : last_words
    },
    close_cb: End,
  })
  Request('initialize', {
    processId: getpid(), clientInfo: {name: 'vim-todo', version: string(v:versionlong)},
    capabilities: {render: {window: ROWS, frontOnly: true, preview: true}},
  }, (reply) => {
    last_words = has_key(reply, 'error') ? ': ' .. reply.error.message : last_words
    ch_sendexpr(process, {method: has_key(reply, 'error') ? 'exit' : 'initialized'})
  })
  timer_start(SILENCE_MS, (_) => {
    if IsRunning() && empty(stack)
      Say('warning', 'the server has not answered yet')
    endif
  })
  Wait(() => !empty(stack) || !IsRunning(), is_needed ? LONG_MS : KEY_MS)
enddef

# Whether a channel belongs to the current server. Later output of a previous one is ignored.
def IsOurs(channel: channel): bool
  return ch_getjob(channel) == process
enddef

# Handles a rendering: the screens that the user sees now.
def Receive(channel: channel, message: dict<any>)
  if IsOurs(channel) && get(message, 'method', '') ==# 'workflow/render'
    # Clears the message about a slow start.
    execute empty(stack) ? "echo ''" : ''
    stack = mapnew(message.params.rendering.items, (_, item) => draw.MoveDone(item.screen))
    view.DrawSoon()
    execute exists('#User#TodoRender') ? 'doautocmd <nomodeline> User TodoRender' : ''
  endif
enddef

# The server has closed its ends, and says in its exit code why, as soon as it has one.
def End(channel: channel)
  if !IsOurs(channel)
    return
  endif
  Wait(() => !IsRunning(), END_MS)
  pending = 0
  const info = job_info(process)
  const how = empty(info.termsig) ? $'code {info.exitval}' : $'signal {info.termsig}'
  death = $'the server ended ({how}){last_words}'
  Say('error', trim(death, '.', 2) .. '. :Todo restart')
  view.Draw()
enddef

# Sends a request; Done is called with the reply, unless the server dies, of which End() tells, or
# is replaced first.
export def Request(method: string, params: dict<any>, Done: func = (_) => 0)
  const asked = process
  pending += IsRunning() ? 1 : 0
  silent! ch_sendexpr(process, {method: method, params: params}, {callback: (_, reply) => {
    if asked == process
      pending -= 1
      Done(reply)
      view.DrawSoon()
    endif
  }})
enddef

# Waits while Vim serves its channels, which it does while it sleeps.
export def Wait(Condition: func(): bool, patience: number)
  const start = reltime()
  while !Condition() && reltimefloat(reltime(start)) * 1000 < patience
    sleep! 2m
  endwhile
enddef

# A request that the user waits for: as long as a key waits, or `patience`. Answers 'done', or else
# why it was refused; Done is called with its result, however late.
export def Ask(method: string, params: dict<any>, Done: func, patience = 0): string
  if !IsRunning() || &encoding !=# 'utf-8'
    Say('error', IsRunning() ? UTF_8 : 'the server is not running. :Todo restart starts it.')
    return ''
  endif
  var end = ''
  Request(method, params, (reply) => {
    end = get(reply, 'error', {data: {reason: 'done'}})->get('data', {})->get('reason', 'refused')
    if end ==# 'done'
      Done(reply.result)
    else
      # Other codes are for those who write front-ends.
      const is_for_people = index([-32801, -32803], reply.error.code) >= 0
      Say('error', (is_for_people ? '' : 'please report this: ') .. reply.error.message)
    endif
  })
  const IsOver = () => !empty(end) || !IsRunning()
  Wait(IsOver, patience ?? KEY_MS)
  if patience == 0
    Wait(() => IsOver() || getchar(1) == 0, LONG_MS)
  elseif !IsOver()
    Say('warning', $'no answer in {patience / 1000} s yet')
  endif
  return end
enddef

# The letter that answers a question, which stays in sight whatever is drawn meanwhile. In an
# autocommand nothing is drawn, but Vim may be exiting: then only confirm() gets a key without Enter.
export def Letter(question: string): string
  if !empty(state('x')) && getchar(1) == 0
    const answer = confirm(question, "&Yes\n&No", 0)
    redraw
    return answer == 1 ? 'y' : ''
  endif
  const Place = () => ({line: &lines, col: 1, pos: 'botleft', minwidth: &columns})
  const popup = view.Popup(question, Place, {highlight: 'todoQuestion'})
  redraw
  try
    return tolower(getcharstr())
  finally
    # Also after CTRL-C.
    popup_close(popup)
    redraw
  endtry
  return ''
enddef

# One line for the user, whole in :messages; `level` is info, warning or error. What has no room on the
# last line is also in a popup, until a key is pressed.
export def Say(level: string, text: string)
  const line = 'todo: ' .. draw.Plain(substitute(text, '\_s\+', ' ', 'g'))
  # In a narrow window the options leave no room for a message, and make way for it.
  if v:echospace < MESSAGE_COLUMNS && (&ruler || &showcmd)
    const options = [&ruler, &showcmd]
    set noruler noshowcmd
    timer_start(MESSAGE_MS, (_) => {
      [&ruler, &showcmd] = options
    })
  endif
  popup_close(whole)
  whole = strwidth(line) > v:echospace ? view.Pin(line, {zindex: 60, filter: (popup, _) => {
    popup_close(popup)
    return false
  }}) : 0
  const more = &more
  set nomore
  execute 'echohl' {error: 'ErrorMsg', warning: 'WarningMsg'}->get(level, 'None')
  echomsg line
  # Again as one line, or else Vim asks the user to press Enter.
  redraw
  echo draw.Fit(line, v:echospace)
  echohl None
  &more = more
enddef
