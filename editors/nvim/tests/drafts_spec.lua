-- Unsaved text survives the end of Neovim and of the server, with real keys. DRAFT_ROUNDS is how often that is tried
-- (default: 1), and DRAFT_SECONDS how long after its text is on the screen a Neovim is killed (default: as soon as there
-- is a draft).

local t = require('harness')
local terminal = require('terminal')

local uv = vim.uv or vim.loop
local seconds = tonumber(vim.env.DRAFT_SECONDS)

--- Returns the IDs of a process and of all processes that it has started.
local function family(pid)
  local pids = { pid }
  for _, child in ipairs(vim.api.nvim_get_proc_children(pid)) do vim.list_extend(pids, family(child)) end
  return pids
end

--- Kills a Neovim and its server together, as soon as the store has a draft with that text, or after DRAFT_SECONDS.
local function kill(term, store, text)
  term:wait(text)
  if seconds then
    uv.sleep(seconds * 1000)
  else
    t.wait('the draft', function()
      for _, file in ipairs(vim.fn.glob(store .. '.drafts-*', true, true)) do
        if table.concat(vim.fn.readfile(file, 'b')):find(text, 1, true) then return true end
      end
    end)
  end
  local pids = family(term.pid)
  for _, pid in ipairs(pids) do uv.kill(pid, 'sigkill') end
  t.wait('the end of both', function() return #vim.tbl_filter(t.is_running, pids) == 0 end)
end

--- Returns a terminal that shows a list with one todo of a store.
local function start(args)
  local term = terminal({ server = args })
  term:log_in()
  term:wait('Buy milk')
  return term
end

local function store()
  local args, client, ids = t.store({ title = 'Buy milk' })
  return args, args[2]:gsub('^sqlite:', ''), function() return client.call('getTodo', { id = ids[1] }).todo.title end, client.stop
end

--- Types ' and tea' after the title, and kills Neovim and the server. Returns a new terminal in which the text is
--- recovered, and two functions: the first returns the stored title, the second stops the client of the store.
local function recovered()
  local args, file, stored, stop = store()
  local term = start(args)
  term:keys('Enter')
  term:wait(':w save')
  term:keys('A and tea')
  kill(term, file, 'Buy milk and tea')
  term:stop()
  term = start(args)
  term:wait('1 unsaved text was recovered')
  term:wait('draft\n')
  term:keys('Enter')
  term:wait('Buy milk and tea')
  term:wait('Unsaved text from')
  return term, stored, stop
end

t.test('text survives the end of editor and server', function()
  for _ = 1, tonumber(vim.env.DRAFT_ROUNDS) or 1 do
    local term, stored, stop = recovered()
    term:keys('A and bread', 'Escape', ':w', 'Enter')
    term:wait('todo: saved')
    t.equal('Buy milk and tea and bread', stored())
    term:keys('-')
    term:wait('[ ] Buy milk and tea and bread', 'draft')
    term:stop()
    stop()
  end
end)

t.test('a recovered text is not saved yet: ZZ and :wqa save it', function()
  for _, keys in ipairs({ { 'ZZ' }, { ':wqa', 'Enter' } }) do
    local term, stored, stop = recovered()
    term:wait('[+]')
    term:keys(unpack(keys))
    t.wait('the end', function() return not t.is_running(term.pid) end)
    t.equal('Buy milk and tea', stored())
    stop()
  end
end)

t.test(':e! discards a recovered text, and labels stay where they are', function()
  local term, _, stop = recovered()
  for _ = 1, 2 do
    term:keys(':e!', 'Enter')
    term:wait('Title\nBuy milk\n\nNote\n', 'Unsaved text from')
  end
  term:keys('-')
  term:wait('[ ] Buy milk\n', 'draft')
  stop()
end)

t.test('several texts are a choice, and each can be discarded', function()
  local args, file, _, stop = store()
  local terms = { start(args), start(args) }
  for index, words in ipairs({ ' and tea', ' and bread' }) do
    terms[index]:keys('Enter')
    terms[index]:wait(':w save')
    terms[index]:keys('A' .. words)
    terms[index]:wait('Buy milk' .. words)
  end
  kill(terms[1], file, 'Buy milk and tea')
  kill(terms[2], file, 'Buy milk and bread')
  local term = start(args)
  term:wait('2 unsaved texts were recovered')
  term:keys('Enter')
  term:wait_screen('both texts', function(screen)
    return screen:find('UTC: Buy milk and tea', 1, true) and screen:find('UTC: Buy milk and bread', 1, true)
  end)
  term:keys('dd')
  term:wait('Discard this text? “Buy milk”')
  term:keys('y')
  term:wait_screen('one text', function(screen) return select(2, screen:gsub('UTC: Buy milk', '')) == 1 end)
  term:keys('Enter')
  term:wait('Unsaved text from')
  term:keys('-')
  term:wait('Discard what you typed? “Buy milk”')
  term:keys('y')
  term:wait('[ ] Buy milk\n', 'draft')
  stop()
end)

t.run()
