-- The look of the screens, with real keys, at 80 and at 120 columns.

local t = require('harness')
local terminal = require('terminal')

local function open(columns, ...)
  local args, client, ids = t.store(...)
  local term = terminal({ server = args, columns = columns })
  term:log_in()
  return term, client, ids
end

for _, columns in ipairs({ 80, 120 }) do
  t.test(('the note of a row is shown beside wide lists (%d columns)'):format(columns), function()
    local term, client = open(columns, { title = 'Call Bob', note = 'at noon\nor later' }, { title = 'Buy milk' })
    term:wait('[ ] Call Bob')
    term:keys('j')
    if columns < 100 then
      term:keys(':echo "moved"', 'Enter')
      term:wait('\nmoved', 'at noon')
    else
      term:wait('│at noon')
      term:wait('│or later')
      term:keys('k')
      term:wait_without('at noon')
      term:keys('j')
      term:wait('│at noon')
      term:keys('Enter')
      term:wait(':w save', '│')
      term:keys('-')
      term:wait('│at noon')
      term:tmux('resize-window', '-x', '80', '-y', '20')
      term:wait_without('│')
    end
    client.stop()
  end)

  t.test(('sides have names and the keys that take them (%d columns)'):format(columns), function()
    local term, client, ids = open(columns, { title = 'Buy milk' })
    term:wait('[ ] Buy milk')
    term:keys('Enter')
    term:wait(':w save')
    term:keys('A and tea', 'Escape')
    term:wait('and tea')
    client.call('editTodo', { id = ids[1], title = 'Buy bread' })
    term:wait('changed elsewhere')
    term:keys(':w', 'Enter')
    for _, name in ipairs({ 'Mine (open)', '\\m keep mine', 'Merged (open) [+]', ':w', 'Theirs (open)', '\\t take' }) do
      term:wait(name)
    end
    term:wait_screen('mine above theirs, or beside it', function(screen)
      if columns > 100 then return screen:find('Mine %(open%)[^\n]*Merged %(open%)[^\n]*Theirs %(open%)') end
      return screen:find('Buy milk and tea.*\n *Buy bread.*\n *Buy <<< milk and tea === bread >>>')
    end)
    for _, words in ipairs({ 'milk and tea', 'bread' }) do
      term:wait_screen(words .. ' in a colour of its own', function(screen)
        return screen:find('Buy \27[\27%[%d;m]*' .. words)
      end, '-e')
    end
    -- Whatever the width of the window, a line of a message or the help is not broken for it.
    term:wait('todo: This todo was changed elsewhere. Nothing was overwritten.')
    term:keys('g?')
    term:wait('Keep mine  ')
    term:wait('Take theirs  ')
    term:wait('Save merged  ')
    term:keys('Escape')
    term:wait_without('Keep mine  ')
    term:keys('\\b')
    term:wait('Before')
    term:keys('\\m')
    term:wait('[ ] Buy milk and tea')
    client.stop()
  end)
end

t.test('done rows and labels are dim, in 16 colours as well, and open rows are not', function()
  local term, client = open(80, { title = 'Done thing' }, { title = 'Open thing' })
  term:wait('[ ] Open thing')
  term:keys('j', 'x', 'k')
  term:wait('[x] Done thing')
  -- The colour that both versions give to a comment there, or grey.
  local dims = { ['34'] = true, ['36'] = true, ['94'] = true, ['96'] = true, ['90'] = true }
  local function is_dim(screen, text)
    for line in screen:gmatch('[^\n]+') do
      local before = line:match('^(.-)' .. text)
      for codes in (before or ''):gmatch('\27%[([%d;]*)m') do
        if dims[codes] or codes == '38;5;8' then return true end
      end
      if before then return false end
    end
  end
  local function wait_dim(dim, bright)
    term:wait_screen(dim .. ' in the colour of a comment, and not ' .. bright, function(screen)
      return is_dim(screen, dim) and is_dim(screen, bright) == false
    end, '-e')
  end
  wait_dim('Done thing', 'Open thing')
  term:keys('Enter')
  term:wait(':w save')
  wait_dim('Title', 'Open thing')
  client.stop()
end)

t.test('marked rows are struck through, and nothing in a title is coloured', function()
  local title = '! error: one · two [three]'
  local args, client = t.store({ title = title })
  local child = t.child({ server = args })
  child:log_in()
  child:wait_line(1, '[ ] ' .. title)
  local function groups()
    return child:lua([[return vim.tbl_map(function(mark) return mark[4].hl_group end,
      vim.api.nvim_buf_get_extmarks(0, require('todo.look').marks, 0, -1, { details = true }))]])
  end
  t.equal({}, groups())
  child:keys('x')
  child:wait_line(1, '[x] ' .. title)
  t.equal({ 'TodoMuted', 'TodoDone' }, groups())
  for _, scheme in ipairs({ 'default', 'blue' }) do
    child:lua("vim.cmd('colorscheme ' .. ...)", scheme)
    t.contains(child:lua("return vim.fn.execute('highlight TodoDone')"), 'strikethrough')
    t.contains(child:lua("return vim.fn.execute('highlight TodoAlert')"), 'DiagnosticError')
  end
  client.stop()
end)

t.test('a list shows its sync state, and progress has a bar', function()
  local screens = require('todo.screen')
  local function utc(seconds) return os.date('!%Y-%m-%dT%H:%M:%S.000Z', os.time() + seconds) end
  local function standing(status) return screens.standing({ body = { status = status } }) end
  t.equal('3 pending, 1 conflict, 2 failed', standing({ pending = 3, conflicts = 1, failed = 2 }))
  t.equal('2 conflicts, synced 2 min ago', standing({ pending = 0, conflicts = 2, syncedAt = utc(-150) }))
  t.equal('synced 5 h ago, again in 3 min', standing({ syncedAt = utc(-18060), retryAt = utc(210) }))
  t.equal(true, standing({ retryAt = utc(45) }):match('^again in [34]%d s$') ~= nil)
  t.equal('', standing(nil))
  local function lines(body) return screens.lines({ screen = { body = body }, fields = {} }) end
  local body = { kind = 'progress', text = 'Loading', done = 3, total = 10 }
  t.equal({ 'Loading ' .. ('█'):rep(6) .. ('░'):rep(14) .. ' 3/10' }, lines(body))
  t.equal({ 'Loading 3' }, lines({ kind = 'progress', text = 'Loading', done = 3 }))
end)

t.test('rows have counts, notes, the colour of overdue ones, and the cursor on the title', function()
  local term, client = open(80, { title = 'Call [Bob]', note = 'at noon' }, { title = 'Pay', due = '2020-01-31' })
  term:wait('[ ] Pay' .. (' '):rep(58) .. 'due 2020-01-31')
  term:wait('[ ] Call [Bob] ≡')
  term:wait('2 open')
  term:wait_screen('an overdue date in the colour of errors', function(screen)
    return screen:find('\27%[[%d;]*31mdue 2020') or screen:find('\27%[[%d;]*91mdue 2020')
  end, '-e')
  term:keys(':echo "column" virtcol(".") &matchpairs . "."', 'Enter')
  term:wait('column 5 .')
  term:keys('x')
  term:wait('1 open, 1 done')
  client.stop()
end)

t.test('with a setting, done rows are below the others, folded, and boxes are the user\'s', function()
  local args, client = t.store({ title = 'Walk' }, { title = 'Pay', note = 'n' }, { title = 'Call' })
  local child = t.child({ server = args })
  child:lua("require('todo').setup({ fold_done = true, boxes = { '☐ ', '☑ ' } })")
  child:log_in()
  child:wait_line(1, '☐ Call')
  child:settle('jx')
  child:wait_line(3, '☑ Pay')
  child:wait('the heading', "vim.fn.foldtextresult(3) == '▸ Done (1)'")
  t.equal({ 2, 4 }, child:lua('return vim.api.nvim_win_get_cursor(0)'))
  child:settle('kx')
  child:wait('two rows', "vim.fn.foldtextresult(2) == '▸ Done (2)'")
  child:settle('jzo')
  child:wait('an open fold', 'vim.fn.foldclosed(2) == -1')
  client.stop()
end)

t.test('sections are folded by the keys of folds', function()
  local term, client = open(80, { title = 'Old', due = '2020-01-31' }, { title = 'Late', due = '2090-01-31' })
  term:wait('[ ] Old')
  term:keys('A')
  term:wait('Overdue\n[ ] Old')
  term:keys('zM')
  term:wait('▸ Overdue (1)\n▸ Later (1)', '[ ]')
  term:keys('zR')
  term:wait('Overdue\n[ ] Old')
  client.stop()
end)

t.test('a question for a password says that it may be empty, also after keys that are typed ahead', function()
  local term = terminal({ server = { '--store', 'memory' } })
  term:wait('All')
  term:keys(':Todo', 'Enter')
  term:wait('\nPassword:')
  term:keys('A', 'ann', 'Enter')
  term:wait('\nPassword (may be empty):')
  term:keys('Escape', 'r')
  term:wait('User name:')
  term:keys('A', 'annabella', 'Enter')
  -- A new account has one.
  term:wait_screen('the question', function(screen) return screen:find('\nPassword:%s*$') end)
  term:keys('Escape')
end)

t.test('a field that the server refuses is asked for again before the next one', function()
  local term = terminal({ server = { '--store', 'memory' } })
  term:wait('All')
  term:keys(':Todo', 'Enter')
  term:wait('\nPassword:')
  term:keys('r')
  term:wait('User name:')
  term:keys('A', 'ann', 'Enter')
  term:wait('! At least 8 characters.')
  term:wait('\nUser name: ann\n')
  term:keys('abella', 'Enter')
  term:wait_screen('the next question', function(screen) return screen:find('\nPassword:%s*$') end)
  term:keys('Escape')
end)

-- In older versions it does not tell an empty answer from none, and is not used.
if vim.fn.has('nvim-0.8') == 1 then t.test('an action asks by vim.ui.input, which may answer later', function()
  local args, client = t.store({ title = 'Call Bob' })
  local child = t.child({ server = args })
  child:log_in()
  child:lua([[vim.ui.input = function(options, done) asked, answer = options, done end]])
  child:keys('a')
  child:wait('the question', 'asked ~= nil')
  t.equal('Title: ', child:lua('return asked.prompt'))
  child:lua("answer('Buy tea')")
  child:wait_line(1, '[ ] Buy tea')
  child:lua('asked = nil')
  child:keys('a')
  child:wait('the question', 'asked ~= nil')
  child:lua('answer(nil)')
  child:lua('asked = nil')
  child:keys('/')
  child:wait('the question', 'asked ~= nil')
  t.equal('function', child:lua([[return type(require('todo.actions').complete)]]))
  child:lua("answer('bob')")
  child:wait_line(1, '[ ] Call Bob')
  t.equal({ '[ ] Call Bob' }, child:lines())
  client.stop()
end) end

t.test('hints follow the width of the window', function()
  local term, client = open(80, { title = 'Call' })
  term:wait('<CR> open  a add  x done or not  g? help')
  term:tmux('resize-window', '-x', '44', '-y', '20')
  term:wait_without('g? help')
  term:wait('<CR> open  a')
  client.stop()
end)

t.test('anything is added from anywhere, and all windows and tabs show it', function()
  local term, client = open(80, { title = 'Call' })
  term:wait('[ ] Call')
  term:keys(':tab Todo', 'Enter')
  term:wait('t//todoList  t//todoList')
  term:keys(':new', 'Enter')
  term:keys(':Todo add Buy milk', 'Enter')
  term:wait('[ ] Buy milk')
  term:keys(':tabnext', 'Enter')
  term:wait_without('\n[No Name]')
  term:wait('[ ] Buy milk')
  term:keys(':tabonly | only | enew', 'Enter')
  term:wait_without('[ ] Buy milk')
  term:keys(':Todo add Call Bob', 'Enter')
  term:wait('todo: Add: done')
  client.stop()
end)

t.run()
