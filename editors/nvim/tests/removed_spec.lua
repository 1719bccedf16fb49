-- Todos that another client removed.

local t = require('harness')

t.test('a todo that another client removed comes back with R, the cursor and Enter', function()
  local args, client, ids = t.store({ title = 'c' }, { title = 'b', note = 'kept' }, { title = 'a' })
  local child = t.child({ server = args })
  child:log_in()
  child:wait_line(2, '[ ] b')
  child:elsewhere('removeTodo', { id = ids[3] })
  child:elsewhere('removeTodo', { id = ids[2] })
  child:wait('the removals', "vim.fn.getline(1) == '[ ] c' and vim.fn.line('$') == 1")
  child:keys('R')
  child:wait('the removed todos', "vim.fn.getline(1) == 'b' and vim.fn.getline(2) == 'a'")
  child:keys('gg<CR>')
  child:wait('the other one', "vim.fn.getline(1) == 'a' and vim.fn.line('$') == 1")
  child:keys('-')
  child:wait_line(1, '[ ] b')
  t.equal('kept', client.call('getTodo', { id = ids[2] }).todo.note)
  client.stop()
end)

--- Runs `removals.py`, and returns its output.
local function removals(...)
  local output, code = t.system({ 'python3', vim.env.TODO_TESTS .. '/../../../Tests/LanguageServer/removals.py', ... })
  if code ~= 0 then error(output, 2) end
  return output
end

--- Returns an expression for whether the buffer contains a line.
local function has(line) return ("vim.tbl_contains(vim.fn.getline(1, '$'), %q)"):format(line) end

--- Removes one todo in each of `ways` (see `removals.py`) while a Neovim is open. Checks that each
--- of them can be restored with its ID and its note.
local function check_restored(options, ways)
  removals('prepare', unpack(options))
  local child = t.child({ server = options })
  child:log_in()
  for _, way in ipairs(ways) do
    local title = 'By ' .. way
    child:wait(title, has('[ ] ' .. title))
    local before = removals('remove', way, unpack(options))
    child:wait('the end of ' .. title, 'not ' .. has('[ ] ' .. title))
    child:keys('R')
    child:wait_line(1, title)
    child:keys('<CR>')
    if way == 'closing' then child:ask('whether to open it again', 'y') end
    child:wait('the row to go', 'not ' .. has(title))
    child:keys('-')
    child:wait(title, has('[ ] ' .. title))
    t.equal(before, removals('find', way, unpack(options)))
  end
end

t.test('a todo that a script, an assistant, a mirror or a language client removed comes back', function()
  local options = { '--store', 'sqlite:' .. vim.fn.tempname() .. '.sqlite' }
  check_restored(options, { 'script', 'assistant', 'mirror', 'language client' })
end)

t.test('a todo that was removed at the source comes back', function()
  local url = ''
  local github = vim.fn.jobstart(
    { 'python3', vim.env.TODO_TESTS .. '/../../../Tests/LanguageServer/removals.py', 'issues' },
    { on_stdout = function(_, pieces) url = url .. table.concat(pieces) end }
  )
  t.wait('the URL', function() return url:find(':%d+$') end)
  local options = { '--store', 'sqlite:' .. vim.fn.tempname() .. '.sqlite', '--sync', 'manual' }
  vim.list_extend(options, { '--source', 'github:o/r', '--github-url', url })
  check_restored(options, { 'closing', 'deletion' })
  vim.fn.jobstop(github)
end)

t.test('a text is stored while the agenda is in front, and its save is refused in words below removed todos', function()
  local args, client, ids = t.store({ title = 'Milk' })
  local child = t.child({ server = args })
  child:log_in()
  child:keys('<CR>')
  child:wait_buffer('todoEdit')
  child:settle('A now<Esc>')
  child:keys(':Todo restart<CR>')
  child:wait_buffer('welcome')
  child:keys('Aann<CR>')
  child:ask('for a password', '<CR>')
  child:wait_buffer('todoList')
  child:keys(':Todo removed<CR>')
  child:wait_buffer('removed')
  child:keys('<C-w>w')
  child:wait_buffer('todoEdit')
  child:keys(':w<CR>')
  child:wait_message('The list of this text is not on the screen now.')
  t.equal(true, child:lua('return vim.bo.modified'))
  t.equal('Milk', client.call('getTodo', { id = ids[1] }).todo.title)
  child:keys('<C-w>w-')
  child:wait_buffer('todoList')
  child:keys(':Todo agenda<CR>')
  child:wait_buffer('agenda')
  child:keys('<C-w>w')
  child:wait_buffer('todoEdit')
  child:save()
  t.equal('Milk now', client.call('getTodo', { id = ids[1] }).todo.title)
  client.stop()
end)

t.run()
