-- Which window shows what.

local api, fn = vim.api, vim.fn

local M = {}

local OPTIONS = 'setlocal nonumber norelativenumber nolist nospell signcolumn=no '
local STATUS = [[setlocal statusline=\ %{v:lua.require'todo.view'.status()}%=g?\ help\ \ %l/%L\ ]]

local function show_buffer(win, view, index)
  if api.nvim_win_get_buf(win) == view.bufs[index] then return end
  api.nvim_win_set_buf(win, view.bufs[index])
  api.nvim_win_call(win, function()
    vim.cmd(OPTIONS .. (view.parts and 'wrap' or 'nowrap'))
    vim.cmd(STATUS)
    if view.screen.body.kind == 'list' then vim.cmd('setlocal cursorline') end
  end)
end

--- A window that shows one of the buffers that are keys of `ours`, the nearest first.
function M.find(ours)
  local wins = vim.list_extend({ api.nvim_get_current_win() }, api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(vim.list_extend(wins, api.nvim_list_wins())) do
    if ours[api.nvim_win_get_buf(win)] then return win end
  end
end

--- Shows the screen in a window, if there is one. Texts of several lines are there to be compared: they get a tab of
--- their own, so that no layout is lost.
function M.show(win, view)
  if not win or not api.nvim_win_is_valid(win) then return end
  if #view.bufs == 1 then return show_buffer(win, view, 1) end
  if view.tab and api.nvim_tabpage_is_valid(view.tab) then return end
  api.nvim_set_current_win(win)
  vim.cmd('tab split')
  view.tab = api.nvim_get_current_tabpage()
  for index = 1, #view.bufs do
    if index > 1 then vim.cmd('rightbelow vertical split') end
    show_buffer(0, view, index)
    if view.parts[index][1].multiline then vim.cmd('diffthis') end
  end
  vim.cmd('wincmd =')
  api.nvim_set_current_win(fn.bufwinid(view.bufs[view.middle]))
end

--- Takes away what `show` added.
function M.close(view)
  if view.tab and api.nvim_tabpage_is_valid(view.tab) and #api.nvim_list_tabpages() > 1 then
    vim.cmd('tabclose ' .. api.nvim_tabpage_get_number(view.tab))
  end
  view.tab = nil
end

return M
