-- What the user does: the questions that come before it, and what the server is told.

local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local ESCAPE = '\27'
local DECLINED = { message = 'not done' }

--- Says an error as a sentence for people: other codes are for those who write front-ends.
local function complain(err)
  if not err or err == DECLINED then return end
  local is_for_people = vim.tbl_contains({ 0, -32801, -32803 }, err.code or 0)
  session.say((is_for_people and '' or 'please report this: ') .. err.message, 'error')
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
    local redraw = function() vim.cmd('redraw') end
    session.tell('change', view, { values = { [field.name] = text } }, redraw)
  end
  local watch = is_of_form and not field.secret and api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@',
    callback = function() tell(fn.getcmdline()) end,
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
  local function take(field, answer)
    values[field.name] = answer
    return answer ~= nil
  end
  local row = win == -1 and 1 or api.nvim_win_get_cursor(win)[1]
  for index = row, is_main and not view.is_text and #view.fields or 0 do
    local field = view.fields[index]
    if win ~= -1 then api.nvim_win_set_cursor(win, { index, 0 }) end
    if not take(field, ask(view, field, true)) then return end
    view.typed[field.name] = values[field.name] ~= '' or nil
  end
  for index, field in ipairs(action.input or {}) do
    local given = index == 1 and argument ~= '' and not field.secret and argument or nil
    if not take(field, given or ask(view, field, false)) then return end
  end
  return values
end

--- Tells the server of an action, and answers the error. What is saved or settled is then with
--- the server, and what is dropped was asked about.
local function act(view, params)
  local tick = texts.tick(view)
  view.is_saving = true
  return session.await(function(done)
    session.tell('act', view, params, function(err)
      view.is_saving = false
      view.typed = err and view.typed or {} -- a secret that was used is forgotten
      if not err and view.is_text then texts.stored(view, tick) end
      if done(err) then complain(err or { message = 'saved after all' }) end
    end)
  end)
end

--- Does an action of the screen, or its main one, for the row `item` if it needs one, and answers
--- the error. What there is to ask first may depend on what was typed, and a text whose form is
--- not in front has to bring it there: only a save of the form in front says everything at once.
local function perform(view, action, item, argument)
  local front = session.front()
  if not front then return session.not_running end
  local is_save = (action or screens.main_action(view.screen)).role == 'save'
  if texts.is_unsaved(view) and not (is_save and front.id == view.id) then
    local err = session.await(function(done) texts.tell(view, done) end)
    if err then return err end
  end
  action = action and screens.action(view.screen, 'name', action.name)
    or screens.main_action(view.screen)
  local question = action.confirm
  if question and prompt(fn.confirm, question, '&Yes\n&No', 2) ~= 1 then return DECLINED end
  local values = collect(view, action, argument or '')
  if not values then return DECLINED end
  local stay = view.is_text and action == screens.main_action(view.screen) or nil
  values = next(values) and values
  local err = act(view, { action = action.name, item = item, values = values, stay = stay })
  if err or not stay then return err end
  front = session.front()
  if front.body.layout == 'compare' then return { message = 'not saved yet: ' .. front.title } end
  session.say(action.title .. ': done')
end

--- Saves or drops the words of another text, which is in front, as the user says.
local function settle(view)
  local open = session.find_view(session.front())
  if not open or open.id == view.id or not texts.is_unsaved(open) then return end
  local question = ('"%s" has unsaved words.'):format(open.screen.subject or open.screen.title)
  local choice = prompt(fn.confirm, question, '&Save\n&Drop\n&Cancel', 3)
  if choice == 1 then return perform(open) end
  local back = screens.action(open.screen, 'role', 'back')
  return choice == 2 and back and act(open, { action = back.name }) or DECLINED
end

--- Does an action of a view, for the row under the cursor if it needs one.
function M.press(view, action, argument)
  local win = fn.bufwinid(view.buf)
  local item = win ~= -1 and view.ids[api.nvim_win_get_cursor(win)[1]] or nil
  local is_of_item = action and action.scope == 'item'
  if not action or is_of_item and not item then
    return session.say('this is not possible here', 'warning')
  end
  coroutine.wrap(function()
    complain(settle(view) or perform(view, action, is_of_item and item or nil, argument))
  end)()
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
  err = err or perform(view)
  vim.bo[view.buf].modified = err ~= nil
  complain(err)
end

--- `:e!`: the text becomes again what it was made from, and so the server shows what has become
--- of that since.
function M.read(view)
  local params = { values = view.clean }
  complain(session.await(function(done) session.tell('change', view, params, done) end))
  view.told = nil
  texts.sync(view)
end

return M
