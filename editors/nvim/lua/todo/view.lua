-- Buffers and windows: which screen is shown where.

local actions = require('todo.actions')
local compare = require('todo.compare')
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

--- Shows the rows of a list or the fields of a page, and keeps each cursor on its item, at the same place of its window.
local function fill(view)
  local body, saved, ids, row_of = view.screen.body, {}, view.ids, {}
  for _, win in ipairs(fn.win_findbuf(view.buf)) do saved[win] = api.nvim_win_call(win, fn.winsaveview) end
  texts.put(view.buf, screens.lines(view.screen, view.typed))
  view.ids, view.base = {}, body.base
  for index, item in ipairs(body.items or {}) do
    view.ids[body.offset + index], row_of[item.id] = item.id, body.offset + index
  end
  local selected = body.select ~= view.selected and row_of[body.select]
  view.selected = body.select
  for win, place in pairs(saved) do
    local moved = (selected or row_of[ids[place.lnum]] or place.lnum) - place.lnum
    place.lnum = place.lnum + moved
    if place.topline > 1 and not selected then place.topline = math.max(place.topline + moved, 1) end
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
  session.request('screen/window', { screen = view.screen.name, offset = offset, limit = session.rows }, function(err)
    view.is_looking = err ~= nil
    session.redraw()
  end)
end

local function create(screen)
  local view = { id = screen.id, screen = screen, is_text = screens.is_text(screen), ids = {}, typed = {} }
  look.define_colors()
  view.buf = api.nvim_create_buf(false, false)
  session.views[view.buf] = view
  local options, name = vim.bo[view.buf], 'todo://' .. screen.name .. (screen.subject and '/' .. screen.subject or '')
  options.buftype, options.modifiable = view.is_text and 'acwrite' or 'nofile', view.is_text
  options.bufhidden, options.swapfile, options.undofile, options.modeline = 'hide', false, false, false
  name = name:gsub('%c', ' ')
  -- Unsaved text of an earlier screen may have the name.
  api.nvim_buf_set_name(view.buf, fn.bufexists(name) == 0 and name or name .. '#' .. view.buf)
  if view.is_text then view.from = actions.last end
  local function on(events, run) api.nvim_create_autocmd(events, { buffer = view.buf, callback = run }) end
  on('BufReadCmd', function() if view.is_text then actions.read(view) else fill(view) end end)
  on('BufWinEnter', function() look.dress(view) end)
  on({ 'CursorMoved', 'WinScrolled' }, function()
    reach(view)
    look.uncover(view)
  end)
  if view.is_text then
    on('BufWriteCmd', function() actions.write(view) end)
    on({ 'TextChanged', 'TextChangedI', 'TextChangedP', 'InsertLeave' }, session.redraw)
    -- A text that is closed is left.
    on('BufHidden', function() vim.schedule(function() M.leave(view) end) end)
  end
  keys.map(view, view.buf)
  vim.bo[view.buf].filetype = view.is_text and 'todotext' or screen.body.kind == 'list' and 'todolist' or 'todoform'
  return view
end

--- Tells the server that a text without unsaved words is not open any more.
function M.leave(view)
  local front, back = session.front(), screens.action(view.screen, 'role', 'back')
  local is_left = api.nvim_buf_is_loaded(view.buf) and #fn.win_findbuf(view.buf) == 0 and not vim.bo[view.buf].modified
  if not is_left or not back or not front or front.id ~= view.id then return end
  session.tell('act', view, { action = back.name }, function() end)
end

local function show(win, view)
  if api.nvim_win_get_buf(win) == view.buf then return end
  local before = api.nvim_win_get_buf(win)
  if not session.views[before] then api.nvim_win_set_var(win, 'todo_before', before) end
  api.nvim_win_set_buf(win, view.buf)
  if view.screen.body.kind ~= 'form' or view.is_text then return end
  pcall(api.nvim_win_set_cursor, win, { 1, 0 })
  view.typed = {}
  fill(view)
end

local function view_in(win) return session.views[api.nvim_win_get_buf(win)] end

--- Whether a window shows one of ours that another screen may take the place of.
local function is_free(win)
  local view = api.nvim_win_is_valid(win) and view_in(win)
  return view and not texts.is_unsaved(view) and not texts.is_typing(view)
end

--- Shows the screen in front where the user is, or else where one of ours is shown. Lists below it stay in their windows.
local function place(view)
  local here = api.nvim_get_current_win()
  local wins = vim.list_extend({ here }, vim.list_extend(api.nvim_tabpage_list_wins(0), api.nvim_list_wins()))
  local target = wanted_win and api.nvim_win_is_valid(wanted_win) and wanted_win or vim.tbl_filter(is_free, wins)[1]
  if target and (wanted_win or shown ~= view.id) then
    local is_seen = not wanted_win and target ~= here and fn.bufwinid(view.buf) ~= -1
    if not is_seen then show(target, view) end
    if shown ~= view.id and #screens.sides(view.screen) > 0 then compare.open(view, target) end
    shown, wanted_win = view.id, nil
  end
  for _, win in ipairs(api.nvim_list_wins()) do
    local other = is_free(win) and view_in(win)
    local below = other and session.find(other.id)
    if other and other ~= view and not (below and below.body and below.body.kind == 'list') then show(win, view) end
  end
end

--- Takes the buffer of a screen away that is gone. Unsaved words stay where they are.
local function forget(view)
  if texts.is_unsaved(view) or texts.is_typing(view) and vim.bo[view.buf].modified then
    if not view.is_gone then
      vim.bo[view.buf].buflisted = true
      local name = view.screen.subject or view.screen.title
      session.say(('"%s" is gone; its unsaved text stays in buffer %d'):format(name, view.buf), 'warning')
    end
    view.is_gone = true
  elseif #fn.win_findbuf(view.buf) == 0 then
    session.views[view.buf] = nil
    if api.nvim_buf_is_valid(view.buf) then api.nvim_buf_delete(view.buf, { force = true }) end
  end
end

--- Whether there is nothing to draw yet: a progress may soon be over. While there is one, the title turns.
local function is_brief(front)
  local now = (vim.uv or vim.loop).now()
  local is_progress = front and front.body.kind == 'progress'
  progress_since = is_progress and (progress_since or now) or nil
  fn.timer_stop(timer)
  if is_progress then timer = fn.timer_start(100, session.redraw) end
  return is_progress and now - progress_since < PATIENCE_MS
end

local function update(screen, is_front)
  local view = session.find_view(screen) or is_front and create(screen)
  if not view then return end
  view.screen, view.is_gone = screen, nil
  if view.is_text then texts.sync(view) else fill(view) end
  keys.map(view, view.buf)
  look.decorate(view)
  return view
end

local function announce(message)
  if message and message.level ~= 'info' and message.id ~= announced then session.say(message.text, message.level) end
  announced = message and message.id
end

function M.draw()
  local front = session.front()
  if fn.getcmdwintype() ~= '' then return fn.timer_start(PATIENCE_MS, session.redraw) end
  vim.cmd('redrawstatus!')
  if not front then shown, announced = nil, nil end
  if is_brief(front) or not front then return end
  local view
  for _, screen in ipairs(session.stack) do
    if screen.body then view = update(screen, screen == front) end
  end
  compare.close(view)
  compare.follow(view)
  place(view)
  for _, other in pairs(session.acting == 0 and session.views or {}) do
    if not session.find(other.id) then forget(other) end
  end
  look.uncover(view)
  announce(front.message)
  reach(view)
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
  local why = front and ('"%s" is not possible here: %s'):format(name, front.title) or session.not_running.message
  session.say(why, 'error')
end

--- Shows the screen in front in this window, or goes to the window of this tab that shows it.
function M.open(mods)
  local front = session.front()
  local view, here = front and session.find_view(front), view_in(0)
  local win = view and mods == '' and fn.bufwinid(view.buf) or -1
  if win ~= -1 then return api.nvim_set_current_win(win) end
  local is_kept = here and not is_free(api.nvim_get_current_win()) or vim.bo.modified and not vim.o.hidden
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
