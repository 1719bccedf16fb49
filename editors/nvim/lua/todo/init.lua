-- The command, and the one setting.

local M = {}

local cmd

--- `setup { cmd = { 'todo-server', '--store', 'memory' } }`; without it `todo-server` is started.
function M.setup(options)
  cmd = options and options.cmd
end

--- The command line of the server, as a list.
function M.cmd()
  return type(cmd) == 'string' and vim.split(cmd, ' ', { trimempty = true }) or cmd or { 'todo-server' }
end

local own = {
  restart = function()
    require('todo.session').start(M.cmd())
    require('todo.view').open()
  end,
  stop = function() require('todo.session').stop() end,
  help = function() vim.cmd('help todo') end,
}

local function open()
  local session = require('todo.session')
  if session.status == 'stopped' then
    session.start(M.cmd())
  elseif session.status == 'dead' then
    vim.notify('todo: the server is not running; :Todo restart starts it', vim.log.levels.ERROR)
  end
  require('todo.view').open()
end

--- `:Todo` opens, `:Todo restart`, `stop` and `help` are ours, everything else is an action of the screen in front.
function M.command(name)
  if name == '' then return open() end
  if own[name] then return own[name]() end
  local front = require('todo.session').front()
  if front and require('todo.screen').action(front, name) then return require('todo.view').press(name) end
  vim.notify(('todo: there is no "%s" here'):format(name), vim.log.levels.ERROR)
end

function M.complete(lead)
  local names, front = vim.tbl_keys(own), require('todo.session').front()
  for _, action in ipairs(front and front.actions or {}) do
    if action.enabled then names[#names + 1] = action.name end
  end
  table.sort(names)
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, names)
end

return M
