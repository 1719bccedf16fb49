-- The plugin as a package: files, help, installation, health.

local t = require('harness')
local root = vim.fn.fnamemodify(vim.env.TODO_TESTS, ':h')

t.test('1 every file loads', function()
  local files = vim.fn.glob(root .. '/**/*.lua', true, true)
  t.equal(true, #files > 10)
  for _, file in ipairs(files) do
    assert(loadfile(file))
  end
end)

t.test('the rockspec has what an installation needs', function()
  local files = vim.fn.glob(root .. '/*.rockspec', true, true)
  t.equal(1, #files)
  local rock = {}
  assert(setfenv(assert(loadfile(files[1])), rock))()
  t.equal(rock.package .. '-' .. rock.version .. '.rockspec', vim.fn.fnamemodify(files[1], ':t'))
  t.equal({ '3.0', 'Apache-2.0', 'builtin' }, { rock.rockspec_format, rock.description.license, rock.build.type })
  for _, folder in ipairs(rock.build.copy_directories) do t.equal(1, vim.fn.isdirectory(root .. '/' .. folder)) end
  if vim.fn.executable('luarocks') == 1 then t.equal(0, select(2, t.system({ 'luarocks', 'lint', files[1] }))) end
end)

t.test('2 no file says anything about todos that the server has to say', function()
  -- Roles, such as "toggle", are words of the protocol.
  local names = { 'welcome', 'loading', 'lists', 'todoList', 'todoEdit', 'failure', 'openRegister', 'add', 'reload' }
  vim.list_extend(names, { 'filter', 'keepMine', 'takeTheirs', 'saveMerged', 'saveAsNew', 'discard', 'cancel' })
  vim.list_extend(names, { 'password', 'note', 'query' })
  for _, file in ipairs(vim.fn.glob(root .. '/lua/**/*.lua', true, true)) do
    for _, line in ipairs(vim.fn.readfile(file)) do
      local code = line:gsub('%-%-.*', '')
      for _, name in ipairs(names) do
        for _, quote in ipairs({ "'", '"' }) do
          if code:find(quote .. name .. quote, 1, true) then error(file .. ' knows ' .. name) end
        end
      end
    end
  end
end)

t.test('3 :help finds the command, and no tag is there twice', function()
  local child = t.child()
  local doc = child.home .. '/doc'
  vim.fn.mkdir(doc, 'p')
  vim.fn.writefile(vim.fn.readfile(root .. '/doc/todo.txt'), doc .. '/todo.txt')
  child:lua([[
    vim.cmd('helptags ' .. ...)
    vim.opt.runtimepath:prepend(vim.fn.fnamemodify(..., ':h'))
    vim.cmd('help :Todo')]], doc)
  t.equal('todo.txt', child:lua("return vim.fn.expand('%:t')"))
end)

t.test('3 no tag of the help is also one of the plugin for Vim', function()
  local function tags(file)
    local found = {}
    for tag in table.concat(vim.fn.readfile(root .. file), '\n'):gmatch('%*(%S+)%*') do found[tag] = true end
    return found
  end
  local theirs = tags('/../vim/doc/todo-server.txt')
  t.equal({}, vim.tbl_filter(function(tag) return theirs[tag] end, vim.tbl_keys(tags('/doc/todo.txt'))))
end)

t.test('5 works as a package in the usual folder, without any setting', function()
  local home = vim.fn.tempname()
  local pack = home .. '/data/nvim/site/pack/any/start'
  vim.fn.mkdir(pack, 'p')
  t.system({ 'cp', '-R', root, pack .. '/todo' })
  local child = t.child({ home = home, args = { '--cmd', 'set shortmess+=I' } })
  child:open()
  t.contains(child:lua("return vim.api.nvim_get_runtime_file('lua/todo/init.lua', true)[1]"), pack)
end)

t.test('5 :checkhealth says where the server is, or that it is missing', function()
  local child = t.child()
  child:lua("vim.cmd('checkhealth todo')")
  child:wait('report', "vim.fn.search('OK') > 0 and vim.fn.search('doctor') > 0")
  child:lua("require('todo').setup({ cmd = { '/no/such' } }) vim.cmd('checkhealth todo')")
  child:wait('report', "vim.fn.search('missing or not executable') > 0")
end)

t.test('a key that is set to false is not mapped, not even by its letter', function()
  local child = t.child()
  child:lua("require('todo').setup({ cmd = require('todo').cmd, keymaps = { X = 'toggle', x = false } })")
  child:log_in()
  t.equal({ true, true }, child:lua("return { vim.fn.maparg('x', 'n') == '', vim.fn.maparg('X', 'n', false, true).buffer == 1 }"))
end)

t.test('no key is mapped where that is not wanted, and each role has a <Plug>', function()
  local child = t.child()
  child:lua([[require('todo').setup({ cmd = require('todo').cmd, use_default_keymaps = false, keymaps = { X = 'toggle' } })
    vim.cmd('nmap Z <Plug>(todo-primary)')]])
  child:open()
  child:keys('Z')
  child:ask('for a name', 'ann<CR>')
  child:ask('for a password', '<CR>')
  child:wait_buffer('todoList')
  child:wait_line(1, 'Nothing to do.')
  t.equal({ 'X' }, child:lua([[return vim.tbl_filter(function(key) return not key:find('^<Plug>') end,
    vim.tbl_map(function(map) return map.lhs end, vim.api.nvim_buf_get_keymap(0, 'n')))]]))
end)

t.run()
