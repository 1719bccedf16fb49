vim9script
# The helpers of the tests. Each test is a function g:Test_... and runs in a Vim of its own (see run).

# Bounds a hang, and nothing else: on a busy machine every step is slow.
const LIMIT_SECONDS = 60.0

# Presses keys and waits until Vim has obeyed them, and the server, too.
def g:Keys(keys: string)
  feedkeys(keys, 'tx')
  g:Until(() => todo#server#pending == 0, 'the answers to ' .. keys)
  todo#view#Draw()
enddef

# Waits until something is so; a test fails with `what` when it does not come.
def g:Until(Condition: func(): bool, what: string)
  const start = reltime()
  while !Condition() && reltimefloat(reltime(start)) < LIMIT_SECONDS
    sleep 5m
  endwhile
  if !Condition()
    throw $'never: {what}; there is {string(getline(1, 20))} and {string(g:Messages()[-3 :])}'
  endif
enddef

def g:Messages(): list<string>
  return split(execute('messages'), "\n")
enddef

def g:Said(pattern: string): bool
  return match(g:Messages(), pattern) >= 0
enddef

def g:AtScreen(name: string)
  g:Until(() => get(todo#Screen(), 'name', '') ==# name, 'the screen ' .. name)
  g:Until(() => bufname() =~# 'todo://' .. name, 'the buffer of ' .. name)
enddef

def g:Store(): string
  return $'sqlite:{$HOME}/todos.sqlite'
enddef

# The list of `name` on the real server.
def g:Login(name = 'ann', options: list<string> = [])
  g:todo_command = split($TODO_SERVER) + ['--store', g:Store()] + options
  Todo
  g:AtScreen('welcome')
  g:Keys($"\<CR>{name}\<CR>\<CR>")
  g:AtScreen('todoList')
enddef

# The toy server, past its gate.
def g:Toy(settings: dict<string> = {})
  for [name, value] in items(settings)
    setenv(name, value)
  endfor
  $TOY_LOG = $HOME .. '/toy.log'
  g:todo_command = ['python3', g:tests .. '/toy_server.py']
  Todo
  g:AtScreen('gate')
  g:Keys("\<CR>ann\<CR>1234\<CR>")
  g:AtScreen('zoo')
enddef

# The toy server, which holds some of its answers until `delete($TOY_HOLD)`.
def g:HoldingToy(settings: dict<string> = {})
  $TOY_HOLD = $HOME .. '/hold'
  writefile([], $TOY_HOLD)
  g:Toy(settings)
enddef

# The params of the requests that the toy server has received.
def g:Told(method: string): list<any>
  return readfile($TOY_LOG)->mapnew((_, line) => json_decode(line))
    ->filter((_, message) => message.method ==# method)->mapnew((_, message) => get(message, 'params', {}))
enddef

# Does operations as another client of the same store, one after the other, and answers their results.
def g:Other(operations: list<any>, name = 'ann'): list<any>
  const messages: list<any> = [['initialize', {}], ['login', {name: name}], ['loadTodos', {}]] + operations
  const client = job_start(split($TODO_SERVER) + ['--store', g:Store()], {mode: 'nl'})
  final results: list<any> = []
  for [id, message] in items(messages)
    ch_sendraw(client, json_encode({jsonrpc: '2.0', id: id, method: message[0], params: message[1]}) .. "\n")
    var reply: any = {}
    while get(reply, 'id', -1) != id
      reply = json_decode(ch_read(client, {timeout: float2nr(LIMIT_SECONDS * 1000)}))
    endwhile
    add(results, get(reply, 'result', reply))
  endfor
  ch_close_in(client)
  g:Until(() => job_status(client) !=# 'run', 'the end of the other client')
  return results[3 :]
enddef

def g:Stored(): list<any>
  return g:Other([['listTodos', {}]])[0].todos
enddef
