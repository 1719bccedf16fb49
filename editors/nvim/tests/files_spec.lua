-- Files, messages and help as a user of Neovim expects them, with real keys. Needs tmux.

local t = require('harness')
local terminal = require('terminal')

local function at_text(options)
  local term = terminal(options)
  term:log_in()
  term:keys('a')
  term:wait('\nTitle:\n')
  term:keys('Buy milk', 'Enter')
  term:wait('[ ] Buy milk')
  term:keys('Enter')
  term:wait(':w save')
  return term
end

-- An editor creates a file before it writes the lines.
local function wait_for_lines(lines, file)
  t.wait('the lines of the file', function() return vim.fn.filereadable(file) == 1 and vim.deep_equal(lines, vim.fn.readfile(file)) end)
end

t.test(':w FILE in a text writes that file, and saves nothing', function()
  local term = at_text()
  local file = vim.fn.tempname()
  term:keys('A and tea', 'Escape', ':w ' .. file, 'Enter')
  wait_for_lines({ 'Buy milk and tea', '', '' }, file)
  term:wait('written')
  t.equal(nil, term:screen():find('todo: saved', 1, true))
  term:wait('[+]')
  term:keys(':w', 'Enter')
  term:wait('todo: saved')
end)

t.test(':saveas makes the buffer that of the file; the text of the todo is not saved', function()
  local term = at_text({ init = 'vim.opt.textwidth, vim.opt.swapfile = 70, true' })
  local file = vim.fn.tempname() .. '.txt'
  term:keys('A and tea', 'Escape')
  term:wait('Buy milk and tea')
  term:keys(':saveas ' .. file, 'Enter')
  wait_for_lines({ 'Buy milk and tea', '', '' }, file)
  term:wait_without(':w save')
  term:wait_screen('the text in the first row', function(screen) return screen:find('^Buy milk') end)
  term:keys('A, please', 'Escape', ':w', 'Enter')
  wait_for_lines({ 'Buy milk and tea, please', '', '' }, file)
  t.equal(nil, term:screen():find('todo: saved', 1, true))
  term:keys(':set swapfile? buflisted? bufhidden? textwidth? wrap? linebreak? | ls', 'Enter')
  term:wait('swapfile', 'noswapfile')
  term:wait('\n  buflisted\n  bufhidden=\n  textwidth=70\n  wrap\nnolinebreak', 'todo:/')
  term:keys('Enter', ':Todo', 'Enter')
  term:wait(':w save')
  term:wait('\nBuy milk and tea\n')
  term:wait('[+]')
end)

t.test('a text that is closed by force is discarded with its last window, and not before', function()
  for _, command in ipairs({ ':q!', ':bd!', ':bw!' }) do
    local term = at_text()
    term:keys(':new', 'Enter', ':wincmd p', 'Enter', 'A and tea', 'Escape')
    term:wait('Buy milk and tea')
    if command == ':q!' then
      term:keys(':split', 'Enter', ':q!', 'Enter', ':echo "windows" winnr("$")', 'Enter')
      term:wait('windows 2')
      term:wait('[+]')
    end
    term:keys(command, 'Enter')
    term:wait_without('Buy milk and tea')
    term:keys(':Todo add Foo', 'Enter')
    term:wait('todo: added')
    term:keys(':Todo', 'Enter')
    term:wait('[ ] Foo\n[ ] Buy milk\n')
    term:stop()
  end
end)

t.test('CTRL-^ in another file leads back to the text', function()
  local term = at_text()
  term:keys(':edit other.txt', 'Enter')
  term:wait_without(':w save')
  term:keys('C-^')
  term:wait(':w save')
  term:wait('\nBuy milk\n', 'E23')
end)

t.test(':w FILE and :saveas FILE overwrite a file only with !', function()
  for _, command in ipairs({ ':w', ':saveas' }) do
    local term = at_text()
    local file = term.home .. '/old.txt'
    vim.fn.writefile({ 'old' }, file)
    term:keys(command .. ' ' .. file, 'Enter')
    term:wait('E13')
    t.equal({ 'old' }, vim.fn.readfile(file))
    term:keys('Enter', command .. '! ' .. file, 'Enter')
    wait_for_lines({ 'Buy milk', '', '' }, file)
    term:stop()
  end
end)

t.test('the end of the server is one message, and needs no key', function()
  for _, signal in ipairs({ 'sigkill', 'sigsegv' }) do
    local term = at_text()
    local server, kill = term:server_pid(), (vim.uv or vim.loop).kill
    kill(server, 'sigstop')
    term:keys('~')
    term:wait('buy milk')
    -- The response to a request is outstanding.
    term:wait('…')
    kill(server, signal)
    kill(server, 'sigcont')
    term:wait('todo: the server was ended')
    t.equal(nil, term:screen():find('ENTER', 1, true))
    -- A slow machine also has the message about a server that has not answered yet.
    term:keys([[:echo 'said' count(execute('messages'), 'the server was ended')]], 'Enter')
    term:wait('said 1')
    term:wait('\nbuy milk')
    term:stop()
  end
end)

t.test('help can be scrolled where it has no room', function()
  local term = terminal({ columns = 40, lines = 12 })
  term:keys(':Todo', 'Enter')
  term:wait('\nPassword:')
  term:keys('A', 'ann', 'Enter')
  term:wait('\nPassword:\n')
  term:keys('Enter')
  term:wait('Nothing to do.')
  term:keys('g?')
  term:wait('Open')
  t.equal(nil, term:screen():find('Close', 1, true))
  for _ = 1, 12 do term:keys('j') end
  term:wait('Close', 'Open')
  term:wait_screen('the end at the bottom', function(screen) return screen:find('Close[^\n]*\n[^\n]*╰') end)
  for _ = 1, 12 do term:keys('k') end
  term:wait('Open', 'Close')
  term:keys('Space')
  term:wait_without('Open')
end)

t.test('a server that starts slowly is announced, until it answers', function()
  local term = terminal({ holds = true, columns = 60 })
  vim.fn.writefile({}, term.home .. '/hold')
  term:wait('All')
  term:keys(':Todo', 'Enter')
  term:wait('todo: the server has not answered yet')
  vim.fn.delete(term.home .. '/hold')
  term:wait('\nPassword:', 'not answered yet')
end)

t.test('a joined emoji is shown without a code', function()
  local term = terminal()
  term:log_in()
  term:keys('a')
  term:wait('\nTitle:\n')
  term:keys('Family 👩‍👩‍👧 meets', 'Enter')
  term:wait('] Family ')
  term:wait(' meets', '<200d>')
  term:keys('Enter')
  term:wait(':w save', '<200d>')
end)

t.run()
