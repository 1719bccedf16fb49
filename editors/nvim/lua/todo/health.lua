-- :checkhealth todo

local M = {}

local health = vim.health or require('health')
local start, ok = health.start or health.report_start, health.ok or health.report_ok
local failure = health.error or health.report_error

function M.check()
  start('todo')
  local cmd = require('todo').cmd()
  if vim.fn.executable(cmd[1]) == 0 then
    return failure(('"%s" is missing or not executable'):format(cmd[1]), { 'See :help todo-server' })
  end
  ok(('"%s" is at %s; here the server is %s'):format(cmd[1], vim.fn.exepath(cmd[1]), require('todo.session').status))
  local doctor = vim.list_extend({ cmd[1], 'doctor' }, vim.list_slice(cmd, cmd[2] == 'serve' and 3 or 2))
  local lines = vim.fn.systemlist(vim.list_extend({ 'sh', '-c', '"$0" "$@" 2>&1' }, doctor))
  local report = vim.v.shell_error == 0 and ok or failure
  report(table.concat(doctor, ' ') .. '\n' .. table.concat(lines, '\n'))
end

return M
