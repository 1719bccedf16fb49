-- Windows, long lists, unknown screens, and the pictures of the recorded conversations.

local t = require('harness')

local function rendering(first, count, total)
  local items = {}
  for row = first, first + count - 1 do
    items[#items + 1] = { id = 'i' .. row, title = 'row ' .. row }
  end
  local action = { name = 'walk', title = 'Walk', enabled = true, scope = 'item' }
  local screen = { id = 'any', name = 'any', title = 'Any', bar = { visible = false }, actions = { action } }
  screen.body = { kind = 'list', total = total, offset = first - 1, items = items, empty = 'none' }
  return { items = { { screen = screen } } }
end

local function render(params) return { method = 'workflow/render', params = params } end

t.test('a screen of a later server is drawn, and its action has a key', function()
  local cmd, log = t.script({ t.initialized(false), { render({ revision = 1, rendering = rendering(1, 2, 2) }) } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(2, 'row 2')
  t.contains(child:hints(), '<CR> walk')
  child:keys('2G<CR>')
  t.equal({ screen = 'any', action = 'walk', items = { 'i2' } }, t.sent(log, 'screen/act', 2))
end)

t.test('edits are sent with the base of their form', function()
  local line, text = { name = 'line', label = 'Line', value = 'a' }, { name = 'text', label = 'Text', value = 'b' }
  text.multiline = true
  local other = { name = 'other', label = 'Other', value = 'c', multiline = true, readOnly = true }
  other.side = 'theirs'
  local screen = { id = 'any', name = 'any', title = 'Any', bar = { visible = false }, actions = {} }
  screen.body = { kind = 'form', base = 'b7', fields = { line, text, other } }
  local shown = render({ revision = 5, rendering = { items = { { screen = screen } } } })
  local cmd, log = t.script({ t.initialized(false), { shown } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(3, 'b')
  -- The read-only text is above it, wherever it comes in the form.
  t.equal({ { 'c' }, { 'a', '', 'b' } }, child:lua([[return vim.tbl_map(function(win)
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
  end, vim.api.nvim_tabpage_list_wins(0))]]))
  child:keys('GAx<Esc>')
  t.equal({ screen = 'any', values = { text = 'bx' }, base = 'b7', open = true }, t.sent(log, 'screen/change', 2))
end)

t.test('28 the visible rows of a long list are requested', function()
  local cmd, log = t.script({
    t.initialized(true),
    { render({ revision = 1, rendering = rendering(1, 500, 100000) }) },
    { render({ revision = 2, rendering = rendering(99501, 500, 100000) }), { id = 2, result = { revision = 2 } } },
  })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(1, 'row 1')
  t.equal(100000, child:lua("return vim.fn.line('$')"))
  child:keys('G')
  child:wait_line(100000, 'row 100000')
  t.equal(100000, child:lua("return vim.fn.line('.')"))
  child:keys('gg')
  t.equal({ screen = 'any', offset = 0, limit = 500 }, t.sent(log, 'screen/window', 3))
end)

t.test('28 a list of 100,000 draws the rows in the window, and the cursor stays on its row', function()
  local lines, file = { '{"format":"todo-server","version":1}' }, vim.fn.tempname()
  for number = 1, 100000 do
    lines[#lines + 1] = ('{"title":"Issue %d"}'):format(number)
  end
  vim.fn.writefile(lines, file)
  local args = { '--store', 'sqlite:' .. file .. '.sqlite' }
  local import = t.server({ 'import', '--name', 'ann', unpack(args) })
  t.equal(0, select(2, t.system(import, '<' .. vim.fn.shellescape(file))))
  local child = t.child({ server = args })
  child:lua([[function body() return require('todo.session').front().body end]])
  child:log_in()
  child:wait('all rows', "vim.fn.line('$') == 100000")
  t.equal({ 100000, 500 }, child:lua('return { body().total, #body().items }'))
  child:keys('50000G')
  child:wait('the rows in the middle', "vim.fn.getline('.'):find('^%[ %] Issue %d+') ~= nil")
  t.equal(500, child:lua('return #body().items'))
  local line = child:lua("return vim.fn.getline('.')")
  child:elsewhere('addTodo', { title = 'new' })
  child:wait('one more row', "vim.fn.line('$') == 100001")
  t.equal({ 50001, line }, child:lua("return { vim.fn.line('.'), vim.fn.getline('.') }"))
  child:keys('gg')
  child:wait('the first row', "vim.fn.getline(1):find('^%[ %] new') ~= nil")
end)

t.test('28 rows that are passed while others are on their way are not requested', function()
  local cmd, log = t.script({
    t.initialized(true),
    { render({ revision = 1, rendering = rendering(1, 500, 100000) }) },
    { render({ revision = 2, rendering = rendering(19750, 500, 100000) }), { id = 2, result = { revision = 2 } } },
    { render({ revision = 3, rendering = rendering(49750, 500, 100000) }), { id = 3, result = { revision = 3 } } },
  })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(1, 'row 1')
  child:lua([[for row = 20000, 50000, 10000 do
    vim.cmd('normal! ' .. row .. 'G')
    vim.api.nvim_exec_autocmds('CursorMoved', { buffer = 0 })
  end]])
  child:wait_line(50000, 'row 50000')
  for id, row in pairs({ [2] = 20000, [3] = 50000 }) do
    local offset = t.sent(log, 'screen/window', id).offset
    t.equal(true, offset < row and row < offset + 500)
  end
end)

--- Returns the front screen as Neovim draws it, in the format of the pictures in transcripts.
local function picture(child)
  return child:lua([[
    local screen, look = require('todo.session').front(), require('todo.look')
    local picture, label_of, sides = {}, {}, {}
    for _, field in ipairs(screen.body.fields or {}) do label_of[field.label] = field end
    local function add(text) table.insert(picture, (text:gsub('%s+$', ''))) end
    local view = require('todo.session').find_view(screen)
    if not view or #vim.fn.win_findbuf(view.buf) == 0 then return 'not shown' end

    local session = require('todo.session')
    local fit = session.fit
    session.fit = function(text) return text end -- as wide as it takes

    -- The title is in a bar, between a spinner and the sign of a change.
    local title = vim.api.nvim_win_call(vim.fn.win_findbuf(view.buf)[1], look.title)
    local is_side = label_of[title:gsub(' %[%+%]$', '')]
    add((is_side or title:find(screen.title, 1, true)) and screen.title or title)

    -- The base is shown on demand.
    if require('todo.screen').before(screen) then look.before(view) end

    -- The windows: more than one for texts that are compared, each with its name.
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local name = vim.api.nvim_win_call(win, look.title):gsub(' %[%+%]$', '')
      local text = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
      if vim.wo[win].diff then sides[name] = text end
      if vim.api.nvim_win_get_config(win).relative ~= '' then
        sides[table.remove(text, 1)] = #text > 1 and vim.list_slice(text, 2) or { '' }
        vim.api.nvim_win_close(win, true)
      end
    end
    local lines, row = vim.api.nvim_buf_get_lines(view.buf, 0, -1, false), 1
    local above, below, right = {}, {}, {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(view.buf, look.marks, 0, -1, { details = true })) do
      for _, line in ipairs(mark[4].virt_lines or {}) do
        (mark[4].virt_lines_above and above or below)[mark[2] + 1] = line[1][1]
      end
      -- What is before the facts, such as the sign of a note, is in no picture.
      for _, chunk in ipairs(vim.list_slice(mark[4].virt_text or {}, 2)) do
        local text = vim.trim(chunk[1])
        right[mark[2] + 1] = (right[mark[2] + 1] or '') .. (text == '' and '' or ' · ' .. text)
      end
    end
    local function add_text(label, text)
      add(label .. ':')
      for _, line in ipairs(text) do add('| ' .. line) end
    end
    local is_text, is_page = view.is_text, not view.is_text and #(screen.body.fields or {}) > 0
    for _, field in ipairs(is_text and screen.body.fields or {}) do
      if next(sides) then
        add_text(field.label, sides[field.label] or { 'no side of that name' })
        if not field.readOnly and below[#lines] then add(below[#lines]) end
      elseif field.multiline then
        add_text(above[row + 1] or above[row] or 'no heading', vim.list_slice(lines, row == 1 and 1 or row + 1))
        if below[#lines] then add(below[#lines]) end
      else
        add((above[row] or 'no heading') .. ': ' .. lines[row])
        if below[row] then add(below[row]) end
        row = row + 1
      end
    end
    for number, line in ipairs(is_text and {} or lines) do
      local is_only_title = screen.body.kind == 'form' and not is_page
      -- The editor shows nothing for a password that was not typed into it.
      local field = is_page and screen.body.fields[number]
      if field and field.secret and line == field.label .. ': ' then line = line .. '***' end
      line = line:gsub(' [█░]+ ', ' ')
      if screen.body.kind == 'list' and above[number] then add('# ' .. above[number]) end
      -- A picture has the rows that were sent.
      if not is_only_title and (line ~= '' or screen.body.kind ~= 'list') then add(line .. (right[number] or '')) end
      if below[number] then add(below[number]) end
    end
    if screen.message then
      local news = vim.api.nvim_win_call(vim.fn.win_findbuf(view.buf)[1], look.news)
      add(news:find(screen.message.text, 1, true) == 1 and screen.message.level .. ': ' .. screen.message.text or news)
    end
    local actions = {}
    for _, action in ipairs(screen.actions) do
      local name = view.keys[action.name] and action.name or 'no key for ' .. action.name
      table.insert(actions, (action.enabled and '[%s]' or '(%s)'):format(name))
    end
    add(table.concat(actions, ' '))
    session.fit = fit
    return picture]])
end

--- Returns the renderings in the transcript of a conversation, each as a whole message with its picture. The tests
--- update the transcripts first, so the messages are those that the server sends today.
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
  t.system({ 'cp', '-R', fixtures, copy })
  local fifo = vim.fn.tempname()
  t.system({ 'mkfifo', fifo })
  local pipe = vim.loop.fs_open(fifo, 'r+', 384)
  local answer = vim.json.encode(vim.tbl_extend('force', { jsonrpc = '2.0' }, t.initialized(false)[1]))
  local child = t.child({ cmd = { 'sh', '-c', 'read -r line; echo "$1"; exec cat "$2"', 'sh', answer, fifo } })
  vim.fn.jobresize(child.job, 99, 24) -- all rows have room
  child:keys(':Todo<CR>')
  local files = vim.fn.glob(copy .. '/transcripts/*/*.txt', true, true)
  for _, file in ipairs(files) do
    -- Most have only the pictures: without this line the replay writes the renderings as well.
    vim.fn.writefile(vim.tbl_filter(function(line)
      return line ~= 'renderings: pictures'
    end, vim.fn.readfile(file)), file)
  end
  t.equal(0, select(2, t.system(t.server(vim.list_extend({ 'replay', '--update' }, files)))))
  for _, file in ipairs(files) do
    for _, rendering in ipairs(renderings(file)) do
      -- The user of the recorded conversation types elsewhere: here nothing is unsaved.
      child:lua([[for _, view in pairs(require('todo.session').views) do
        view.loaded, view.sent = require('todo.text').values(view), {}
      end]])
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
