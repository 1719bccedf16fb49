-- A list in Neovim by its own LSP client, 0.7 and newer. Run by test_clients.py.

local server = vim.split(vim.env.TODO_LSP, '\n')

local function fail(what)
  io.stderr:write(what .. '\n' .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n')
  vim.cmd('cquit')
end

local function wait(what, is_done)
  if not vim.wait(60000, is_done, 10) then fail('waited for ' .. what) end
end

local function has(pattern)
  return function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find(pattern) ~= nil
  end
end

vim.cmd('edit ' .. vim.env.TODO_FILE)
local id = vim.lsp.start_client({ name = 'todo', cmd = server, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
wait('the client', function() return vim.lsp.buf_get_clients(0)[id] ~= nil end)

-- A saved line gets its anchor.
vim.api.nvim_buf_set_lines(0, -2, -2, false, { '- [ ] Typed in Neovim 😀', '  A note' })
vim.cmd('silent write')
wait('the anchor', has('%] Typed in Neovim 😀 %^'))
-- With the todo of another client. Neovim before 0.8 gets no edit before its first change.
wait('the list', has('%] From another client %^'))

-- The line is edited.
local line = vim.fn.search('Typed in Neovim')
vim.api.nvim_buf_set_lines(0, line - 1, line, false,
  { (vim.fn.getline(line):gsub('%[ %]', '[x]', 1)) })
vim.cmd('silent write')
if vim.fn.has('nvim-0.11') == 1 then
  -- Rule 16: it requests marks before a save, so the buffer is not modified after it.
  local function wait_for_todo(todo)
    wait(todo, function() return vim.fn.system(vim.env.TODO_TITLES):find(todo, 1, true) ~= nil end)
    vim.wait(300, function() return vim.bo.modified end, 10)
    if vim.bo.modified then fail('the buffer is modified after the save of ' .. todo) end
  end
  wait_for_todo('[x] Typed in Neovim 😀')
  vim.api.nvim_buf_set_lines(0, -2, -2, false, { '- [ ] Marked 😀' })
  vim.cmd('silent write')
  if not has('%] Marked 😀 %^%w+\n')() then fail('the line has no mark after the save') end
  wait_for_todo('[ ] Marked 😀')
  vim.fn.search('Typed in Neovim')
else
  wait('the second version', has('%[x%] Typed in Neovim 😀 %^'))
end

-- A command of the server is executed, and its result arrives as an edit.
local done = false
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
vim.lsp.buf_request(0, 'textDocument/codeAction', params, function(_, actions)
  for _, action in ipairs(actions or {}) do
    if action.title == 'Mark as not done at once' then
      vim.lsp.buf_request(0, 'workspace/executeCommand', action.command, function() done = true end)
    end
  end
end)
wait('the command', function() return done end)
wait('the third version', has('%[ %] Typed in Neovim 😀 %^'))

-- A word at the end of a title is completed.
local function complete(keys, pattern)
  local end_time = vim.loop.now() + 60000
  local tries = 0
  local function choose()
    tries = tries + 1
    if vim.fn.pumvisible() == 1 then
      vim.api.nvim_input('<C-n><C-y><Esc>')
    elseif vim.loop.now() > end_time then
      fail('waited for the words after ' .. keys)
    else
      -- The server may not have read the labels of the last save yet.
      if tries % 25 == 0 then vim.api.nvim_input('<C-x><C-o>') end
      vim.defer_fn(choose, 20)
    end
  end
  choose()
  vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
  vim.opt.completeopt = { 'menuone', 'noselect' }
  local typed = vim.api.nvim_replace_termcodes(keys .. '<C-x><C-o>', true, false, true)
  -- "!": Insert mode stays until the timer ends it.
  vim.api.nvim_feedkeys(typed, 'x!', false)
  if not has(pattern)() then fail('completed ' .. keys) end
end
vim.api.nvim_buf_set_lines(0, -2, -2, false, { '- [ ] Completed 😀 #shop', '- [ ] Plan 😀' })
vim.fn.search('Plan 😀')
complete('A due:eo', '%] Plan 😀 due:eom\n')
vim.cmd('silent write')
wait('the date', has('%] Plan 😀 due:%d+-%d+-%d+ %^'))
vim.fn.search('Plan 😀')
vim.fn.search(' ^')
complete('i #', '%] Plan 😀 due:%d+-%d+-%d+ #shop %^')

-- A todo of another client appears without any action, if the buffer is saved.
vim.cmd('silent write')
vim.fn.system(vim.env.TODO_ADD)
wait('the todo added by another client', has('%] Added meanwhile %^'))
print('ok')
vim.cmd('qall!')
