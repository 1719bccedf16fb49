-- What a screen is as text. Pure: from the server's description alone.

local M = {}

local function where(list, what, value)
  return vim.tbl_filter(function(entry) return entry[what] == value end, list or {})
end

--- The action that has this value as its `what`: its name, role, key or scope.
function M.action(screen, what, value) return where(screen.actions, what, value)[1] end

--- The field that says what compared sides were made from.
function M.before(screen) return where(screen.body.fields, 'side', 'base')[1] end

--- What a screen is drawn as, from left to right: its fields, and whether they are edited as a text, or which side they
--- are, only to be read. In a text single lines come first, then the one of several lines.
function M.panes(screen)
  local fields, panes = screen.body.fields or {}, {}
  local typed, read = where(where(fields, 'readOnly', nil), 'secret', nil), where(fields, 'readOnly', true)
  local long = where(typed, 'multiline', true)
  if not screen.body.layout and #long == 0 then return { { fields = fields } } end
  -- What was there before is shown on demand where there are two others to be compared.
  for _, side in ipairs(#read < 3 and { 'base', 'mine', 'merged', 'theirs' } or { 'mine', 'merged', 'theirs' }) do
    for _, field in ipairs(where(read, 'side', side)) do
      panes[#panes + 1] = { fields = { field }, side = side }
    end
    local texts = vim.list_extend(where(typed, 'multiline', nil), { long[1] })
    if side == 'merged' then panes[#panes + 1] = { fields = texts, is_text = true } end
  end
  return panes
end

--- The pane of that side, or the one that is typed into.
function M.pane(screen, side) return where(M.panes(screen), 'side', side)[1] end

--- What Enter does: for the row of a list, else for the screen. It may not be enabled yet: what is typed in the same
--- moment can enable it.
function M.main_action(screen)
  local scoped = where(screen.actions, 'scope', screen.body.kind == 'list' and 'item' or 'screen')
  return where(scoped, 'primary', true)[1] or scoped[1]
end

--- Whether an action, perhaps of an older description of the screen, is the main one.
function M.is_main(screen, action) return (M.main_action(screen) or {}).name == action.name end

function M.one_line(text) return (text:gsub('[\r\n%z]+', ' ')) end

local function progress(body)
  local text, bar = M.one_line(body.text), ''
  if not body.done then return text end
  if (body.total or 0) > 0 then
    local filled = math.floor(20 * math.min(body.done / body.total, 1))
    bar = ('█'):rep(filled) .. ('░'):rep(20 - filled) .. ' '
  end
  return text .. ' ' .. bar .. table.concat({ body.done, body.total }, '/')
end

--- The lines of a view. Of a long list only some rows are here; the others are blank. A text has the form of a commit
--- message: single lines, a blank one, the text. A secret that was typed is dots.
function M.lines(view)
  local body, lines = view.screen.body, {}
  if body.kind == 'progress' then return { progress(body) } end
  for row = 1, body.total or 0 do lines[row] = '' end
  for index, item in ipairs(body.items or {}) do
    local mark = item.checked == nil and '' or item.checked and '[x] ' or '[ ] '
    lines[body.offset + index] = mark .. M.one_line(item.title)
  end
  local is_page = not view.is_text and not view.side
  for _, field in ipairs(view.fields) do
    local text = field.secret and (view.typed[field.name] and '••••••••' or '') or field.value or ''
    if field.multiline and not is_page then
      if #lines > 0 then lines[#lines + 1] = '' end
      vim.list_extend(lines, vim.split(text, '\n', { plain = true }))
    else
      lines[#lines + 1] = (is_page and field.label .. ': ' or '') .. M.one_line(text)
    end
  end
  return #lines > 0 and lines or { M.one_line(body.empty or view.screen.title) }
end

--- The values in the lines of a text, by field.
function M.parse(fields, lines)
  local values = {}
  for row, field in ipairs(fields) do
    local has_gap = row > 1 and (lines[row] or '') == ''
    values[field.name] = field.multiline and table.concat(lines, '\n', has_gap and row + 1 or row) or lines[row] or ''
  end
  return values
end

--- How long it is until a time that the server says, in words.
local function span(time)
  local now = os.date('!%Y-%m-%dT%H:%M:%S')
  local seconds = vim.fn.strptime('%Y-%m-%dT%H:%M:%S', time) - vim.fn.strptime('%Y-%m-%dT%H:%M:%S', now)
  local minutes = math.floor(math.abs(seconds) / 60)
  if minutes < 1 then return seconds > 0 and seconds .. ' s' or 'a moment' end
  return minutes < 60 and minutes .. ' min' or math.floor(minutes / 60) .. ' h'
end

--- How a list stands towards its source, in words.
function M.standing(screen)
  local status, words = screen.body.status or {}, {}
  for _, what in ipairs({ 'pending', 'conflicts', 'failed' }) do
    local count = status[what] or 0
    if count > 0 then words[#words + 1] = count .. ' ' .. (count == 1 and what:gsub('s$', '') or what) end
  end
  if status.syncedAt then words[#words + 1] = 'synced ' .. span(status.syncedAt) .. ' ago' end
  if status.retryAt then words[#words + 1] = 'again in ' .. span(status.retryAt) end
  return table.concat(words, ', ')
end

return M
