-- What the user does: the questions that come before it, and what the server is told.

local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local ESCAPE = '\27'
local DECLINED = { message = 'not done' }

--- Says an error as a sentence for people: most codes are for those who write front-ends.
local function complain(err)
  if not err or err == DECLINED then return end
  local is_for_people = not err.code or err.code == -32801 or err.code == -32803
  local why = is_for_people and '' or 'this went wrong in the program itself; please report it: '
  session.say(why .. err.message, 'error')
end

--- What a prompt answers, which then leaves the command line; CTRL-C may be an error.
local function prompt(run, ...)
  local ok, answer = pcall(run, ...)
  vim.cmd([[redraw | echo '']])
  return ok and answer or nil
end

--- Asks for the text of a field: nil if the user gives up. What is typed into a field of the form goes to the server
--- with each letter, which says what is wrong with it; a secret goes there at the end, and is kept nowhere here.
local function ask(view, field, is_of_form)
  local function tell(text)
    session.tell('change', view, { values = { [field.name] = text } }, function() vim.cmd('redraw') end)
  end
  local watch = is_of_form and not field.secret and api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@',
    callback = function() tell(fn.getcmdline()) end,
  })
  local options = { prompt = field.label .. ': ', default = field.value or '', cancelreturn = ESCAPE }
  local answer = prompt(field.secret and fn.inputsecret or fn.input, options)
  if watch then api.nvim_del_autocmd(watch) end
  if answer and answer ~= ESCAPE then return answer end
  if watch then tell(field.value or '') end -- as it was
end

--- What an action goes with: the text, or the fields of a page from the cursor on, and what it asks for besides. Nil if
--- the user gives up. `argument` answers the first of its questions.
local function collect(view, action, argument)
  local is_main, win = screens.is_main(view.screen, action), fn.bufwinid(view.buf)
  local values = is_main and view.is_text and texts.take(view) or {}
  local row = win == -1 and 1 or api.nvim_win_get_cursor(win)[1]
  for index = row, is_main and not view.is_text and #view.fields or 0 do
    local field = view.fields[index]
    if win ~= -1 then api.nvim_win_set_cursor(win, { index, 0 }) end
    values[field.name] = ask(view, field, true)
    if not values[field.name] then return end
    view.typed[field.name] = values[field.name] ~= '' or nil
  end
  for index, field in ipairs(action.input or {}) do
    local is_given = index == 1 and (argument or '') ~= '' and not field.secret
    values[field.name] = is_given and argument or ask(view, field, false)
    if not values[field.name] then return end
  end
  return values
end

--- Tells the server of an action, and answers the error. What is saved or settled is then with the server, and what is
--- dropped was asked about.
local function act(view, params)
  local tick = view.is_text and texts.tick(view)
  view.is_saving = true
  return session.await(function(done)
    session.tell('act', view, params, function(err)
      view.is_saving = false
      if not err and tick and api.nvim_buf_is_loaded(view.buf) then texts.stored(view, tick) end
      if done(err) then complain(err or { message = 'saved after all' }) end
    end)
  end)
end

--- Does an action of the screen, for the row `item` if it needs one, and answers the error.
local function perform(view, action, item, argument)
  if not action then return { message = 'there is nothing to do here' } end
  -- Unsaved words are a reason to ask, also where the server has not heard of them yet.
  local question = action.confirm or action.role == 'back' and texts.is_unsaved(view) and 'Drop the unsaved text?'
  if question and prompt(fn.confirm, question, '&Yes\n&No', 2) ~= 1 then return DECLINED end
  local values = collect(view, action, argument)
  if not values then return DECLINED end
  if item then M.last = { list = view.id, title = view.screen.title, action = action.name, item = item } end
  local stay = view.is_text and screens.is_main(view.screen, action) or nil
  return act(view, { action = action.name, item = item, values = next(values) and values, stay = stay })
end

--- Saves or drops the words of another text, which is in front, as the user says.
local function settle(view)
  local open = session.find_view(session.front())
  if not open or open.id == view.id or not texts.is_unsaved(open) then return end
  local question = ('"%s" has unsaved words.'):format(open.screen.subject or open.screen.title)
  local choice = prompt(fn.confirm, question, '&Save\n&Drop\n&Cancel', 3)
  if choice == 1 then return perform(open, screens.main_action(open.screen)) end
  local back = screens.action(open.screen, 'role', 'back')
  if choice ~= 2 or not back then return DECLINED end
  return act(open, { action = back.name })
end

--- Does an action of a view, for the row under the cursor if it needs one.
function M.press(view, action, argument)
  local win = fn.bufwinid(view.buf)
  local item = win ~= -1 and view.ids[api.nvim_win_get_cursor(win)[1]] or nil
  local is_of_item = action and action.scope == 'item'
  if not action or is_of_item and not item then return session.say('this is not possible here', 'warning') end
  coroutine.wrap(function()
    complain(settle(view) or perform(view, action, is_of_item and item or nil, argument))
  end)()
end

--- Makes sure that the screen of a text is in front. After a restart it is opened again from the list that it came
--- from; what is gone there can become a new entry.
local function reach(view)
  local front, from = session.front(), view.from or {}
  local list = session.find(from.list)
  if not front then
    return session.status == 'running' and { message = 'the server is not ready yet' } or session.not_running
  end
  if front.id ~= view.id and not (list and list.body) then
    return { message = ('not saved: show "%s" again with :Todo, then :w'):format(from.title or view.screen.title) }
  end
  local err = front.id ~= view.id and act({ screen = list }, { action = from.action, item = from.item }) or nil
  local create = err and err.data and err.data.reason == 'itemGone' and screens.action(list, 'role', 'create')
  if create then
    local question = ('It is not in "%s" any more. Save the text as a new entry?'):format(list.title)
    if prompt(fn.confirm, question, '&Yes\n&No', 1) ~= 1 then return { message = 'not saved: ' .. err.message } end
    local typed, values = texts.take(view), {}
    for _, input in ipairs(create.input or {}) do values[input.name] = typed[input.name] end
    err = act({ screen = list }, { action = create.name, values = values })
    if err then return err end
    view.id, view.base, from.item = nil, nil, session.find(list.id).body.select
    return reach(view)
  end
  front = session.front()
  if not err and not view.id then view.id, view.base = front.id, front.body.base end
  texts.renew(view)
  return err or view.screen.id ~= front.id and { message = 'not saved: another screen came up' } or nil
end

--- `:w`: succeeds when the text is stored, and leaves it open. Sides that are compared are not settled by accident:
--- something has to be changed first, or `:w!` says it.
function M.write(view)
  -- A save that has no answer yet says which version this one is made from.
  local is_answered, why = session.wait(function() return not view.is_saving end)
  texts.renew(view)
  texts.sync(view)
  local err = not is_answered and { message = why } or reach(view)
  local is_compare = view.screen.body.layout == 'compare'
  if not err and is_compare and view.drawn == texts.tick(view) and vim.v.cmdbang == 0 then
    err = { message = 'nothing was changed here yet; :w! saves it as it is, g? shows the other ways out' }
  end
  if not err and screens.main_action(view.screen).confirm then
    -- Whether there is something to ask depends on what was typed, which the server may not have yet.
    err = session.await(function(done) session.tell('change', view, { values = texts.take(view) }, done) end)
    texts.renew(view)
  end
  local action = screens.main_action(view.screen)
  err = err or perform(view, action)
  local front = session.front()
  if not err and front and front.body.layout == 'compare' then err = { message = 'not saved yet: ' .. front.title } end
  vim.bo[view.buf].modified = err ~= nil
  if not err then session.say(action.title .. ': done') end
  complain(err)
end

--- `:e!`: the text becomes again what it was made from, and so the server shows what has become of that since.
function M.read(view)
  complain(view.clean and session.await(function(done)
    session.tell('change', view, { values = view.clean }, done)
  end))
  view.told = nil
  texts.renew(view)
  texts.sync(view)
end

return M
