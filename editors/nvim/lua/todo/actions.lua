-- What the user does: the keys, the questions that come before an action, and what the server is
-- told.

local look = require('todo.look')
local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local ESCAPE = '\27'
local DECLINED = {} -- an error that the user knows

local function complain(err)
  if err and err.message then session.say(err.message, 'error') end
end

--- What a prompt answers, which then leaves the command line; CTRL-C may be an error.
local function prompt(run, ...)
  local ok, answer = pcall(run, ...)
  vim.cmd([[redraw | echo '']])
  return ok and answer or nil
end

--- Asks for the text of a field: nil if the user gives up. What is typed into a field of the form
--- goes to the server with each letter, which says what is wrong with it; a secret goes there at
--- the end, and is kept nowhere here.
local function ask(view, field, is_of_form)
  local function tell(text)
    session.tell('change', view, { values = { [field.name] = text } })
  end
  local watch = is_of_form and not field.secret and api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@', callback = function() tell(fn.getcmdline()) end,
  })
  local answer = prompt(field.secret and fn.inputsecret or fn.input, {
    prompt = field.label .. ': ', default = field.value or '', cancelreturn = ESCAPE,
  })
  if watch then api.nvim_del_autocmd(watch) end
  if answer and answer ~= ESCAPE then return answer end
  if watch then tell(field.value or '') end -- as it was
end

--- What an action goes with: the text, or the fields of a page from the cursor on, and what it
--- asks for besides. Nil if the user gives up. `argument` answers the first of its questions.
local function collect(view, action, argument)
  local is_main, win = action == screens.main_action(view.screen), fn.bufwinid(view.buf)
  local values = is_main and view.is_text and vim.deepcopy(texts.take(view)) or {}
  local first = win == -1 and 1 or api.nvim_win_get_cursor(win)[1]
  for row = first, is_main and view.is_page and #view.fields or 0 do
    local field = view.fields[row]
    if win ~= -1 then api.nvim_win_set_cursor(win, { row, 0 }) end
    local answer = ask(view, field, true)
    if not answer then return end
    values[field.name], view.typed[field.name] = answer, answer ~= '' or nil
  end
  for index, field in ipairs(action.input or {}) do
    local given = index == 1 and argument ~= '' and not field.secret and argument
    values[field.name] = given or ask(view, field)
    if not values[field.name] then return end
  end
  return values
end

--- Tells the server of an action. What is saved or settled is then with the server, and what is
--- dropped was asked about.
local function act(view, params, done)
  local lines = texts.lines(view)
  view.is_saving = true
  session.tell('act', view, params, function(err)
    view.is_saving = false
    if not err then view.typed = {} end -- a secret that was used is forgotten
    if not err and view.is_text then texts.keep(view, lines) end
    -- Whoever waited may have given up.
    if done(err) then complain(err) end
  end)
end

--- Does an action of the screen, or its main one, for the row `item` if it needs one: `done(err)`
--- is called once. What there is to ask first may depend on what was typed, and a text whose form
--- is not in front has to bring it there: only a save of the form in front says everything at once.
local function perform(view, action, done, item, argument)
  local front, main = session.front(), screens.main_action(view.screen)
  if not front then return done(session.not_running) end
  local is_save = (action or main).role == 'save' and front.id == view.id
  if texts.is_unsaved(view) and not is_save then
    local params = { values = texts.take(view), open = true }
    local err = session.await(function(told) session.tell('change', view, params, told) end)
    if err then return done(err) end
  end
  main = screens.main_action(view.screen)
  action = action and screens.action(view.screen, 'name', action.name) or main
  local subject = item and item.title or view.screen.subject
  local question = action.confirm and action.confirm .. (subject and (' “%s”'):format(subject) or '')
  if question and prompt(fn.confirm, question, '&Yes\n&No', 2) ~= 1 then return done(DECLINED) end
  local values = collect(view, action, argument)
  if not values then return done(DECLINED) end
  local stay = view.is_text and action == main or nil
  values = next(values) and values
  act(view, { action = action.name, item = item and item.id, values = values, stay = stay }, function(err)
    front = session.front()
    if stay and not err and front.body.layout == 'compare' then
      err = { message = 'not saved yet: ' .. front.title }
    elseif stay and not err then
      session.say(action.title .. ': done')
    end
    return done(err)
  end)
end

--- Saves or drops the words of another text, which is in front, as the user says.
local function settle(view)
  local open = session.find_view(session.front())
  if not open or open.id == view.id or not texts.is_unsaved(open) then return end
  local question = ('"%s" has unsaved words.'):format(open.screen.subject or open.screen.title)
  local choice = prompt(fn.confirm, question, '&Save\n&Drop\n&Cancel', 3)
  local back = choice == 2 and screens.action(open.screen, 'role', 'back')
  if choice ~= 1 and not back then return DECLINED end
  return session.await(function(done)
    if back then act(open, { action = back.name }, done) else perform(open, nil, done) end
  end)
end

--- Does an action of a view, for the row under the cursor if it needs one.
function M.press(view, action, argument)
  local win = fn.bufwinid(view.buf)
  local item = win ~= -1 and view.items[api.nvim_win_get_cursor(win)[1]]
  local is_of_item = action and action.scope == 'item'
  if not action or is_of_item and not item then
    return session.say('this is not possible here', 'warning')
  end
  local err = settle(view)
  if err then return complain(err) end
  perform(view, action, function(err)
    if not err and fn.bufwinid(view.buf) == -1 then session.say(action.title .. ': done') end
    complain(err)
  end, is_of_item and item or nil, argument)
  session.catch_up()
end

--- `:w`: succeeds when the text is stored, and leaves it open. Sides that are compared are not
--- settled by accident: something has to be changed first, or `:w!` says it.
function M.write(view)
  -- A save that has no answer yet says which version this one is made from.
  local err = session.wait(function() return not view.is_saving end)
  texts.sync(view)
  local is_compare = view.screen.body.layout == 'compare'
  if not err and is_compare and not texts.is_unsaved(view) and vim.v.cmdbang == 0 then
    local how = ':w! saves it as it is, g? shows the other ways out'
    err = { message = 'nothing was changed here yet; ' .. how }
  end
  err = err or session.await(function(done) perform(view, nil, done) end)
  vim.bo[view.buf].modified = err ~= nil
  complain(err)
end

--- `:e!`: the text becomes again what it was made from, and so the server shows what has become
--- of that since.
function M.read(view)
  local params = { values = screens.parse(view.fields, view.stored) }
  complain(session.await(function(done) session.tell('change', view, params, done) end))
  view.told, view.stored = nil, texts.lines(view)
  texts.sync(view)
end

-- What is no action of the server's, by its role.
local ours = {
  close = function() require('todo.view').close() end,
  help = look.help,
  before = look.before,
}

--- Maps a key to what has that role or letter. It is looked up when the key is pressed, so that it
--- follows the screen. It is mapped once, and only where the user has no such mapping already.
local function map(view, key, what, value, title)
  local own = api.nvim_buf_call(view.buf, function() return fn.maparg(key, 'n', false, true) end)
  if own.buffer == 1 then return end
  vim.keymap.set('n', key, function()
    -- It ends what is recorded, as everywhere.
    if key == 'q' and fn.reg_recording() ~= '' then return api.nvim_feedkeys('q', 'ni', false) end
    if ours[value] then return ours[value](view) end
    M.press(view, screens.action(view.screen, what, value))
  end, { buffer = view.buf, nowait = true, desc = title })
end

--- Maps the keys of a view, and remembers those of each action, the one to be shown first. In a
--- text letters are text: they come after <LocalLeader>.
function M.map(view)
  local config, screen, taken = require('todo'), view.screen, ''
  local own = view.is_page and config.keymaps or config.text_keymaps
  view.keys = {}
  local function give(key, what, value)
    local action = screens.action(screen, what, value)
    key = key:gsub('<LocalLeader>', vim.g.maplocalleader or '\\')
    -- A key that begins another one would hide it.
    if taken:find(' ' .. key, 1, true) or not action and not ours[value] then return end
    taken = taken .. ' ' .. key
    local name = action and action.name or value
    view.keys[name] = vim.list_extend(view.keys[name] or {}, { key })
    if key ~= ':w' then map(view, key, what, value, action and action.title) end
  end
  for _, key in ipairs(fn.sort(vim.tbl_keys(own))) do give(key, 'role', own[key]) end
  for _, action in ipairs(screen.actions) do
    local key, role = config.use_default_keymaps and action.key, action.role
    if key then give((view.is_page and '' or '<LocalLeader>') .. key, 'key', key) end
    if role then map(view, '<Plug>(todo-' .. role .. ')', 'role', role, action.title) end
  end
  for _, role in ipairs({ 'primary', 'close', 'help', 'before' }) do
    map(view, '<Plug>(todo-' .. role .. ')', 'role', role)
  end
  -- What begins to insert elsewhere fills in a form.
  local is_form = config.use_default_keymaps and view.is_page and screen.body.kind == 'form'
  for key in (is_form and 'iaIA' or ''):gmatch('.') do map(view, key, 'role', 'primary') end
end

return M
