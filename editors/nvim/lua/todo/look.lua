-- How it looks: colours, what stands above, below and beside the lines of a buffer, bars, and what
-- floats.

local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn

local M = { marks = api.nvim_create_namespace('todo'), has_winbar = fn.exists('+winbar') == 1 }

local FRAMES = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
local GROUPS = {
  TodoMuted = 'Comment', TodoLabel = 'Comment', TodoNotice = 'DiagnosticInfo',
  TodoAlert = 'DiagnosticError', TodoError = 'DiagnosticError',
}
local TONES = { notice = 'TodoNotice', alert = 'TodoAlert' }
local WAYS = { mine = 'keep', theirs = 'take' } -- the role of the action that ends up with a side
local PREVIEW_COLUMNS = 100 -- what a window needs for notes beside its rows
local preview_win

local function define_colors()
  local has_dim = vim.o.termguicolors or fn.synIDattr(fn.hlID('Comment'), 'fg', 'cterm') ~= ''
  for group, link in pairs(GROUPS) do
    -- Where comments look as any text, as in the 16 colours of Neovim's own scheme, grey is dim.
    local is_grey = link == 'Comment' and not has_dim
    local how = is_grey and group .. ' ctermfg=8 guifg=#808080' or 'link ' .. group .. ' ' .. link
    vim.cmd('highlight default ' .. how)
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
  local subject = view.screen.subject and view.screen.subject .. ' · ' or ''
  local is_side = view.screen.body.layout == 'compare'
  local title = is_side and view.fields[1].label or subject .. view.screen.title
  local frame = FRAMES[math.floor((vim.uv or vim.loop).now() / 100) % #FRAMES + 1] .. ' '
  if front and front.body.kind == 'progress' then title = frame .. title end
  local mark = view.is_text and vim.bo.modified and ' [+]' or ''
  return session.fit(title, math.max(math.floor(fn.winwidth(0) / 2), 10)) .. mark
end

--- What there is to be known just now.
function M.news()
  local view = view_here()
  if not view or view.side then return '' end
  if session.status ~= 'running' then return session.why end
  local message = (session.find(view.id) or {}).message or {}
  local waits = session.acting > 0 and '…' or ''
  local words = { message.text or '', screens.standing(view.screen), waits }
  return table.concat(vim.tbl_filter(function(text) return text ~= '' end, words), ' · ')
end

local function readable(key) return (key:gsub('<LocalLeader>', vim.g.maplocalleader or '\\')) end

--- The keys that matter most, then help; or the one that ends up with this side.
function M.hints()
  local view = view_here()
  if not view then return '' end
  if session.status ~= 'running' then return ':Todo restart' end
  local hints, others = {}, {}
  local main = screens.main_action(view.screen)
  for _, action in ipairs(view.screen.actions) do
    local is_way = not view.side or action.role == WAYS[view.side]
    local first = (action == main or action.primary) and hints or others
    -- What has just come is not drawn yet.
    local key = readable((view.keys[action.name] or { 'g?' })[1])
    local hint = key .. ' ' .. action.title:gsub('^%u', string.lower)
    if is_way and (action.enabled or action == main) then first[#first + 1] = hint end
  end
  vim.list_extend(hints, others)
  -- Where there is but one line, news need its room.
  local is_compare = view.screen.body.layout == 'compare'
  local has_room = M.has_winbar or M.news() == '' or is_compare
  local shown = has_room and vim.list_slice(hints, 1, 3) or {}
  return table.concat(vim.list_extend(shown, { view.side and '' or 'g? help' }), '  ')
end

--- The options of a window that shows a view, for as long as it does. Sides that are compared have
--- room for their names and keys only. What has no room is cut off at the right.
function M.dress(view)
  local function part(name) return ([[%%{v:lua.require'todo.look'.%s()}]]):format(name) end
  local news = view.screen.body.layout ~= 'compare' and [[%(\ \ ]] .. part('news') .. '%)' or ''
  local status = part('title') .. news .. [[\ %=]] .. part('hints')
  if M.has_winbar then
    local bar = part('title') .. [[\ %=%#TodoMuted#]] .. part('hints')
    vim.cmd('setlocal winbar=\\ ' .. bar .. '\\ %<')
    status = part('news') .. '%=%l/%L'
  end
  local is_text, is_list = view.is_text or view.side, view.screen.body.kind == 'list'
  if view.screen.body.layout ~= 'compare' then vim.cmd('diffoff') end
  vim.cmd('setlocal nonumber norelativenumber nolist nospell signcolumn=no foldcolumn=0')
  vim.cmd('setlocal statusline=\\ ' .. status .. '\\ %<')
  vim.cmd(is_text and 'setlocal wrap linebreak' or 'setlocal nowrap')
  vim.cmd('setlocal ' .. (is_list and '' or 'no') .. 'cursorline')
end

--- How many columns rows have: notes stand beside them where a window is wide enough.
function M.room(view)
  local width = math.max(fn.winwidth(fn.bufwinid(view.buf)), 20)
  return width >= PREVIEW_COLUMNS and math.floor(width / 2) or width - 1
end

--- What is not text of the user's: labels above, errors below, remarks at the right.
function M.decorate(view)
  local body, last = view.screen.body, api.nvim_buf_line_count(view.buf)
  local function mark(line, what, column)
    local row = math.min(line, last) - 1
    api.nvim_buf_set_extmark(view.buf, M.marks, row, column or 0, what)
  end
  api.nvim_buf_clear_namespace(view.buf, M.marks, 0, -1)
  for index, item in ipairs(body.items or {}) do
    local line, is_both = body.offset + index, item.detail and item.badge
    local chunks = vim.tbl_filter(function(chunk) return chunk[1] end, {
      { item.detail, 'TodoMuted' }, { is_both and ' ' },
      { item.badge, TONES[item.tone] or 'TodoMuted' },
    })
    local text = table.concat(vim.tbl_map(function(chunk) return chunk[1] end, chunks))
    local column = math.max(M.room(view) - fn.strdisplaywidth(text), 0)
    local beside = { virt_text = chunks, virt_text_win_col = column, hl_mode = 'combine' }
    if text ~= '' then mark(line, beside) end
    local length = #fn.getbufline(view.buf, line)[1]
    if item.tone == 'muted' then mark(line, { end_col = length, hl_group = 'TodoMuted' }) end
    if item.checked then mark(line, { end_col = length, hl_group = 'TodoDone' }, 4) end
  end
  if body.total == 0 then mark(1, { line_hl_group = 'TodoMuted' }) end
  for line, field in ipairs(view.side and {} or view.fields) do
    local is_long = view.is_text and field.multiline
    local above = { { { field.label, 'TodoLabel' } } }
    local below = { { { '! ' .. (field.error or ''), 'TodoError' } } }
    if not view.is_text then
      mark(line, { end_col = #field.label + 1, hl_group = 'TodoLabel' })
    elseif body.layout ~= 'compare' then
      local first = is_long and line > 1 and line + 1 or line
      mark(first, { virt_lines = above, virt_lines_above = true })
    end
    if field.error then mark(is_long and last or line, { virt_lines = below }) end
  end
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

--- Shows the beginning of the note of the row of the cursor beside the rows.
function M.preview(view)
  local win, room, body = fn.bufwinid(view.buf), M.room(view), view.screen.body
  local width = fn.winwidth(win) - room - 2
  local line = win ~= -1 and api.nvim_win_get_cursor(win)[1] - (body.offset or 0)
  local text = ((body.items or {})[line] or {}).preview
  if preview_win then pcall(api.nvim_win_close, preview_win, true) end
  if not text or text == '' or width < room / 2 then return end
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\r?\n'))
  preview_win = api.nvim_open_win(buf, false, {
    relative = 'win', win = win, row = 0, col = room + 1, width = width, style = 'minimal',
    height = api.nvim_win_get_height(win) - (M.has_winbar and 1 or 0), noautocmd = true,
    border = { '', '', '', '', '', '', '', { '│', 'TodoMuted' } }, focusable = false,
  })
  api.nvim_win_call(preview_win, function()
    vim.cmd('setlocal wrap linebreak winhighlight=NormalFloat:Normal')
  end)
end

--- A window with lines at the cursor, which goes when that moves.
local function float(lines)
  local options = { border = 'rounded', max_width = vim.o.columns - 4 }
  return vim.lsp.util.open_floating_preview(lines, '', options)
end

--- What compared sides were made from, until the cursor moves.
function M.before(view)
  local field = screens.before(view.screen)
  if field then float(vim.list_extend({ field.label, '' }, vim.split(field.value or '', '\n'))) end
end

--- The help: all actions with their keys, and what was said, in a window that any key closes.
function M.help(view)
  local groups = { item = {}, screen = {} }
  local function add(action, title)
    local keys = readable(table.concat(view.keys[action.name] or {}, '  '))
    local note = action.enabled == false and ' (not now)' or ''
    local line = (' %-14s %s%s '):format(keys, title or action.title, note)
    if keys ~= '' then table.insert(groups[action.scope or 'screen'], line) end
  end
  vim.tbl_map(add, view.screen.actions)
  add({ name = 'close' }, 'Close')
  if screens.before(view.screen) then add({ name = 'before' }, 'Before') end
  if #groups.item > 0 then table.insert(groups.item, '') end
  local lines = vim.list_extend(groups.item, groups.screen)
  if M.news() ~= '' then vim.list_extend(lines, { '', ' ' .. M.news() }) end
  local _, win = float(lines)
  vim.cmd('redraw')
  pcall(fn.getcharstr)
  pcall(api.nvim_win_close, win, true)
end

return M
