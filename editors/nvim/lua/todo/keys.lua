-- Keys of a buffer: each is mapped once, and only where the user has no mapping of the buffer's own.

local actions = require('todo.actions')
local look = require('todo.look')
local screens = require('todo.screen')
local api, fn = vim.api, vim.fn

local M = {}

local TEXT_KEYS = { [':w'] = 'primary', q = 'back', ['g?'] = 'help', ['<LocalLeader>b'] = 'before' }

-- What is no action of the server's, by its role.
local ours = {
  primary = function(view) actions.press(view, screens.main_action(view.screen)) end,
  close = function() require('todo.view').close() end,
  help = look.help,
  before = look.before,
}

--- Maps the keys of a view, and remembers those of each action, the one to be shown first. What a key does is looked up
--- when it is pressed, so that it follows the screen. In a text letters are text: they come after <LocalLeader>.
function M.map(view)
  local config, is_page, main = require('todo'), not view.is_text and not view.side, screens.main_action(view.screen)
  view.keys, view.mapped = {}, view.mapped or {}
  local taken = {}
  local function map(key, what, value, title)
    if view.mapped[key] or key:sub(1, 1) == ':' then return end
    view.mapped[key] = true
    local has_own = api.nvim_buf_call(view.buf, function() return fn.maparg(key, 'n', false, true).buffer == 1 end)
    local function run()
      if ours[value] then return ours[value](view) end
      actions.press(view, screens.action(view.screen, what, value))
    end
    if not has_own then vim.keymap.set('n', key, run, { buffer = view.buf, nowait = true, desc = title }) end
  end
  local function give(key, what, value)
    local action = value == 'primary' and main or screens.action(view.screen, what, value)
    -- A key that begins another one would hide it.
    local hides = vim.tbl_filter(function(other) return vim.startswith(other, key) end, taken)
    if not value or #hides > 0 or not action and not ours[value] then return end
    taken[#taken + 1] = key
    local name = action and action.name or value
    view.keys[name] = vim.list_extend(view.keys[name] or {}, { key })
    map(key, what, value, action and action.title)
  end
  local keymaps = is_page and config.keymaps or config.use_default_keymaps and TEXT_KEYS or { [':w'] = 'primary' }
  for _, key in ipairs(fn.sort(vim.tbl_keys(keymaps))) do
    give(key, 'role', keymaps[key])
  end
  for role in pairs(ours) do map(('<Plug>(todo-%s)'):format(role), 'role', role) end
  for _, action in ipairs(view.screen.actions) do
    local key = config.use_default_keymaps and action.key
    if key then give((is_page and '' or '<LocalLeader>') .. key, 'name', action.name) end
    if action.role then map(('<Plug>(todo-%s)'):format(action.role), 'role', action.role, action.title) end
    view.keys[action.name] = view.keys[action.name] or { ':Todo ' .. action.name }
  end
  -- What begins to insert elsewhere fills in a form.
  local is_form = config.use_default_keymaps and is_page and view.screen.body.kind == 'form'
  for key in (is_form and 'iaIA' or ''):gmatch('.') do map(key, 'role', 'primary') end
end

return M
