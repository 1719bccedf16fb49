-- A text that is edited: the states of a pane, as Protocol.md names them.

local screens = require('todo.screen')
local session = require('todo.session')
local api = vim.api

local M = { asked = {} } -- the comparisons whose sides are unsaved edits, by ID of the screen

local function lines_of(view) return api.nvim_buf_get_lines(view.buf, 0, -1, false) end

--- Returns the texts in the buffer, by field name. They are parsed with the fields that the buffer
--- was filled for, because the form may have other fields now.
function M.values(view) return screens.parse(view.laid_out or view.fields, lines_of(view)) end

local function trim(text) return text:match('^ *(.-) *$') end

local function plain(text) return (text:gsub('\r\n', '\n')) end

--- Sets the base and the loaded texts to those on which the current lines are based. If the user
--- has undone a change that a rendering has made in the buffer, these are older than the newest
--- ones. A redo of this change restores the newer ones.
local function rebase(view)
  local change = next(view.versions) and api.nvim_buf_call(view.buf, vim.fn.changenr)
  if not change or change == view.change then return end
  local version = 0
  for _, entry in ipairs(api.nvim_buf_call(view.buf, vim.fn.undotree).entries) do
    if entry.curhead then break end -- it is undone
    version = view.versions[entry.seq] and entry.seq or version
  end
  view.versions[view.version] = { base = view.base, loaded = view.loaded }
  view.base, view.loaded = view.versions[version].base, view.versions[version].loaded
  view.change, view.version = change, version
end

--- Returns the texts that belong to the user, by field name: those that the user has changed (line
--- ends alone do not count) and those that were recovered. With `is_sent`, also returns a text
--- without changes if the server has an older edit of this text.
function M.edits(view, is_sent)
  if view.loaded then rebase(view) end
  local loaded = view.loaded
  local values = loaded and M.values(view) or {}
  for name, text in pairs(values) do
    local is_same = loaded[name] and plain(text) == plain(loaded[name])
    if is_same and not (is_sent and view.sent[name]) then values[name] = nil end
  end
  return values
end

--- Returns the texts to send with a request, and records that the server has them.
function M.take(view)
  view.sent = M.edits(view, true)
  return view.sent
end

--- Whether a buffer has edits that are not stored.
function M.is_unsaved(view)
  return view.is_text and api.nvim_buf_is_loaded(view.buf)
    and (M.asked[view.id] or next(M.edits(view)) ~= nil)
end

--- Whether the user is typing a text or a command, types into a terminal, or selects text.
function M.is_typing() return api.nvim_get_mode().mode:match('^n?[iRctvV\22]') ~= nil end

local function names(fields) return vim.tbl_map(function(field) return field.name end, fields or {}) end

--- Sets the lines of a buffer, and changes only those that differ. This does not count as a change
--- of the user, and can be undone only with `is_undoable`. If the text gets other fields, the undo
--- history ends, because older lines would be read as the values of the new fields.
function M.put(view, lines, is_undoable)
  local options, old = vim.bo[view.buf], lines_of(view)
  local is_same = vim.deep_equal(names(view.laid_out), names(view.fields))
  local first, last, last_old, levels = 1, #lines, #old, options.undolevels
  while first <= math.min(last, last_old) and lines[first] == old[first] do first = first + 1 end
  while math.min(last, last_old) >= first and lines[last] == old[last_old] do
    last, last_old = last - 1, last_old - 1
  end
  if first <= math.max(last, last_old) or not is_same then
    local keeps_undo = is_undoable and is_same
    if not keeps_undo then view.versions, view.version = {}, 0 end
    options.modifiable, options.undolevels = true, keeps_undo and levels or -1
    local new = vim.list_slice(lines, first, last)
    api.nvim_buf_set_lines(view.buf, first - 1, last_old, false, new)
    options.modifiable, options.undolevels = view.is_text == true, levels
  end
  options.modified, view.laid_out = false, view.fields
end

--- Loads the form from the newest rendering, except the texts that belong to the user. If a new
--- form cannot be left without a question, its texts were recovered, so all of them belong to the
--- user. While the user types, spaces at the start and end of a text are kept.
function M.adopt(view)
  local edits, is_compare = M.edits(view, true), view.screen.body.layout == 'compare'
  local leave = not view.loaded and screens.action(view.screen, 'role', is_compare and 'keep' or 'back')
  local loaded = screens.parse(view.fields, screens.lines(view))
  for name, text in pairs(view.loaded and M.is_typing() and M.values(view) or {}) do
    if trim(text) == trim(loaded[name] or '') then edits[name] = text end
  end
  local is_news = false
  for name, text in pairs(view.loaded and M.values(view) or {}) do
    local is_same = edits[name] or trim(plain(text)) == trim(plain(loaded[name] or ''))
    is_news = is_news or not is_same
  end
  local versions = view.versions
  M.put(view, screens.lines(view, edits), view.loaded)
  for name in pairs(edits) do loaded[name] = view.loaded[name] end
  if is_news and view.versions == versions then
    versions[view.version] = { base = view.base, loaded = view.loaded }
    view.version = api.nvim_buf_call(view.buf, vim.fn.changenr)
    view.change, versions[view.version] = view.version, {}
  end
  view.loaded, view.base, view.newest = loaded, view.screen.body.base, view.version
  if leave and leave.confirm then
    view.loaded = {}
    M.take(view)
  end
  vim.bo[view.buf].modified = M.is_unsaved(view) or is_compare
end

--- Ends the state "saving" when an action has a result. `sent` are all texts at the time of
--- sending.
function M.finish(view, sent, result, is_save)
  local front, screen, asks = session.front(), session.find(view.id), result.outcome == 'asks'
  local is_mine = asks and screen ~= front and front.body.layout == 'compare' -- the sent text
  M.asked[front.id] = is_mine or M.asked[front.id]
  if not api.nvim_buf_is_loaded(view.buf) then return end
  if asks and not is_mine then return screen == front and M.adopt(view) end
  if is_mine and not vim.deep_equal(M.values(view), sent) or screen and not is_save then return end
  -- A text that is saved as a new todo lives on in another screen.
  local is_open = screen or is_save and not asks and front.name == view.screen.name
  if is_open then screens.renew(view, screen or front) end
  M.asked[view.id], view.loaded, view.sent = nil, sent, {}
  vim.bo[view.buf].modified = M.is_unsaved(view)
  -- Edits of the saved text are not based on one that is newer still.
  local base = M.is_unsaved(view) and (result.base or view.base)
  if is_open then M.adopt(view) end
  view.base = base or view.base
end

--- Sends the edits if they have changed since they were last sent. Otherwise, shows the newest
--- rendering, unless there are edits, the user is typing, or undo has led back to an older text.
function M.sync(view)
  if session.acting > 0 then return end
  if not vim.deep_equal(M.edits(view, true), view.sent) then
    local complain = session.find(view.id) and session.complain
    session.tell('change', view, { values = M.take(view), open = true }, complain)
  elseif not view.loaded or not (next(M.edits(view)) or M.is_typing() or view.version ~= view.newest) then
    view.sent = {}
    M.adopt(view)
  end
end

return M
