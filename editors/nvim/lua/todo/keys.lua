-- Which keys a screen has, and what they do.

local actions = require('todo.actions')
local screens = require('todo.screen')
local api = vim.api

local M = {}

-- Motions and searches stay what they are; the others have a meaning of their own below.
local RESERVED = 'hjklwbeGgnNvVyYzZqtTHMLmdxa'

--- The key of each action by name. While text is edited, letters are text, and an action without a key is a command.
function M.of(screen)
  local keys, taken, is_text = {}, {}, screens.is_text(screen)
  local function give(action, key)
    if action and not keys[action.name] and not taken[key] then
      keys[action.name], taken[key] = key, true
    end
  end
  give(screens.main_action(screen), is_text and ':w' or '<CR>')
  give(screens.action(screen, screen.bar.left), '-')
  if screen.body.kind == 'list' then
    local rows = vim.tbl_filter(function(action) return action.scope == 'item' end, screen.actions)
    give(vim.tbl_filter(function(action) return action.confirm end, rows)[1], 'dd')
    give(rows[2], 'x')
    give(screens.action(screen, screen.bar.right), 'a')
  end
  for _, action in ipairs(screen.actions) do
    local words = is_text and '' or action.title .. action.name
    for letter in (words:sub(1, 1):lower() .. words:sub(1, 1):upper() .. words:lower()):gmatch('%a') do
      if not RESERVED:find(letter, 1, true) then give(action, letter) end
    end
    give(action, ':Todo ' .. action.name)
  end
  return keys
end

local function field_at_cursor(view, further)
  local row = api.nvim_win_get_cursor(0)[1] + (further or 0)
  return view.parts[1][row], row
end

--- <CR> in a form of single lines: on to the next field, and after the last one the main action.
local function next_field(view)
  local field, row = field_at_cursor(view, 1)
  if field then
    api.nvim_win_set_cursor(0, { row, 0 })
    vim.cmd('startinsert!')
  else
    vim.cmd('stopinsert')
    actions.press(view, (screens.main_action(view.screen) or {}).name)
  end
end

--- A secret is asked for when the user begins to type on its line: it never gets into a buffer.
function M.guard_secret(view, event)
  local field = field_at_cursor(view)
  if not (field and field.secret) then return end
  if event == 'InsertCharPre' then vim.v.char = '' end
  if view.is_asked then return end
  view.is_asked = true
  -- Insert mode has only begun when the event is over.
  vim.schedule(function()
    vim.cmd('stopinsert')
    if actions.ask_secret(view, field) then next_field(view) end
    view.is_asked = false
  end)
end

local function show_help(screen)
  local keys, lines = M.of(screen), {}
  for _, action in ipairs(screen.actions) do
    local note = action.enabled and '' or ' (not now)'
    lines[#lines + 1] = ('%-24s %s%s'):format(keys[action.name], action.title, note)
  end
  vim.list_extend(lines, { '', ':Todo NAME               any action by its name', ':help todo               more' })
  vim.lsp.util.open_floating_preview(lines, '', { border = 'rounded' })
end

--- Sets the keys of a screen, and takes away those that it no longer has.
function M.map(view, buf)
  local function map(key, run, mode)
    vim.keymap.set(mode or 'n', key, run, { buffer = buf, nowait = true, silent = true })
  end
  local keys = M.of(view.screen)
  if vim.deep_equal(keys, view.mapped[buf]) then return end
  for _, key in pairs(view.mapped[buf] or {}) do
    pcall(vim.keymap.del, 'n', key, { buffer = buf })
  end
  view.mapped[buf] = keys
  for name, key in pairs(keys) do
    if key:sub(1, 1) ~= ':' then map(key, function() actions.press(view, name) end) end
  end
  map('g?', function() show_help(view.screen) end)
  if not view.parts then
    map('q', '<Cmd>quit<CR>')
  elseif not screens.is_document(view.screen) then
    map('<CR>', function() next_field(view) end)
    map('<CR>', function() next_field(view) end, 'i')
  end
end

return M
