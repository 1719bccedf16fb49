vim9script
# The process and the wire: requests out, renderings in, and what the user is told of it. What a rendering is about,
# nobody here knows.

import autoload './view.vim'

# How many rows of a list are sent at a time.
export const WINDOW_ROWS = 500
const START_MS = 5000
# How long a key waits for its answer before Vim goes on without it.
const KEY_MS = 2000
# How long after its last word the server may take to end.
const END_MS = 1000

# The screens of the newest rendering, the one in front last, and its revision.
export var stack: list<any> = []
export var revision = -1
# Why there is no server any more.
export var death = 'no server'
# Whether somebody waits for an answer, and draws when it is there.
export var is_waiting = false

var rendering: any = {}
var process: job = null_job
var last_words = ''

# The command of the user's choice, as a list.
export def Command(): list<string>
  const chosen: any = get(g:, 'todo_command', empty($TODO_SERVER) ? 'todo-server' : $TODO_SERVER)
  return type(chosen) == v:t_list ? chosen : split(chosen)
enddef

export def IsRunning(): bool
  return process != null_job && job_status(process) ==# 'run'
enddef

# Starts the server, and waits a while for its first rendering. Vim ends it together with itself. One that runs already
# finishes what it was told.
export def Start()
  Request('shutdown', {})
  silent! ch_sendexpr(process, {method: 'exit'})
  [stack, rendering, revision, last_words] = [[], {}, -1, '']
  view.Draw()
  # The one before may still have something to say, which nobody wants to hear.
  const IsOurs = (channel: channel) => ch_getjob(channel) == process
  process = job_start(Command(), {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1,
    out_cb: (channel, message) => {
      if IsOurs(channel) && get(message, 'method', '') ==# 'workflow/render'
        Receive(message.params)
      endif
    },
    err_cb: (channel, line) => {
      last_words = IsOurs(channel) && line =~ '\S' ? ': ' .. trim(line) : last_words
    },
    close_cb: (channel) => {
      if IsOurs(channel)
        End()
      endif
    },
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

# Sends a request; Done is called with the reply, unless the server dies, of which End() tells, or is replaced first.
export def Request(method: string, params: dict<any>, Done: func = (_) => 0)
  const asked = process
  silent! ch_sendexpr(process, {method: method, params: params}, {callback: (_, reply) => {
    if asked == process
      Done(reply)
    endif
  }})
enddef

# Waits while Vim serves its channels, which it does while it sleeps.
export def Wait(Condition: func(): bool, patience: number)
  const [start, was_waiting] = [reltime(), is_waiting]
  is_waiting = true
  try
    while !Condition() && reltimefloat(reltime(start)) * 1000 < patience
      sleep! 2m
    endwhile
  finally
    is_waiting = was_waiting
  endtry
enddef

# A request that the user waits for. Answers whether it went well in time; Done is called when it has, however late.
export def Ask(method: string, params: dict<any>, patience = KEY_MS, Done: func = () => 0): bool
  final outcome: list<bool> = []
  Request(method, params, (reply) => {
    add(outcome, has_key(reply, 'result'))
    if outcome[0]
      Done()
    else
      Say('error', reply.error.message)
    endif
  })
  Wait(() => !empty(outcome) || !IsRunning(), patience)
  if empty(outcome) && IsRunning()
    Say('warning', $'no answer in {patience / 1000} s yet')
  endif
  return get(outcome, 0, false)
enddef

# One line for the user, also in :messages; `level` is info, warning or error.
export def Say(level: string, text: string)
  redraw
  execute 'echohl' {error: 'ErrorMsg', warning: 'WarningMsg'}->get(level, 'None')
  echomsg 'todo: ' .. substitute(text, "\n", ' ', 'g')
  echohl None
enddef

# Takes a rendering, whole or as a patch of the newest one. If the patch is for another, everything is asked for, and
# patches that come before that fit nothing.
def Receive(params: dict<any>)
  if has_key(params, 'patch') && params.base != revision
    revision = -1
    Request('workflow/rendering', {}, (reply) => Receive(reply.result))
    return
  endif
  rendering = has_key(params, 'patch') ? Patched(rendering, params.patch) : params.rendering
  revision = params.revision
  stack = mapnew(rendering.items, (_, item) => item.screen)
  view.DrawSoon()
  if exists('#User#TodoRender')
    doautocmd <nomodeline> User TodoRender
  endif
enddef

# A copy of the document, changed by operations of JSON Patch (RFC 6902), of which the server uses these three.
def Patched(document: any, operations: list<any>): any
  # A holder for the document itself makes the path "" like any other.
  final root = {'': deepcopy(document)}
  for operation in operations
    const names = split(operation.path, '/', true)
      ->map((_, name) => name->substitute('\~1', '/', 'g')->substitute('\~0', '\~', 'g'))
    final holder = reduce(names[: -2], (value, name) => value[Key(value, name)], root)
    const key = Key(holder, names[-1])
    if operation.op ==# 'remove'
      remove(holder, key)
    elseif operation.op ==# 'add' && type(holder) == v:t_list
      insert(holder, operation.value, key)
    else
      holder[key] = operation.value
    endif
  endfor
  return root['']
enddef

# The key or index that a name in a path stands for.
def Key(holder: any, name: string): any
  return type(holder) != v:t_list ? name : name ==# '-' ? len(holder) : str2nr(name)
enddef

# The server has closed its ends, and says in its exit code why, as soon as it has one.
def End()
  Wait(() => !IsRunning(), END_MS)
  const info = job_info(process)
  const how = empty(info.termsig) ? $'code {info.exitval}' : $'signal {info.termsig}'
  death = $'the server ended ({how}){last_words}'
  Say('error', death .. '. :Todo restart')
  redrawstatus!
enddef
