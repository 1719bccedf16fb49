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

t.run()
