-- The look: colours, virtual lines above and below the lines of a buffer, text beside them, bars,
-- and floating windows.

local screens = require('todo.screen')
local session = require('todo.session')
local api, fn = vim.api, vim.fn
-- Looked up once: Neovim 0.7 has no `vim.uv`, and looks for a missing name in Lua each time.
local uv = vim.uv or vim.loop

local M = { marks = api.nvim_create_namespace('todo'), has_winbar = fn.exists('+winbar') == 1 }

local FRAMES, TONES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', { notice = 'TodoNotice', alert = 'TodoAlert' }
local WAYS = { mine = 'keep', theirs = 'take' } -- the role of the action that ends up with a side
local TITLE_COLUMNS = 16 -- the least of a row with its box: the facts beside it may be cut off
local PREVIEW_COLUMNS = 100 -- what a window needs for notes beside its rows
local preview_win, pinned_win, message -- the latter is a text that is shown until a key is pressed
local next_key = api.nvim_create_namespace('todo_next_key')

local function define_colors()
  local has_dim = vim.o.termguicolors or fn.synIDattr(fn.hlID('Comment'), 'fg', 'cterm') ~= ''
  -- If comments look like other text, as in the 16 colours of Neovim's own scheme, grey is dim.
  local dim = has_dim and 'link %s Comment' or '%s ctermfg=8 guifg=#808080'
  for group, how in pairs({
    TodoMuted = dim, TodoLabel = dim, TodoNotice = 'link %s DiagnosticInfo',
    TodoAlert = 'link %s DiagnosticError', TodoError = 'link %s DiagnosticError',
    TodoDone = '%s cterm=strikethrough gui=strikethrough',
  }) do vim.cmd('highlight default ' .. how:format(group)) end
end

define_colors()
api.nvim_create_autocmd('ColorScheme', { callback = define_colors })

local function view_here() return session.views[api.nvim_get_current_buf()] end

--- Returns the title of the current buffer, for the bar.
function M.title()
  local view = view_here()
  if not view then return '' end
  local subject = view.screen.subject and view.screen.subject .. ' · ' or ''
  local is_compare = view.screen.body.layout == 'compare'
  local title = is_compare and view.fields[1].label or subject .. view.screen.title
  local frame = math.floor(uv.now() / 100) % fn.strchars(FRAMES)
  if session.is_loading() then title = fn.strcharpart(FRAMES, frame, 1) .. ' ' .. title end
  local mark = view.is_text and vim.bo.modified and ' [+]' or ''
  return session.fit(title, math.max(math.floor(fn.winwidth(0) / 2), 10)) .. mark
end

--- Returns the text about the current state of a view, which is shown as long as the state lasts:
--- - if the server has ended, the reason;
--- - if the view's screen is not open, a remark about that;
--- - otherwise the message of the screen.
local function state(view)
  if session.status ~= 'running' then return session.why end
  local screen = session.find(view.id)
  if not screen and session.acting == 0 then return 'not open now; :w opens it again' end
  return screen and screen.message and screen.message.text or ''
end

--- Returns the state for the bar. If the server has ended, this is the reason. Otherwise, it is the
--- state of the view and of its list, with "…" for requests in flight. Returns an empty text if
--- there is nothing to report.
function M.news()
  local view = view_here()
  if not view or view.side then return '' end
  if session.status ~= 'running' then return session.why end
  local words = { state(view), screens.standing(view.screen), session.acting > 0 and '…' or '' }
  return table.concat(vim.tbl_filter(function(text) return text ~= '' end, words), ' · ')
end

--- Returns the keys of an action, beginning with the one to show; the command if there is no key.
local function keys_of(view, name) return view.keys[name] or { ':Todo ' .. name } end

--- Returns the item in the row of the cursor, in the window of a view; an empty table if there is
--- none.
local function row_of(view)
  local win = fn.bufwinid(view.buf)
  return win ~= -1 and view.items[api.nvim_win_get_cursor(win)[1]] or {}
end

--- Returns the hints for the bar: the keys of up to three possible actions, the main one first, and
--- the key of the help. Hints that do not fit are left out. For a compared side, the only hint is
--- the key of the action that chooses this side.
function M.hints()
  local view, hints = view_here(), {}
  if not view then return '' end
  if session.status ~= 'running' then return ':Todo restart' end
  local main, row = screens.main_action(view.screen), row_of(view)
  for _, action in ipairs(screens.actions(view.screen)) do
    local is_way = not view.side or action.role == WAYS[view.side]
    if is_way and (screens.is_possible(action, row) or action == main) and #hints < 3 then
      local title = action.title:gsub('^%u', string.lower)
      table.insert(hints, keys_of(view, action.name)[1] .. ' ' .. title)
    end
  end
  local is_compare = view.screen.body.layout == 'compare'
  local room = is_compare and math.huge or fn.winwidth(0) - fn.strwidth(M.title() .. (M.has_winbar and '' or M.news())) - 5
  if not view.side then table.insert(hints, 'g? help') end
  while hints[2] and fn.strwidth(table.concat(hints, '  ')) > room do table.remove(hints, #hints - 1) end
  return table.concat(hints, '  ')
end

--- Sets the options of a window for the time that it shows a view. The bars of compared sides
--- contain only the name and the keys of the side. Text that does not fit is cut off at the right.
function M.dress(view)
  local function part(name) return ([[%%{v:lua.require'todo.look'.%s()}]]):format(name) end
  -- An item as well: directly after a letter, an item loses a comma at its start.
  local space = [[%{'\ '}]]
  local is_compare, is_list = view.screen.body.layout == 'compare', view.screen.body.kind == 'list'
  local news = is_compare and '' or [[%(\ \ ]] .. part('news') .. '%)'
  local status = space .. part('title') .. news .. '%=' .. space .. part('hints')
  if M.has_winbar then
    local bar = space .. part('title') .. '%=%#TodoMuted#' .. space .. part('hints')
    vim.cmd('setlocal winbar=' .. bar .. '\\ %<')
    status = space .. part('news') .. '%=%l/%L'
  end
  -- A text looks as the user wants it to.
  local plain = 'nowrap nonumber norelativenumber nolist nospell signcolumn=no foldcolumn=0'
  vim.cmd('setlocal ' .. (view.is_page and plain or 'wrap linebreak'))
  vim.cmd('setlocal statusline=' .. status .. '\\ %<')
  vim.cmd(is_list and 'setlocal cursorline' or 'setlocal nocursorline')
  -- Setting the options again would forget which folds were opened or closed.
  if is_list and not vim.wo.foldexpr:find('todo.look', 1, true) then
    local function call(name) return ([[v:lua.require'todo.look'.%s()]]):format(name) end
    vim.cmd('setlocal matchpairs= foldmethod=expr foldenable foldlevel=1 foldminlines=0')
    vim.cmd('setlocal fillchars+=fold:\\  foldexpr=' .. call('section') .. ' foldtext=' .. call('heading'))
  elseif is_list then
    vim.cmd('let &l:foldmethod = &l:foldmethod') -- updates the folds: rows may have changed
  end
  if is_compare then vim.cmd('setlocal diff scrollbind') end
  if fn.strwidth('👩' .. session.joiner) == 2 then return end
  vim.cmd('setlocal conceallevel=2 concealcursor=nvic')
  vim.w.todo_joiner = vim.w.todo_joiner or fn.matchadd('Conceal', session.joiner)
end

--- Resets the options of a window that no longer shows a view. Neovim does this itself, unless the
--- window now shows a help page, or the same buffer with another name.
function M.undress()
  vim.cmd('setlocal wrap< linebreak< cursorline< foldmethod< foldexpr< foldtext< foldlevel< foldminlines<')
  vim.cmd('setlocal fillchars< statusline<' .. (M.has_winbar and ' winbar<' or ''))
end

--- Returns the width of the rows. It is half the width of a wide window, because the other half
--- shows notes.
local function room(view)
  local width = math.max(fn.winwidth(fn.bufwinid(view.buf)), 20)
  return width >= PREVIEW_COLUMNS and math.floor(width / 2) or width - 1
end

--- Returns the width of a text in columns. In older versions of Neovim, `strwidth` counts the joiners
--- of emojis as if their codes were shown. The width without joiners is then the smaller one.
local function columns(text) return math.min(fn.strwidth(text), fn.strwidth(session.plain(text))) end

--- Draws the details of a row with `mark(line, what, column)`: the sign of a note after the title;
--- the detail, the labels and the badge at the right. Text that does not fit ends with "…".
local function decorate_row(view, line, item, mark)
  local title, labels = fn.getbufline(view.buf, line)[1], {}
  for index, label in ipairs(item.labels or {}) do labels[index] = '#' .. label end
  local facts, width, sign = {}, 0, item.preview and ' ≡' or ''
  for index, text in ipairs({ item.detail or '', table.concat(labels, ' '), item.badge or '' }) do
    text = text ~= '' and ' ' .. text or ''
    facts[index] = { text, index ~= 2 and TONES[item.tone] or 'TodoMuted' }
    width = width + fn.strwidth(text)
  end
  local space = math.max(room(view) - width - fn.strwidth(sign), TITLE_COLUMNS)
  if width + #sign > 0 and columns(title) > space then
    title, sign = fn.printf('%.' .. space - 1 .. 'S', title), '…' .. sign
  end
  local first = columns(title)
  local gap = math.max(room(view) - width - first - fn.strwidth(sign), 0)
  local cells = fn.winwidth(fn.bufwinid(view.buf)) -- -1 in another tab
  local rest = cells - first - fn.strwidth(sign) - gap - width
  if cells > 0 and rest < 0 and width > 0 then
    local left = width + rest - 1
    for _, fact in ipairs(facts) do
      fact[1] = fn.printf('%.' .. math.max(left, 0) .. 'S', fact[1])
      left = left - fn.strwidth(fact[1])
    end
    table.insert(facts, { '…', 'TodoMuted' })
  end
  local chunks = { { sign .. (' '):rep(gap), 'TodoMuted' } }
  vim.list_extend(chunks, facts)
  table.insert(chunks, { (' '):rep(rest), 'TodoMuted' }) -- over the end of a long title
  local beside = { virt_text = chunks, virt_text_win_col = first, hl_mode = 'combine' }
  if width + #sign > 0 then mark(line, beside) end
  local is_first = item.section and item.section ~= (view.items[line - 1] or {}).section
  if is_first and item.section ~= screens.DONE then
    mark(line, { virt_lines = { { { item.section, 'TodoLabel' } } }, virt_lines_above = true })
  end
  if item.tone == 'muted' then mark(line, { end_col = #title, hl_group = 'TodoMuted' }) end
  if item.checked then mark(line, { end_col = #title, hl_group = 'TodoDone' }, #screens.box(item)) end
end

--- Draws everything that is not the user's text: labels above, errors below, remarks at the right.
function M.decorate(view)
  local body, last = view.screen.body, api.nvim_buf_line_count(view.buf)
  local function mark(line, what, column)
    local row = math.min(line, last) - 1
    api.nvim_buf_set_extmark(view.buf, M.marks, row, column or 0, what)
  end
  api.nvim_buf_clear_namespace(view.buf, M.marks, 0, -1)
  local win = fn.bufwinid(view.buf)
  local function is_folded(line)
    return win ~= -1 and api.nvim_win_call(win, function() return fn.foldclosed(line) == line end)
  end
  for line, item in pairs(view.items) do
    -- Neovim 0.7 draws only virtual text on a closed fold that has any.
    if not (item.section and is_folded(line)) then decorate_row(view, line, item, mark) end
  end
  if body.total == 0 then mark(1, { line_hl_group = 'TodoMuted' }) end
  for line, field in ipairs(view.side and {} or view.fields) do
    local is_long = view.is_text and field.multiline
    local below = { { { '! ' .. (field.error or ''), 'TodoError' } } }
    if view.is_page then
      mark(line, { end_col = #field.label + 1, hl_group = 'TodoLabel' })
    elseif body.layout ~= 'compare' then
      local first = is_long and line > 1 and line + 1 or line
      local above = { { { field.label, 'TodoLabel' } } }
      mark(first, { virt_lines = above, virt_lines_above = true })
    end
    if field.error then mark(is_long and last or line, { virt_lines = below }) end
  end
end

--- Returns the fold level of a line of a list, for 'foldexpr'. Each section is a fold. At first,
--- only the fold of the done rows is closed.
function M.section()
  local view = view_here()
  local items, line = view and view.items or {}, vim.v.lnum
  local section = (items[line] or {}).section
  if not section then return 0 end
  local level = section == screens.DONE and 2 or 1
  return section == (items[line - 1] or {}).section and level or '>' .. level
end

--- Returns the heading of a section whose rows are hidden, for 'foldtext'.
function M.heading()
  local rows = vim.v.foldend - vim.v.foldstart + 1
  local item = (view_here() or { items = {} }).items[vim.v.foldstart] or {}
  return ('▸ %s (%d)'):format(item.section or '', rows)
end

--- Scrolls windows so that the virtual lines above the first line are visible.
function M.uncover(view)
  local has_heading = view.is_text or (view.items[1] or {}).section
  for _, win in ipairs(has_heading and fn.win_findbuf(view.buf) or {}) do
    api.nvim_win_call(win, function()
      local place, fill = fn.winsaveview(), fn.foldclosed(1) == 1 and 0 or 1
      if place.topline == 1 and place.topfill ~= fill then fn.winrestview({ topfill = fill }) end
    end)
  end
end

--- Returns the characters of a border: `lines`, or `letters` if 'ambiwidth' gives lines two
--- columns, because a border must not contain wide characters.
local function border(lines, letters) return fn.strwidth('│') == 1 and lines or letters end

--- Opens a floating window with lines. By default, it is as wide as the lines, and at the cursor.
local function float(lines, options)
  local buf, width = api.nvim_create_buf(false, true), 1
  for _, line in ipairs(lines) do width = math.max(width, fn.strwidth(line)) end
  vim.bo[buf].bufhidden = 'wipe'
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local win = api.nvim_open_win(buf, false, vim.tbl_extend('keep', options or {}, {
    relative = 'cursor', row = 1, col = 0, style = 'minimal', focusable = false,
    border = border('rounded', { '+', '-', '+', '|' }),
    width = math.min(width, vim.o.columns - 4), height = math.min(#lines, vim.o.lines - 4),
    noautocmd = true,
  }))
  api.nvim_win_call(win, function()
    vim.cmd('setlocal wrap linebreak winhighlight=NormalFloat:Normal')
  end)
  return win
end

--- Returns the lines of a text that is wrapped after at most `width` columns.
local function wrap(text, width)
  local lines = { '' }
  for word in text:gmatch('%S+') do
    local line = vim.trim(lines[#lines] .. ' ' .. word)
    local is_full = fn.strwidth(line) > width and lines[#lines] ~= ''
    lines[is_full and #lines + 1 or #lines] = is_full and word or line
  end
  return lines
end

--- Returns the windows of the tab that do not float.
function M.windows()
  return vim.tbl_filter(function(win)
    return api.nvim_win_get_config(win).relative == ''
  end, api.nvim_tabpage_list_wins(0))
end

--- Shows a text at the bottom of the window, or at its top if the cursor is at the bottom.
local function pin(text)
  local width, height = fn.winwidth(0), fn.winheight(0)
  local lines = wrap(text, width)
  local rows = math.min(#lines, math.max(math.floor(height / 2), 1))
  local win = float(lines, {
    relative = 'win', win = api.nvim_get_current_win(), col = 0, border = 'none',
    row = fn.winline() > height - rows and 0 or height - rows, width = width, height = rows,
  })
  vim.wo[win].winhighlight = 'NormalFloat:TodoAlert'
  return win
end

--- Shows the message of `show_whole` in a floating window. Without a message, the window shows the
--- state of the current view as long as the state lasts, if the bars have no room for the state.
function M.remind()
  if pinned_win then pcall(api.nvim_win_close, pinned_win, true) end
  local view, has_bar = view_here(), vim.o.laststatus > (#M.windows() > 1 and 0 or 1)
  local text, is_compare = view and state(view) or '', view and view.screen.body.layout == 'compare'
  local is_dead = session.status ~= 'running'
  if is_compare and not is_dead then text = '' end
  local bar = M.has_winbar and M.news() .. fn.line('$') .. '/' or M.title() .. M.hints() .. M.news()
  local room = vim.o.laststatus == 3 and vim.o.columns or fn.winwidth(0)
  local fits = has_bar and not is_compare and fn.strwidth(bar) + 8 <= room
  if not message and (text == '' or fits or fn.winheight(0) < 3) then return end
  local _, win = pcall(pin, message or text .. (is_dead and '. :Todo restart' or ''))
  pinned_win = win
end

--- Shows a whole message until a key is pressed.
M.show_whole = vim.schedule_wrap(function(text)
  message = text
  M.remind()
  vim.on_key(function()
    vim.on_key(nil, next_key)
    message = nil
    vim.schedule(M.remind)
  end, next_key)
end)

local remind_soon = vim.schedule_wrap(M.remind)
api.nvim_create_autocmd({ 'BufEnter', 'WinEnter', 'VimResized' }, { callback = remind_soon })

--- Shows the beginning of the note of the row with the cursor, beside the rows.
function M.preview(view)
  if preview_win then pcall(api.nvim_win_close, preview_win, true) end
  local win, column = fn.bufwinid(view.buf), room(view) + 1
  local item = row_of(view)
  local width = fn.winwidth(win) - column - 1
  if (item.preview or '') == '' or width < column / 2 then return end
  preview_win = float(vim.split(item.preview, '\r?\n'), {
    relative = 'win', win = win, row = 0, col = column, width = width,
    height = api.nvim_win_get_height(win) - (M.has_winbar and 1 or 0),
    border = { '', '', '', '', '', '', '', { border('│', '|'), 'TodoMuted' } },
  })
end

--- Shows the base of compared sides until the cursor moves.
function M.before(view)
  local field = screens.before(view.screen)
  if not field then return end
  local win = float(vim.list_extend({ field.label, '' }, vim.split(field.value or '', '\n')))
  api.nvim_create_autocmd({ 'CursorMoved', 'InsertEnter', 'WinLeave' }, {
    once = true, callback = function() pcall(api.nvim_win_close, win, true) end,
  })
end

local SCROLLS = { j = '\5', k = '\25', ['\4'] = '\4', ['\21'] = '\21' } -- keys, and what they do

--- Shows the help: all actions with their keys, and the text of `news`. A key that scrolls the
--- window keeps it open; any other key closes it.
function M.help(view)
  local lines, scope, columns = {}, nil, math.min(math.floor(vim.o.columns / 4), 14)
  local function add(name, title)
    local keys = fn.printf('%-' .. columns .. 'S', table.concat(keys_of(view, name), '  '))
    table.insert(lines, (' %s %s '):format(keys, title))
  end
  for _, action in ipairs(view.screen.actions) do
    if scope and scope ~= action.scope then table.insert(lines, '') end
    scope = action.scope
    local is_possible = screens.is_possible(action, row_of(view))
    add(action.name, action.title .. (is_possible and '' or ' (not now)'))
  end
  if view.keys.close then add('close', 'Close') end
  if screens.before(view.screen) then add('before', 'Before') end
  local news = vim.tbl_map(function(line) return ' ' .. line end, wrap(M.news(), vim.o.columns - 6))
  if M.news() ~= '' then vim.list_extend(lines, vim.list_extend({ '' }, news)) end
  local win, key = float(lines), nil
  repeat
    local is_over = (key == SCROLLS.j or key == '\4') and fn.line('w$', win) == #lines
    if key and not is_over then api.nvim_win_call(win, function() vim.cmd('normal! ' .. key) end) end
    vim.cmd('redraw')
    local _, pressed = pcall(fn.getcharstr)
    key = SCROLLS[pressed]
  until not key
  pcall(api.nvim_win_close, win, true)
end

return M
