local function command(call) require('todo').command(call.args, call.mods) end

vim.api.nvim_create_autocmd({ 'BufReadCmd', 'SessionLoadPost' }, {
  pattern = 'todo://*',
  callback = vim.schedule_wrap(function(event) require('todo.view').revive(event.buf) end),
})

vim.api.nvim_create_user_command('Todo', command, {
  nargs = '*',
  desc = 'Open the todos, or do what a screen offers',
  complete = function(lead) return require('todo').complete(lead) end,
})
