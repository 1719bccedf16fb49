-- Servers that are missing, slow, broken or killed.

local t = require('harness')

local function edit()
  local args, client, ids = t.store({ title = 'a', note = 'one' })
  local child = t.child({ server = args })
  child:log_in()
  child:wait_line(1, '[ ] a')
  child:keys('gg<CR>')
  child:wait_buffer('todoEdit')
  return child, client, ids
end

local function kill(pid, signal) (vim.uv or vim.loop).kill(pid, signal) end

t.test('23 a killed server is one clear line; unsaved text stays, and actions say that nothing runs', function()
  local child, client = edit()
  child:keys('Gomine<Esc>')
  child:wait('typed text', 'vim.bo.modified')
  kill(child:server_pid(), 'sigkill')
  child:wait_message('the server was ended by signal 9. :Todo restart')
  t.contains(child:status(), 'was ended by signal 9')
  t.equal({ 'a', '', 'one', 'mine' }, child:lines())
  child:keys(':w<CR>')
  child:wait_message('the server is not running')
  t.equal(true, child:lua('return vim.bo.modified'))
  child:keys(':Todo<CR>')
  child:wait('two lines of it', "#vim.tbl_filter(function(m) return m:find('not running') end, messages) == 2")
  t.equal(nil, child:messages():find('traceback', 1, true))
  client.stop()
end)

t.test('24 restart works, twice, and keeps unsaved text in its buffer', function()
  local child, client = edit()
  child:keys('Gomine<Esc>')
  child:wait('typed text', 'vim.bo.modified')
  local buf = child:lua('return vim.api.nvim_get_current_buf()')
  for _ = 1, 2 do
    kill(child:server_pid(), 'sigkill')
    child:wait_message('was ended by signal 9')
    child:lua('messages = {}')
    child:keys(':Todo restart<CR>')
    child:wait_buffer('welcome')
  end
  t.equal({ 'a', '', 'one', 'mine' }, child:lua('return vim.api.nvim_buf_get_lines(..., 0, -1, false)', buf))
  t.equal(true, child:lua('return vim.bo[...].modified', buf))
  child:wait('the new server', "require('todo.session').front() ~= nil")
  child:keys('ggAann<CR>')
  child:ask('for a password', '<CR>')
  child:wait_line(1, '[ ] a')
  child:keys('<CR>')
  child:wait_line(3, 'one')
  client.stop()
end)

t.test('25 a missing server, one that is not executable, and one that ends at once are one line', function()
  local file = vim.fn.tempname()
  vim.fn.writefile({ 'text' }, file)
  for _, case in ipairs({
    { { '/no/such' }, 'cannot run "/no/such": missing or not executable' },
    { { 'no-such-program' }, 'cannot run "no-such-program": missing' },
    { { file }, 'cannot run "/' }, -- a long path is cut out of the middle of the line
    { { 'sh', '-c', 'echo a sentence >&2; exit 3' }, 'ended with exit code 3: a sentence' },
    { t.server({ '--store', 'nonsense' }), 'exit code 64: ' },
    { t.server({ '--store', 'sqlite:/dev/null/x' }), '/dev/null' },
  }) do
    local child = t.child({ cmd = case[1] })
    child:keys(':Todo<CR>')
    child:wait_message(case[2])
    -- A server that takes longer than 300 ms to fail has a message about that, too.
    local messages = vim.tbl_filter(function(text)
      return not text:find('has not answered yet', 1, true)
    end, child:lua('return messages'))
    t.equal(1, #messages)
    child:keys('istill usable<Esc>')
    child:wait_line(1, 'still usable')
    child:stop()
  end
end)

t.test('25 the line of a crash is in the messages as a whole', function()
  local line = 'todo-server crashed: SIGSEGV. ' .. ('Send this line. '):rep(30) .. 'frames 1a2b'
  local child = t.child({ cmd = { 'sh', '-c', ('echo "%s" >&2; kill -SEGV $$'):format(line) } })
  child:keys(':Todo<CR>')
  child:wait_message('was ended by signal 11')
  t.contains(child:lua("return vim.fn.execute('messages')"), line)
  t.equal(1, #child:lua('return messages'))
  child:keys('istill usable<Esc>')
  child:wait_line(1, 'still usable')
end)

t.test('27 while the server does not answer, typing works and saving reports a timeout', function()
  local child, client, ids = edit()
  local pid = child:server_pid()
  -- SIGSTOP takes effect after kill() has returned.
  kill(pid, 'sigstop')
  t.wait('a server that stands still', function()
    return table.concat(vim.fn.readfile('/proc/' .. pid .. '/stat')):match('%) T ') ~= nil
  end)
  child:settle('Gomine<Esc>')
  t.equal('mine', child:lines()[4])
  child:settle(':w<CR>')
  t.contains(child:messages(), 'no answer within 5 s')
  t.equal({ true, 'todo://todoEdit' }, { child:lua('return vim.bo.modified'), child:buffer():match('^todo://%w+') })
  child:settle('Gotyped since<Esc>')
  kill(pid, 'sigcont')
  t.wait('the late save', function() return client.call('getTodo', { id = ids[1] }).todo.note == 'one\nmine' end)
  child:wait_message('todo: saved')
  child:wait_buffer('todoEdit')
  t.equal({ { 'a', '', 'one', 'mine', 'typed since' } }, child:lua([[
    local modified = vim.tbl_filter(function(buf) return vim.bo[buf].modified end, vim.api.nvim_list_bufs())
    return vim.tbl_map(function(buf) return vim.api.nvim_buf_get_lines(buf, 0, -1, false) end, modified)]]))
  client.stop()
end)

t.test('26 no server outlives its editor, however that ends', function()
  for _, signal in ipairs({ 'quit', 'sighup', 'sigterm', 'sigkill' }) do
    local child = t.child()
    child:log_in()
    local editor, server = child:pid(), child:server_pid()
    t.equal(true, t.is_running(server))
    if signal == 'quit' then vim.fn.rpcnotify(child.channel, 'nvim_command', 'qall!') else kill(editor, signal) end
    t.wait('the end of both after ' .. signal, function()
      return not t.is_running(editor) and not t.is_running(server)
    end)
  end
end)

t.test('26 a server that is stopped by the user ends', function()
  local child = t.child()
  child:open()
  local server = child:server_pid()
  child:keys(':Todo stop<CR>')
  t.wait('its end', function() return not t.is_running(server) end)
  t.contains(child:status(), 'stopped')
  child:keys(':Todo<CR>')
  child:wait('a new one', "require('todo.session').status == 'running'")
end)

t.run()
