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
  t.equal({ screen = 'any', action = 'walk', item = 'i2' }, vim.json.decode(sent).params)
end)

t.test('what is typed goes with the base of its form', function()
  local line, text = { name = 'line', label = 'Line', value = 'a' }, { name = 'text', label = 'Text', value = 'b' }
  text.multiline = true
  local other = { name = 'other', label = 'Other', value = 'c', multiline = true, readOnly = true }
  local screen = { name = 'any', title = 'Any', bar = { visible = false }, actions = {} }
  screen.body = { kind = 'form', base = 'b7', fields = { line, text, other } }
  local shown = render({ revision = 5, rendering = { items = { { screen = screen } } } })
  local cmd, log = script({ initialized(false), { shown } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(3, 'b')
  -- The text that is there to be read is beside it, wherever it comes in the form.
  t.equal({ { 'a', '', 'b' }, { 'c' } }, child:lua([[return vim.tbl_map(function(win)
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
  end, vim.api.nvim_tabpage_list_wins(0))]]))
  child:keys('GAx<Esc>')
  local sent = t.wait('the change', function() return vim.fn.filereadable(log) == 1 and vim.fn.readfile(log)[1] end)
  t.equal({ screen = 'any', values = { line = 'a', text = 'bx' }, base = 'b7' }, vim.json.decode(sent).params)
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

--- What the editor draws of the screen in front, in the form of the pictures.
local function picture(child)
  return child:lua([[
    local screen, marks = require('todo.session').front(), vim.api.nvim_create_namespace('todo')
    local picture, message, actions, names, is_text = {}, {}, {}, {}, {}
    for _, action in ipairs(screen.actions) do names[action.title] = action.name end
    for _, field in ipairs(screen.body.fields or {}) do is_text[field.label] = field.multiline end
    local function add(text) table.insert(picture, (text:gsub('%s+$', ''))) end

    -- The title stands in the status line, between a spinner and a message.
    local status = require('todo.view').status()
    add(status:find(screen.title, 1, true) and screen.title or status)

    -- The windows from left to right: more than one for texts that are compared.
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf, labels, complaints = vim.api.nvim_win_get_buf(win), {}, {}
      if vim.wo[win].diff then labels[1] = vim.trim(vim.wo[win].statusline) end
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, marks, 0, -1, { details = true })) do
        if mark[4].virt_text then labels[mark[2] + 1] = mark[4].virt_text[1][1] end
        for _, line in ipairs(mark[4].virt_lines or {}) do
          for _, chunk in ipairs(line) do
            local text, style = unpack(chunk)
            local title = text:match('^%[%S+ (.*)%] $')
            if text:find('^! ') then
              complaints[mark[2] + 1] = text
            elseif style == 'Special' or style == 'Comment' then
              title = names[title] and title or title:match('%S+ (.*)') -- after a command
              table.insert(actions, (style == 'Special' and '[%s]' or '(%s)'):format(names[title]))
            else
              table.insert(message, text)
            end
          end
        end
      end
      local prefix
      for row, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
        local label, is_gap = labels[row], line == '' and is_text[labels[row + 1] or '']
        if is_text[label] then
          add(label .. ':')
          prefix = '| '
        end
        local is_only_title = screen.body.fields and #screen.body.fields == 0 and line == screen.title
        if not is_gap and not is_only_title then add((prefix or label and label .. ': ' or '') .. line) end
        if complaints[row] then add(complaints[row]) end
      end
    end
    if table.concat(message) ~= '' then add(table.concat(message)) end
    add(table.concat(actions, ' '))
    return picture]])
end

--- The renderings of a recorded conversation, whole, each with its picture: what the server says in it today.
local function renderings(file)
  local found, said = {}, nil
  local function finish()
    local ok, message = pcall(vim.json.decode, said or '')
    if ok and message.method == 'workflow/render' then
      found[#found + 1] = { message = said, picture = {} }
    end
    said = nil
  end
  for _, line in ipairs(vim.fn.readfile(file)) do
    if line:match('^<%-%- ') then
      finish()
      said = line:sub(5)
    elseif said and line:match('^[ }%]]') then
      said = said .. line
    else
      finish()
      if line:match('^==') then table.insert(found[#found].picture, (line:sub(4):gsub('%s+$', ''))) end
    end
  end
  return found
end

t.test('every rendering of the recorded conversations is drawn as its picture', function()
  local fixtures, copy, count = vim.fn.fnamemodify(vim.env.TODO_TESTS, ':h:h:h') .. '/Fixtures', vim.fn.tempname(), 0
  vim.fn.system({ 'cp', '-R', fixtures, copy })
  local fifo = vim.fn.tempname()
  vim.fn.system({ 'mkfifo', fifo })
  local pipe = vim.loop.fs_open(fifo, 'r+', 384)
  local answer = vim.json.encode(vim.tbl_extend('force', { jsonrpc = '2.0' }, initialized(false)[1]))
  local child = t.child({ cmd = { 'sh', '-c', 'read -r line; echo "$1"; exec cat "$2"', 'sh', answer, fifo } })
  child:keys(':Todo<CR>')
  for _, file in ipairs(vim.fn.glob(copy .. '/transcripts/*/*.txt', true, true)) do
    -- Most have only the pictures: without this line the replay writes the renderings as well.
    vim.fn.writefile(vim.tbl_filter(function(line)
      return line ~= 'renderings: pictures'
    end, vim.fn.readfile(file)), file)
    vim.fn.system(t.server({ 'replay', file, '--update' }))
    t.equal(0, vim.v.shell_error)
    for _, rendering in ipairs(renderings(file)) do
      vim.loop.fs_write(pipe, rendering.message .. '\n', -1)
      local drawn
      local is_drawn = #rendering.picture == 0 or pcall(t.wait, 'the picture', function()
        drawn = child:lua("return require('todo.session').front() ~= nil") and picture(child)
        return vim.deep_equal(rendering.picture, drawn)
      end)
      local report = { file, rendering, drawn }
      if not is_drawn then error(vim.inspect(report)) end
      count = count + #rendering.picture
    end
  end
  vim.loop.fs_close(pipe)
  t.equal(true, count > 800) -- lines, so that none was lost on the way
end)

t.run()
