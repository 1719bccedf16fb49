-- A text that is edited: how what was typed and what the server says come together. Nothing typed
-- is drawn over.

local screens = require('todo.screen')
local session = require('todo.session')
local api = vim.api

local M = {}

function M.tick(view) return api.nvim_buf_get_changedtick(view.buf) end

local function typed(view)
  return screens.parse(view.fields, api.nvim_buf_get_lines(view.buf, 0, -1, false))
end

--- Whether the user is just typing into it.
local function is_typing(view)
  local is_here = view.is_text and api.nvim_get_current_buf() == view.buf
  return is_here and api.nvim_get_mode().mode:match('^[iR]') ~= nil
end

--- Whether a buffer has words that the server does not have.
function M.is_unsaved(view)
  if not view.is_text or not api.nvim_buf_is_loaded(view.buf) then return false end
  return vim.bo[view.buf].modified and view.handed ~= M.tick(view)
end

--- Whether nothing may be drawn over it, or in its window.
function M.is_held(view) return M.is_unsaved(view) or is_typing(view) end

--- Makes these the lines of a buffer, touching only those that differ. Unless it is said
--- otherwise, that can neither be undone nor counts as a change of the user.
function M.put(buf, lines, is_undoable)
  local old, options = api.nvim_buf_get_lines(buf, 0, -1, false), vim.bo[buf]
  local first, last, last_old = 1, #lines, #old
  while first <= last and first <= last_old and lines[first] == old[first] do first = first + 1 end
  while last >= first and last_old >= first and lines[last] == old[last_old] do
    last, last_old = last - 1, last_old - 1
  end
  if first <= last or first <= last_old then
    local was_modifiable, levels = options.modifiable, options.undolevels
    options.modifiable = true
    if not is_undoable then options.undolevels = -1 end
    api.nvim_buf_set_lines(buf, first - 1, last_old, false, vim.list_slice(lines, first, last))
    options.modifiable, options.undolevels = was_modifiable, levels
  end
  options.modified = false
end

--- All that was typed, to be sent.
function M.take(view)
  view.told = typed(view)
  return view.told
end

--- Sends what was typed. With `done`, which gets the error, its form is opened again if it is not
--- there any more.
function M.tell(view, done)
  local params = { values = M.take(view), open = done and true }
  session.tell('change', view, params, done or function() end)
end

--- What a save has stored, even if its answer came late: the text of that moment is with the
--- server.
function M.stored(view, tick)
  local front = session.front()
  view.handed = tick
  if not api.nvim_buf_is_loaded(view.buf) then return end
  if M.tick(view) == tick then vim.bo[view.buf].modified = false end
  -- It may live on under another name, as a new one.
  if front and not session.find(view.id) and front.name == view.screen.name then
    screens.renew(view, front)
  end
end

local function trimmed(values) return values and vim.tbl_map(vim.trim, values) end

--- Brings both together after a rendering or a key: sends what was typed, or shows what the
--- server says.
function M.sync(view)
  if view.told and session.acting > 0 then return end
  local lines, body = screens.lines(view), view.screen.body
  local said = screens.parse(view.fields, lines)
  local is_same = vim.deep_equal(trimmed(said), trimmed(view.told))
  if is_same then view.base = body.base end
  if view.told and not vim.deep_equal(typed(view), view.told) then
    M.tell(view)
  elseif not M.is_held(view) then
    M.put(view.buf, lines, is_same)
    view.told, view.clean, view.base, view.handed = said, said, body.base, M.tick(view)
    -- Sides that are compared are there because the user's words could not be saved.
    vim.bo[view.buf].modified = body.layout == 'compare'
  end
end

return M
