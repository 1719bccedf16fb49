-- How it looks: colours, what stands above, below and beside the lines of a buffer, bars, and what floats.

local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = { marks = api.nvim_create_namespace('todo') }

local FRAMES = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
local GROUPS = {
  TodoMuted = 'Comment', TodoLabel = 'Comment', TodoNotice = 'DiagnosticInfo', TodoAlert = 'DiagnosticError',
  TodoError = 'DiagnosticError',
}
local TONES = { notice = 'TodoNotice', alert = 'TodoAlert' }
-- Which keys are worth a place in a bar: those of the roles that come first here.
local FIRST = { 'open', 'toggle', 'create', 'merge', 'save', 'keep', 'take', 'login', 'register', 'retry', 'back' }
local WAYS = { mine = 'keep', theirs = 'take' } -- the action that ends up with a side
local PREVIEW_COLUMNS = 100 -- what a window needs for notes beside its rows
local preview_win

local function define_colors()
  local has_dim = vim.o.termguicolors or fn.synIDattr(fn.hlID('Comment'), 'fg', 'cterm') ~= ''
  for group, link in pairs(GROUPS) do
    -- Where comments look as any text, as in the 16 colours of Neovim's own scheme, grey is what is dim.
    local is_grey = link == 'Comment' and not has_dim
    local how = is_grey and 'highlight default %s ctermfg=8 guifg=#808080' or 'highlight default link %s %s'
    vim.cmd(how:format(group, link))
  end
  vim.cmd('highlight default TodoDone cterm=strikethrough gui=strikethrough')
end

define_colors()
api.nvim_create_autocmd('ColorScheme', { callback = define_colors })

local function view_here() return session.views[api.nvim_get_current_buf()] end

--- What a buffer is about.
function M.title()
  local view, front = view_here(), session.front()
  if not view then return '' end
  local title = (view.screen.subject and view.screen.subject .. ' · ' or '') .. view.screen.title
  if view.screen.body.layout == 'compare' then title = view.fields[1].label end
  local frame = FRAMES[math.floor((vim.uv or vim.loop).now() / 100) % #FRAMES + 1] .. ' '
  if front and front.body.kind == 'progress' then title = frame .. title end
  local is_changed = view.is_text and vim.bo.modified
  return session.fit(title, math.max(math.floor(fn.winwidth(0) / 2), 10)) .. (is_changed and ' [+]' or '')
end

--- What there is to be known just now.
function M.news()
  local view = view_here()
  if not view or view.side then return '' end
  if session.status ~= 'running' then return session.why end
  local message = (session.find(view.id) or {}).message
  local words = { message and message.text or '', screens.standing(view.screen), session.acting > 0 and '…' or '' }
  return table.concat(vim.tbl_filter(function(text) return text ~= '' end, words), ' · ')
end

local function readable(key) return (key:gsub('<LocalLeader>', vim.g.maplocalleader or '\\')) end

--- The keys that matter most, then help.
function M.hints()
  local view = view_here()
  if not view or session.status ~= 'running' then return '' end
  local main, hints = screens.main_action(view.screen), {}
  local wanted = view.side and {} or { main }
  for _, role in ipairs(view.side and { WAYS[view.side] } or FIRST) do
    local action = screens.action(view.screen, 'role', role)
    if action and action.enabled and action ~= main then wanted[#wanted + 1] = action end
  end
  -- Where there is but one line, news need its room.
  local has_room = M.has_winbar or M.news() == '' or view.screen.body.layout == 'compare'
  for index = 1, has_room and math.min(#wanted, 3) or 0 do
    local action = wanted[index]
    hints[index] = readable(view.keys[action.name][1]) .. ' ' .. action.title:gsub('^%u', string.lower)
  end
  return table.concat(vim.list_extend(hints, { view.side and '' or 'g? help' }), '  ')
end

M.has_winbar = fn.exists('+winbar') == 1
-- What has no room is cut off at the right.
local TITLE, NEWS, HINTS = unpack(vim.tbl_map(function(name)
  return ([[%%{v:lua.require'todo.look'.%s()}]]):format(name)
end, { 'title', 'news', 'hints' }))

--- The options of a window that shows a view, for as long as it does. Sides that are compared have room for their names
--- and keys only.
function M.dress(view)
  local news = view.screen.body.layout == 'compare' and '' or [[%(\ \ ]] .. NEWS .. '%)'
  local statusline = M.has_winbar and NEWS .. '%=%l/%L' or TITLE .. news .. [[\ %=]] .. HINTS
  vim.cmd('setlocal nonumber norelativenumber nolist nospell signcolumn=no foldcolumn=0')
  vim.cmd(([[setlocal statusline=\ %s\ %%<]]):format(statusline))
  if M.has_winbar then vim.cmd(([[setlocal winbar=\ %s\ %%=%%#TodoMuted#%s\ %%<]]):format(TITLE, HINTS)) end
  vim.cmd((view.is_text or view.side) and 'setlocal wrap linebreak' or 'setlocal nowrap')
  vim.cmd(view.screen.body.kind == 'list' and 'setlocal cursorline' or 'setlocal nocursorline')
end

--- What a list says of a row beside its title, in chunks of text and the group that colours it.
local function remarks(item)
  local chunks = {}
  for _, what in ipairs({ 'detail', 'badge' }) do
    local group = what == 'badge' and TONES[item.tone] or 'TodoMuted'
    if #chunks > 0 and item[what] then chunks[2] = { ' ' } end
    if item[what] then chunks[#chunks + 1] = { screens.one_line(item[what]), group } end
  end
  return chunks
end

local function row(view, line, item)
  local function mark(column, what) api.nvim_buf_set_extmark(view.buf, M.marks, line - 1, column, what) end
  local chunks, length = remarks(item), #api.nvim_buf_get_lines(view.buf, line - 1, line, false)[1]
  local room, used = M.room(view), 0
  for _, chunk in ipairs(chunks) do used = math.min(used + fn.strdisplaywidth(chunk[1]), room) end
  if #chunks > 0 then mark(0, { virt_text = chunks, virt_text_win_col = room - used, hl_mode = 'combine' }) end
  if item.tone == 'muted' then mark(0, { end_col = length, hl_group = 'TodoMuted' }) end
  if item.checked then mark(math.min(4, length), { end_col = length, hl_group = 'TodoDone' }) end
end

--- What is not text of the user's: labels above, errors below, remarks at the right.
function M.decorate(view)
  local body, last = view.screen.body, api.nvim_buf_line_count(view.buf)
  local function mark(line, what) api.nvim_buf_set_extmark(view.buf, M.marks, math.min(line, last) - 1, 0, what) end
  api.nvim_buf_clear_namespace(view.buf, M.marks, 0, -1)
  for index, item in ipairs(body.items or {}) do row(view, body.offset + index, item) end
  if body.total == 0 then mark(1, { line_hl_group = 'TodoMuted' }) end
  for line, field in ipairs(view.side and {} or view.fields) do
    local is_long = view.is_text and field.multiline
    local first = is_long and line > 1 and line + 1 or line
    if not view.is_text then
      mark(line, { end_col = #field.label + 1, hl_group = 'TodoLabel' })
    elseif body.layout ~= 'compare' then
      mark(first, { virt_lines = { { { field.label, 'TodoLabel' } } }, virt_lines_above = true })
    end
    local wrong = field.error and { { { '! ' .. field.error, 'TodoError' } } }
    if wrong then mark(is_long and last or line, { virt_lines = wrong }) end
  end
  M.uncover(view)
end

--- What stands above the first line is shown only where a window is told to.
function M.uncover(view)
  for _, win in ipairs(view.is_text and fn.win_findbuf(view.buf) or {}) do
    api.nvim_win_call(win, function()
      local place = fn.winsaveview()
      if place.topline == 1 and place.topfill == 0 then fn.winrestview({ topfill = 1 }) end
    end)
  end
end

--- How many columns rows have: notes stand beside them where a window is wide enough.
function M.room(view)
  local width = math.max(fn.winwidth(fn.bufwinid(view.buf)), 20)
  return width >= PREVIEW_COLUMNS and math.floor(width / 2) or width - 1
end

--- Shows the beginning of the note of the row of the cursor beside the rows.
function M.preview(view)
  local win, room = fn.bufwinid(view.buf), M.room(view)
  local width = fn.winwidth(win) - room - 2
  local line = win ~= -1 and api.nvim_win_get_cursor(win)[1] - (view.screen.body.offset or 0)
  local text = (view.screen.body.items or {})[line] and view.screen.body.items[line].preview or ''
  if preview_win and api.nvim_win_is_valid(preview_win) then api.nvim_win_close(preview_win, true) end
  preview_win = nil
  if text == '' or width < room / 2 then return end
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\r?\n'))
  preview_win = api.nvim_open_win(buf, false, {
    relative = 'win', win = win, row = 0, col = room + 1, width = width, style = 'minimal', focusable = false,
    height = api.nvim_win_get_height(win) - (M.has_winbar and 1 or 0), noautocmd = true,
    border = { '', '', '', '', '', '', '', { '│', 'TodoMuted' } },
  })
  api.nvim_win_call(preview_win, function() vim.cmd('setlocal wrap linebreak winhighlight=NormalFloat:Normal') end)
end

--- A window with lines at the cursor: its buffer, and the window.
local function float(lines)
  return vim.lsp.util.open_floating_preview(lines, '', { border = 'rounded', max_width = vim.o.columns - 4 })
end

--- What compared sides were made from, until the cursor moves.
function M.before(view)
  local field = screens.before(view.screen)
  if field then float(vim.list_extend({ field.label, '' }, vim.split(field.value or '', '\n'))) end
end

--- The help: all actions with their keys, and what was said, in a window that any key closes.
function M.help(view)
  local lines, muted = {}, {}
  local function add(action, title)
    local keys = view.keys[action.name] and readable(table.concat(view.keys[action.name], '  '))
    lines[#lines + 1] = keys and (' %-14s %s '):format(keys, title or action.title)
    muted[#lines] = action.enabled == false
  end
  for _, scope in ipairs({ 'item', 'screen' }) do
    for _, action in ipairs(view.screen.actions) do
      if action.scope == scope then add(action) end
    end
    if scope == 'item' and #lines > 0 then lines[#lines + 1] = '' end
  end
  add({ name = 'close' }, 'Close')
  if screens.before(view.screen) then add({ name = 'before' }, 'Before') end
  if M.news() ~= '' then vim.list_extend(lines, { '', ' ' .. M.news() }) end
  local buf, win = float(lines)
  for line in pairs(muted) do
    if muted[line] then api.nvim_buf_add_highlight(buf, M.marks, 'TodoMuted', line - 1, 0, -1) end
  end
  vim.cmd('redraw')
  pcall(fn.getcharstr)
  pcall(api.nvim_win_close, win, true)
end

return M
