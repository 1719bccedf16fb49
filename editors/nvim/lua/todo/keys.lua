-- Keys of a buffer: each is mapped once, and only where the user has no mapping of the buffer's own.

local actions = require('todo.actions')
local look = require('todo.look')
local screens = require('todo.screen')
local api, fn = vim.api, vim.fn

local M = {}

--- What a key does is looked up when it is pressed, so that it follows the screen. `is_side`: the buffer is beside the
--- text of the view, and only to be read.
function M.map(view, buf, is_side)
  local config, is_letters = require('todo'), is_side or not view.is_text
  view.mapped = view.mapped or {}
  view.mapped[buf] = view.mapped[buf] or {}
  local function map(key, run, title)
    if view.mapped[buf][key] then return end
    view.mapped[buf][key] = true
    local has_own = api.nvim_buf_call(buf, function() return fn.maparg(key, 'n', false, true).buffer == 1 end)
    if not has_own then vim.keymap.set('n', key, run, { buffer = buf, nowait = true, desc = title }) end
  end
  local function press(what, value)
    return function() actions.press(view, screens.action(view.screen, what, value)) end
  end
  local ours = {
    primary = function() actions.press(view, screens.main_action(view.screen)) end,
    close = function() require('todo.view').close() end,
    help = function() look.help(view) end,
    before = function() require('todo.compare').before(view) end,
  }
  view.keys = screens.keys(view.screen, config.keymaps, config.use_default_keymaps)
  for role, run in pairs(ours) do map(('<Plug>(todo-%s)'):format(role), run) end
  for _, action in ipairs(view.screen.actions) do
    local run = press(action.role and 'role' or 'name', action.role or action.name)
    if action.role then map(('<Plug>(todo-%s)'):format(action.role), run, action.title) end
    for _, key in ipairs(view.keys[action.name]) do
      if key:sub(1, 1) ~= ':' and not is_side then map(key, run, action.title) end
    end
    if is_side and action.key then map(action.key, run, action.title) end
  end
  for key, role in pairs(config.keymaps) do
    if ours[role] and (is_letters or role == 'help') and not (is_side and role == 'primary') then map(key, ours[role]) end
  end
  if not config.use_default_keymaps then return end
  if view.is_text then map(is_letters and 'b' or '<LocalLeader>b', ours.before) end
  -- What begins to insert elsewhere fills in a form.
  for key in (view.screen.body.kind == 'form' and is_letters and not is_side and 'iaIA' or ''):gmatch('.') do
    map(key, ours.primary)
  end
end

return M
