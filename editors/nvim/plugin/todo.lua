local function command(call) require('todo').command(call.args, call.mods) end

vim.api.nvim_create_autocmd({ 'BufReadCmd', 'SessionLoadPost' }, {
  pattern = 'todo://*',
  callback = vim.schedule_wrap(function() require('todo.view').revive() end),
})

-- A session names an empty buffer for each window, twice the same if two show one. A message for each
-- of them would need a key.
vim.api.nvim_create_autocmd('BufFilePost', {
  pattern = 'todo://*',
  callback = function(event)
    if not vim.g.SessionLoad then return end
    vim.opt.shortmess:append('F')
    vim.api.nvim_buf_set_name(event.buf, event.file .. '#' .. event.buf)
  end,
})

vim.api.nvim_create_user_command('Todo', command, {
  nargs = '*',
  desc = 'Open the todos, or do what a screen offers',
  complete = function(lead) return require('todo').complete(lead) end,
})
