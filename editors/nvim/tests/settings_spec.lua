-- Settings of the user that the plugin has to live with, with real keys. Needs tmux.

local t = require('harness')
local terminal = require('terminal')

--- The list of a todo with a note, in a terminal of that width whose user has these settings.
local function open(columns, init)
  local args, client, ids = t.store({ title = 'Call Bob', note = 'at noon' })
  local term = terminal({ server = args, columns = columns, init = init })
  term:log_in()
  term:wait('[ ] Call Bob')
  return term, client, ids[1]
end

t.test('where lines and borders are wide characters, floating windows have others', function()
  local term, client = open(120, 'vim.o.ambiwidth = "double"')
  term:wait('|at noon')
  term:keys('g?')
  term:wait_screen('the help in a border', function(screen) return screen:find('| dd  [^\n]*|') end)
  term:keys('Escape')
  term:wait_without('Remove')
  t.equal(nil, term:screen():find('Error', 1, true))
  client.stop()
end)

t.test('any <LocalLeader> is shown with its letter, and works', function()
  for leader, shown in pairs({ ['%'] = '%m keep mine', [','] = ',m keep mine', [' '] = '<Space>m keep mine' }) do
    local term, client, id = open(80, ('vim.g.maplocalleader = %q'):format(leader))
    term:keys('Enter')
    term:wait(':w save')
    term:keys('A, Jim', 'Escape')
    term:wait('Bob, Jim')
    client.call('editTodo', { id = id, title = 'Call Bea' })
    term:wait('changed elsewhere')
    term:keys(':w', 'Enter')
    term:wait(shown .. '\n')
    term:keys(leader .. 'm')
    term:wait('[ ] Call Bob, Jim')
    term:stop()
    client.stop()
  end
end)

if vim.fn.exists('+winfixbuf') == 1 then t.test("a list with 'winfixbuf' stays in its window, and texts are beside it", function()
  local term, client = open(80)
  local function open_text()
    term:keys('Enter')
    term:wait(':w save')
    term:wait('[ ] Call Bob')
  end
  term:keys(':set winfixbuf', 'Enter')
  open_text()
  term:keys(':q', 'Enter')
  term:wait_without(':w save')
  term:keys(':new', 'Enter')
  term:wait('[No Name]')
  term:keys(':wincmd p', 'Enter')
  open_text()
  t.equal(nil, term:screen():find('[No Name]', 1, true))
  term:keys('-')
  term:wait_without(':w save')
  term:keys('C-w', 'b')
  open_text()
  term:keys(':quit', 'Enter')
  term:wait_without(':w save')
  term:keys('L')
  term:wait('Name:', 'Call Bob')
  client.stop()
end) end

if vim.fn.has('nvim-0.8') == 1 then t.test("with 'cmdheight' 0 a message needs no key", function()
  local term, client, id = open(80, 'vim.o.cmdheight = 0')
  term:keys('Enter')
  term:wait(':w save')
  for _ = 1, 2 do
    term:keys('A!', 'Escape')
    term:wait('[+]')
    term:keys(':w', 'Enter')
    term:wait_without('[+]') -- the next redraw removes the message
    t.equal(nil, term:screen():find('Press ENTER', 1, true))
  end
  term:keys('A!', 'Escape')
  client.call('editTodo', { id = id, title = 'Call Bea' })
  term:wait('changed elsewhere')
  term:keys(':w', 'Enter')
  term:wait('Theirs', 'Press ENTER')
  client.stop()
end) end

t.run()
