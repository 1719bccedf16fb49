-- Buffers and windows: which screen is shown where.

local actions = require('todo.actions')
local look = require('todo.look')
local screens = require('todo.screen')
local session = require('todo.session')
local texts = require('todo.text')
local api, fn = vim.api, vim.fn
-- Looked up once: Neovim 0.7 has no `vim.uv`, and looks for a missing name in Lua each time.
local uv = vim.uv or vim.loop

local M = {}

local SIDES_COLUMNS, SIDE_ROWS = 100, 2 -- what sides need beside each other, or one above the other
local PATIENCE_MS = 200 -- a progress that is over sooner is not shown
local timer, progress_since = -1, nil
local redraw_soon = vim.schedule_wrap(session.redraw) -- in an autocommand others are not heard
local shown, announced -- the screen and the message that were in front
local wanted = {} -- where the user asked for the screen in front: the window, and what it showed

--- Whether the new rows `items` would change which items the user has selected in a view.
local function moves_selection(view, items)
  local mode, from, to = api.nvim_get_mode().mode, fn.line('v'), fn.line('.')
  if view.buf ~= api.nvim_get_current_buf() or not mode:match('^[vV\22]') then return false end
  for row = math.min(from, to), math.max(from, to) do
    if view.items[row] and view.items[row].id ~= (items[row] or {}).id then return true end
  end
end

--- Shows the rows of a list or the fields of a page. Each cursor stays on its item, at the same
--- height of its window. Nothing changes as long as that would put other rows into the user's
--- selection.
local function fill(view)
  local body, old, items, row_of, places = view.screen.body, view.items, {}, {}, {}
  for _, win in ipairs(fn.win_findbuf(view.buf)) do
    places[win] = api.nvim_win_call(win, fn.winsaveview)
  end
  for index, item in ipairs(body.items or {}) do
    items[body.offset + index], row_of[item.id] = item, body.offset + index
  end
  if moves_selection(view, items) then return end
  view.items, view.base = items, body.base
  texts.put(view, screens.lines(view)) -- its folds depend on the items
  for win, place in pairs(places) do
    local item = old[place.lnum] or {}
    local next_row = row_of[item.id]
    -- A row that is done moves away, and the cursor moves to the next one.
    local is_away = next_row and view.items[next_row].section == screens.DONE and item.section == nil
    local row = row_of[body.select] or not is_away and next_row or place.lnum
    if place.topline > 1 then place.topline = math.max(place.topline + row - place.lnum, 1) end
    place.lnum = row
    -- On the title, not on its box.
    local box = #screens.box(view.items[row] or {})
    place.col, place.curswant = math.max(place.col, box), math.max(place.curswant, box)
    api.nvim_win_call(win, function()
      -- Updates the folds where only a section has changed.
      vim.cmd('let &l:foldmethod = &l:foldmethod')
      fn.winrestview(place)
    end)
  end
  body.select = nil -- it applies once
end

--- Requests the rows of a long list around the visible ones, unless these are loaded or a request
--- for rows is in flight: a user who scrolls fast passes more rows than can be drawn.
local function reach(view, answered)
  local body, win = view.screen.body, fn.bufwinid(view.buf)
  if win == -1 or body.kind ~= 'list' then return end
  local top, bottom = fn.line('w0', win), math.min(fn.line('w$', win), body.total)
  local offset = math.max(top - 1 - session.rows / 2, 0)
  local is_here = body.total == 0 or view.items[top] and view.items[bottom]
  if is_here or view.is_reaching or offset == answered then return end
  view.is_reaching = true
  local params = { screen = view.screen.name, offset = offset, limit = session.rows }
  session.request('screen/window', params, function(err)
    view.is_reaching = false
    if not err then reach(view, offset) end
  end)
end

--- Updates everything that depends on the cursor.
local function follow(view)
  look.remind()
  reach(view)
  look.uncover(view)
  look.preview(view)
end

--- Closes the note beside a list that was closed, and notifies the server if a text is no longer
--- open. A text counts as closed if its buffer was unloaded, as by `:q!`. It also counts as closed
--- if its buffer is hidden, has no unsaved edits and is not the buffer that CTRL-^ goes to.
local function leave(view)
  look.preview(session.find_view(session.front()) or view)
  local back = view.is_text and screens.action(view.screen, 'role', 'back')
  local is_gone = not api.nvim_buf_is_loaded(view.buf)
  local is_open = fn.getbufvar(view.buf, '&modified') == 1 or #fn.win_findbuf(view.buf) > 0
    or fn.bufnr('#') == view.buf and not is_gone
  if not back or back.confirm and not is_gone or is_open or not session.find(view.id) then return end
  if not is_gone then return session.tell('act', view, { action = back.name }) end
  local drawn = session.find_view(session.find(view.id)) -- again, in the meantime
  if drawn then
    session.views[drawn.buf] = nil
    api.nvim_buf_delete(drawn.buf, { force = true })
  end
  session.await(function(done) session.tell('act', view, { action = back.name }, done) end)
end

-- `:w FILE` writes that file, as in any buffer.
api.nvim_create_autocmd('BufWriteCmd', {
  pattern = 'todo://*', callback = function(event) actions.write(session.views[event.buf]) end,
})

--- Makes a write without "!" fail if it would overwrite another file. Neovim 0.7 does this itself
--- only for buffers of files. The check is a Vim command, because an error in a Lua function would
--- not stop the write.
local function protect_files(buf, once)
  local check = "if !v:cmdbang && filereadable(expand('<afile>:p')) | throw 'E13: File exists' | endif"
  local options = { buffer = buf, once = once, command = check }
  api.nvim_create_autocmd({ 'BufWritePre', 'FileWritePre' }, options)
end

--- Turns a view into the buffer of a file, after `:saveas`.
local function release(view)
  session.views[view.buf] = nil
  api.nvim_buf_clear_namespace(view.buf, look.marks, 0, -1)
  fn.winrestview({ topfill = 0 }) -- the room of a label above the first line
  api.nvim_clear_autocmds({ buffer = view.buf })
  protect_files(view.buf, true)
  vim.bo[view.buf].buftype, vim.bo[view.buf].filetype = '', ''
  vim.cmd('mapclear <buffer> | setlocal buflisted swapfile< bufhidden< textwidth<')
  look.undress()
  -- Afterwards Neovim lists a buffer with the old name.
  vim.schedule(function()
    local is_old = vim.startswith(fn.bufname('#'), 'todo://') and not session.views[fn.bufnr('#')]
    if is_old then vim.cmd('bwipeout #') end
  end)
end

local function create(screen, pane)
  local buf = api.nvim_create_buf(false, true)
  local view = vim.tbl_extend('error', pane, { id = screen.id, screen = screen, buf = buf })
  view.items, view.typed, view.sent, view.versions = {}, {}, {}, {}
  session.views[buf] = view
  vim.bo[buf].buftype = pane.is_text and 'acwrite' or 'nofile'
  -- No width of the user's own breaks the line of a title.
  vim.bo[buf].modifiable, vim.bo[buf].textwidth = pane.is_text == true, 0
  local parts = vim.list_extend({ 'todo:/', screen.name, pane.side }, { screen.subject })
  local name = table.concat(parts, '/'):gsub('%c', ' ')
  -- Unsaved text of an earlier screen may have the name.
  api.nvim_buf_set_name(buf, fn.bufexists(name) == 0 and name or name .. '#' .. buf)
  local function on(events, run)
    api.nvim_create_autocmd(events, { buffer = buf, callback = function() run(view) end })
  end
  on('BufReadCmd', pane.is_text and actions.read or fill)
  on('BufFilePost', release)
  protect_files(buf)
  on('BufWinEnter', look.dress)
  on('BufWinEnter', vim.schedule_wrap(look.uncover))
  on('VimResized', redraw_soon)
  on({ 'CursorMoved', 'WinScrolled' }, follow)
  on('CursorMovedI', look.remind)
  -- A text that is closed is left, once it is closed. `:bdelete` unloads a buffer without hiding it.
  on({ 'BufHidden', 'BufUnload' }, vim.schedule_wrap(leave))
  if pane.is_text then on({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, redraw_soon) end
  actions.map(view)
  local page_type = screen.body.kind == 'list' and 'todolist' or 'todoform'
  vim.bo[buf].filetype = pane.is_page and page_type or 'todotext'
  return view
end

--- Whether a window is fixed to its buffer.
local function is_fixed(win) return fn.exists('+winfixbuf') == 1 and vim.wo[win].winfixbuf end

local function show(win, view)
  local before = api.nvim_win_get_buf(win)
  if not session.views[before] then vim.w[win].todo_before = before end
  -- "!" is for a fixed window whose screen is gone.
  api.nvim_win_call(win, function() vim.cmd('silent buffer! ' .. view.buf) end)
  local row = view.screen.body.kind == 'form' and 1 or api.nvim_win_get_cursor(win)[1]
  api.nvim_win_set_cursor(win, { row, #screens.box(view.items[row] or {}) })
  look.decorate(view) -- its columns depend on the width of the window
end

--- Shows a text and the sides that it compares ("mine" and "theirs"), in a tab of their own, so
--- that the layout of the other windows is kept. In a wide window, the sides are beside the text.
--- In a narrow window, "mine" is at the top, "theirs" below it, and the text at the bottom. If the
--- height is too small for the sides, only the text is shown, which contains the differences of
--- both sides.
local function compare(view)
  local theirs = session.find_view(view.screen, 'theirs')
  local seen = theirs and fn.win_findbuf(theirs.buf)[1] and fn.win_findbuf(view.buf)[1]
  if seen then return api.nvim_set_current_win(seen) end
  -- With less than 6 lines there is no room for a bar, which is an error.
  if not pcall(vim.cmd, 'tab sbuffer ' .. view.buf) then return show(0, view) end
  local is_wide, rows = fn.winwidth(0) >= SIDES_COLUMNS, math.floor(api.nvim_win_get_height(0) / 3)
  for _, pane in ipairs(screens.panes(view.screen)) do
    local side = pane.side and session.find_view(view.screen, pane.side)
    local where = pane.side == 'theirs' and is_wide and 'rightbelow' or 'leftabove'
    if side and (is_wide or rows >= SIDE_ROWS) then
      vim.cmd(('%s %s sbuffer %d'):format(where, is_wide and 'vertical' or '', side.buf))
      local height = math.min(api.nvim_buf_line_count(side.buf) + (look.has_winbar and 1 or 0), rows)
      if not is_wide then vim.cmd(('resize %d | setlocal winfixheight'):format(height)) end
      vim.cmd('wincmd p')
    end
  end
end

--- Shows the front screen in windows of the plugin:
--- - A window that shows another screen gets the front screen instead, unless the other screen is
---   an open list or has unsaved text.
--- - If the front screen is new and no window shows it yet, it replaces an open list: in the
---   current window if possible, otherwise in another window.
--- - A list in a window with 'winfixbuf' is never replaced.
local function place(view)
  local here, is_new, free = api.nvim_get_current_win(), shown ~= view.id, nil
  local win, buf, tick = unpack(wanted)
  -- Not over what was opened or typed there meanwhile.
  local is_same = win and fn.winbufnr(win) == buf and fn.getbufvar(buf, 'changedtick') == tick
  if win and not is_same then session.say(':Todo shows ' .. view.screen.title) end
  shown, wanted = view.id, {}
  if #screens.panes(view.screen) > 1 then return is_new and compare(view) end
  for _, win in ipairs(vim.list_extend({ here }, api.nvim_list_wins())) do
    local other = session.views[api.nvim_win_get_buf(win)]
    if other and not texts.is_unsaved(other) then
      local screen = session.find(other.id)
      local stays = screen == view.screen or screen and screen.body and screen.body.kind == 'list'
      free = free or not (stays and is_fixed(win)) and win
      if not stays then show(win, view) end
    end
  end
  local seen = fn.bufwinid(view.buf)
  local target = is_same and win or is_new and seen == -1 and free
  if target then show(target, view) end
  local is_away = is_new and api.nvim_get_current_buf() ~= view.buf
  if is_away and is_fixed(here) and session.views[api.nvim_get_current_buf()] then return M.open('') end
  if is_away and free == here and seen ~= -1 then api.nvim_set_current_win(seen) end
end

--- Removes the buffer of a closed screen, unless a window shows it. If the screen is a comparison,
--- its windows are closed first. A buffer with unsaved text stays where it is.
local function forget(view)
  local buf, name = view.buf, view.screen.subject or view.screen.title
  if texts.is_unsaved(view) then
    local where = ('"%s" is gone; its unsaved text stays in buffer %d'):format(name, buf)
    if not vim.bo[buf].buflisted then session.say(where, 'warning') end
    vim.bo[buf].buflisted = true
  elseif view.screen.body.layout == 'compare' or #fn.win_findbuf(buf) == 0 then
    session.views[buf] = nil
    -- The window that the user is in would stay, with another buffer.
    for _, win in ipairs(fn.win_findbuf(buf)) do pcall(api.nvim_win_close, win, true) end
    pcall(api.nvim_buf_delete, buf, { force = true })
  end
end

--- Whether the front screen only shows progress, and is too new to be drawn, because it may end
--- soon. As long as the front screen shows progress, the spinner in the title is redrawn.
local function is_brief()
  local now, is_progress = uv.now(), session.is_loading()
  fn.timer_stop(timer)
  progress_since = is_progress and (progress_since or now) or nil
  if is_progress then timer = fn.timer_start(100, session.redraw) end
  return is_progress and now - progress_since < PATIENCE_MS
end

--- Updates buffers and windows to the screens of the server.
function M.draw()
  local front = session.front()
  if fn.getcmdwintype() ~= '' then return fn.timer_start(PATIENCE_MS, session.redraw) end
  vim.cmd('redrawstatus!')
  look.remind()
  if not front then shown, announced = nil, nil end
  if not front or is_brief() then return end
  for _, screen in ipairs(session.stack) do
    for _, pane in ipairs(screen.body and screens.panes(screen) or {}) do
      local view = session.find_view(screen, pane.side) or screen == front and create(screen, pane)
      if view then
        vim.bo[view.buf].buflisted = false
        if view.is_text then texts.sync(view) else fill(view) end
        actions.map(view)
        look.decorate(view)
      end
    end
  end
  -- A form that is gone, as after a restart, is opened again for the text in which the user works.
  local here = session.views[api.nvim_get_current_buf()]
  if here and here.is_text and front.body.kind == 'list' then texts.sync(here) end
  -- An answer may be in flight, and its screen may get another name.
  if session.acting > 0 then return end
  local message = front.message or {}
  local is_news = message.id ~= announced and message.text and message.level ~= 'info'
  if is_news then session.say(message.text, message.level) end
  announced = message.id
  -- No window changes while the user types.
  if texts.is_typing() then
    if fn.mode() == 'c' then vim.cmd('redraw') end -- for a user who answers a question
    return api.nvim_create_autocmd('ModeChanged', {
      once = true, group = api.nvim_create_augroup('todo', {}), callback = redraw_soon,
    })
  end
  for _, view in pairs(session.views) do if not session.find(view.id) then forget(view) end end
  local view = session.find_view(front)
  place(view)
  follow(view)
  api.nvim_exec_autocmds('User', { pattern = 'TodoRender', modeline = false })
end

--- Performs the action with a name. Uses the uppermost screen that offers this action: the front
--- screen, or a screen below it.
function M.press(name, argument)
  for index = #session.stack, 1, -1 do
    local screen = session.stack[index]
    local action, view = screens.action(screen, 'name', name), session.find_view(screen)
    if action and view then return actions.press(view, action, argument) end
  end
  local front = session.front() or { title = 'there is no screen yet' }
  session.say(('"%s" is not possible here: %s'):format(name, front.title), 'error')
end

--- Goes to the window of this tab that shows the front screen. If there is none, or with `mods`,
--- shows the screen in the current window or a new one.
function M.open(mods)
  local view = session.find_view(session.front())
  local win = view and mods == '' and fn.bufwinid(view.buf) or -1
  if win ~= -1 then return api.nvim_set_current_win(win) end
  if is_fixed(0) then vim.cmd('wincmd p') end
  local here = session.views[api.nvim_get_current_buf()]
  local is_kept = is_fixed(0) or here and texts.is_unsaved(here) or vim.bo.modified and not vim.o.hidden
  local has_tab = view and #screens.panes(view.screen) > 1
  if mods ~= '' or is_kept and not has_tab then vim.cmd(mods .. ' split') end
  shown, wanted = nil, { api.nvim_get_current_win(), fn.bufnr(), vim.b.changedtick }
  M.draw()
end

--- Shows the front screen in one of the windows that an earlier session had, and closes the others,
--- because their screens cannot be opened again.
function M.revive()
  local function name_of(win) return fn.bufname(api.nvim_win_get_buf(win)) end
  local wins = vim.tbl_filter(function(win)
    return vim.startswith(name_of(win), 'todo://') and not session.views[api.nvim_win_get_buf(win)]
  end, api.nvim_list_wins())
  -- The window of a list, whose name has no subject.
  table.sort(wins, function(one, other) return #name_of(one) < #name_of(other) end)
  for index, win in ipairs(wins) do
    local options = vim.bo[api.nvim_win_get_buf(win)]
    options.buftype, options.bufhidden = 'nofile', 'wipe'
    if index > 1 then api.nvim_win_close(win, true) end
  end
  if wins[1] then api.nvim_win_call(wins[1], function() vim.cmd('Todo') end) end
end

--- Shows the previous buffer in the window. If there is none, closes the window, or shows an empty
--- buffer if the window is the only one.
function M.close()
  local before = vim.w.todo_before
  if is_fixed(0) then vim.cmd('setlocal nowinfixbuf') end
  if before and api.nvim_buf_is_valid(before) then
    api.nvim_win_set_buf(0, before)
    return vim.bo.buftype == 'help' and look.undress()
  end
  vim.cmd(#look.windows() > 1 and 'close' or 'enew')
end

return M
