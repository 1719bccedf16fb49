vim9script
# What the user is told and asked, and requests that the user waits for.

import autoload './server.vim'
import autoload './screen.vim' as draw
import autoload './view.vim'

# How long a key waits for its answer before Vim goes on without it.
const KEY_MS = 2000

var was_aborted = false
var OnTyped: func

# One line for the user, also in :messages; `level` is info, warning or error.
export def Say(level: string, text: string)
  redraw
  execute 'echohl' {error: 'ErrorMsg', warning: 'WarningMsg'}->get(level, 'None')
  for line in split('todo: ' .. text, "\n")
    echomsg line
  endfor
  echohl None
enddef

# A request that the user waits for. Answers whether it went well in time, and calls Done
# when it has, also if it is late.
export def Ask(method: string, params: dict<any>, patience = KEY_MS, Done: func = () => 0): bool
  final outcome: list<bool> = []
  server.Request(method, params, (reply) => {
    add(outcome, Judge(reply))
    if outcome[0]
      Done()
    endif
  })
  server.Wait(() => !empty(outcome) || !server.IsRunning(), patience)
  if empty(outcome) && server.IsRunning()
    Say('warning', $'no answer in {patience / 1000} s yet')
  endif
  return get(outcome, 0, false)
enddef

# The same from a key, which then sees what came of it.
export def Do(method: string, params: dict<any>): bool
  const is_done = Ask(method, params)
  view.Draw()
  return is_done
enddef

# Whether a reply is a success; says so if not. What the screen says is better than "not enabled".
def Judge(reply: dict<any>): bool
  if has_key(reply, 'error')
    const words = reply.error.code == -32801 ? draw.FirstError(view.Front()) : ''
    Say('error', empty(words) ? reply.error.message : words)
  endif
  return has_key(reply, 'result')
enddef

# Whether the server is there, and this buffer is what is in front; says so if not.
export def IsReady(): bool
  if !server.IsRunning()
    Say('error', 'the server is not running. :Todo restart starts it.')
  elseif !empty(view.Of(bufnr())) && !view.IsFront(bufnr())
    Say('warning', $'first finish "{get(view.Front(), 'title', '')}" (:Todo shows it)')
  else
    return !empty(view.Front())
  endif
  return false
enddef

# [answer] to a question for a field, or [] if the user thought better of it. A secret is asked by Vim's own prompt
# for secrets, which keeps it out of every history. Typed is called with what is there, while it is typed.
export def Question(field: any, Typed: func): list<string>
  const is_secret = get(field, 'secret', false)
  [was_aborted, OnTyped] = [false, Typed]
  augroup todo_ask
    autocmd!
    # Vim does not say how a question ended, but what was typed is gone by now when it was given up.
    autocmd CmdlineLeave @ was_aborted = getcmdpos() == 0
    if !is_secret
      autocmd CmdlineChanged @ OnTyped(getcmdline())
    endif
  augroup END
  try
    const answer = is_secret ? inputsecret(field.label .. ': ') : input(field.label .. ': ', get(field, 'value', ''))
    return was_aborted || is_secret && empty(answer) ? [] : [answer]
  finally
    autocmd! todo_ask
    # The answer, or the dots of a secret, would stay on the last line.
    redraw
    echo ''
  endtry
  return []
enddef

# Whether the user says yes. confirm() would not see what was typed ahead.
export def IsYes(question: string): bool
  redraw
  echo question .. ' (y/n) '
  const key = getcharstr()
  redraw
  echo ''
  return key ==? 'y'
enddef
