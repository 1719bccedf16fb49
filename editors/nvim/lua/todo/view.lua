-- Buffers and windows: draws the screen in front.

local actions = require('todo.actions')
local form = require('todo.form')
local keys = require('todo.keys')
local list = require('todo.list')
local screens = require('todo.screen')
local session = require('todo.session')
local windows = require('todo.windows')
local api, fn = vim.api, vim.fn

local M = {}

local PATIENCE_MS = 200 -- a progress that is over sooner is not shown
local FRAMES = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
local LEVELS = { error = 'DiagnosticError', warning = 'DiagnosticWarn', info = 'DiagnosticInfo' }
local loop = vim.uv or vim.loop
local marks = api.nvim_create_namespace('todo')
local views, view_of = {}, {} -- by the name of the screen, by buffer
local wanted_win, announced, progress_since

--- Does an action of the screen in front, as if its key was pressed.
function M.press(name)
  local view = views[session.front().name]
  if view then actions.press(view, name) end
end

-- Buffers ------------------------------------------------------------------------------------------------------------

local function watch(view, buf, index)
  local function on(events, run) api.nvim_create_autocmd(events, { buffer = buf, callback = run }) end
  on('BufReadCmd', function()
    if view.parts then actions.read(view) else session.resync() end
  end)
  if not view.parts then return on({ 'CursorMoved', 'WinScrolled' }, function() list.look(view) end) end
  on('BufWriteCmd', function() actions.write(view) end)
  on({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, function()
    form.on_typed(view, index)
    M.decorate(view)
  end)
  on({ 'InsertEnter', 'CursorMovedI', 'InsertCharPre' }, function(call) keys.guard_secret(view, call.event) end)
end

local function add_buffer(view, index, name)
  local buf = api.nvim_create_buf(false, false)
  view.bufs[index], view_of[buf] = buf, view
  local options = vim.bo[buf]
  options.buftype = view.parts and 'acwrite' or 'nofile'
  options.bufhidden, options.swapfile, options.undofile = 'hide', false, false
  -- Unsaved text of an earlier screen may have the name.
  api.nvim_buf_set_name(buf, fn.bufexists(name) == 0 and name or name .. '#' .. buf)
  options.modifiable = view.parts ~= nil
  options.filetype = view.parts and 'todoform' or 'todolist'
  watch(view, buf, index)
end

--- Which buffers a screen needs.
local function shape(screen)
  local names = vim.tbl_map(function(field) return field.name end, screen.body.fields or {})
  return screen.body.kind .. '/' .. table.concat(names, '/')
end

local function create(stack)
  local screen, below, last = stack[#stack], stack[#stack - 1], session.last
  local view = { name = screen.name, screen = screen, shape = shape(screen), depth = #stack }
  view.bufs, view.drawn, view.first, view.mapped = {}, {}, {}, {}
  view.opened = last and below and below.name == last.screen.name and last or nil
  views[screen.name] = view
  view.parts = screens.is_text(screen) and screens.parts(screen.body.fields) or nil
  for index, part in ipairs(view.parts or { {} }) do
    local is_one_of_many = view.parts and #view.parts > 1
    add_buffer(view, index, 'todo://' .. view.name .. (is_one_of_many and '/' .. part[1].name or ''))
    for _, field in ipairs(part) do view.first[field.name] = field.value end
  end
  view.middle = math.ceil(#view.bufs / 2)
  return view
end

--- Takes the buffers away. Unsaved text outlives its screen, in an ordinary buffer.
local function forget(view)
  if views[view.name] == view then views[view.name] = nil end
  for _, buf in ipairs(view.bufs) do
    view_of[buf] = nil
    if api.nvim_buf_is_loaded(buf) and vim.bo[buf].modified then
      api.nvim_clear_autocmds({ buffer = buf })
      vim.bo[buf].buftype = ''
      api.nvim_buf_call(buf, function() vim.cmd('mapclear <buffer> | imapclear <buffer>') end)
      vim.notify(('todo: the screen is gone; its unsaved text is in buffer %d'):format(buf), vim.log.levels.WARN)
    elseif api.nvim_buf_is_valid(buf) then
      api.nvim_buf_delete(buf, { force = true })
    end
  end
end

--- Whether the buffers are what the screen needs, and are still there.
local function fits(view, screen)
  return view.shape == shape(screen) and #vim.tbl_filter(api.nvim_buf_is_loaded, view.bufs) == #view.bufs
end

-- Drawing ------------------------------------------------------------------------------------------------------------

local function fill(view)
  local body = view.screen.body
  if view.parts then return form.fill(view) end
  if body.kind == 'list' then return list.fill(view) end
  form.put(view.bufs[1], 0, -1, { body.kind == 'progress' and screens.progress_line(body) or view.screen.title })
end

--- The message and the actions, as lines of chunks no wider than `width`.
local function footer(screen, width)
  local lines, used = { { { '' } } }, width
  local function add(text, style)
    used = used + fn.strdisplaywidth(text)
    if used > width then
      lines[#lines + 1], used = {}, fn.strdisplaywidth(text)
    end
    table.insert(lines[#lines], { text, style })
  end
  for word in (screen.message and screen.message.level .. ': ' .. screen.message.text or ''):gmatch('%S+') do
    add(word .. ' ', LEVELS[screen.message.level])
  end
  used = width
  local key_of = keys.of(screen)
  for _, action in ipairs(screen.actions) do
    add(('[%s %s] '):format(key_of[action.name], action.title), action.enabled and 'Special' or 'Comment')
  end
  return lines
end

--- What is not text of the user's: errors under their fields, the message and the actions under all.
function M.decorate(view)
  for index, buf in ipairs(view.bufs) do
    local last, below = api.nvim_buf_line_count(buf), {}
    for row, field in ipairs(view.parts and view.parts[index] or {}) do
      local at = field.multiline and last or math.min(row, last)
      if field.error then below[at] = { { { '! ' .. field.error, 'DiagnosticError' } } } end
    end
    if index == view.middle then
      local width = math.max(fn.winwidth(fn.bufwinid(buf)), 20) - 1
      below[last] = vim.list_extend(below[last] or {}, footer(view.screen, width))
    end
    api.nvim_buf_clear_namespace(buf, marks, 0, -1)
    for row, lines in pairs(below) do
      api.nvim_buf_set_extmark(buf, marks, row - 1, 0, { virt_lines = lines })
    end
  end
end

local function announce(screen)
  local message = screen.message
  local text = message and message.level ~= 'info' and message.text or nil
  if text and text ~= announced then
    vim.notify('todo: ' .. text, message.level == 'error' and vim.log.levels.ERROR or vim.log.levels.WARN)
  end
  announced = text
end

--- Keeps the status line turning while a progress is shown, and answers whether it may be over soon.
local function is_brief(front)
  local is_progress, is_new = front.body.kind == 'progress', not progress_since
  progress_since = is_progress and (progress_since or loop.now()) or nil
  if is_progress and is_new then
    local function turn()
      if not (progress_since and session.front()) then return end
      if not views[session.front().name] then M.draw() end
      vim.cmd('redrawstatus!')
      vim.defer_fn(turn, 100)
    end
    vim.defer_fn(turn, PATIENCE_MS)
  end
  return is_progress and loop.now() - progress_since < PATIENCE_MS
end

function M.draw()
  local stack = session.stack()
  local front = stack[#stack]
  vim.cmd('redrawstatus!')
  if not front then progress_since = nil end
  if not front or is_brief(front) then return end
  local view, outdated = views[front.name], nil
  if view and not fits(view, front) then view, outdated = nil, view end
  local is_new = not view
  view = view or create(stack)
  view.screen = front
  fill(view)
  -- Texts side by side are there because the user's, in the middle, could not be saved.
  if is_new and #view.bufs > 1 then vim.bo[view.bufs[view.middle]].modified = true end
  for _, buf in ipairs(view.bufs) do keys.map(view, buf) end
  for _, other in pairs(views) do
    if other ~= view then windows.close(other) end
  end
  windows.show(windows.find(view_of) or wanted_win, view)
  wanted_win = nil
  M.decorate(view)
  if outdated then forget(outdated) end
  for name, other in pairs(session.acting == 0 and views or {}) do
    if not session.find(name) then forget(other) end
  end
  announce(front)
  list.look(view)
  api.nvim_exec_autocmds('User', { pattern = 'TodoRender', modeline = false })
end

--- The text of the status line.
function M.status()
  local buf = api.nvim_win_get_buf(vim.g.statusline_winid or 0)
  local view = view_of[buf]
  if not view then return '' end
  local text, message = view.screen.title, view.screen.message
  for index, part in ipairs(#view.bufs > 1 and view.parts or {}) do
    if view.bufs[index] == buf then text = part[1].label .. ' · ' .. text end
  end
  if session.status ~= 'running' then return text .. ' · ' .. session.status end
  if progress_since then text = FRAMES[math.floor(loop.now() / 100) % #FRAMES + 1] .. ' ' .. text end
  return text .. (message and ' · ' .. message.text or '') .. (session.acting > 0 and ' …' or '')
end

--- Makes sure that a window shows the screen in front.
function M.open()
  local win = windows.find(view_of)
  if win then api.nvim_set_current_win(win) else wanted_win = api.nvim_get_current_win() end
  M.draw()
end

return M
