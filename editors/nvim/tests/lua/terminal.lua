-- A Neovim in a terminal, driven by real keys. Needs tmux.

local t = require('harness')

local Terminal = {}
Terminal.__index = Terminal

--- Starts a Neovim in a terminal. `options.server` are arguments of the server; `options.columns` and `options.lines`
--- are the size of the terminal. With `options.has_shell`, the terminal continues after Neovim has ended, and shows
--- "ended". With `options.holds`, no message of the server reaches Neovim while there is a file `hold` in the home
--- folder.
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
  local command = ('env %s TERM=screen-256color %s -n -u %s; echo ended; exec sleep 1000'):format(homes, vim.env.TODO_NVIM, init)
  if not options.has_shell then command = 'exec ' .. command end
  self:tmux('-f', '/dev/null', 'new-session', '-d', '-x', tostring(options.columns or 80), '-y', tostring(options.lines or 20), command)
  self:tmux('set-option', '-s', 'escape-time', '0')
  self.pid = tonumber(vim.trim(self:tmux('list-panes', '-F', '#{pane_pid}')))
  return self
end

function Terminal:tmux(...) return (t.system({ 'tmux', '-S', self.socket, ... })) end

function Terminal:stop() self:tmux('kill-server') end

function Terminal:keys(...) self:tmux('send-keys', ...) end

--- Returns the screen of the terminal, with the escape sequences of colours if `options` is "-e". Neovim draws a change
--- in several steps. So a test waits for the screen that it expects, and calls this only to check that something is
--- never shown.
function Terminal:screen(options) return self:tmux('capture-pane', '-p', options) end

--- Waits until `condition(screen)` returns a true value, and returns this value.
function Terminal:wait_screen(what, condition, options)
  local screen
  local ok, found = pcall(t.wait, what, function()
    screen = self:screen(options)
    return condition(screen)
  end)
  if not ok then error(('waited in vain for %s; the screen is\n%s'):format(what, screen), 2) end
  return found
end

--- Waits until the screen contains `text` and does not contain `gone`.
function Terminal:wait(text, gone)
  self:wait_screen(('"%s" without "%s"'):format(text, gone or ''), function(screen)
    return screen:find(text, 1, true) and not (gone and screen:find(gone, 1, true))
  end)
end

function Terminal:wait_without(text)
  self:wait_screen(('the end of "%s"'):format(text), function(screen) return not screen:find(text, 1, true) end)
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
