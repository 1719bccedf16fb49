vim9script
# The process and the wire: requests out, renderings in. What a rendering is about, nobody here knows.

import autoload './patch.vim'

# How many rows of a list are sent at a time.
export const WINDOW_ROWS = 500
const START_MS = 5000

# The screens of the newest rendering, the one in front last.
export var stack: list<any> = []
# Why there is no server any more.
export var death = 'no server'
# Whether somebody waits for an answer, and draws when it is there.
export var is_waiting = false

var rendering: any = {}
var revision = -1
var is_resyncing = false
var process: job = null_job
var endings = 0
var last_words = ''

# The command of the user's choice, as a list.
export def Command(): list<string>
  const chosen: any = get(g:, 'todo_command', empty($TODO_SERVER) ? 'todo-server' : $TODO_SERVER)
  const words = type(chosen) == v:t_list ? copy(chosen) : split(chosen)
  return empty(words) ? [''] : [expand(words[0])] + words[1 :]
enddef

# Why the command cannot be run, or nothing. job_start() itself would tell it only later, from a child.
export def Problem(): string
  const program = Command()[0]
  return executable(program) ? '' : $'cannot run "{program}": no executable. See g:todo_command'
enddef

export def IsRunning(): bool
  return process != null_job && job_status(process) ==# 'run'
enddef

# Starts the server, and waits a while for its first rendering.
export def Start()
  [stack, rendering, revision, is_resyncing, endings, last_words] = [[], {}, -1, false, 0, '']
  process = job_start(Command(), {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1, stoponexit: 'term',
    out_cb: (channel, message) => {
      if ch_getjob(channel) == process && get(message, 'method', '') ==# 'workflow/render'
        Receive(message.params)
      endif
    },
    err_cb: (channel, line) => {
      if ch_getjob(channel) == process && line =~ '\S'
        last_words = ': ' .. trim(line)
      endif
    },
    exit_cb: (job, _) => End(job),
    close_cb: (channel) => End(ch_getjob(channel)),
  })
  Request('initialize', {
    processId: getpid(),
    clientInfo: {name: 'vim-todo', version: string(v:versionlong)},
    capabilities: {render: {patch: true, window: WINDOW_ROWS}},
  }, (reply) => {
    if has_key(reply, 'error')
      last_words = ': ' .. reply.error.message
      job_stop(process)
    else
      ch_sendexpr(process, {method: 'initialized'})
    endif
  })
  Wait(() => !empty(stack) || !IsRunning(), START_MS)
enddef

# Ends the server without waiting: it finishes what it was told, whatever becomes of this Vim.
export def Stop()
  if IsRunning()
    ch_sendexpr(process, {method: 'shutdown'}, {callback: (_, _) => 0})
    ch_sendexpr(process, {method: 'exit'})
  endif
  process = null_job
  death = 'no server'
enddef

# Sends a request; Done is called with the reply, unless the server dies or is replaced first.
export def Request(method: string, params: dict<any>, Done: func)
  const asked = process
  try
    ch_sendexpr(process, {method: method, params: params}, {callback: (_, reply) => {
      if asked == process
        Done(reply)
      endif
    }})
  catch /^Vim\%((\S\+)\)\=:E\(906\|630\|631\|917\)/
    # It died a moment ago, and End() is about to say so.
  endtry
enddef

# Waits while Vim serves its channels, which it does while it sleeps.
export def Wait(Condition: func(): bool, patience: number)
  const start = reltime()
  is_waiting = true
  try
    while !Condition() && reltimefloat(reltime(start)) * 1000 < patience
      sleep! 2m
    endwhile
  finally
    is_waiting = false
  endtry
enddef

def Receive(params: dict<any>)
  try
    if has_key(params, 'rendering')
      Take(params.revision, params.rendering)
    elseif !is_resyncing && params.base == revision
      Take(params.revision, patch.Apply(rendering, params.patch))
    elseif !is_resyncing
      throw 'todo: the patch is for another rendering'
    endif
  catch /^todo:/
    # Everything is asked for, and patches that come before it are dropped.
    is_resyncing = true
    Request('workflow/rendering', {}, (reply) => Take(reply.result.revision, reply.result.rendering))
  endtry
enddef

def Take(number: number, whole: dict<any>)
  [revision, rendering, is_resyncing] = [number, whole, false]
  stack = mapnew(whole.items, (_, item) => item.screen)
  todo#Changed()
enddef

# The exit code, and the end of what it wrote, come in any order.
def End(ended: job)
  endings += ended == process ? 1 : 0
  if ended == process && endings == 2
    const info = job_info(process)
    const how = empty(info.termsig) ? $'code {info.exitval}' : $'signal {info.termsig}'
    death = $'the server ended ({how}){last_words}'
    todo#Died()
  endif
enddef
