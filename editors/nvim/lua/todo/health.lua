-- :checkhealth todo

local health = vim.health or require('health')

local function check()
  (health.start or health.report_start)('todo')
  local doctor = vim.list_extend(vim.deepcopy(require('todo').cmd), { 'doctor' })
  local is_started, lines = pcall(vim.fn.systemlist, doctor)
  lines = is_started and lines or { 'The command is missing or not executable: :help todo-neovim-server' }
  local level = is_started and vim.v.shell_error == 0 and 'ok' or 'error'
  local report = health[level] or health['report_' .. level]
  report(table.concat(doctor, ' ') .. '\n' .. table.concat(lines, '\n'))
end

return { check = check }
