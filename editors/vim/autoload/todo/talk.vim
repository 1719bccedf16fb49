vim9script
# What the user is told and asked, and requests that the user waits for.

import autoload './server.vim'
import autoload './screen.vim' as draw

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

# A request that the user waits for. Answers whether it went well in time; Done is called when it has, however late.
export def Ask(method: string, params: dict<any>, patience = KEY_MS, Done: func = () => 0): bool
  final outcome: list<bool> = []
  server.Request(method, params, (reply) => {
    add(outcome, has_key(reply, 'result'))
    if outcome[0]
      Done()
    else
      # What the screen says is wrong is better than "not enabled".
      const errors = reply.error.code == -32801 ? draw.Errors(server.stack[-1]) : []
      Say('error', get(errors, 0, reply.error.message))
    endif
  })
  server.Wait(() => !empty(outcome) || !server.IsRunning(), patience)
  if empty(outcome) && server.IsRunning()
    Say('warning', $'no answer in {patience / 1000} s yet')
  endif
  return get(outcome, 0, false)
enddef

# [answer] to a question for a field, or [] if the user thought better of it. A secret is asked by Vim's own prompt
# for secrets, which keeps it out of every history. Typed is called with what is there, while it is typed.
export def Question(field: any, Typed: func = (_) => 0): list<string>
  const is_secret = has_key(field, 'secret')
  [was_aborted, OnTyped] = [false, is_secret ? (_) => 0 : Typed]
  augroup todo_ask
    # Vim does not say how a question ended, but what was typed is gone by now when it was given up.
    autocmd! CmdlineLeave @ was_aborted = getcmdpos() == 0
    autocmd! CmdlineChanged @ OnTyped(getcmdline())
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
