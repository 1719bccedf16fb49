-- Keys of a buffer: each is mapped once, and only where the user has no mapping of the buffer's
-- own.

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

--- Maps a key to what has that value. It is looked up when the key is pressed, so that it follows
--- the screen.
local function map(view, key, what, value, title)
  if view.mapped[key] then return end
  view.mapped[key] = true
  local function run()
    if ours[value] then return ours[value](view) end
    actions.press(view, screens.action(view.screen, what, value))
  end
  local own = api.nvim_buf_call(view.buf, function() return fn.maparg(key, 'n', false, true) end)
  if own.buffer == 1 then return end
  vim.keymap.set('n', key, run, { buffer = view.buf, nowait = true, desc = title })
end

--- Maps the keys of a view, and remembers those of each action, the one to be shown first. In a
--- text letters are text: they come after <LocalLeader>.
function M.map(view)
  local config, main = require('todo'), screens.main_action(view.screen)
  local is_page, taken = not view.is_text and not view.side, ''
  view.keys, view.mapped = {}, view.mapped or {}
  local function give(key, what, value)
    local action = value == 'primary' and main or screens.action(view.screen, what, value)
    -- A key that begins another one would hide it.
    if taken:find(' ' .. key, 1, true) or not action and not ours[value] then return end
    taken = taken .. ' ' .. key
    local name = action and action.name or value
    view.keys[name] = vim.list_extend(view.keys[name] or {}, { key })
    if key ~= ':w' then map(view, key, what, value, action and action.title) end
  end
  local own_keys = is_page and config.keymaps or config.use_default_keymaps and TEXT_KEYS or {}
  for _, key in ipairs(fn.sort(vim.tbl_keys(own_keys))) do give(key, 'role', own_keys[key]) end
  for role in pairs(ours) do map(view, ('<Plug>(todo-%s)'):format(role), 'role', role) end
  for _, action in ipairs(view.screen.actions) do
    local key = config.use_default_keymaps and action.key
    if key then give((is_page and '' or '<LocalLeader>') .. key, 'name', action.name) end
    if action.role then
      map(view, ('<Plug>(todo-%s)'):format(action.role), 'role', action.role, action.title)
    end
    view.keys[action.name] = view.keys[action.name] or { ':Todo ' .. action.name }
  end
  -- What begins to insert elsewhere fills in a form.
  local is_form = config.use_default_keymaps and is_page and view.screen.body.kind == 'form'
  for key in (is_form and 'iaIA' or ''):gmatch('.') do map(view, key, 'role', 'primary') end
end

return M
