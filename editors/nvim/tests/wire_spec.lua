-- Patches, windows, long lists, and the pictures of the recorded conversations.

local t = require('harness')

t.test('patch: add, remove and replace of RFC 6902; what is unknown or does not fit is an error', function()
  local patch = require('todo.patch')
  local function apply(document, ...) return patch.apply(vim.deepcopy(document), { ... }) end
  local d = { a = { 1, 3 }, ['x/y~z'] = { b = 'q' }, empty = {} }
  t.equal({ 1, 2, 3 }, apply(d, { op = 'add', path = '/a/1', value = 2 }).a)
  t.equal({ 1, 3, 4 }, apply(d, { op = 'add', path = '/a/-', value = 4 }).a)
  t.equal({ 5 }, apply(d, { op = 'add', path = '/empty/0', value = 5 }).empty)
  t.equal({ n = 5 }, apply(d, { op = 'add', path = '/empty/n', value = 5 }).empty)
  t.equal({ 3 }, apply(d, { op = 'remove', path = '/a/0' }).a)
  t.equal({ b = false }, apply(d, { op = 'replace', path = '/x~1y~0z/b', value = false })['x/y~z'])
  t.equal({ 'new' }, apply(d, { op = 'replace', path = '', value = { 'new' } }))
  for _, operation in ipairs({
    { op = 'remove', path = '/a/2' },
    { op = 'remove', path = '/nothing' },
    { op = 'replace', path = '/nothing/else', value = 1 },
    { op = 'add', path = '/a/3', value = 1 },
    { op = 'add', path = '/a/first', value = 1 },
    { op = 'add', path = 'a', value = 1 },
    { op = 'move', from = '/a/0', path = '/a/1' },
  }) do
    t.equal(false, (pcall(apply, d, operation)))
  end
end)

--- A server of prepared lines: after each line that it reads it says the next ones.
local function script(answers)
  local lines = {}
  for _, answer in ipairs(answers) do
    lines[#lines + 1] = 'read -r line'
    for _, message in ipairs(answer) do
      message.jsonrpc = '2.0'
      lines[#lines + 1] = "cat <<'END'\n" .. vim.json.encode(message) .. '\nEND'
    end
  end
  lines[#lines + 1] = 'cat >"$1"'
  local log = vim.fn.tempname()
  return { 'sh', '-c', table.concat(lines, '\n'), 'sh', log }, log
end

local function initialized(window)
  local capabilities = { render = { patch = true, window = window } }
  return { { id = 1, result = { protocolVersion = 1, capabilities = capabilities } } }
end

local function rendering(first, count, total)
  local items = {}
  for row = first, first + count - 1 do
    items[#items + 1] = { id = 'i' .. row, title = 'row ' .. row }
  end
  local action = { name = 'walk', title = 'Walk', enabled = true, scope = 'item' }
  local screen = { name = 'any', title = 'Any', bar = { visible = false }, actions = { action } }
  screen.body = { kind = 'list', total = total, offset = first - 1, items = items, empty = 'none' }
  return { items = { { screen = screen } } }
end

local function render(params) return { method = 'workflow/render', params = params } end

t.test('patches change the screen; one that does not fit asks for the whole', function()
  local function replace(index, title)
    return { { op = 'replace', path = ('/items/0/screen/body/items/%d/title'):format(index), value = title } }
  end
  local child = t.child({ cmd = script({
    initialized(false),
    {
      render({ revision = 1, rendering = rendering(1, 2, 2) }),
      render({ revision = 2, base = 1, patch = replace(1, 'patched') }),
      render({ revision = 4, base = 3, patch = replace(0, 'wrong') }),
    },
    { { id = 2, result = { revision = 9, rendering = rendering(1, 3, 3) } } },
  }) })
  child:lua([[seen = {}
    vim.api.nvim_create_autocmd('User', { pattern = 'TodoRender', callback = function()
      table.insert(seen, table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '|'))
    end })]])
  child:keys(':Todo<CR>')
  child:wait_line(3, 'row 3')
  t.equal({ 'row 1|row 2', 'row 1|patched', 'row 1|row 2|row 3' }, child:lua('return seen'))
end)

t.test('a screen that nobody has ever seen is drawn, and its action has a key', function()
  local cmd, log = script({ initialized(false), { render({ revision = 1, rendering = rendering(1, 2, 2) }) } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(2, 'row 2')
  child:wait_below('[<CR> Walk]')
  child:keys('2G<CR>')
  local sent = t.wait('the action', function() return vim.fn.filereadable(log) == 1 and vim.fn.readfile(log)[1] end)
  t.equal({ screen = 'any', action = 'walk', item = 'i2', revision = 1 }, vim.json.decode(sent).params)
end)

t.test('28 of a long list the rows that are looked at are asked for', function()
  local cmd, log = script({
    initialized(true),
    { render({ revision = 1, rendering = rendering(1, 1000, 100000) }) },
    { render({ revision = 2, rendering = rendering(99001, 1000, 100000) }), { id = 2, result = { revision = 2 } } },
  })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(1, 'row 1')
  t.equal(100000, child:lua("return vim.fn.line('$')"))
  child:keys('G')
  child:wait_line(100000, 'row 100000')
  t.equal(100000, child:lua("return vim.fn.line('.')"))
  child:keys('gg')
  local sent = t.wait('the window', function() return vim.fn.filereadable(log) == 1 and vim.fn.readfile(log)[1] end)
  local call = vim.json.decode(sent)
  t.equal({ 'screen/window', { screen = 'any', offset = 0, limit = 1000 } }, { call.method, call.params })
end)

t.test('28 of a list of 100,000 the rows looked at are drawn within a second, and the cursor stays', function()
  local args, stop = t.source(100000, 0)
  local child = t.child({ server = args })
  -- The time of the processor is measured, which does not depend on what else the machine does.
  child:lua([[local view = require('todo.view')
    local draw = view.draw
    longest = 0
    view.draw = function()
      local start = os.clock()
      draw()
      longest = math.max(longest, os.clock() - start)
    end
    function body() return require('todo.session').front().body end]])
  child:log_in()
  child:wait('all rows', "vim.fn.line('$') == 100000")
  t.equal({ 100000, 1000 }, child:lua('return { body().total, #body().items }'))
  child:keys('50000G')
  child:wait('the rows in the middle', "vim.fn.getline('.'):find('^%[ %] Issue %d+') ~= nil")
  t.equal(1000, child:lua('return #body().items'))
  local line = child:lua("return vim.fn.getline('.')")
  child:elsewhere('addTodo', { title = 'new' })
  child:wait('one more row', "vim.fn.line('$') == 100001")
  t.equal({ 50001, line }, child:lua("return { vim.fn.line('.'), vim.fn.getline('.') }"))
  child:keys('gg')
  child:wait('the first row', "vim.fn.getline(1):find('^%[ %] new') ~= nil")
  if child:lua('return longest') > 1 then error(('a drawing took %.1f s'):format(child:lua('return longest'))) end
  stop()
end)

--- A recorded screen as the pictures have it, from what stands in the buffers and below them.
local function picture(child)
  return child:lua([[
    local session, screens = require('todo.session'), require('todo.screen')
    local screen = session.front()
    local lines, below, marks = { screen.title }, {}, vim.api.nvim_create_namespace('todo')
    local status = require('todo.view').status()
    assert(status:find(screen.title, 1, true), status)
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      if vim.fn.bufname(buf):find('^todo://' .. screen.name) and vim.api.nvim_buf_is_loaded(buf) then
        if screen.body.kind ~= 'form' or #screen.body.fields > 0 then
          vim.list_extend(lines, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
        end
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, marks, 0, -1, { details = true })) do
          for _, line in ipairs(mark[4].virt_lines or {}) do
            table.insert(below, table.concat(vim.tbl_map(function(chunk) return chunk[1] end, line)))
          end
        end
      end
    end
    return { lines, table.concat(below, ' ') }]])
end

--- What the picture says, piece by piece: texts that have to stand in the lines, and texts that stand below them.
local function check_picture(wanted, drawn, actions)
  local lines, below = drawn[1], drawn[2]:gsub('%s+', ' ')
  local all = table.concat(lines, '\n')
  for row, line in ipairs(wanted) do
    local text = line:gsub('^| ?', '')
    if row == #wanted then
      for name in text:gmatch('[%[%(](%w+)[%]%)]') do
        t.contains(below, actions[name])
      end
    elseif line:match('^! ') or line:match('^info: ') or line:match('^warning: ') or line:match('^error: ') then
      t.contains(below, (line:gsub('%s+', ' ')))
    elseif all:find(text, 1, true) == nil and text:match('^[%w ]+:') then
      t.contains(all, (text:gsub('^[%w ]+: ?', ''))) -- the label of a title or a text, which is a document here
    else
      t.contains(all, text)
    end
  end
end

--- The conversation in a file: what is said, each with the picture that stands before the next thing is said.
local function conversation(file)
  local steps, picture_lines = {}, nil
  for _, line in ipairs(vim.fn.readfile(file)) do
    local said, shown = line:match('^%-%-> (.*)'), line:match('^== ?(.*)')
    if line:match('^~~>') or line:match('^source') or line:match('^%-%-> %[') then return {} end
    if said then
      steps[#steps + 1] = { text = said }
    elseif shown and #steps > 0 then
      local is_next = picture_lines
      picture_lines = is_next or {}
      table.insert(picture_lines, shown)
      steps[#steps].picture = picture_lines
    elseif line:match('^  ') and #steps > 0 and not steps[#steps].is_said then
      steps[#steps].text = steps[#steps].text .. line
    end
    if #steps > 0 and not said and not line:match('^  ') then steps[#steps].is_said = true end
    if not shown then picture_lines = nil end
  end
  return steps
end

--- Says one thing over the connection of the editor, and learns the ids of new todos in its order.
local function say(child, text, ids)
  for number, id in ipairs(ids) do
    text = text:gsub('"t' .. number .. '"', '"' .. id .. '"')
  end
  local ok, message = pcall(vim.json.decode, text)
  if not ok or type(message.method) ~= 'string' then return true end
  local is_own = message.method:match('^initialize') or message.method:match('^%$/') or message.method == 'exit'
  if is_own then return true end
  if message.method == 'shutdown' then return false end
  child:lua([[local m, p = ...
    answered = nil
    require('todo.session').request(m, p, function(_, result)
      local front = require('todo.session').front()
      answered = vim.tbl_map(function(item) return item.id end, front.body.items or {})
      table.insert(answered, vim.tbl_get(result or {}, 'todo', 'id'))
    end)]], message.method, message.params ~= vim.NIL and message.params or nil)
  child:wait('the answer to ' .. text, 'answered ~= nil')
  for _, id in ipairs(child:lua('return answered')) do
    if not vim.tbl_contains(ids, id) then table.insert(ids, id) end
  end
  return true
end

t.test('the recorded conversations are drawn as their pictures have it', function()
  local folder, count = vim.fn.fnamemodify(vim.env.TODO_TESTS, ':h:h:h') .. '/Fixtures/transcripts', 0
  for _, file in ipairs(vim.fn.glob(folder .. '/*/*.txt', true, true)) do
    -- Those about the protocol itself are no conversation of an editor.
    local steps, ids = file:find('/protocol/', 1, true) and {} or conversation(file), {}
    local child = #steps > 0 and t.child()
    if child then child:open() end
    for _, step in ipairs(steps) do
      if not say(child, step.text, ids) then break end
      if step.picture then
        local ok, err
        local function is_drawn()
          local actions = child:lua([[local titles = {}
            for _, action in ipairs(require('todo.session').front().actions) do titles[action.name] = action.title end
            return titles]])
          ok, err = pcall(function() check_picture(step.picture, picture(child), actions) end)
          return ok
        end
        local is_done, why = pcall(t.wait, 'picture', is_drawn)
        if not is_done then error(('%s: %s\n%s'):format(file, step.text, err or why)) end
        count = count + 1
      end
    end
    if child then child:stop() end
  end
  io.stdout:write(count, ' pictures\n')
  t.equal(true, count > 20)
end)

t.run()
