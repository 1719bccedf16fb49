-- The main flow with real keys in a terminal, and terminals that go away. Needs tmux.

local t = require('harness')

local Terminal = {}
Terminal.__index = Terminal

local function terminal(args)
  local self = setmetatable({ home = vim.fn.tempname() }, Terminal)
  vim.fn.mkdir(self.home, 'p')
  self.socket = self.home .. '/tmux'
  table.insert(t.children, self)
  local init = self.home .. '/init.lua'
  vim.fn.writefile({
    'vim.opt.runtimepath:prepend(' .. vim.inspect(vim.env.TODO_TESTS .. '/..') .. ')',
    'require("todo").setup({ cmd = ' .. vim.inspect(t.server(args)):gsub('\n', ' ') .. ' })',
  }, init)
  local homes = ('HOME=@ XDG_DATA_HOME=@ XDG_STATE_HOME=@ XDG_CACHE_HOME=@'):gsub('@', self.home)
  local command = ('exec env %s TERM=screen-256color %s -n -u %s'):format(homes, vim.env.TODO_NVIM, init)
  self:tmux('-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '20', command)
  self:tmux('set-option', '-s', 'escape-time', '0')
  self.pid = tonumber(vim.trim(self:tmux('list-panes', '-F', '#{pane_pid}')))
  return self
end

function Terminal:tmux(...) return vim.fn.system({ 'tmux', '-S', self.socket, ... }) end

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

t.test('6 to 17 a session with real keys: log in, add, open, edit, save, mark, remove, log out', function()
  local term = terminal()
  term:log_in()
  term:wait('Nothing to do.')
  term:wait('a add')
  term:keys('a')
  term:wait('\nTitle:\n')
  term:keys('Buy mülk 🥛', 'Enter')
  term:wait('[ ] Buy mülk 🥛')
  term:keys('Enter')
  term:wait(':w save')
  term:keys('G', 'o', 'Two litres', 'Escape')
  term:keys('ggcc', 'Escape')
  term:wait('! A title must not be blank.')
  term:keys(':wq', 'Enter')
  term:wait('todo: A title must not be blank.')
  term:keys('i', 'Buy milk', 'Escape', ':w', 'Enter')
  term:wait('todo: Save: done')
  term:keys('q')
  term:wait('[ ] Buy milk')
  term:keys('x')
  term:wait('[x] Buy milk')
  term:keys('dd')
  term:wait('Remove this todo?')
  term:keys('n')
  term:wait_without('Remove this todo?')
  term:wait('[x] Buy milk')
  term:keys('g?')
  term:wait('Log out')
  term:keys('Space', 'dd')
  term:wait('Remove this todo?')
  term:keys('y')
  term:wait('Nothing to do.')
  term:keys('L')
  term:wait('\nPassword:')
  term:keys(':qa', 'Enter')
  t.wait('the end', function() return not t.is_running(term.pid) end)
end)

t.test('9 a password is not seen on the screen, while it is typed or after', function()
  local term = terminal()
  term:wait('All')
  term:keys(':Todo', 'Enter')
  term:wait('\nPassword:')
  term:keys('i')
  term:wait('\nName:\n')
  term:keys('Enter')
  term:wait('\nPassword:\n')
  term:keys('hunter2')
  term:wait('Password: *******')
  t.equal(nil, term:screen():find('hunter2', 1, true))
  term:keys('Enter')
  term:wait_without('*******')
end)

t.test('18 what is wrong is seen on the screen while it is typed', function()
  local term = terminal()
  term:wait('All')
  term:keys(':Todo', 'Enter')
  term:wait('r register')
  term:keys('r')
  term:wait('- back')
  term:keys('i')
  term:wait('\nUser name:')
  term:keys('anna')
  term:wait('! At least 8 characters.')
  term:wait('\nUser name: anna\n')
  term:keys('bella')
  term:wait('User name: annabella\nPassword:')
  term:keys('Enter')
  term:wait('\nPassword:\n')
end)

t.test('26 neither editor nor server outlives its terminal', function()
  for _, how in ipairs({ 'quit', 'sighup', 'sigterm', 'sigkill', 'kill-server' }) do
    local term = terminal()
    term:log_in()
    local server = term:server_pid()
    t.equal(true, server and t.is_running(server))
    if how == 'quit' then
      term:keys(':qa!', 'Enter')
    elseif how == 'kill-server' then
      term:tmux('kill-server')
    else
      (vim.uv or vim.loop).kill(term.pid, how)
    end
    t.wait('the end of both after ' .. how, function()
      return not t.is_running(server) and not t.is_running(term.pid)
    end)
    term:stop()
  end
end)

t.run()
