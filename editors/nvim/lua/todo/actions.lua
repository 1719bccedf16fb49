-- What the user can do: the questions that come before it, and the command to the server.

local form = require('todo.form')
local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = {}

local ANSWER_MS = 5000
local ESCAPE = '\27'
local DECLINED = { message = 'not done' }

local function complain(view, err)
  if not err or err == DECLINED then return end
  vim.notify('todo: ' .. screens.complaint(view.screen, err), vim.log.levels.ERROR)
end

--- Asks for the text of a field: nil if the user gives up.
local function ask(field)
  local input = field.secret and fn.inputsecret or fn.input
  local text = input({ prompt = field.label .. ': ', default = field.value or '', cancelreturn = ESCAPE })
  vim.cmd('redraw')
  return text ~= ESCAPE and text or nil
end

--- Asks for a secret and sends it at once: it is kept nowhere here. Answers whether it was given.
function M.ask_secret(view, field)
  local text = ask(field)
  if text then session.change(view.screen, { [field.name] = text }, function(err) complain(view, err) end) end
  return text ~= nil
end

--- Does an action of the screen, for the row `item` if it needs one; `done(err)` is called in any case.
local function perform(view, action, item, done)
  if not action then return done({ message = 'there is nothing to do here' }) end
  local screen, asked = view.screen, {}
  local loses_text = action.name == screen.bar.left and form.is_modified(view)
  local question = action.confirm or loses_text and 'Drop the unsaved text?'
  if question and fn.confirm(question, '&Yes\n&No', 2) ~= 1 then return done(DECLINED) end
  for _, field in ipairs(action.input or {}) do
    asked[field.name] = ask(field)
    if not asked[field.name] then return done(DECLINED) end
  end
  local values = vim.tbl_extend('force', form.take_typed(view), asked)
  session.last = { screen = screen, action = action, item = item, values = values }
  session.act(session.last, done)
end

--- Does the action of that name, for the row under the cursor if it needs one.
function M.press(view, name)
  local action, win = screens.action(view.screen, name), fn.bufwinid(view.bufs[1])
  local item = view.ids and win ~= -1 and view.ids[api.nvim_win_get_cursor(win)[1]] or nil
  if action and action.scope == 'screen' then item = nil end
  if not action or action.scope == 'item' and not item then
    return vim.notify('todo: this is not possible here', vim.log.levels.WARN)
  end
  perform(view, action, item, function(err)
    -- What leaves with an action leaves as the user wished.
    if not err and not session.find(view.name) then form.set_unmodified(view) end
    complain(view, err)
  end)
end

--- Waits until `start(done)` has called `done(err)`: the error, or that there is no answer.
local function wait(start)
  local answer
  -- An answer that comes too late is not what the user acts on: the text may have been changed since.
  start(function(err) answer = answer or { err = err } end)
  local _, why = vim.wait(ANSWER_MS, function() return answer ~= nil end, 5)
  answer = answer or { err = { message = why == -2 and 'interrupted before the answer' or 'no answer within 5 s' } }
  return answer.err
end

--- `:w`: succeeds when the screen went away, or stays without another one in its place.
function M.write(view)
  local action = screens.main_action(view.screen)
  session.without_drawing(function()
    local err = wait(function(done) perform(view, action, nil, done) end)
    local front, is_there = session.front(), session.find(view.name)
    local goes_on = front and front.name ~= view.name and #session.stack() >= view.depth
    if not err and goes_on and screens.is_document(view.screen) then
      err = { message = 'not saved yet: ' .. front.title }
      -- `:wq` must not end here, but the text is in the next screen now.
      if not is_there then vim.schedule(function() form.set_unmodified(view) end) end
    end
    if not err then form.set_unmodified(view) end
    local text = err and screens.complaint(is_there, err) or action.title .. ': done'
    api.nvim_echo({ { 'todo: ' .. text, err and 'ErrorMsg' } }, err ~= nil, {})
  end)
end

--- `:e!`: goes back and comes again, for only so the server drops what was typed; else types what was there at first.
function M.read(view)
  local back, last = screens.action(view.screen, view.screen.bar.left), view.opened
  session.without_drawing(function()
    local err = wait(function(done)
      if not (back and last) then return session.change(view.screen, view.first, done) end
      session.act({ screen = view.screen, action = back }, function(failure)
        if failure then return done(failure) end
        session.act(last, done)
      end)
    end)
    view.screen, view.is_warned = session.find(view.name) or view.screen, false
    form.fill(view, true)
    complain(view, err)
  end)
end

return M
