-- How it looks: colours, what stands above, below and beside the lines of a buffer, bars, and the help.

local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = { marks = api.nvim_create_namespace('todo') }

local FRAMES = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
local GROUPS = {
  TodoMuted = 'Comment', TodoLabel = 'Comment', TodoNotice = 'DiagnosticInfo', TodoAlert = 'DiagnosticError',
  TodoError = 'DiagnosticError', TodoKey = 'Special',
}
-- Which keys are worth a place in a bar: those of the roles that come first here.
local FIRST = { 'open', 'toggle', 'create', 'merge', 'save', 'keep', 'take', 'login', 'register', 'retry', 'back' }
local EXPRESSION = [[%%{v:lua.require'todo.look'.%s()}]]

function M.define_colors()
  for group, link in pairs(GROUPS) do
    vim.cmd(('highlight default link %s %s'):format(group, link))
  end
  vim.cmd('highlight default TodoDone cterm=strikethrough gui=strikethrough')
end

local function view_here() return session.views[api.nvim_get_current_buf()] end

--- What a buffer is about.
function M.title()
  local view = view_here()
  if not view then return '' end
  local title = (view.screen.subject and view.screen.subject .. ' · ' or '') .. view.screen.title
  if session.front() and session.front().body.kind == 'progress' then
    title = FRAMES[math.floor((vim.uv or vim.loop).now() / 100) % #FRAMES + 1] .. ' ' .. title
  end
  return session.fit(title, math.max(math.floor(fn.winwidth(0) / 2), 10)) .. (vim.bo.modified and ' [+]' or '')
end

local function news(view)
  if session.status ~= 'running' then return session.status == 'dead' and session.why or 'stopped' end
  local message = (session.find(view.id) or {}).message
  local words = vim.tbl_filter(function(text) return text ~= '' end, {
    message and message.text or '', screens.standing(view.screen), session.acting > 0 and '…' or '',
  })
  return table.concat(words, ' · ')
end

--- What there is to be known just now, as far as there is room for it.
function M.news()
  local view = view_here()
  if not view then return '' end
  local used = M.has_winbar and 12 or fn.strdisplaywidth(M.title() .. M.hints()) + 6
  return session.fit(news(view), math.max(fn.winwidth(0) - used, 10))
end

--- The keys that matter most, then help, as far as there is room for them.
function M.hints()
  local view = view_here()
  if not view or session.status ~= 'running' then return '' end
  local hints, main, left = {}, screens.main_action(view.screen), fn.winwidth(0) - fn.strdisplaywidth(M.title()) - 12
  local wanted = { main }
  for _, role in ipairs(FIRST) do
    local action = screens.action(view.screen, 'role', role)
    if action and action.enabled and action ~= main then wanted[#wanted + 1] = action end
  end
  for _, action in ipairs(vim.list_slice(wanted, 1, 3)) do
    local hint = view.keys[action.name][1] .. ' ' .. action.title:gsub('^%u', string.lower)
    left = left - fn.strdisplaywidth(hint) - 2
    if left > 0 then hints[#hints + 1] = hint:gsub('<LocalLeader>', vim.g.maplocalleader or '\\') end
  end
  if not M.has_winbar and news(view) ~= '' then hints = {} end
  hints[#hints + 1] = 'g? help'
  return table.concat(hints, '  ')
end

M.has_winbar = fn.exists('+winbar') == 1
local title, words, hints = EXPRESSION:format('title'), EXPRESSION:format('news'), EXPRESSION:format('hints')

--- The options of a window that shows a view, for as long as it does.
function M.dress(view)
  local statusline = M.has_winbar and { words, [[%l/%L]] } or { title .. [[\ \ ]] .. words, hints }
  vim.cmd('setlocal nonumber norelativenumber nolist nospell signcolumn=no foldcolumn=0')
  vim.cmd('setlocal statusline=\\ ' .. statusline[1] .. '%=' .. statusline[2] .. '\\ ')
  if M.has_winbar then vim.cmd('setlocal winbar=\\ ' .. title .. '%=%#TodoMuted#' .. hints .. '\\ ') end
  vim.cmd(view.is_text and 'setlocal wrap linebreak nocursorline' or 'setlocal nowrap')
  if not view.is_text then vim.cmd('setlocal ' .. (view.screen.body.kind == 'list' and '' or 'no') .. 'cursorline') end
end

local function row(view, index, item)
  local line = index - 1
  local function mark(column, what) api.nvim_buf_set_extmark(view.buf, M.marks, line, column, what) end
  local remarks, text = screens.remarks(item), api.nvim_buf_get_lines(view.buf, line, index, false)[1] or ''
  if #remarks > 0 then mark(0, { virt_text = remarks, virt_text_pos = 'right_align', hl_mode = 'combine' }) end
  if item.tone == 'muted' then mark(0, { end_col = #text, hl_group = 'TodoMuted' }) end
  if item.checked then mark(math.min(4, #text), { end_col = #text, hl_group = 'TodoDone' }) end
end

--- What is not text of the user's: labels above, errors below, remarks at the right.
function M.decorate(view)
  local body, last = view.screen.body, api.nvim_buf_line_count(view.buf)
  local function mark(line, what) api.nvim_buf_set_extmark(view.buf, M.marks, math.min(line, last) - 1, 0, what) end
  api.nvim_buf_clear_namespace(view.buf, M.marks, 0, -1)
  for index, item in ipairs(body.items or {}) do row(view, body.offset + index, item) end
  if body.total == 0 then mark(1, { line_hl_group = 'TodoMuted', end_row = 0 }) end
  for line, field in ipairs(screens.fields(view.screen)) do
    local is_long = view.is_text and field.multiline
    local first = is_long and line > 1 and line + 1 or line
    if view.is_text and body.layout ~= 'compare' then
      mark(first, { virt_lines = { { { field.label, 'TodoLabel' } } }, virt_lines_above = true })
    elseif not view.is_text then
      mark(line, { end_col = #field.label + 1, hl_group = 'TodoLabel' })
    end
    if field.error then mark(is_long and last or line, { virt_lines = { { { '! ' .. field.error, 'TodoError' } } } }) end
  end
  M.uncover(view)
end

--- What stands above the first line is shown only where a window is told to.
function M.uncover(view)
  if not view.is_text then return end
  for _, win in ipairs(fn.win_findbuf(view.buf)) do
    api.nvim_win_call(win, function()
      local place = fn.winsaveview()
      if place.topline == 1 and place.topfill == 0 then fn.winrestview({ topfill = 1 }) end
    end)
  end
end

--- The help: all actions with their keys, and what was said, in a window that any key closes.
function M.help(view)
  local lines, width, styles = {}, 0, {}
  local function add(text, style)
    lines[#lines + 1] = ' ' .. text .. ' '
    styles[#lines], width = style, math.max(width, fn.strdisplaywidth(text) + 2)
  end
  for _, scope in ipairs({ 'item', 'screen' }) do
    for _, action in ipairs(view.screen.actions) do
      local keys = table.concat(view.keys[action.name], '  '):gsub('<LocalLeader>', vim.g.maplocalleader or '\\')
      if action.scope == scope then add(('%-14s %s'):format(keys, action.title), not action.enabled and 'TodoMuted') end
    end
    if scope == 'item' and #lines > 0 then add('') end
  end
  if not view.is_text then add(('%-14s %s'):format('q', 'Close')) end
  if #screens.sides(view.screen) > 2 then add(('%-14s %s'):format((vim.g.maplocalleader or '\\') .. 'b', 'Before')) end
  local limit = math.max(math.min(70, vim.o.columns - 6), 20)
  local line = ''
  for word in (news(view) .. ' '):gmatch('(.-)%s+') do
    if fn.strdisplaywidth(line .. word) >= limit then line = add(line, 'TodoNotice') or '' end
    line = line .. (line == '' and '' or ' ') .. word
  end
  if line ~= '' then add(line, 'TodoNotice') end
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  for index, style in pairs(styles) do
    if style then api.nvim_buf_add_highlight(buf, M.marks, style, index - 1, 0, -1) end
  end
  local height = math.min(#lines, vim.o.lines - 4)
  local win = api.nvim_open_win(buf, false, {
    relative = 'editor', style = 'minimal', border = 'rounded', width = math.min(width, vim.o.columns - 4),
    height = height, row = math.floor((vim.o.lines - height) / 2) - 1, col = math.floor((vim.o.columns - width) / 2) - 1,
  })
  vim.cmd('redraw')
  pcall(fn.getcharstr)
  pcall(api.nvim_win_close, win, true)
end

return M
