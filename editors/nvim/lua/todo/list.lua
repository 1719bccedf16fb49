-- A list: one line an item. Of a long one only the rows around those that are looked at are here; the others are blank.

local form = require('todo.form')
local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = {}

local function line_of(item)
  local mark = item.checked == nil and '' or item.checked and '[x] ' or '[ ] '
  return mark .. screens.one_line(table.concat(vim.tbl_filter(function(text) return text end, {
    item.title, item.detail or false, item.badge or false,
  }), ' · '))
end

local function blanks(count)
  local lines = {}
  for row = 1, count do lines[row] = '' end
  return lines
end

--- Puts the rows that are here into the buffer, in as many lines as there are rows in all.
local function put_rows(view, body)
  local buf, lines, old = view.bufs[1], vim.tbl_map(line_of, body.items), view.shown or { 0, 0 }
  if body.total == 0 then lines = { screens.one_line(body.empty) } end
  local count, here = math.max(body.total, 1), api.nvim_buf_line_count(buf)
  if here > count then form.put(buf, count, -1, {}) end
  if here < count then form.put(buf, here, -1, blanks(count - here)) end
  view.shown = { body.offset, math.min(body.offset + #lines, count) }
  if old[1] < view.shown[1] or old[2] > view.shown[2] then
    local last = math.min(old[2], count)
    if last > old[1] then form.put(buf, old[1], last, blanks(last - old[1])) end
  end
  form.put(buf, view.shown[1], view.shown[2], lines)
end

--- Draws the list, and keeps each cursor on its item, at the same place of its window.
function M.fill(view)
  local body, saved = view.screen.body, {}
  for _, win in ipairs(fn.win_findbuf(view.bufs[1])) do
    saved[win] = api.nvim_win_call(win, fn.winsaveview)
  end
  local ids, row_of = view.ids or {}, {}
  put_rows(view, body)
  view.ids = {}
  for index, item in ipairs(body.items) do
    view.ids[body.offset + index], row_of[item.id] = item.id, body.offset + index
  end
  for win, place in pairs(saved) do
    local moved = (row_of[ids[place.lnum]] or place.lnum) - place.lnum
    place.lnum = place.lnum + moved
    if place.topline > 1 then place.topline = math.max(place.topline + moved, 1) end
    if moved ~= 0 then api.nvim_win_call(win, function() fn.winrestview(place) end) end
  end
end

--- Asks for the rows around those that are looked at, if they are not here.
function M.look(view)
  local body, win = view.screen.body, fn.bufwinid(view.bufs[1])
  if view.is_looking or win == -1 or body.kind ~= 'list' then return end
  local top, bottom = fn.line('w0', win), math.min(fn.line('w$', win), body.total)
  if top > body.offset and bottom <= body.offset + #body.items then return end
  view.is_looking = true
  local offset = math.max(top - 1 - session.rows / 2, 0)
  session.request('screen/window', { screen = view.name, offset = offset, limit = session.rows }, function(err)
    view.is_looking = false
    if not err and api.nvim_win_is_valid(win) and fn.line('w0', win) ~= top then M.look(view) end
  end)
end

return M
