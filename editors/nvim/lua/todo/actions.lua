-- What the user does: the questions that come before it, and what the server is told.

local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = {}

local ESCAPE = '\27'
local DECLINED = { message = 'not done' }

local function sentence(err) return 'todo: ' .. err.message end

local function complain(err)
  if err and err ~= DECLINED then vim.notify(sentence(err), vim.log.levels.ERROR) end
end

--- What a document says, by field, if something was typed into it since it was asked for the last time.
local function take_typed(view)
  local values = view.known and screens.parse(view.screen, api.nvim_buf_get_lines(view.buf, 0, -1, false))
  if vim.deep_equal(values, view.known) then return {} end
  view.known = values
  return vim.deepcopy(values)
end

--- Sends what was typed into a document, and answers whether an answer is out. Until that has come nothing more is
--- sent, so that typing is never faster than the server, and what the server says is not shown, for it may have been
--- said before the server had the text.
function M.send_typed(view)
  local typed = session.acting == 0 and take_typed(view) or {}
  if next(typed) then session.tell('change', view, { values = typed }, function() end) end
  return view.known ~= nil and session.acting > 0
end

--- Asks for the text of a field: nil if the user gives up. What is typed into a field of the form goes to the server
--- with each letter, which says what is wrong with it; a secret goes there at the end, and is kept nowhere here.
local function ask(view, field, is_of_form)
  local watch = is_of_form and not field.secret and api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@',
    callback = function()
      local typed = { [field.name] = fn.getcmdline() }
      session.tell('change', view, { values = typed }, function() vim.cmd('redraw') end)
    end,
  })
  local prompt = { prompt = field.label .. ': ', default = field.value or '', cancelreturn = ESCAPE }
  local ok, answer = pcall(field.secret and fn.inputsecret or fn.input, prompt) -- CTRL-C is an error
  if watch then api.nvim_del_autocmd(watch) end
  vim.cmd([[redraw | echo '']]) -- the prompt would stay
  return ok and answer ~= ESCAPE and answer or nil
end

--- Does an action of the screen, for the row `item` if it needs one; `done(err)` is called in any case. The main one
--- of a form that is no document asks for its fields first.
local function perform(view, action, item, done)
  if not action then return done({ message = 'there is nothing to do here' }) end
  local loses_text = action.name == view.screen.bar.left and vim.bo[view.buf].modified
  local question = action.confirm or loses_text and 'Drop the unsaved text?'
  if question and fn.confirm(question, '&Yes\n&No', 2) ~= 1 then return done(DECLINED) end
  local is_filled_in = not view.is_document and action == screens.main_action(view.screen)
  local fields, values = is_filled_in and screens.fields(view.screen) or {}, take_typed(view)
  for index, field in ipairs(vim.list_extend(vim.list_slice(fields), action.input or {})) do
    values[field.name] = ask(view, field, index <= #fields)
    if not values[field.name] then return done(DECLINED) end
  end
  local params = { action = action.name, item = item, values = next(values) and values }
  session.tell('act', view, params, done)
end

--- Does the action of that name, for the row under the cursor if it needs one.
function M.press(view, name)
  local action, win = screens.action(view.screen, name), fn.bufwinid(view.buf)
  local item = win ~= -1 and view.ids[api.nvim_win_get_cursor(win)[1]] or nil
  if not action or action.scope == 'item' and not item then
    return vim.notify('todo: this is not possible here', vim.log.levels.WARN)
  end
  perform(view, action, action.scope == 'item' and item or nil, function(err)
    view.is_done = not err and not session.find(view.name)
    complain(err)
  end)
end

--- `:w`: succeeds when the screen went away, or stays without another one in its place.
function M.write(view)
  local action, depth = screens.main_action(view.screen), #session.stack
  local err = session.wait(function(done) perform(view, action, nil, done) end)
  local front = session.front()
  if not err and front and front.name ~= view.name and #session.stack >= depth then
    err, view.is_done = { message = 'not saved yet: ' .. front.title }, not session.find(view.name)
  end
  vim.bo[view.buf].modified = err ~= nil
  local said = err and { sentence(err), 'ErrorMsg' } or { 'todo: ' .. action.title .. ': done' }
  api.nvim_echo({ said }, err ~= nil, {})
end

--- `:e!`: the text becomes again what it was made from, and so the server shows what has become of that since.
function M.read(view)
  if view.clean then
    complain(session.wait(function(done) session.tell('change', view, { values = view.clean }, done) end))
  end
  view.known, view.screen = nil, session.find(view.name) or view.screen
end

return M
