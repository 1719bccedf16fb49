-- A text that is edited: how what was typed and what the server says come together. Nothing typed
-- is drawn over.

local screens = require('todo.screen')
local session = require('todo.session')
local api = vim.api

local M = {}

function M.lines(view) return api.nvim_buf_get_lines(view.buf, 0, -1, false) end

--- What was typed, by field; it is sent now.
function M.take(view)
  view.told = screens.parse(view.fields, M.lines(view))
  return view.told
end

--- Whether a buffer has words that the server does not have: neither drawn nor saved ones.
function M.is_unsaved(view)
  return view.is_text and api.nvim_buf_is_loaded(view.buf)
    and not vim.deep_equal(M.lines(view), view.stored)
end

--- Whether the user is just typing: text, a command, or into a terminal; or selects.
function M.is_typing() return api.nvim_get_mode().mode:match('^n?[iRctvV\22]') ~= nil end

--- Makes these the lines of a buffer, touching only those that differ. Unless it is said otherwise,
--- that can neither be undone nor counts as a change of the user.
function M.put(view, lines, is_undoable)
  local options, old = vim.bo[view.buf], M.lines(view)
  local first, last, last_old, levels = 1, #lines, #old, options.undolevels
  while first <= math.min(last, last_old) and lines[first] == old[first] do first = first + 1 end
  while math.min(last, last_old) >= first and lines[last] == old[last_old] do
    last, last_old = last - 1, last_old - 1
  end
  if first <= math.max(last, last_old) then
    options.modifiable, options.undolevels = true, is_undoable and levels or -1
    local new = vim.list_slice(lines, first, last)
    api.nvim_buf_set_lines(view.buf, first - 1, last_old, false, new)
    options.modifiable, options.undolevels = view.is_text == true, levels
  end
  options.modified = false
end

--- What a save has stored, even if its answer came late: the lines of that moment.
function M.keep(view, lines)
  local front = session.front()
  view.stored = lines
  if not api.nvim_buf_is_loaded(view.buf) then return end
  vim.bo[view.buf].modified = M.is_unsaved(view)
  -- It may live on under another name, as a new one.
  local is_renamed = front and not session.find(view.id) and front.name == view.screen.name
  if is_renamed then screens.renew(view, front) end
end

local function trimmed(values) return vim.tbl_map(vim.trim, values or {}) end

--- Brings both together after a rendering or a key: sends what was typed, or shows what the
--- server says.
function M.sync(view)
  if view.told and session.acting > 0 then return end
  local lines, body = screens.lines(view), view.screen.body
  local said, typed = screens.parse(view.fields, lines), screens.parse(view.fields, M.lines(view))
  local is_same = vim.deep_equal(trimmed(said), trimmed(view.told))
  if is_same then view.base = body.base end
  if view.told and not vim.deep_equal(typed, view.told) then
    session.tell('change', view, { values = M.take(view) })
  elseif not M.is_unsaved(view) and not M.is_typing() then
    M.put(view, lines, is_same)
    view.told, view.stored, view.base = said, lines, body.base
    -- Sides that are compared are there because the user's words could not be saved.
    vim.bo[view.buf].modified = body.layout == 'compare'
  end
end

return M
