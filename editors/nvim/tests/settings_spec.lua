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

t.run()
