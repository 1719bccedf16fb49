-- Buffers and windows: which screen is shown where.

local actions = require('todo.actions')
local keys = require('todo.keys')
local look = require('todo.look')
local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn

local M = {}

local PATIENCE_MS = 200 -- a progress that is over sooner is not shown
local timer, shown = -1, nil
local wanted_win, announced, progress_since
local compared -- the screen of the texts that stand side by side, in a tab of their own

--- Shows the rows of a list or the fields of a page, and keeps each cursor on its item, at the same
--- place of its window.
local function fill(view)
  local body, saved, ids, row_of = view.screen.body, {}, view.ids, {}
  for _, win in ipairs(fn.win_findbuf(view.buf)) do
    saved[win] = api.nvim_win_call(win, fn.winsaveview)
  end
  texts.put(view.buf, screens.lines(view))
  view.ids, view.base = {}, body.base
  for index, item in ipairs(body.items or {}) do
    view.ids[body.offset + index], row_of[item.id] = item.id, body.offset + index
  end
  local selected = body.select ~= view.selected and row_of[body.select]
  view.selected = body.select
  for win, place in pairs(saved) do
    local moved = (selected or row_of[ids[place.lnum]] or place.lnum) - place.lnum
    place.lnum = place.lnum + moved
    if place.topline > 1 and not selected then
      place.topline = math.max(place.topline + moved, 1)
    end
    api.nvim_win_call(win, function() fn.winrestview(place) end)
  end
end

--- Asks for the rows of a long list around those that are looked at, if they are not here.
local function reach(view)
  local body, win = view.screen.body, fn.bufwinid(view.buf)
  if view.is_looking or win == -1 or body.kind ~= 'list' then return end
  local top, bottom = fn.line('w0', win), math.min(fn.line('w$', win), body.total)
  if top > body.offset and bottom <= body.offset + #body.items then return end
  view.is_looking = true
  local offset = math.max(top - 1 - session.rows / 2, 0)
  local params = { screen = view.screen.name, offset = offset, limit = session.rows }
  session.request('screen/window', params, function(err)
    view.is_looking = err ~= nil
    session.redraw()
  end)
end

--- Brings what depends on the cursor in line with it.
local function follow(view)
  reach(view)
  look.uncover(view)
  look.preview(view)
end

--- Tells the server that a text without unsaved words is not open any more.
local function leave(view)
  look.preview(view)
  local front, back = session.front(), screens.action(view.screen, 'role', 'back')
  local is_open = not view.is_text or not api.nvim_buf_is_loaded(view.buf)
    or vim.bo[view.buf].modified or #fn.win_findbuf(view.buf) > 0
  if is_open or not back or not front or front.id ~= view.id then return end
  session.tell('act', view, { action = back.name }, function() end)
end

local function create(screen, pane)
  local buf, is_page = api.nvim_create_buf(false, true), not pane.is_text and not pane.side
  local view = { id = screen.id, screen = screen, buf = buf, ids = {}, typed = {} }
  view = vim.tbl_extend('error', view, pane)
  session.views[buf] = view
  vim.bo[buf].buftype, vim.bo[buf].modeline = pane.is_text and 'acwrite' or 'nofile', false
  vim.bo[buf].modifiable = pane.is_text == true
  local parts = vim.list_extend({ 'todo:/', screen.name, pane.side }, { screen.subject })
  local name = table.concat(parts, '/'):gsub('%c', ' ')
  -- Unsaved text of an earlier screen may have the name.
  api.nvim_buf_set_name(buf, fn.bufexists(name) == 0 and name or name .. '#' .. buf)
  local function on(events, run)
    api.nvim_create_autocmd(events, { buffer = buf, callback = function() run(view) end })
  end
  on('BufReadCmd', pane.is_text and actions.read or fill)
  on('BufWinEnter', look.dress)
  on('VimResized', session.redraw)
  on({ 'CursorMoved', 'WinScrolled' }, follow)
  -- A text that is closed is left, once it is closed.
  on('BufHidden', vim.schedule_wrap(leave))
  if pane.is_text then
    on('BufWriteCmd', actions.write)
    on({ 'TextChanged', 'TextChangedI', 'TextChangedP', 'InsertLeave' }, session.redraw)
  end
  keys.map(view)
  local page_type = screen.body.kind == 'list' and 'todolist' or 'todoform'
  vim.bo[buf].filetype = is_page and page_type or 'todotext'
  return view
end

local function show(win, view)
  local before = api.nvim_win_get_buf(win)
  if before == view.buf then return end
  if not session.views[before] then api.nvim_win_set_var(win, 'todo_before', before) end
  api.nvim_win_set_buf(win, view.buf)
  local is_page = view.screen.body.kind == 'form' and not view.is_text
  if is_page then api.nvim_win_set_cursor(win, { 1, 0 }) end
end

--- The view in a window of ours that another screen may take the place of.
local function free_view(win)
  local view = session.views[api.nvim_win_get_buf(win)]
  return view and not texts.is_held(view) and view or nil
end

--- Shows the sides of a screen beside its text, in the diff of the editor: in a tab of their own,
--- so that no layout is lost.
local function compare(screen, win)
  local where = 'leftabove'
  api.nvim_set_current_win(win)
  vim.cmd('tab split')
  for _, pane in ipairs(screens.panes(screen)) do
    local view = session.find_view(screen, pane.side)
    if view.is_text then
      where = 'rightbelow'
    else
      local beside = ('%s vertical sbuffer %d'):format(where, view.buf)
      vim.cmd(('diffthis | %s | diffthis | setlocal foldcolumn=0'):format(beside))
      vim.cmd('wincmd p | setlocal foldcolumn=0')
    end
  end
end

--- Shows the screen in front where the user is, or else where one of ours is shown. Lists below it
--- stay in their windows.
local function place(view)
  local here, is_new = api.nvim_get_current_win(), shown ~= view.id
  local wins = vim.list_extend({ here }, api.nvim_tabpage_list_wins(0))
  local free = vim.tbl_filter(free_view, vim.list_extend(wins, api.nvim_list_wins()))
  local is_wanted = wanted_win and api.nvim_win_is_valid(wanted_win)
  local target = is_wanted and wanted_win or is_new and free[1]
  if target then
    local is_seen = not is_wanted and target ~= here and fn.bufwinid(view.buf) ~= -1
    if not is_seen then show(target, view) end
    if is_new and #screens.panes(view.screen) > 1 then compare(view.screen, target) end
    shown, wanted_win = view.id, nil
  end
  for _, win in ipairs(api.nvim_list_wins()) do
    local other = free_view(win)
    local screen = other and session.find(other.id)
    local stays = screen and (other.id == view.id or screen.body and screen.body.kind == 'list')
    if other and not stays then show(win, view) end
  end
end

--- Takes the buffer of a screen away that is gone. Unsaved words stay where they are.
local function forget(view)
  if texts.is_unsaved(view) then
    local name = view.screen.subject or view.screen.title
    local where = ('"%s" is gone; its unsaved text stays in buffer %d'):format(name, view.buf)
    if not view.is_gone then session.say(where, 'warning') end
    vim.bo[view.buf].buflisted, view.is_gone = true, true
  elseif #fn.win_findbuf(view.buf) == 0 then
    session.views[view.buf] = nil
    pcall(api.nvim_buf_delete, view.buf, { force = true })
  end
end

--- Whether there is nothing to draw yet: a progress may soon be over. While there is one, the title
--- turns.
local function is_brief(front)
  local now, is_progress = (vim.uv or vim.loop).now(), front.body.kind == 'progress'
  progress_since = is_progress and (progress_since or now) or nil
  fn.timer_stop(timer)
  if is_progress then timer = fn.timer_start(100, session.redraw) end
  return is_progress and now - progress_since < PATIENCE_MS
end

local function update(screen, pane, is_front)
  local view = session.find_view(screen, pane.side) or is_front and create(screen, pane)
  if not view then return end
  view.is_gone = nil
  if view.is_text then texts.sync(view) else fill(view) end
  keys.map(view)
  look.decorate(view)
end

function M.draw()
  local front = session.front()
  if fn.getcmdwintype() ~= '' then return fn.timer_start(PATIENCE_MS, session.redraw) end
  vim.cmd('redrawstatus!')
  if not front then shown, announced = nil, nil end
  if not front or is_brief(front) then return end
  for _, screen in ipairs(session.stack) do
    for _, pane in ipairs(screen.body and screens.panes(screen) or {}) do
      update(screen, pane, screen == front)
    end
  end
  for _, win in ipairs(compared ~= front.id and api.nvim_list_wins() or {}) do
    local other = free_view(win)
    -- The last window cannot be closed.
    if other and other.id == compared then pcall(api.nvim_win_close, win, true) end
  end
  compared = #screens.panes(front) > 1 and front.id or nil
  local view = session.find_view(front)
  place(view)
  for _, other in pairs(session.acting == 0 and session.views or {}) do
    if not session.find(other.id) then forget(other) end
  end
  follow(view)
  local message = front.message or {}
  local is_news = message.id and message.id ~= announced and message.level ~= 'info'
  if is_news then session.say(message.text, message.level) end
  announced = message.id
  api.nvim_exec_autocmds('User', { pattern = 'TodoRender', modeline = false })
end

--- Does an action by its name: of the screen in front, or of the nearest one below that offers it.
function M.press(name, argument)
  for index = #session.stack, 1, -1 do
    local action = screens.action(session.stack[index], 'name', name)
    local view = action and session.find_view(session.stack[index])
    if view then return actions.press(view, action, argument) end
  end
  local front = session.front()
  local why = front and ('"%s" is not possible here: %s'):format(name, front.title)
  session.say(why or session.not_running.message, 'error')
end

--- Shows the screen in front in this window, or goes to the window of this tab that shows it.
function M.open(mods)
  local here, view = session.views[api.nvim_get_current_buf()], session.find_view(session.front())
  local win = view and mods == '' and fn.bufwinid(view.buf) or -1
  if win ~= -1 then return api.nvim_set_current_win(win) end
  local is_kept = here and texts.is_held(here) or vim.bo.modified and not vim.o.hidden
  if mods ~= '' or is_kept then vim.cmd(mods .. ' split') end
  wanted_win = api.nvim_get_current_win()
  M.draw()
end

--- Gives a window back the buffer that was there, or closes it, or shows an empty one.
function M.close()
  local has_before, before = pcall(api.nvim_win_get_var, 0, 'todo_before')
  if has_before and api.nvim_buf_is_valid(before) then return api.nvim_win_set_buf(0, before) end
  vim.cmd(#api.nvim_tabpage_list_wins(0) > 1 and 'close' or 'enew')
end

return M
