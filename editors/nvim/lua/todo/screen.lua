-- The text of a screen. Pure functions of the server's description.

local M = { DONE = 'Done' } -- the section of the rows that are done

local BAR_CELLS = 20

--- Returns the entries of a list whose member `what` has this value.
function M.where(list, what, value)
  return vim.tbl_filter(function(entry) return entry[what] == value end, list or {})
end
local where = M.where

--- Returns the actions of a screen, the main ones first.
function M.actions(screen)
  local main, others = where(screen.actions, 'primary', true), where(screen.actions, 'primary', nil)
  return vim.list_extend(main, others)
end

--- Returns the action of Enter: in a list the one for a row, otherwise the one for the screen. It
--- may be disabled, because text that is typed at the same moment can enable it.
function M.main_action(screen)
  local scope = screen.body.kind == 'list' and 'item' or 'screen'
  local scoped = where(screen.actions, 'scope', scope)
  return where(scoped, 'primary', true)[1] or scoped[1]
end

--- Returns the action whose member `what` (its name, key or role) has this value. The value
--- "primary" is not a role of the server, but stands for the main action.
function M.action(screen, what, value)
  if value == 'primary' then return M.main_action(screen) end
  return where(screen.actions, what, value)[1]
end

--- Whether an action is possible now. An action of rows must also be possible for the row `row`.
function M.is_possible(action, row)
  local is_locked = action.scope == 'item' and action.role ~= 'open' and (row or {}).readOnly
  return action.enabled and not is_locked
end

--- Returns the field with the base of compared sides.
function M.before(screen) return where(screen.body.fields, 'side', 'base')[1] end

--- Returns the panes of a screen, one for each buffer. They are:
--- - one page with all fields; or
--- - one text in which fields are edited, and the read-only sides that are shown beside it.
---
--- In a text, the fields of one line come first, then the field of several lines.
function M.panes(screen)
  local fields = screen.body.fields or {}
  local typed = where(where(fields, 'readOnly', nil), 'secret', nil)
  local long = where(typed, 'multiline', true)[1]
  if not screen.body.layout and not long then return { { fields = fields, is_page = true } } end
  local text = vim.list_extend(where(typed, 'multiline', nil), { long })
  local panes = { { fields = text, is_text = true } }
  for _, field in ipairs(where(fields, 'readOnly', true)) do
    -- The base is shown on demand.
    local is_beside = field.side and field.side ~= 'base'
    if is_beside then table.insert(panes, { fields = { field }, side = field.side }) end
  end
  return panes
end

--- Updates a view to the newest version of its screen. A view of a side gets the field of this
--- side.
function M.renew(view, screen)
  view.id, view.screen = screen.id, screen
  view.fields = (where(M.panes(screen), 'side', view.side)[1] or view).fields
end

function M.one_line(text) return (text:gsub('[\r\n%z]+', ' ')) end

--- Returns the box of a row; an empty text if the row cannot be ticked.
function M.box(item)
  return item.checked == nil and '' or require('todo').boxes[item.checked and 2 or 1]
end

--- Moves the done rows of a list without sections below the others, into a section of their own. If
--- only a part of the list is loaded, all rows stay where they are.
function M.move_done(body)
  local open, done = {}, {}
  for _, item in ipairs(body.items or {}) do
    if item.section or #body.items < body.total then return end
    table.insert(item.checked and done or open, item)
  end
  for _, item in ipairs(done) do item.section = M.DONE end
  body.items = body.items and vim.list_extend(open, done)
end

local function progress(body)
  local words = { M.one_line(body.text), table.concat({ body.done, body.total }, '/') }
  if body.done and (body.total or 0) > 0 then
    local filled = math.floor(BAR_CELLS * math.min(body.done / body.total, 1))
    table.insert(words, 2, ('█'):rep(filled) .. ('░'):rep(BAR_CELLS - filled))
  end
  return vim.trim(table.concat(words, ' '))
end

--- Returns the lines of a view. In a long list, the lines of rows that are not loaded are blank. A
--- text has the form of a commit message: the fields of one line, a blank line, the field of
--- several lines. A secret that was typed is shown as dots. `edits`, by field name, are shown
--- instead of the server's texts.
function M.lines(view, edits)
  local body, lines = view.screen.body, {}
  if body.kind == 'progress' then return { progress(body) } end
  for row = 1, body.total or 0 do lines[row] = '' end
  for index, item in ipairs(body.items or {}) do
    lines[body.offset + index] = M.box(item) .. M.one_line(item.title)
  end
  for _, field in ipairs(view.fields) do
    local is_kept = field.secret and view.typed[field.name]
    local text = is_kept and '••••••••' or (edits or {})[field.name] or field.value or ''
    if field.multiline and not view.is_page then
      if #lines > 0 then lines[#lines + 1] = '' end
      vim.list_extend(lines, vim.split(text, '\n', { plain = true }))
    else
      lines[#lines + 1] = (view.is_page and field.label .. ': ' or '') .. M.one_line(text)
    end
  end
  return #lines > 0 and lines or { M.one_line(body.empty or view.screen.title) }
end

--- Returns the values of the fields in the lines of a text, by field name.
function M.parse(fields, lines)
  local values = {}
  for row, field in ipairs(fields) do
    local start = row > 1 and (lines[row] or '') == '' and row + 1 or row
    values[field.name] = field.multiline and table.concat(lines, '\n', start) or lines[row] or ''
  end
  return values
end

--- Returns the seconds from now to a timestamp of the server, or -1 if there is none.
local function seconds_to(time)
  local format = '%Y-%m-%dT%H:%M:%S'
  local now = vim.fn.strptime(format, os.date('!' .. format))
  return time and vim.fn.strptime(format, time) - now or -1
end

local function span(seconds)
  if seconds < 3600 and seconds >= 60 then return math.floor(seconds / 60) .. ' min' end
  return seconds < 60 and seconds .. ' s' or math.floor(seconds / 3600) .. ' h'
end

--- Returns the state of a list, in words: how many rows are open and done, if all rows are loaded,
--- and the state of the sync.
function M.standing(screen)
  local body = screen.body
  local status, items, words = body.status or {}, body.items or {}, {}
  for index, name in ipairs(#items == body.total and { 'open', 'done' } or {}) do
    local count = #M.where(items, 'checked', index == 2)
    if count > 0 then words[index] = count .. ' ' .. name end
  end
  words = vim.tbl_values(words)
  for _, what in ipairs({ 'pending', 'conflicts', 'failed' }) do
    local count = status[what] or 0
    local word = count == 1 and what:gsub('s$', '') or what
    if count > 0 then words[#words + 1] = count .. ' ' .. word end
  end
  local since, wait = -seconds_to(status.syncedAt), seconds_to(status.retryAt)
  if status.syncedAt then words[#words + 1] = 'synced ' .. span(since) .. ' ago' end
  if wait >= 0 then words[#words + 1] = 'again in ' .. span(wait) end
  return table.concat(words, ', ')
end

return M
