-- Changes by other processes are shown within a second.

local t = require('harness')

local SOON_MS = 1000
local ROUNDS = 30 -- on a busy machine many a round is late, but not all of them

t.test('22 two editors on one store see what the other does', function()
  local args, client = t.store({ title = 'x' })
  local one, two = t.child({ server = args }), t.child({ server = args })
  one:log_in()
  two:log_in()
  one:add('from one')
  two:wait('row', "vim.fn.getline(1) == '[ ] from one'")
  two:keys('ggx')
  one:wait('mark', "vim.fn.getline(1) == '[x] from one'")
  client.stop()
end)

t.test('20, 21 a script changes an open todo: text without changes follows', function()
  local args, client, ids = t.store({ title = 'a', note = 'one' })
  local child = t.child({ server = args })
  child:log_in()
  child:wait_line(1, '[ ] a')
  child:keys('gg<CR>')
  child:wait_buffer('todoEdit')
  local soonest, round = math.huge, 0
  while soonest > SOON_MS and round < ROUNDS do
    round = round + 1
    local start = vim.loop.hrtime()
    client.call('editTodo', { id = ids[1], note = 'theirs ' .. round })
    child:wait_line(3, 'theirs ' .. round)
    soonest = math.min(soonest, (vim.loop.hrtime() - start) / 1e6)
  end
  if soonest > SOON_MS then error(('took %d ms'):format(soonest)) end
  client.stop()
end)

t.run()
