-- Texts side by side, in the diff of the editor: in a tab of their own, so that no layout is lost.

local keys = require('todo.keys')
local look = require('todo.look')
local screens = require('todo.screen')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local WAYS = { mine = 'keep', theirs = 'take', merged = 'merge' } -- the action that ends up with a side
local tab, owner
local sides = {} -- the buffer of each, by the name of its field

local function leader() return vim.g.maplocalleader or '\\' end

--- Names the side in the current window, and the way to take it.
local function name(view, field, is_typed)
  local action = screens.action(view.screen, 'role', WAYS[is_typed and 'merged' or field.side])
  local key = action and (is_typed and ':w' or leader() .. (action.key or '')) .. ' ' .. action.title or ''
  -- Where there is no room for both it is the key that is cut off.
  local text = field.label:gsub('%%', '%%%%') .. '  %<' .. key:gsub('%%', '%%%%')
  local bar = look.has_winbar and 'winbar' or 'statusline'
  api.nvim_set_option_value(bar, ' ' .. text, { scope = 'local' })
  if not is_typed and look.has_winbar then
    api.nvim_set_option_value('statusline', ' ' .. field.label:gsub('%%', '%%%%'), { scope = 'local' })
  end
end

local function add_side(view, field, where)
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].modeline = false
  texts.put(buf, vim.split(field.value or '', '\n', { plain = true }))
  vim.bo[buf].modifiable = false
  vim.cmd(('diffthis | %s vertical sbuffer %d | diffthis'):format(where, buf))
  vim.bo.bufhidden = 'wipe'
  vim.cmd('setlocal nonumber norelativenumber signcolumn=no foldcolumn=0')
  name(view, field, false)
  keys.map(view, buf, true)
  vim.cmd('wincmd p')
  sides[field.name] = buf
  return buf
end

--- Shows the sides of a view beside its text.
function M.open(view, win)
  api.nvim_set_current_win(win)
  vim.cmd('tab split')
  tab, owner = api.nvim_get_current_tabpage(), view
  for _, field in ipairs(screens.sides(view.screen)) do
    local is_before = field.side == 'base'
    if not is_before or #screens.sides(view.screen) < 3 then
      add_side(view, field, (is_before or field.side == 'mine') and 'leftabove' or 'rightbelow')
    end
  end
  vim.cmd('setlocal foldcolumn=0')
  name(view, screens.fields(view.screen)[1], true)
end

--- Follows what others do to the sides meanwhile.
function M.follow(view)
  for _, field in ipairs(view == owner and screens.sides(view.screen) or {}) do
    local buf = sides[field.name]
    if buf and api.nvim_buf_is_valid(buf) then texts.put(buf, vim.split(field.value or '', '\n', { plain = true })) end
  end
end

--- What both sides were made from, on demand.
function M.before(view)
  local field = screens.sides(view.screen)[3]
  if view ~= owner or not field then return end
  if view.before and api.nvim_buf_is_valid(view.before) then return api.nvim_buf_delete(view.before, { force = true }) end
  api.nvim_set_current_win(fn.bufwinid(view.buf))
  view.before = add_side(view, field, 'topleft')
end

--- Takes the sides away, unless they belong to the screen in front.
function M.close(front)
  if not owner or owner == front then return end
  -- The tab may be gone, and the last one cannot be closed.
  pcall(function() vim.cmd('tabclose ' .. api.nvim_tabpage_get_number(tab)) end)
  tab, owner = nil, nil
end

return M
