-- The text of a form: what was typed goes to the server, what the server says goes into the buffers.

local screens = require('todo.screen')
local session = require('todo.session')

local M = {}

local function lines_of(buf) return vim.api.nvim_buf_get_lines(buf, 0, -1, false) end

--- Puts lines into a buffer so that this can neither be undone nor counts as a change of the user.
function M.put(buf, first, last, lines)
  local options = vim.bo[buf]
  if vim.deep_equal(vim.api.nvim_buf_get_lines(buf, first, last, false), lines) then return end
  local was_modifiable, levels = options.modifiable, options.undolevels
  options.modifiable, options.undolevels = true, -1
  vim.api.nvim_buf_set_lines(buf, first, last, false, lines)
  options.modifiable, options.undolevels, options.modified = was_modifiable, levels, false
end

function M.is_modified(view)
  return #vim.tbl_filter(function(buf) return vim.bo[buf].modified end, view.bufs) > 0
end

function M.set_unmodified(view)
  for _, buf in ipairs(view.bufs) do
    if vim.api.nvim_buf_is_loaded(buf) then vim.bo[buf].modified = false end
  end
end

--- What was typed since it was asked for the last time, by field.
function M.take_typed(view)
  local typed = {}
  for index, part in ipairs(view.parts or {}) do
    for name, text in pairs(screens.parse(part, lines_of(view.bufs[index])) or {}) do
      if text ~= view.drawn[name] then
        typed[name], view.drawn[name] = text, text
      end
    end
  end
  return typed
end

--- Sends what was typed. While an answer is out nothing more is sent, so that typing is never faster than the server.
local function send(view)
  if view.is_sending or not session.rendering then return end
  local typed = M.take_typed(view)
  if not next(typed) then return end
  view.is_sending = true
  session.change(view.screen, typed, function()
    view.is_sending = false
    send(view)
  end)
end

function M.on_typed(view, index)
  local buf, part = view.bufs[index], view.parts[index]
  local values, is_damaged = screens.parse(part, lines_of(buf))
  if not values or is_damaged then
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, screens.form_lines(part, values or view.drawn))
    if vim.fn.mode() == 'i' then vim.cmd('startinsert!') end -- moves to the end of the line
  end
  if not screens.is_document(view.screen) then vim.bo[buf].modified = false end
  send(view)
end

--- Shows what the server says, but never over unsaved text, unless `is_forced`.
function M.fill(view, is_forced)
  view.parts = screens.parts(view.screen.body.fields)
  -- A rendering that was made before the server had the text must not take it back; the answer draws again.
  if (view.is_sending or session.acting > 0) and not is_forced then return end
  if is_forced then M.set_unmodified(view) end
  for index, part in ipairs(view.parts) do
    local buf, values, is_changed = view.bufs[index], {}, is_forced
    for _, field in ipairs(part) do
      values[field.name] = screens.shown(field)
      is_changed = is_changed or values[field.name] ~= view.drawn[field.name]
    end
    if is_changed and not vim.bo[buf].modified then
      M.put(buf, 0, -1, screens.form_lines(part, values))
    elseif is_changed and not view.is_warned then
      view.is_warned = true
      vim.notify('todo: this was changed elsewhere; :e! takes that, :w keeps yours', vim.log.levels.WARN)
    end
    view.drawn = vim.tbl_extend('force', view.drawn, values)
  end
end

return M
