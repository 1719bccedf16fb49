-- What the user does: the questions that come before it, and what the server is told.

local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local ESCAPE = '\27'
local DECLINED = { message = 'not done' }

--- An error as a sentence for people: most codes are for those who write front-ends.
local function sentence(err)
  local is_for_people = not err.code or err.code == -32801 or err.code == -32803
  return is_for_people and err.message or 'this went wrong in the program itself; please report it: ' .. err.message
end

local function complain(err)
  if err and err ~= DECLINED then session.say(sentence(err), 'error') end
end

local function confirm(question, choices, default)
  local ok, answer = pcall(fn.confirm, question, choices, default) -- CTRL-C may be an error
  vim.cmd([[redraw | echo '']])
  return ok and answer or 0
end

--- Asks for the text of a field: nil if the user gives up. What is typed into a field of the form goes to the server
--- with each letter, which says what is wrong with it; a secret goes there at the end, and is kept nowhere here.
local function ask(view, field, is_of_form)
  local watch = is_of_form and not field.secret and api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@',
    callback = function()
      local values = { [field.name] = fn.getcmdline() }
      session.tell('change', view, { values = values }, function() vim.cmd('redraw') end)
    end,
  })
  local prompt = { prompt = field.label .. ': ', default = field.value or '', cancelreturn = ESCAPE }
  local ok, answer = pcall(field.secret and fn.inputsecret or fn.input, prompt) -- CTRL-C is an error
  if watch then api.nvim_del_autocmd(watch) end
  vim.cmd([[redraw | echo '']]) -- the prompt would stay
  return ok and answer ~= ESCAPE and answer or nil
end

--- The fields of a form that are to be filled in: from the cursor on, which goes with them.
local function form_fields(view, action)
  if view.is_text or view.screen.body.kind ~= 'form' or action ~= screens.main_action(view.screen) then return {}, 0 end
  local fields, win = screens.fields(view.screen), fn.bufwinid(view.buf)
  local row = win == -1 and 1 or api.nvim_win_get_cursor(win)[1]
  return vim.list_slice(fields, row), row, win
end

--- Does an action of the screen, for the row `item` if it needs one; `argument` answers its first question. `done(err)`
--- is called in any case.
local function perform(view, action, item, argument, done)
  if not action then return done({ message = 'there is nothing to do here' }) end
  local is_main = view.is_text and action == screens.main_action(view.screen)
  -- Unsaved words are a reason to ask, also where the server has not heard of them yet.
  local question = action.confirm or action.role == 'back' and texts.is_unsaved(view) and 'Drop the unsaved text?'
  if question and confirm(question, '&Yes\n&No', 2) ~= 1 then return done(DECLINED) end
  local fields, row, win = form_fields(view, action)
  local values = is_main and texts.take(view) or {}
  for index, field in ipairs(vim.list_extend(vim.list_slice(fields), action.input or {})) do
    local is_of_form = index <= #fields
    if is_of_form and win ~= -1 then pcall(api.nvim_win_set_cursor, win, { row + index - 1, 0 }) end
    local is_given = not is_of_form and index == #fields + 1 and (argument or '') ~= '' and not field.secret
    values[field.name] = is_given and argument or ask(view, field, is_of_form)
    if not values[field.name] then return done(DECLINED) end
    if is_of_form then view.typed[field.name] = values[field.name] ~= '' or nil end
  end
  if item then M.last = { list = view.id, title = view.screen.title, action = action.name, item = item } end
  local ticked = view.is_text and texts.tick(view)
  local params = { action = action.name, item = item, values = next(values) and values, stay = is_main or nil }
  session.tell('act', view, params, function(err)
    -- What is saved or settled is with the server, and what is dropped was asked about.
    if not err and ticked and api.nvim_buf_is_loaded(view.buf) then texts.stored(view, ticked) end
    done(err)
  end)
end

--- Goes on when the words of another text, which is in front, are saved or dropped.
local function settle(view, go, done)
  local open = session.find_view(session.front())
  if not open or open == view or not texts.is_unsaved(open) then return go() end
  local name = open.screen.subject or open.screen.title
  local choice = confirm(('"%s" has unsaved words.'):format(name), '&Save\n&Drop\n&Cancel', 3)
  local back = vim.deepcopy(screens.action(open.screen, 'role', 'back') or {})
  back.confirm, back.role = nil, nil -- that was just asked
  if choice ~= 1 and choice ~= 2 then return done(DECLINED) end
  perform(open, choice == 1 and screens.main_action(open.screen) or back, nil, nil, function(err)
    if err then done(err) else go() end
  end)
end

--- Does an action of a view, for the row under the cursor if it needs one.
function M.press(view, action, argument)
  local win = fn.bufwinid(view.buf)
  local item = win ~= -1 and view.ids[api.nvim_win_get_cursor(win)[1]] or nil
  if not action or action.scope == 'item' and not item then
    return session.say('this is not possible here', 'warning')
  end
  settle(view, function()
    perform(view, action, action.scope == 'item' and item or nil, argument, complain)
  end, complain)
end

--- Makes sure that the screen of a text is in front. After a restart it is opened again from the list that it came
--- from; what is gone there can become a new entry.
local function reach(view)
  local front, from = session.front(), view.from or {}
  if not front then return session.status == 'running' and { message = 'the server is not ready yet' } or session.not_running end
  if front.id == view.id then return end
  local list = session.find(from.list)
  if not list or not list.body then
    return { message = ('not saved: show "%s" again with :Todo, then :w'):format(from.title or view.screen.title) }
  end
  local function act(params)
    return session.wait(function(done) session.tell('act', { screen = list }, params, done) end)
  end
  local err = act({ action = from.action, item = from.item })
  local create = screens.action(list, 'role', 'create')
  if err and err.data and err.data.reason == 'itemGone' and create then
    local question = ('It is not in "%s" any more. Save the text as a new entry?'):format(list.title)
    if confirm(question, '&Yes\n&No', 1) ~= 1 then return { message = 'not saved: ' .. err.message } end
    local typed, values = texts.take(view), {}
    for _, input in ipairs(create.input or {}) do values[input.name] = typed[input.name] end
    err = act({ action = create.name, values = values })
    local select = not err and session.find(list.id).body.select
    err = err or act({ action = from.action, item = select or nil })
    front = session.front()
    if not err then view.id, view.base, from.item = front.id, front.body.base, select end
  end
  view.screen = session.find(view.id) or view.screen
  return err or not session.find(view.id) and { message = 'not saved: another screen came up' } or nil
end

--- `:w`: succeeds when the text is stored, and leaves it open. Sides that are compared are not settled by accident:
--- something has to be changed first, or `:w!` says it.
function M.write(view)
  local err, action, is_late = reach(view), screens.main_action(view.screen), false
  local is_compare = view.screen.body.layout == 'compare'
  if not err and is_compare and view.drawn == texts.tick(view) and vim.v.cmdbang == 0 then
    err = { message = 'nothing was changed here yet; :w! saves it as it is, g? shows the other ways out' }
  end
  if not err and action.confirm then
    -- Whether there is something to ask depends on what was typed, which the server may not have yet.
    err = session.wait(function(done) session.tell('change', view, { values = texts.take(view) }, done) end)
    view.screen = session.find(view.id) or view.screen
    action = screens.main_action(view.screen)
  end
  err = err or session.wait(function(done)
    perform(view, action, nil, nil, function(why)
      done(why)
      if is_late then session.say(why and sentence(why) or 'saved after all', why and 'error') end
    end)
  end)
  is_late = true
  local front = session.front()
  if not err and front and front.body.layout == 'compare' then err = { message = 'not saved yet: ' .. front.title } end
  vim.bo[view.buf].modified = err ~= nil
  session.say(err and sentence(err) or action.title .. ': done', err and 'error')
end

--- `:e!`: the text becomes again what it was made from, and so the server shows what has become of that since.
function M.read(view)
  if view.clean then
    complain(session.wait(function(done) session.tell('change', view, { values = view.clean }, done) end))
  end
  view.told, view.screen = nil, session.find(view.id) or view.screen
  texts.sync(view)
end

return M
