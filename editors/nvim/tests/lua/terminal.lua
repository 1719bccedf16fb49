-- A Neovim in a terminal, driven by real keys. Needs tmux.

local t = require('harness')

local Terminal = {}
Terminal.__index = Terminal

--- A Neovim in a terminal; `options.server` are arguments of the server, `options.columns` is how wide it is; with
--- `options.has_shell` the terminal outlives it. While a file `hold` is in its home, nothing that the server says gets
--- through.
local function terminal(options)
  options = options or {}
  local self = setmetatable({ home = vim.fn.tempname() }, Terminal)
  vim.fn.mkdir(self.home, 'p')
  self.socket = self.home .. '/tmux'
  table.insert(t.children, self)
  local wait = 'while [ -e ' .. self.home .. '/hold ]; do sleep 0.02; done'
  local hold = options.holds
      and { 'sh', '-c', '"$@" | while IFS= read -r line; do ' .. wait .. '; printf "%s\\n" "$line"; done', 'sh' } or {}
  local init = self.home .. '/init.lua'
  vim.fn.writefile({
    'vim.opt.runtimepath:prepend(' .. vim.inspect(vim.env.TODO_TESTS .. '/..') .. ')',
    'require("todo").setup({ cmd = ' .. vim.inspect(vim.list_extend(hold, t.server(options.server))):gsub('\n', ' ') .. ' })',
    options.init or '',
  }, init)
  local homes = ('HOME=@ XDG_DATA_HOME=@ XDG_STATE_HOME=@ XDG_CACHE_HOME=@'):gsub('@', self.home)
  local command = ('env %s TERM=screen-256color %s -n -u %s; exec sleep 1000'):format(homes, vim.env.TODO_NVIM, init)
  if not options.has_shell then command = 'exec ' .. command end
  self:tmux('-f', '/dev/null', 'new-session', '-d', '-x', tostring(options.columns or 80), '-y', '20', command)
  self:tmux('set-option', '-s', 'escape-time', '0')
  self.pid = tonumber(vim.trim(self:tmux('list-panes', '-F', '#{pane_pid}')))
  return self
end

-- By Lua's own pipe: of some thousand calls of `system()` one never returns in Neovim 0.7.
function Terminal:tmux(...)
  local words = vim.tbl_map(vim.fn.shellescape, { 'tmux', '-S', self.socket, ... })
  local pipe = io.popen(table.concat(words, ' ') .. ' 2>&1')
  local output = pipe:read('*a')
  pipe:close()
  return output
end

function Terminal:stop() self:tmux('kill-server') end

function Terminal:keys(...) self:tmux('send-keys', ...) end

function Terminal:screen() return self:tmux('capture-pane', '-p') end

function Terminal:wait(text)
  local ok = pcall(t.wait, text, function() return self:screen():find(text, 1, true) end)
  if not ok then error(('"%s" never came; the screen is\n%s'):format(text, self:screen()), 2) end
end

function Terminal:wait_without(text)
  t.wait('the end of ' .. text, function() return not self:screen():find(text, 1, true) end)
end

function Terminal:server_pid()
  local function find(pid)
    for _, child in ipairs(vim.api.nvim_get_proc_children(pid)) do
      local name = vim.fn.readfile('/proc/' .. child .. '/comm')[1]
      local found = name == 'todo-server' and child or find(child)
      if found then return found end
    end
  end
  return find(self.pid)
end

function Terminal:log_in()
  self:wait('All')
  self:keys(':Todo', 'Enter')
  self:wait('\nPassword:')
  self:keys('A', 'ann', 'Enter')
  self:wait('\nPassword:\n')
  self:keys('Enter')
  self:wait('Todos of ann')
end

return terminal
