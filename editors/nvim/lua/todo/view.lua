-- Buffers and windows: draws the screen in front.

local actions = require('todo.actions')
local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = {}

local PATIENCE_MS = 200 -- a progress that is over sooner is not shown
local FRAMES = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
local LEVELS = { error = 'DiagnosticError', warning = 'DiagnosticWarn', info = 'DiagnosticInfo' }
local STATUS = [[\ %{v:lua.require'todo.view'.status()}%=g?\ help\ \ %l/%L\ ]]
local loop = vim.uv or vim.loop
local marks = api.nvim_create_namespace('todo')
local views = {} -- by buffer
local timer = -1
local wanted_win, announced, progress_since, diff

--- Makes these the lines of a buffer, so that it can neither be undone nor counts as a change of the user.
local function put(buf, lines)
  local options = vim.bo[buf]
  local was_modifiable, levels = options.modifiable, options.undolevels
  if not vim.deep_equal(api.nvim_buf_get_lines(buf, 0, -1, false), lines) then
    options.modifiable, options.undolevels = true, -1
    api.nvim_buf_set_lines(buf, 0, -1, false, lines)
    options.modifiable, options.undolevels = was_modifiable, levels
  end
  options.modified = false
end

--- Shows what the server says, and keeps each cursor on its item, at the same place of its window.
local function fill(view)
  local screen, body, saved, ids, row_of = view.screen, view.screen.body, {}, view.ids, {}
  for _, win in ipairs(fn.win_findbuf(view.buf)) do
    saved[win] = api.nvim_win_call(win, fn.winsaveview)
  end
  local lines = screens.lines(screen)
  local values = view.is_document and screens.parse(screen, lines)
  if not values or not vim.deep_equal(values, view.known) then put(view.buf, lines) end
  view.known, view.ids, view.base = values or nil, {}, body.base
  if not vim.bo[view.buf].modified then view.clean = view.known end
  for index, item in ipairs(body.items or {}) do
    view.ids[body.offset + index], row_of[item.id] = item.id, body.offset + index
  end
  for win, place in pairs(saved) do
    local moved = (row_of[ids[place.lnum]] or place.lnum) - place.lnum
    place.lnum = place.lnum + moved
    if place.topline > 1 then place.topline = math.max(place.topline + moved, 1) end
    api.nvim_win_call(win, function() fn.winrestview(place) end)
  end
end

--- Asks for the rows of a long list around those that are looked at, if they are not here.
local function look(view)
  local body, win = view.screen.body, fn.bufwinid(view.buf)
  if view.is_looking or win == -1 or body.kind ~= 'list' then return end
  local top, bottom = fn.line('w0', win), math.min(fn.line('w$', win), body.total)
  if top > body.offset and bottom <= body.offset + #body.items then return end
  view.is_looking = true
  local offset = math.max(top - 1 - session.rows / 2, 0)
  session.request('screen/window', { screen = view.name, offset = offset, limit = session.rows }, function(err)
    view.is_looking = err ~= nil
    session.redraw()
  end)
end

local function find(screen)
  for buf, view in pairs(views) do
    if view.name == screen.name and api.nvim_buf_is_loaded(buf) then return view end
  end
end

local function new_buffer(name, buftype)
  local buf = api.nvim_create_buf(false, false)
  local options = vim.bo[buf]
  options.buftype, options.modifiable = buftype, buftype == 'acwrite'
  options.bufhidden, options.swapfile, options.undofile = 'hide', false, false
  -- Unsaved text of an earlier screen may have the name.
  api.nvim_buf_set_name(buf, fn.bufexists(name) == 0 and name or name .. '#' .. buf)
  return buf
end

local function create(screen)
  local view = { name = screen.name, is_document = #screens.texts(screen) > 0, ids = {} }
  view.buf = new_buffer('todo://' .. view.name, view.is_document and 'acwrite' or 'nofile')
  views[view.buf] = view
  local function on(events, run) api.nvim_create_autocmd(events, { buffer = view.buf, callback = run }) end
  on('BufReadCmd', function()
    actions.read(view)
    fill(view)
  end)
  on({ 'CursorMoved', 'WinScrolled' }, function() look(view) end)
  if view.is_document then
    on('BufWriteCmd', function() actions.write(view) end)
    on({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, session.redraw)
  end
  vim.bo[view.buf].filetype = screen.body.kind == 'form' and 'todoform' or 'todolist'
  return view
end

--- Takes the buffer away. Unsaved text outlives its screen, in an ordinary buffer, unless the user is done with it.
local function forget(buf, view)
  views[buf] = nil
  if not view.is_done and api.nvim_buf_is_loaded(buf) and vim.bo[buf].modified then
    api.nvim_clear_autocmds({ buffer = buf })
    vim.bo[buf].buftype = ''
    vim.notify(('todo: the screen is gone; its unsaved text is in buffer %d'):format(buf), vim.log.levels.WARN)
  elseif api.nvim_buf_is_valid(buf) then
    api.nvim_buf_delete(buf, { force = true })
  end
end

--- The message and the actions, as lines of chunks no wider than `width`.
local function footer(view, width)
  local lines, used, message = { { { '' } } }, width, view.screen.message
  local function add(word, style)
    used = used + fn.strdisplaywidth(word)
    if used > width then
      lines[#lines + 1], used = {}, fn.strdisplaywidth(word)
    end
    table.insert(lines[#lines], { word, style })
  end
  for word in (message and message.level .. ': ' .. message.text or ''):gmatch('%S+') do
    add(word .. ' ', LEVELS[message.level])
  end
  used = width
  for _, action in ipairs(view.screen.actions) do
    add(('[%s %s] '):format(view.keys[action.name], action.title), action.enabled and 'Special' or 'Comment')
  end
  return lines
end

local function map_keys(view)
  local function map(key, run) vim.keymap.set('n', key, run, { buffer = view.buf, nowait = true, remap = true }) end
  map('g?', function() api.nvim_echo(footer(view, math.huge)[1], false, {}) end)
  if not view.is_document then
    map('q', '<Cmd>quit<CR>')
    -- What begins to insert elsewhere does so here; an action below can have the key instead.
    for key in ('iaIA'):gmatch('.') do map(key, '<CR>') end
  end
  view.keys = screens.keys(view.screen)
  for name, key in pairs(view.keys) do
    if key:sub(1, 1) ~= ':' then map(key, function() actions.press(view, name) end) end
  end
end

--- What is not text of the user's: labels and errors at their fields, the message and the actions under all.
local function decorate(view)
  local last = api.nvim_buf_line_count(view.buf)
  local function mark(row, what) api.nvim_buf_set_extmark(view.buf, marks, math.min(row, last) - 1, 0, what) end
  api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
  for row, field in ipairs(screens.fields(view.screen)) do
    local is_text = view.is_document and field.multiline
    local first = is_text and row > 1 and row + 1 or row
    if view.is_document then mark(first, { virt_text = { { field.label, 'Comment' } } }) end
    if field.error then
      mark(is_text and last or row, { virt_lines = { { { '! ' .. field.error, 'DiagnosticError' } } } })
    end
  end
  mark(last, { virt_lines = footer(view, math.max(fn.winwidth(fn.bufwinid(view.buf)), 20) - 1) })
end

local function show(win, view)
  local texts = screens.texts(view.screen)
  if not win or not api.nvim_win_is_valid(win) or api.nvim_win_get_buf(win) == view.buf then return end
  api.nvim_win_set_buf(win, view.buf)
  api.nvim_win_call(win, function()
    vim.cmd('setlocal nonumber norelativenumber nolist nospell signcolumn=no statusline=' .. STATUS)
    vim.wo.wrap, vim.wo.cursorline = view.is_document, view.screen.body.kind == 'list'
  end)
  if #texts < 2 then return end
  -- Side by side, in the diff of the editor: in a tab of their own, so that no layout is lost.
  api.nvim_set_current_win(win)
  vim.cmd('tab split')
  diff = { tab = api.nvim_get_current_tabpage(), view = view }
  local side = 'leftabove'
  for _, field in ipairs(texts) do
    if field.readOnly then
      local buf = new_buffer(('todo://%s/%s'):format(view.name, field.name), 'nofile')
      put(buf, vim.split(field.value, '\n', { plain = true }))
      vim.cmd(side .. ' vertical diffsplit #' .. buf)
      vim.bo.bufhidden, vim.wo.statusline = 'wipe', ' ' .. field.label
      vim.cmd('wincmd p')
    else
      side = 'rightbelow'
    end
  end
end

--- A window that shows a screen, the nearest first.
local function find_window()
  local wins = vim.list_extend(api.nvim_tabpage_list_wins(0), api.nvim_list_wins())
  table.insert(wins, 1, api.nvim_get_current_win())
  return vim.tbl_filter(function(win) return views[api.nvim_win_get_buf(win)] end, wins)[1]
end

--- Whether there is nothing to draw yet: a progress may soon be over. While there is one, the status line turns.
local function is_brief(front)
  local is_progress = front and front.body.kind == 'progress'
  progress_since = is_progress and (progress_since or loop.now()) or nil
  fn.timer_stop(timer)
  if is_progress then timer = fn.timer_start(100, session.redraw) end
  return is_progress and loop.now() - progress_since < PATIENCE_MS
end

function M.draw()
  local front = session.front()
  vim.cmd('redrawstatus!')
  if is_brief(front) or not front then return end
  local known = find(front)
  local view = known or create(front)
  view.screen = front
  if not actions.send_typed(view) then fill(view) end
  -- Texts side by side are there because the user's could not be saved.
  if not known and #screens.texts(front) > 1 then vim.bo[view.buf].modified = true end
  map_keys(view)
  if diff and diff.view ~= view then
    -- It may be gone, and the last one cannot be closed.
    pcall(function() vim.cmd('tabclose ' .. api.nvim_tabpage_get_number(diff.tab)) end)
    diff = nil
  end
  show(find_window() or wanted_win, view)
  wanted_win = nil
  decorate(view)
  for buf, other in pairs(session.acting == 0 and views or {}) do
    if not session.find(other.name) then forget(buf, other) end
  end
  local message = front.message
  if message and message.level ~= 'info' and message.text ~= announced then
    vim.notify('todo: ' .. message.text, vim.log.levels[message.level == 'error' and 'ERROR' or 'WARN'])
  end
  announced = message and message.text
  look(view)
  api.nvim_exec_autocmds('User', { pattern = 'TodoRender', modeline = false })
end

function M.status()
  local view = views[api.nvim_win_get_buf(vim.g.statusline_winid or 0)]
  if not view then return '' end
  local title, message = view.screen.title, view.screen.message
  if session.status ~= 'running' then return title .. ' · ' .. session.status end
  if progress_since then title = FRAMES[math.floor(loop.now() / 100) % #FRAMES + 1] .. ' ' .. title end
  return title .. (message and ' · ' .. message.text or '') .. (session.acting > 0 and ' …' or '')
end

--- Does an action of the screen in front, as if its key was pressed.
function M.press(name)
  local front = session.front()
  local view = front and find(front)
  if view then return actions.press(view, name) end
  vim.notify('todo: ' .. (front and 'not yet' or session.not_running.message), vim.log.levels.ERROR)
end

--- Makes sure that a window shows the screen in front.
function M.open()
  local win = find_window()
  if win then api.nvim_set_current_win(win) else wanted_win = api.nvim_get_current_win() end
  M.draw()
end

return M
