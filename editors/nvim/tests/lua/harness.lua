-- Tests, and Neovims to test: each is a process of its own, driven by keys as if they were typed.

local M = { children = {} } -- what has to be stopped after a test

-- Bounds a hang, and nothing else: on a busy machine every step is slow.
local LIMIT_MS = tonumber(vim.env.TODO_TESTS_PATIENCE_MS) or 60000
local PAUSE_MS = 10 -- between two evaluations of a condition
local server = vim.env.TODO_SERVER or 'todo-server'

--- Waits until `condition()` returns a true value, and returns this value; fails with `what` at the
--- time limit. Pauses between two evaluations of the condition. Without the pause, a condition that
--- sends a request to another Neovim would keep both processes busy: it receives an event, and
--- `vim.wait` evaluates the condition again after each event.
function M.wait(what, condition, limit)
  local seen
  local evaluated = 0
  local ok = vim.wait(limit or LIMIT_MS, function()
    if vim.loop.hrtime() - evaluated < PAUSE_MS * 1e6 then return false end
    seen = condition()
    evaluated = vim.loop.hrtime()
    return seen
  end, PAUSE_MS)
  if not ok then error('waited in vain for ' .. what, 2) end
  return seen
end

--- Runs a command to its end; returns its output and its exit code. It does not use `vim.fn.system()`: in Neovim 0.7,
--- one in some thousand of its calls never returns.
function M.system(words, redirection)
  local command = table.concat(vim.tbl_map(vim.fn.shellescape, words), ' ') .. ' ' .. (redirection or '')
  local pipe = io.popen('{ ' .. command .. '; } 2>&1; printf "\\n%d" $?')
  local output, code = pipe:read('*a'):match('^(.*)\n(%d+)$')
  pipe:close()
  return output, tonumber(code)
end

--- Creates a fake server that sends prepared messages. `answers` has one list of messages for each
--- line that the server reads. After reading a line, the server writes the messages of its list.
--- The entry "go" is not a message: at this entry, the server waits until the file `log .. '.go'`
--- exists. Returns the command of the server, and the file `log`, which gets all lines that the
--- server has read.
function M.script(answers)
  local lines = { 'take() { read -r line && printf "%s\\n" "$line" >>"$1"; }' }
  for _, answer in ipairs(answers) do
    lines[#lines + 1] = 'take "$1"'
    for _, message in ipairs(answer) do
      local is_wait = message == 'go'
      if not is_wait then message.jsonrpc = '2.0' end
      lines[#lines + 1] = is_wait and 'until [ -e "$1.go" ]; do sleep 0.02; done'
        or "cat <<'END'\n" .. vim.json.encode(message) .. '\nEND'
    end
  end
  lines[#lines + 1] = 'while take "$1"; do :; done'
  local log = vim.fn.tempname()
  return { 'sh', '-c', table.concat(lines, '\n'), 'sh', log }, log
end

--- Waits until a fake server has read the request with that method and ID; returns the params of the request.
function M.sent(log, method, id)
  return M.wait(method .. ' ' .. id, function()
    for _, line in ipairs(vim.fn.filereadable(log) == 1 and vim.fn.readfile(log) or {}) do
      local ok, message = pcall(vim.json.decode, line)
      if ok and message.id == id and message.method == method then return message.params end
    end
  end)
end

--- Returns a list with the response to `initialize`.
function M.initialized(window)
  local capabilities = { render = { window = window, frontOnly = true } }
  return { { id = 1, result = { protocolVersion = 1, capabilities = capabilities } } }
end

function M.equal(expected, got)
  if not vim.deep_equal(expected, got) then
    error(('expected %s, got %s'):format(vim.inspect(expected), vim.inspect(got)), 2)
  end
end

function M.contains(text, part)
  if not tostring(text):find(part, 1, true) then error(('"%s" is not in: %s'):format(part, vim.inspect(text)), 2) end
end

local Child = {}
Child.__index = Child

--- Starts a Neovim in a terminal, with an empty home. `options.args` replace the default arguments, `options.server`
--- are the arguments of the server. A Neovim without a screen would not ask questions. The Neovim that runs the tests
--- cannot be this screen: version 0.7 answers each drawing with an error, which the other Neovim answers with another
--- error.
function M.child(options)
  options = options or {}
  local child = setmetatable({ home = options.home or vim.fn.tempname() }, Child)
  vim.fn.mkdir(child.home, 'p')
  local address = child.home .. '/socket'
  vim.fn.delete(address)
  local args = { vim.env.TODO_NVIM, '--listen', address, '-n' }
  vim.list_extend(args, options.args or { '--clean', '--cmd', 'set runtimepath^=' .. vim.env.TODO_TESTS .. '/..' })
  vim.list_extend(args, { '-i', child.home .. '/shada' })
  local env = { HOME = child.home, XDG_RUNTIME_DIR = child.home, TERM = 'xterm' }
  for _, kind in ipairs({ 'config', 'data', 'state', 'cache' }) do
    env['XDG_' .. kind:upper() .. '_HOME'] = child.home .. '/' .. kind
  end
  child.job = vim.fn.jobstart(args, {
    pty = true,
    width = 80,
    height = 24,
    env = env,
    -- A terminal says what it is when it is asked; Neovim 0.11 waits for that for a second before it ends.
    on_stdout = function(job, pieces)
      if table.concat(pieces, '\n'):find('\27[c', 1, true) then pcall(vim.fn.chansend, job, '\27[?1;2c') end
    end,
  })
  table.insert(M.children, child)
  child.channel = M.wait('a Neovim that listens', function()
    local ok, channel = pcall(vim.fn.sockconnect, 'pipe', address, { rpc = true })
    return ok and channel
  end)
  M.wait('its screen', function() return #vim.fn.rpcrequest(child.channel, 'nvim_list_uis') > 0 end)
  child:lua([[
    messages = {}
    vim.notify = function(text) table.insert(messages, text) end
    package.preload['todo.session'] = function()
      local session = dofile(vim.api.nvim_get_runtime_file('lua/todo/session.lua', false)[1])
      local say = session.say
      session.say = function(text, ...)
        table.insert(messages, 'todo: ' .. text)
        return say(text, ...)
      end
      return session
    end
    require('todo').setup({ cmd = ... })]], options.cmd or M.server(options.server))
  return child
end

function M.server(args) return vim.list_extend({ server }, args or { '--store', 'memory' }) end

--- Runs Lua code in the Neovim. If the Neovim is waiting for a key, first waits until it no longer
--- does. Otherwise, the Neovim would respond only after the key, and the test would be blocked
--- forever.
function Child:lua(code, ...)
  M.wait('an editor that asks for no key', function() return not vim.fn.rpcrequest(self.channel, 'nvim_get_mode').blocking end)
  return vim.fn.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

--- Types keys, and does not wait for them. The Neovim reads them later, possibly as the answer to a question.
function Child:keys(keys) vim.fn.rpcrequest(self.channel, 'nvim_input', keys) end

--- Types keys, and waits until the Neovim has read all of them.
function Child:settle(keys)
  self:lua('vim.g.is_settled = false')
  self:keys(keys .. '<Cmd>let g:is_settled = v:true<CR>')
  self:wait('the end of ' .. keys, 'vim.g.is_settled')
end

--- Whether the Neovim is asking a question, and waits for keys.
function Child:is_asking()
  local mode = vim.fn.rpcrequest(self.channel, 'nvim_get_mode')
  return mode.blocking or mode.mode:match('^[cr]') ~= nil
end

function Child:ask(what, keys)
  M.wait('the question ' .. what, function() return self:is_asking() end)
  self:keys(keys)
end

function Child:wait(what, expression, limit)
  local ok, err = pcall(M.wait, what, function()
    -- A nil would arrive as vim.NIL, which is true.
    return not self:is_asking() and self:lua(('return (%s) or false'):format(expression))
  end, limit)
  if ok then return end
  if self:is_asking() then error(err .. '\nit asks something', 2) end
  error(err .. '\n' .. vim.inspect({ self:buffer(), vim.list_slice(self:lines(), 1, 30), self:messages() }), 2)
end

function Child:buffer() return self:lua('return vim.fn.bufname()') end

function Child:lines() return self:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)') end

function Child:messages() return table.concat(self:lua('return messages'), '\n') end

--- Waits for the screen of that name. The name of a buffer also contains the subject of the screen, which is ignored.
function Child:wait_buffer(name)
  self:wait('buffer ' .. name, ("vim.fn.bufname():match('^todo://(%%w+)') == %q"):format(name))
end

function Child:wait_line(row, text) self:wait('line ' .. text, ('vim.fn.getline(%d) == %q'):format(row, text)) end

--- Waits until the server has received `note` as the note of the form in front.
function Child:wait_typed(note)
  local field = "((require('todo.session').front().body.fields or {})[2] or {})"
  self:wait('the note ' .. note, ('%s.value == %q'):format(field, note))
end

function Child:wait_message(text)
  self:wait('message ' .. text, ('table.concat(messages, "\\n"):find(%q, 1, true) ~= nil'):format(text))
end

--- Returns the text of the virtual lines of the buffer, such as labels and errors.
function Child:below()
  return self:lua([[
    local text, marks = '', vim.api.nvim_create_namespace('todo')
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, marks, 0, -1, { details = true })) do
      for _, line in ipairs(mark[4].virt_lines or {}) do
        for _, chunk in ipairs(line) do text = text .. chunk[1] end
        text = text .. '\n'
      end
    end
    return text]])
end

function Child:wait_below(text)
  local below
  local ok = pcall(M.wait, text, function()
    below = self:below()
    return below:find(text, 1, true) ~= nil
  end)
  if not ok then error(('"%s" never came below the text; there is: %s'):format(text, below), 2) end
end

--- Makes a change that does not come from the screens, and waits for the response: sends an operation for scripts to
--- the same server.
function Child:elsewhere(method, params)
  self:lua([[local method, params = ...
    is_answered = false
    require('todo.session').request(method, params, function() is_answered = true end)]], method, params)
  self:wait('the answer to ' .. method, 'is_answered')
end

function Child:status()
  return self:lua("local look = require('todo.look') return look.title() .. '  ' .. look.news()")
end

function Child:hints() return self:lua("return require('todo.look').hints()") end

--- Saves the text, and leaves it open.
function Child:save()
  self:lua('messages = {}')
  self:keys(':w<CR>')
  self:wait_message('todo: saved')
  M.equal(false, self:lua('return vim.bo.modified'))
end

--- Leaves the text, which must not have unsaved edits.
function Child:leave()
  self:keys('-')
  self:wait_buffer('todoList')
end

function Child:pid() return self:lua('return vim.fn.getpid()') end

--- Returns the process ID of the Neovim's server; nil if there is none.
function Child:server_pid() return vim.api.nvim_get_proc_children(self:pid())[1] end

function M.is_running(pid)
  local file = io.open('/proc/' .. pid .. '/stat')
  if not file then return false end
  local state = (file:read('*a') or ''):match('%) (%a)') -- it can end while it is read
  file:close()
  return state ~= nil and state ~= 'Z'
end

--- Opens the first screen. On a busy machine, there may first be a message that the server has not answered yet. It is
--- dropped, so that `messages` contains only those of the test.
function Child:open()
  self:keys(':Todo<CR>')
  self:wait_buffer('welcome')
  self:lua('messages = {}')
end

--- Opens the first screen, and logs in only by typing keys.
function Child:log_in(name)
  self:open()
  self:keys('A' .. (name or 'ann') .. '<CR>')
  self:ask('for a password', '<CR>')
  self:wait_buffer('todoList')
end

function Child:add(title)
  self:keys('a')
  self:ask('for a title', title:gsub('<', '<lt>') .. '<CR>')
  self:wait('row ' .. title, ('vim.fn.getline(1) == %q'):format('[ ] ' .. title))
end

--- Types keys that end the Neovim; returns its exit code, or -1 if it does not end. The keys are sent as a
--- notification, because a request could stay without a response when the Neovim closes the channel.
function Child:quit(keys)
  pcall(vim.fn.rpcnotify, self.channel, 'nvim_input', keys)
  return vim.fn.jobwait({ self.job }, LIMIT_MS)[1]
end

function Child:stop()
  pcall(vim.fn.rpcnotify, self.channel, 'nvim_command', 'qall!')
  if vim.fn.jobwait({ self.job }, LIMIT_MS)[1] == -1 then vim.fn.jobstop(self.job) end
end

--- Starts a server for another editor or a script. Returns a client with `call`, which sends a request and waits for
--- the response, and `stop`.
function M.client(args)
  local client, answers, rest, last_id = {}, {}, '', 0
  local job = vim.fn.jobstart(M.server(args), {
    on_stdout = function(_, pieces)
      pieces[1] = rest .. pieces[1]
      rest = table.remove(pieces)
      for _, line in ipairs(pieces) do
        local message = vim.json.decode(line, { luanil = { object = true, array = true } })
        if message.id then answers[message.id] = message end
      end
    end,
  })
  local function send(message) vim.fn.chansend(job, vim.json.encode(message) .. '\n') end
  function client.call(method, params)
    last_id = last_id + 1
    send({ jsonrpc = '2.0', id = last_id, method = method, params = params })
    local answer = M.wait('the answer to ' .. method, function() return answers[last_id] end)
    return answer.result, answer.error
  end
  function client.stop() vim.fn.jobstop(job) end
  client.call('initialize', { processId = vim.fn.getpid() })
  send({ jsonrpc = '2.0', method = 'initialized' })
  return client
end

--- Creates a store with todos of the user ann. Returns the arguments for the server, the client that has added the
--- todos, and their IDs.
function M.store(...)
  local args = { '--store', 'sqlite:' .. vim.fn.tempname() .. '.sqlite' }
  local client = M.client(args)
  client.call('login', { name = 'ann' })
  client.call('loadTodos')
  local ids = {}
  for _, todo in ipairs({ ... }) do
    ids[#ids + 1] = client.call('addTodo', todo).todo.id
  end
  return args, client, ids
end

--- Starts a source with `count` issues, which sends no response until it is released. Returns the arguments for the
--- server, and two functions, which release and close the source.
function M.source(count)
  local issues, listener, answers, is_released = {}, (vim.uv or vim.loop).new_tcp(), {}, false
  for number = 1, count do
    local issue = '{"number":%d,"title":"Issue %d","body":"","state":"open","html_url":"http://x/%d","id":%d,'
      .. '"updated_at":"2026-01-01T00:00:00Z","created_at":"2026-01-01T00:00:00Z"}'
    issues[number] = issue:gsub('%%d', number)
  end
  local body = '[' .. table.concat(issues, ',') .. ']'
  local head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: '
  listener:bind('127.0.0.1', 0)
  listener:listen(8, function()
    local peer = (vim.uv or vim.loop).new_tcp()
    listener:accept(peer)
    peer:read_start(function(_, data)
      if not data then return peer:is_closing() or peer:close() end
      local function answer()
        if not peer:is_closing() then peer:write(head .. #body .. '\r\n\r\n' .. body) end
      end
      if is_released then answer() else table.insert(answers, answer) end
    end)
  end)
  local function release()
    is_released = true
    for _, answer in ipairs(answers) do answer() end
  end
  local url = 'http://127.0.0.1:' .. listener:getsockname().port
  return { '--store', 'memory', '--source', 'github:octo/tasks', '--github-url', url }, release, function() listener:close() end
end

local tests = {}

--- Adds a test. If its name begins with numbers, they are those of the checks that it makes.
function M.test(name, run) tests[#tests + 1] = { name, run } end

--- Runs the tests of the file, and ends the Neovim.
function M.run()
  local has_failed = false
  for _, test in ipairs(tests) do
    local ok, err = xpcall(test[2], debug.traceback)
    for _, child in ipairs(M.children) do
      child:stop()
    end
    M.children = {}
    io.stdout:write(ok and 'ok ' or 'FAILED ', test[1], '\n', ok and '' or tostring(err) .. '\n')
    io.stdout:flush()
    has_failed = has_failed or not ok
  end
  vim.cmd(has_failed and 'cquit' or 'qall!')
end

return M
