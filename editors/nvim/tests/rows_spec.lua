-- Actions on several rows: counts, selections and repetition, with real keys. Needs tmux.

local t = require('harness')
local terminal = require('terminal')

local function at_rows(...)
  local term = terminal()
  term:log_in()
  for _, title in ipairs({ ... }) do
    term:keys('a')
    term:wait('\nTitle:\n')
    term:keys(title, 'Enter')
    term:wait('[ ] ' .. title)
  end
  term:keys('gg')
  return term
end

--- Waits for the rows, from the top.
local function wait_rows(term, ...)
  local rows = table.concat({ ... }, '\n') .. '\n'
  term:wait_screen('the rows ' .. rows, function(screen)
    local shown = {}
    for row in screen:gmatch('%[.%] %a+') do table.insert(shown, row .. '\n') end
    return table.concat(shown) == rows
  end)
end

t.test('a count is done to that many rows in one step, and asks once', function()
  local term = at_rows('four', 'three', 'two', 'one')
  term:keys('3x')
  wait_rows(term, '[x] one', '[x] two', '[x] three', '[ ] four')
  term:keys('u')
  wait_rows(term, '[ ] one', '[ ] two', '[ ] three', '[ ] four')
  term:wait('Undone: one and 2 more')
  term:keys('j', '2dd')
  term:wait('Remove 2 todos?')
  term:keys('y')
  wait_rows(term, '[ ] one', '[ ] four')
  term:keys('u')
  wait_rows(term, '[ ] one', '[ ] two', '[ ] three', '[ ] four')
  term:keys('C-r')
  wait_rows(term, '[ ] one', '[ ] four')
end)

t.test('Tab completes qualifiers, labels and values', function()
  local term = at_rows('two', 'one')
  term:keys('l', '"at home" garden', 'Enter')
  term:wait('garden')
  term:keys('/', 'is:open -la', 'Tab')
  term:wait('Words: is:open -label:')
  term:keys('Escape', '/', 'label:"at', 'Tab', ' o', 'Enter')
  term:wait('with “label:"at home" o”')
  term:keys('p', 'h', 'Tab')
  term:wait('Priority (none removes it): high')
end)

t.test('a count beyond the last row ends there', function()
  local term = at_rows('two', 'one')
  term:keys('9x')
  wait_rows(term, '[x] one', '[x] two')
end)

t.test('a selection is done as a whole', function()
  local term = at_rows('three', 'two', 'one')
  term:keys('Vjx')
  wait_rows(term, '[x] one', '[x] two', '[ ] three')
  term:keys('G', 'vk', 'd')
  term:wait('Remove 2 todos?')
  term:keys('n')
  term:wait_without('Remove 2 todos?')
  wait_rows(term, '[x] one', '[x] two', '[ ] three')
  term:keys('G', 'Vgg', 'd')
  term:wait('Remove 3 todos?')
  term:keys('y')
  term:wait('Nothing to do.')
end)

t.test('. repeats the last action at the cursor, for as many rows', function()
  local term = at_rows('four', 'three', 'two', 'one')
  term:keys('x')
  wait_rows(term, '[x] one', '[ ] two', '[ ] three', '[ ] four')
  term:keys('j.')
  wait_rows(term, '[x] one', '[x] two', '[ ] three', '[ ] four')
  term:keys('j2.')
  wait_rows(term, '[x] one', '[x] two', '[x] three', '[x] four')
  term:keys('gg', 'Vjx')
  wait_rows(term, '[ ] one', '[ ] two', '[x] three', '[x] four')
  term:keys('jj.')
  wait_rows(term, '[ ] one', '[ ] two', '[ ] three', '[ ] four')
end)

t.test('an action for one row takes no count, and says so for none', function()
  local term = at_rows('two', 'one')
  term:keys('2', 'Enter')
  term:wait(':w save')
  term:wait('\none')
end)

t.test('a row that can only be read is opened, and no other action of rows is done to it', function()
  local function action(name, key, more)
    return vim.tbl_extend('error', { name = name, title = name, enabled = true, scope = 'item', role = name, key = key }, more)
  end
  local screen = { id = 'pets', name = 'pets', title = 'Pets', bar = { visible = false } }
  screen.actions = { action('open', 'o', { primary = true }), action('remove', 'd', { many = true }) }
  local rows = { { id = 'p1', title = 'Rex' }, { id = 'p2', title = 'Pia', readOnly = true } }
  screen.body = { kind = 'list', total = 2, offset = 0, items = rows, empty = 'none' }
  local rendering = { method = 'workflow/render', params = { revision = 1, rendering = { items = { { screen = screen } } } } }
  local cmd, log = t.script({ t.initialized(), { rendering } })
  local child = t.child({ cmd = cmd })
  child:keys(':Todo<CR>')
  child:wait_line(2, 'Pia')
  t.contains(child:hints(), 'dd remove')
  child:keys('2dd')
  child:wait_message('“Pia” can only be read')
  child:settle('j')
  t.equal(nil, child:hints():find('dd remove', 1, true))
  child:keys('dd<CR>')
  t.equal({ screen = 'pets', action = 'open', items = { 'p2' } }, t.sent(log, 'screen/act', 2))
end)

t.test('qa records a macro in a list and in a text, and it is replayed', function()
  local term = at_rows('three', 'two', 'one')
  term:keys('qa')
  term:keys('x', 'j', 'q')
  wait_rows(term, '[x] one', '[ ] two', '[ ] three')
  term:keys('2@a')
  wait_rows(term, '[x] one', '[x] two', '[x] three')
  term:keys('gg', 'Enter')
  term:wait(':w save')
  term:keys('qb', 'A!', 'Escape', 'q', '@b')
  term:wait('\none!!')
  term:keys(':w', 'Enter')
  term:wait('Save: done')
  term:keys('-')
  wait_rows(term, '[x] one', '[x] two', '[x] three')
end)

t.run()
