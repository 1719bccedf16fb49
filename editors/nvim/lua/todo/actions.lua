-- What the user does: the keys, the questions before an action, and the requests to the server.

local look = require('todo.look')
local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local ESCAPE, DECLINED = '\27', {} -- the latter is an error that the user knows
local ANSWER_MS = 500 -- for the answer to a field before the next question

--- Runs a prompt, and then clears the command line. Returns the answer; nil if the prompt throws an
--- error, as it may after CTRL-C.
local function prompt(run, ...)
  local showcmd = vim.o.showcmd
  vim.cmd([[set noshowcmd | redraw | echo '']]) -- the keys of an operator would stay beside it
  local ok, answer = pcall(run, ...)
  vim.o.showcmd = showcmd
  vim.cmd([[redraw | echo '']])
  return ok and answer or nil
end

--- Shows the message of an error. If another text must be saved or discarded first, opens that
--- text.
local function complain(err)
  session.complain(err)
  if not (err and err.data and err.data.reason == 'unsaved') then return end
  vim.schedule(function() require('todo.view').open('') end)
end

local suggested = {}

--- Returns the completions of a text. In each completion, the last words of the text are replaced
--- by a value that the field suggests, and that begins with these words. As many words as possible
--- are replaced. A "-" before them is kept.
function M.complete(text)
  for start in ('\0' .. text):gmatch('()[%z%s]') do
    local lead = text:sub(start)
    local sign = lead:match('^%-?')
    local matches = vim.tbl_filter(function(value)
      return vim.startswith(value:lower(), lead:sub(#sign + 1):lower())
    end, suggested)
    if #matches > 0 then
      return vim.tbl_map(function(value) return text:sub(1, start - 1) .. sign .. value end, matches)
    end
  end
  return {}
end

local function options_of(field, remark)
  suggested = field.suggest or {}
  return {
    prompt = field.label .. (remark or '') .. ': ', default = field.value or '', cancelreturn = ESCAPE,
    completion = field.suggest and "customlist,v:lua.require'todo.actions'.complete" or nil,
  }
end

local function unless_escaped(text) return text ~= ESCAPE and text or nil end

--- Asks for the text of a field; returns nil if the user cancels. A secret is not added to Neovim's
--- input history.
local function ask(field, remark)
  local run = field.secret and fn.inputsecret or fn.input
  return unless_escaped(prompt(run, options_of(field, remark)))
end

--- Asks for the text of the field in a row of a form; returns nil if the user cancels. The text is
--- sent to the server after each letter; a secret is sent when its input has ended. If the server
--- refuses the text, the question is repeated, unless the user has already typed keys for the next
--- question.
local function ask_field(view, row)
  local field = view.fields[row]
  local told = field.value or ''
  local function tell(text)
    if text ~= told then session.tell('change', view, { values = { [field.name] = text } }) end
    told = text
  end
  local watch = api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@', callback = function() tell(fn.getcmdline()) end,
  })
  -- What the form does may be possible already.
  local is_optional = field.secret and screens.main_action(view.screen).enabled
  local answer = ask(field, is_optional and ' (may be empty)')
  api.nvim_del_autocmd(watch)
  tell(answer or field.value or '') -- keys typed ahead trigger no event
  vim.wait(ANSWER_MS, function() return session.acting == 0 end, 5)
  local is_refused = answer and view.fields[row].error and fn.getchar(1) == 0
  if is_refused then return ask_field(view, row) end
  return answer
end

--- Asks for an input of an action, and calls `done(text)`; the text is nil if the user cancels.
local function ask_input(field, done)
  -- Before Neovim 0.8 `vim.ui.input` does not tell an empty answer from none.
  if field.secret or fn.has('nvim-0.8') == 0 then return done(ask(field)) end
  vim.ui.input(options_of(field), function(text)
    vim.cmd([[redraw | echo '']])
    done(unless_escaped(text))
  end)
end

--- Collects the values that an action is sent with, and calls `done(values)`; the values are nil if
--- the user cancels. The values are:
--- - for the main action of a text, the edits of the text;
--- - for the main action of a page, the user's answers for the fields from the cursor on;
--- - for any action, the answers to the questions of the action. `argument` answers the first
---   question, unless the question asks for a secret.
local function collect(view, action, argument, done)
  local is_main, win = action == screens.main_action(view.screen), fn.bufwinid(view.buf)
  local values = is_main and view.is_text and vim.deepcopy(texts.take(view)) or {}
  local first = win == -1 and 1 or api.nvim_win_get_cursor(win)[1]
  for row = first, is_main and view.is_page and #view.fields or 0 do
    local name = view.fields[row].name
    if win ~= -1 then api.nvim_win_set_cursor(win, { row, 0 }) end
    local answer = ask_field(view, row)
    if not answer then return done() end
    values[name], view.typed[name] = answer, answer ~= '' or nil
  end
  local function ask_from(index)
    local field = (action.input or {})[index]
    if not field then return done(values) end
    local function answered(text)
      values[field.name] = text
      if text then ask_from(index + 1) else done() end
    end
    local given = index == 1 and argument ~= '' and not field.secret and argument
    if given then answered(given) else ask_input(field, answered) end
  end
  ask_from(1)
end

--- Performs an action of the screen, or saves its text if `action` is nil. Calls `done(err)` once.
--- `options` contains:
--- - `items`: the rows;
--- - `argument`: the answer to the first question;
--- - `unconfirmed`: whether the server has refused the action because its question was not asked;
--- - `confirmed`: whether the user has already confirmed the action.
---
--- Edits are sent before the action in two cases: a question may depend on them, or their form is
--- not in front. In the second case, the action cannot contain them. If the user confirms a question
--- about the sides of a comparison, the action is sent with the base of these sides.
local function perform(view, action, done, options)
  local front, items, stay = session.front(), options.items or {}, action == nil or nil
  if not front then return done(session.not_running) end
  local is_direct = stay and front.id == view.id and not screens.main_action(view.screen).confirm
  if texts.is_unsaved(view) and (options.unconfirmed or not is_direct) then
    local values = texts.take(view)
    local params = { values = next(values) and values or texts.values(view), open = true }
    local err = session.await(function(told) session.tell('change', view, params, told) end)
    if err then return done(err) end
  end
  action = action and screens.action(view.screen, 'name', action.name)
    or screens.main_action(view.screen)
  local subject = (items[1] or {}).title or view.screen.subject or view.screen.title
  local question = action.confirm and ('%s “%s”'):format(action.confirm, session.plain(subject)) or ''
  if items[2] then question = (action.confirmMany or question):gsub('{count}', #items) end
  local is_sure = options.confirmed or question == ''
  local body = view.screen.body
  local is_yes = is_sure or prompt(fn.confirm, question, '&Yes\n&No', 2) == 1
  if not is_yes then return done(DECLINED) end
  collect(view, action, options.argument, function(values)
    if not values then return done(DECLINED) end
    local params = { action = action.name, stay = stay, values = next(values) and values }
    params.base = not is_sure and body.layout == 'compare' and body.base or nil
    params.items = items[1] and vim.tbl_map(function(item) return item.id end, items)
    local sent = view.is_text and texts.values(view)
    view.is_saving = true
    local function answered(err, result)
      view.is_saving = false
      if not err then view.typed = {} end -- a secret that was used is forgotten
      local asks = not err and result.outcome == 'asks'
      if not err and sent then texts.finish(view, sent, result, stay) end
      if asks then err = { message = 'not saved yet: ' .. session.front().title } end
      local is_added = action.role == 'create' and fn.bufwinid(view.buf) == -1
      if not err and (stay or is_added) then session.say(stay and 'saved' or 'added') end
      -- The user may have cancelled the wait.
      if done(err) then complain(err) end
    end
    local is_elsewhere = action.role == 'create' and not session.offers(view.id)
    if is_elsewhere then return session.request('addTodo', values, answered) end
    session.tell('act', view, params, answered)
  end)
end

--- Saves a text, or leaves it by an action. Waits for the response, and returns the error, if any.
--- If the server refuses the request because it needs a confirmation, asks the question for this
--- text and sends the request again.
local function finish(view, action, options)
  local err = session.await(function(done) perform(view, action, done, options) end)
  local is_refused = err and err.data and err.data.reason == 'unconfirmed'
  if options.unconfirmed or not is_refused then return err end
  return finish(view, action, { unconfirmed = true })
end

--- If another text is in front and has unsaved edits, asks the user whether to save or drop them,
--- and does that. Then calls `done(err)`.
local function settle(view, done)
  local open = session.find_view(session.front())
  if not open or open.id == view.id or not texts.is_unsaved(open) then return done() end
  local question = ('"%s" has unsaved words:'):format(open.screen.subject or open.screen.title)
  vim.ui.select({ 'Save', 'Drop', 'Cancel' }, { prompt = question, kind = 'todo' }, function(choice)
    vim.cmd([[redraw | echo '']])
    local back = choice == 'Drop' and screens.action(open.screen, 'role', 'back') or nil
    if choice ~= 'Save' and not back then return done(DECLINED) end
    done(finish(open, back, { confirmed = back }))
  end)
end

--- Performs an action of a view `count` times. An action of rows is performed for the rows from
--- `first` to `last`, by default for the row under the cursor.
function M.press(view, action, argument, first, last, count)
  view = session.find_view(view.screen) or view -- of a side, the text
  local win, is_of_item = fn.bufwinid(view.buf), action and action.scope == 'item'
  first = first or win ~= -1 and api.nvim_win_get_cursor(win)[1] or 0
  last = last or first
  local items = is_of_item and vim.list_slice(view.items, first, last) or {}
  local is_possible = action and (not is_of_item or #items == last - first + 1)
  for _, item in ipairs(items) do
    local is_locked = item.readOnly and not screens.is_possible(action, item)
    if is_locked then return session.say(('“%s” can only be read'):format(item.title), 'warning') end
  end
  if not is_possible then return session.say('this is not possible here', 'warning') end
  settle(view, function(err)
    local is_save = view.is_text and action == screens.main_action(view.screen)
    if err or is_save then return complain(err or finish(view, nil, {})) end
    local options = { items = items, argument = argument }
    for _ = 2, count or 1 do
      err = session.await(function(done) perform(view, action, done, options) end)
      if err then return complain(err) end
    end
    perform(view, action, complain, options)
    session.catch_up()
  end)
end

local MOVES = { moveUp = true, moveDown = true } -- the roles of actions for one row that take a count
local operated -- how to find the action that `.` repeats

--- Performs an action for the rows of a motion, as the 'operatorfunc'.
function M.operate()
  local view = session.views[api.nvim_get_current_buf()]
  local action = view and screens.action(view.screen, unpack(operated))
  if view then M.press(view, action, nil, fn.line("'["), fn.line("']")) end
end

--- Performs the action that a key is mapped to. If the action can be performed for several rows,
--- the key is an operator, so that it accepts a count or a selection, and can be repeated with `.`.
local function press_key(view, what, value)
  local action = screens.action(view.screen, what, value)
  if not (action and action.many) then
    local is_move = action and MOVES[action.role]
    return M.press(view, action, nil, nil, nil, is_move and vim.v.count1)
  end
  operated, vim.go.operatorfunc = { what, value }, "v:lua.require'todo.actions'.operate"
  local count = api.nvim_get_mode().mode == 'n' and vim.v.count1
  api.nvim_feedkeys(count and count .. 'g@_' or 'g@', 'ni', false)
end

--- `:w`: succeeds when the text is stored, and leaves it open.
function M.write(view)
  -- A save without a response yet decides the base of this one.
  local err = session.wait(function() return not view.is_saving end) or finish(view, nil, {})
  vim.bo[view.buf].modified = err ~= nil or texts.is_unsaved(view)
  complain(err)
end

--- `:e!`: discards the edits, including those that the server has received or recovered, and shows
--- the server's text again. If the server has edits of a form, the form is left and opened again,
--- because it then has the stored text. A comparison cannot be left. Instead, each text that was
--- sent is replaced at the server by the text that the buffer was loaded with.
function M.read(view)
  session.wait(function() return session.acting == 0 end)
  local back, values = screens.action(view.screen, 'role', 'back'), vim.empty_dict()
  local function ask(what, params)
    session.complain(session.await(function(done) session.tell(what, view, params, done) end))
  end
  for name in pairs(back and {} or view.sent) do values[name] = view.loaded[name] end
  view.loaded, view.sent = nil, {}
  if back and back.confirm then ask('act', { action = back.name }) end
  if back and back.confirm or next(values) then ask('change', { values = values, open = true }) end
  texts.sync(view)
  look.decorate(view)
end

--- Opens the page of the row under the cursor at its source.
local function open_page(view)
  local url = (view.items[api.nvim_win_get_cursor(0)[1]] or {}).url or ''
  if not url:find('^https?://') then return session.say('this row has no page at a source', 'warning') end
  local open = vim.ui.open or function(page) fn.jobstart({ 'xdg-open', page }, { detach = true }) end
  local is_open, err = pcall(open, url)
  if not is_open then session.say(('%s cannot be opened: %s'):format(url, err), 'error') end
end

-- The commands of this plugin besides the server's actions, by their role.
local own_actions = {
  close = function() require('todo.view').close() end,
  help = look.help,
  before = look.before,
  link = open_page,
}

--- Maps a key of a view to an action. The action is the one whose member `what` ("role" or "key")
--- is `value`. It is looked up when the key is pressed, because the screen may have changed. The
--- key is mapped only one time, and only if the user has not mapped it in the buffer. If an action
--- of several rows has a doubled key, such as dd, one half of the key (d) is enough for a
--- selection.
local function map(view, key, what, value, action)
  local half = action and action.many and key:gsub('^(.)%1$', '%1') or nil
  for mode, lhs in pairs({ n = key, x = half }) do
    local own = api.nvim_buf_call(view.buf, function() return fn.maparg(lhs, mode, false, true) end)
    if own.buffer ~= 1 then
      vim.keymap.set(mode, lhs, function()
        if own_actions[value] then return own_actions[value](view) end
        press_key(view, what, value)
      end, { buffer = view.buf, nowait = true, desc = action and action.title })
    end
  end
end

--- Maps the keys of a view, and records the keys of each action in `view.keys`, beginning with the
--- one to show. In a text, letters are for typing, so the letters of actions come after
--- <LocalLeader>.
function M.map(view)
  local config, screen, taken = require('todo'), view.screen, ''
  local own = view.is_page and config.keymaps or config.text_keymaps
  local function leader() return (vim.g.maplocalleader or '\\'):gsub(' ', '<Space>') end
  view.keys = {}
  local function give(key, what, value)
    local action = value and screens.action(screen, what, value)
    key = key:gsub('<LocalLeader>', leader)
    -- A key that begins another one would hide it. One that the user has set to false stays free.
    local is_known = value == false or action or own_actions[value]
    if taken:find(' ' .. key, 1, true) or not is_known then return end
    taken = taken .. ' ' .. key
    if not value then return end
    local name = action and action.name or value
    view.keys[name] = vim.list_extend(view.keys[name] or {}, { key })
    if key ~= ':w' then map(view, key, what, value, action) end
  end
  for _, key in ipairs(fn.sort(vim.tbl_keys(own))) do give(key, 'role', own[key]) end
  for _, action in ipairs(screen.actions) do
    local key, role = config.use_default_keymaps and action.key, action.role
    if key then give((view.is_page and '' or '<LocalLeader>') .. key, 'key', key) end
    if role then map(view, '<Plug>(todo-' .. role .. ')', 'role', role, action) end
  end
  for _, role in ipairs({ 'primary', 'close', 'help', 'before', 'link' }) do
    map(view, '<Plug>(todo-' .. role .. ')', 'role', role)
  end
  -- The keys that open or close a fold of a list draw its rows again.
  local has_folds = config.use_default_keymaps and screen.body.kind == 'list'
  for key in (has_folds and 'aocMR' or ''):gmatch('.') do
    vim.keymap.set('n', 'z' .. key, function()
      pcall(vim.cmd, 'normal! z' .. key)
      look.decorate(view)
      look.uncover(view)
    end, { buffer = view.buf })
  end
  -- The keys that start insert mode in other buffers fill in a form.
  local is_form = config.use_default_keymaps and view.is_page and screen.body.kind == 'form'
  for key in (is_form and 'iaIA' or ''):gmatch('.') do map(view, key, 'role', 'primary') end
end

return M
