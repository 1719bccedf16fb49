-- The states of a text, row by row of the table in Protocol.md, and what is left of it when a server ends.

local t = require('harness')

--- Returns a rendering of a form with a title and a note; `confirm` is the question of the action that saves.
local function form(revision, base, title, note, confirm)
  local save = { name = 'save', title = 'Save', enabled = true, scope = 'screen', role = 'save', primary = true }
  save.confirm = confirm
  local back = { name = 'discard', title = 'Discard', enabled = true, scope = 'screen', role = 'back' }
  local screen = { id = 'edit/1', name = 'edit', title = 'Edit', subject = 'Milk', bar = { visible = false } }
  screen.actions = { save, back }
  screen.body = { kind = 'form', layout = 'text', base = base, fields = {
    { name = 'title', label = 'Title', value = title },
    { name = 'note', label = 'Note', value = note, multiline = true },
  } }
  return { method = 'workflow/render', params = { revision = revision, rendering = { items = { { screen = screen } } } } }
end

local function response(id, outcome, base)
  return { id = id, result = { revision = 9, outcome = outcome, base = base } }
end

--- Opens a text of a fake server, changes the title to "Buy tea", and waits until the server has received the edit.
local function edit(...)
  local cmd, log = t.script({ t.initialized(), { form(1, 'b1', 'Buy milk', 'one\r\ntwo') }, { response(2) }, ... })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(1, 'Buy milk')
  child:keys(':1s/milk/tea<CR>')
  t.sent(log, 'screen/change', 2)
  child:wait('the response', "require('todo.session').acting == 0")
  return child, log
end

local function save(title, base)
  return { screen = 'edit', action = 'save', stay = true, base = base, values = { title = title } }
end

t.test('only the edited field is sent, and a change of line ends alone is not an edit', function()
  local child, log = edit({ response(3, 'stays') })
  t.equal({ screen = 'edit', base = 'b1', open = true, values = { title = 'Buy tea' } }, t.sent(log, 'screen/change', 2))
  child:settle(':%s/\\r//<CR>')
  t.equal({ 'Buy tea', '', 'one', 'two' }, child:lines())
  child:keys(':w<CR>')
  t.equal(save('Buy tea', 'b1'), t.sent(log, 'screen/act', 3))
end)

t.test('a save that is unconfirmed asks about this very text, and is sent again after a yes', function()
  local refusal = { code = -32801, message = 'unconfirmed', data = { reason = 'unconfirmed', revision = 1 } }
  local child, log = edit({ { id = 3, error = refusal } },
    { form(2, 'b1', 'Buy tea', 'one\r\ntwo', 'Really?'), response(4) },
    { form(3, 'b2', 'Buy tea', 'one\r\ntwo'), response(5, 'stays') })
  child:keys(':w<CR>')
  t.equal(save('Buy tea', 'b1'), t.sent(log, 'screen/act', 3))
  t.equal({ title = 'Buy tea' }, t.sent(log, 'screen/change', 4).values)
  child:ask('about the text', 'y')
  t.equal(save('Buy tea', 'b1'), t.sent(log, 'screen/act', 5))
  child:wait_message('todo: saved')
  child:wait('a stored text', 'not vim.bo.modified')
end)

t.test('a save that asks in the same form keeps the text, and takes the base and the other fields', function()
  local child, log = edit({ form(2, 'b2', 'Buy bread', 'three'), response(3, 'asks') },
    { form(3, 'b3', 'Buy tea', 'three'), response(4, 'stays') })
  child:keys(':w<CR>')
  child:wait_message('not saved yet: Edit')
  child:wait('the other field', "vim.fn.getline(3) == 'three'")
  t.equal({ 'Buy tea', true }, { child:lines()[1], child:lua('return vim.bo.modified') })
  child:keys(':w<CR>')
  t.equal(save('Buy tea', 'b2'), t.sent(log, 'screen/act', 4))
  child:wait('a stored text', 'not vim.bo.modified')
end)

--- Starts a save, and types keys before its response. After that, the server sends the rendering, and the response with
--- this outcome and this base.
local function save_and_type(keys, rendering, outcome, base)
  local child, log = edit({ 'go', rendering, response(3, outcome, base) }, { response(4) })
  child:keys(':w<CR>')
  t.sent(log, 'screen/act', 3)
  child:keys('<C-c>')
  child:wait_message('before the answer')
  child:settle(keys)
  vim.fn.writefile({}, log .. '.go')
  return child, log
end

--- Edits the title while it is being saved as version `saved`. Checks that the edit is then sent with `base`.
local function type_while_saving(rendering, saved, base)
  local child, log = save_and_type('A!<Esc>', rendering, 'stays', saved)
  local edits = t.sent(log, 'screen/change', 4)
  t.equal({ base, 'Buy tea!' }, { edits.base, edits.values.title })
  t.equal({ 'Buy tea!', true }, { child:lines()[1], child:lua('return vim.bo.modified') })
  return child
end

t.test('edits made during a save are sent after it, based on the saved text', function()
  local child = type_while_saving(form(2, 'b2', 'Buy tea', 'three'), 'b2', 'b2')
  t.equal({ 'Buy tea!', '', 'three' }, child:lines())
end)

t.test('other ends of lines than the sent ones do not count as a newer text', function()
  local child, log = edit({ 'go', form(2, 'b2', 'Buy tea', 'one\r\ntwo'), response(3, 'stays', 'b2') },
    { response(4) })
  child:settle(':%s/\\r//<CR>')
  child:keys(':w<CR>')
  t.sent(log, 'screen/act', 3)
  child:keys('<C-c>')
  child:wait_message('before the answer')
  child:settle('Gothree<Esc>')
  vim.fn.writefile({}, log .. '.go')
  local edits = t.sent(log, 'screen/change', 4)
  t.equal({ 'b2', { note = 'one\ntwo\nthree' } }, { edits.base, edits.values })
end)

t.test('edits made during a save are not based on a text that is newer than the saved one', function()
  type_while_saving(form(2, 'b3', 'Buy bread', 'one\r\ntwo'), 'b2', 'b2')
  type_while_saving(form(2, 'b3', 'Buy bread', 'one\r\ntwo'), nil, 'b1')
end)

t.test('a text that is edited during a save that asks stays edited beside the comparison', function()
  local rendering, fields = form(2, 'b2', '', ''), {}
  for index, side in ipairs({ 'base', 'mine', 'theirs', 'merged' }) do
    fields[index] = { name = side, label = side, value = side, multiline = true, side = side, readOnly = side ~= 'merged' or nil }
  end
  local screen = rendering.params.rendering.items[1].screen
  screen.id, screen.name, screen.body.layout, screen.body.fields = 'compare/1', 'compare', 'compare', fields
  local child, log = save_and_type('Gothree<Esc>', rendering, 'asks')
  child:wait('the comparison', "vim.fn.bufname():find('compare', 1, true) ~= nil")
  child:settle(':tabfirst<CR>')
  t.equal({ 'Buy tea', '', 'one\r', 'two', 'three' }, child:lines())
  t.equal(true, child:lua('return vim.bo.modified'))
  child:keys(':w<CR>')
  local edits = { title = 'Buy tea', note = 'one\r\ntwo\nthree' }
  t.equal({ screen = 'edit', base = 'b1', open = true, values = edits }, t.sent(log, 'screen/change', 4))
end)

t.test('a form whose way back asks is not left without that', function()
  local rendering = form(1, 'b1', 'Buy milk', '')
  rendering.params.rendering.items[1].screen.actions[2].confirm = 'Discard the draft?'
  local cmd, log = t.script({ t.initialized(), { rendering } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(1, 'Buy milk')
  child:settle(':enew<CR>')
  child:lua("require('todo.session').request('workflow/rendering', vim.empty_dict(), function() end)")
  t.sent(log, 'workflow/rendering', 2)
end)

t.test('drafts: the badge, the message, and their list, whose question names the row', function()
  local row = { id = 'd1', title = 'Buy milk', detail = '12:30', badge = 'draft', tone = 'notice' }
  local screen = { id = 'drafts', name = 'drafts', title = 'Drafts', bar = { visible = false } }
  screen.message = { id = 1, level = 'info', text = 'There is one draft.' }
  screen.body = { kind = 'list', total = 1, offset = 0, items = { row }, empty = 'none' }
  screen.actions = {
    { name = 'open', title = 'Open', enabled = true, scope = 'item', role = 'open', key = 'o', primary = true },
    { name = 'discard', title = 'Discard', enabled = true, scope = 'item', key = 'd', confirm = 'Discard this draft?' },
  }
  local params = { revision = 1, rendering = { items = { { screen = screen } } } }
  local cmd, log = t.script({ t.initialized(), { { method = 'workflow/render', params = params } }, { response(2, 'stays') } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(1, 'Buy milk')
  t.equal('12:30 draft', child:lua([[
    local marks = vim.api.nvim_buf_get_extmarks(0, require('todo.look').marks, 0, -1, { details = true })
    local beside = vim.tbl_filter(function(mark) return mark[4].virt_text end, marks)[1]
    return vim.trim(table.concat(vim.tbl_map(function(chunk) return chunk[1] end, beside[4].virt_text)))]]))
  t.contains(child:status(), 'There is one draft.')
  t.contains(child:hints(), '<CR> open')
  child:keys('d')
  child:ask('whether to discard it', 'y')
  t.equal({ screen = 'drafts', action = 'discard', items = { 'd1' } }, t.sent(log, 'screen/act', 2))
  child:keys('<CR>')
  t.equal({ screen = 'drafts', action = 'open', items = { 'd1' } }, t.sent(log, 'screen/act', 3))
end)

--- Opens a todo of a server with a store, and edits its note.
local function open_todo()
  local args, client, ids = t.store({ title = 'a', note = 'one' })
  local child = t.child({ server = args })
  child:log_in()
  child:wait_line(1, '[ ] a')
  child:keys('gg<CR>')
  child:wait_buffer('todoEdit')
  child:keys('Gomine')
  child:wait_typed('one\nmine')
  child:keys('<Esc>')
  return child, client, ids[1], function() return client.call('getTodo', { id = ids[1] }).todo.note end
end

local function open_comparison()
  local child, client, id, stored = open_todo()
  client.call('editTodo', { id = id, note = 'theirs' })
  child:keys(':w<CR>')
  child:wait_buffer('conflict')
  return child, client, id, stored
end

--- Kills the server, starts another one, logs in, and goes back to the text.
local function restart(child, name)
  local buf = child:lua('return vim.api.nvim_get_current_buf()')
  vim.loop.kill(child:server_pid(), 'sigkill')
  child:wait_message('ended by signal 9')
  child:keys(':Todo restart<CR>')
  child:wait_buffer('welcome')
  child:keys('ggA' .. name .. '<CR>')
  child:ask('for a password', '<CR>')
  child:wait_buffer('todoList')
  child:lua('vim.api.nvim_set_current_win(vim.fn.bufwinid(...)) messages = {}', buf)
end

t.test('a comparison outlives the server before anything is changed in it', function()
  local child, client, _, stored = open_comparison()
  local lines = child:lines()
  restart(child, 'ann')
  t.equal({ lines, true }, { child:lines(), child:lua('return vim.bo.modified') })
  child:keys(':w<CR>')
  child:ask('about the markers', 'y')
  child:wait_message('todo: saved')
  t.equal('<<< mine\none\nmine\n=== theirs\ntheirs\n>>>', stored())
  client.stop()
end)

--- Changes the note of a todo again, and waits until the comparison shows the new note.
local function change_elsewhere(child, client, id)
  client.call('editTodo', { id = id, note = 'newer' })
  child:wait('the change', "require('todo.session').front().body.fields[3].value == 'a\\n\\nnewer'")
end

t.test('a text that is changed elsewhere again while it is compared is overwritten only after a question', function()
  local child, client, id, stored = open_comparison()
  child:keys('ggdGimerged<Esc>')
  child:wait('typed text', "require('todo.session').front().body.fields[4].value == 'merged'")
  change_elsewhere(child, client, id)
  child:keys(':w<CR>')
  child:ask('about the newer text', 'n')
  child:settle('')
  t.equal({ { 'merged' }, 'newer' }, { child:lines(), stored() })
  child:keys(':w<CR>')
  child:ask('about the newer text', 'y')
  child:wait_message('todo: saved')
  t.equal('merged', client.call('getTodo', { id = id }).todo.title)
  client.stop()
end)

t.test('a proposal that was not edited follows a newer text', function()
  local child, client, id, stored = open_comparison()
  change_elsewhere(child, client, id)
  local proposal = '<<< mine\none\nmine\n=== theirs\nnewer\n>>>'
  child:wait('the newer text', ("table.concat(vim.fn.getline(3, '$'), '\\n') == %q"):format(proposal))
  t.equal(true, child:lua('return vim.bo.modified'))
  child:keys(':w<CR>')
  child:ask('about the markers', 'y')
  child:wait_message('todo: saved')
  t.equal(proposal, stored())
  client.stop()
end)

t.test('theirs is taken in the version of the question', function()
  local child, client, id, stored = open_comparison()
  child:keys('ggdGimerged<Esc>')
  child:wait('typed text', "require('todo.session').front().body.fields[4].value == 'merged'")
  change_elsewhere(child, client, id)
  child:keys('\\t')
  child:ask('whether to take theirs', 'y')
  child:wait_buffer('todoList')
  t.equal('newer', stored())
  client.stop()
end)

t.test('theirs is taken from the window of its side, and nothing is left behind', function()
  local child, client, _, stored = open_comparison()
  child:keys('<C-w>l\\t')
  child:ask('whether to take theirs', 'y')
  child:wait_buffer('todoList')
  t.equal({ 'theirs', 0 }, { stored(), child:lua([[return #vim.tbl_filter(function(buf)
    return vim.fn.bufname(buf):find('conflict', 1, true)
  end, vim.api.nvim_list_bufs())]]) })
  client.stop()
end)

t.test('a text of another user is refused, and stays', function()
  local child, client, _, stored = open_todo()
  restart(child, 'bob')
  child:keys(':w<CR>')
  child:wait_message('This text is of another user. Log in as that user to save it.')
  t.equal({ { 'a', '', 'one', 'mine' }, true, 'one' }, { child:lines(), child:lua('return vim.bo.modified'), stored() })
  client.stop()
end)

t.test('a text whose screen is gone for another reason stays, and is saved', function()
  local child, client, _, stored = open_todo()
  restart(child, 'ann')
  t.equal({ 'a', '', 'one', 'mine' }, child:lines())
  -- Its form is opened again for the next key in it, and not before.
  t.equal('todoList', child:lua("return require('todo.session').front().name"))
  child:keys('A,')
  child:wait_typed('one\nmine,')
  child:settle('<Esc>u')
  child:wait_typed('one\nmine')
  child:keys(':w<CR>')
  child:wait_message('todo: saved')
  child:keys('Gomore<Esc>')
  child:save()
  t.equal('one\nmine\nmore', stored())
  client.stop()
end)

t.run()
