-- The command, and the one setting.

local M = { cmd = { 'todo-server' } }

--- `setup { cmd = { 'todo-server', '--store', 'memory' } }`; without it `todo-server` is started.
function M.setup(options) M.cmd = options.cmd or M.cmd end

--- `:Todo` opens, `:Todo restart` and `stop` are ours, everything else is an action of the screen in front.
function M.command(name)
  local session, view = require('todo.session'), require('todo.view')
  if name == 'stop' then return session.stop() end
  if name == 'restart' or session.status == 'stopped' then
    session.start(M.cmd)
  elseif name ~= '' or session.status == 'dead' then
    return view.press(name)
  end
  view.open()
end

function M.complete(lead)
  local names, front = { 'restart', 'stop' }, require('todo.session').front()
  for _, action in ipairs(front and front.actions or {}) do
    if action.enabled then names[#names + 1] = action.name end
  end
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, names)
end

return M
