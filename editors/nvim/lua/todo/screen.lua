-- What a screen is as text, and which keys it has. Pure: from the server's description alone.

local M = {}

local function where(list, what, value)
  return vim.tbl_filter(function(entry) return entry[what] == value end, list or {})
end

--- The action that has this value as its `what`: its name, role, key or scope.
function M.action(screen, what, value) return where(screen.actions, what, value)[1] end

--- Whether a screen is edited as a text: it says so, or one of its fields has several lines.
function M.is_text(screen)
  local texts = where(where(screen.body.fields, 'multiline', true), 'readOnly', nil)
  return screen.body.layout ~= nil or #texts > 0
end

--- The fields in the buffer of a screen: in a text single lines come first, then the one of several lines.
function M.fields(screen)
  local fields = screen.body.fields or {}
  if not M.is_text(screen) then return fields end
  local typed = where(where(fields, 'readOnly', nil), 'secret', nil)
  return vim.list_extend(where(typed, 'multiline', nil), { where(typed, 'multiline', true)[1] })
end

--- The fields beside the text that is edited, from left to right: what it was before comes last.
function M.sides(screen)
  local sides = {}
  for _, side in ipairs({ 'mine', 'theirs', 'base' }) do
    vim.list_extend(sides, where(where(screen.body.fields, 'side', side), 'readOnly', true))
  end
  return sides
end

--- What Enter does: for the row of a list, else for the screen. It may not be enabled yet: what is typed in the same
--- moment can enable it.
function M.main_action(screen)
  local scoped = where(screen.actions, 'scope', screen.body.kind == 'list' and 'item' or 'screen')
  return where(scoped, 'primary', true)[1] or scoped[1]
end

local function one_line(text) return (text:gsub('[\r\n%z]+', ' ')) end

--- What a list says of a row beside its title: chunks of text and the group that colours it.
function M.remarks(item)
  local chunks = {}
  local tones = { notice = 'TodoNotice', alert = 'TodoAlert' }
  if item.detail then chunks[1] = { one_line(item.detail), 'TodoMuted' } end
  if item.badge then
    if item.detail then chunks[2] = { ' ' } end
    chunks[#chunks + 1] = { one_line(item.badge), tones[item.tone] or 'TodoMuted' }
  end
  return chunks
end

local function progress(body)
  local text = one_line(body.text)
  if not body.done then return text end
  if (body.total or 0) <= 0 then return text .. ' ' .. body.done end
  local filled = math.floor(20 * math.min(body.done / body.total, 1))
  return ('%s %s%s %d/%d'):format(text, ('█'):rep(filled), ('░'):rep(20 - filled), body.done, body.total)
end

--- The lines of a screen. Of a long list only some rows are here; the others are blank. A text has the form of a commit
--- message: single lines, a blank one, the text. `typed` has the names of the secrets that were typed.
function M.lines(screen, typed)
  local body, lines, is_text = screen.body, {}, M.is_text(screen)
  if body.kind == 'progress' then return { progress(body) } end
  for row = 1, body.total or 0 do lines[row] = '' end
  for index, item in ipairs(body.items or {}) do
    local mark = item.checked == nil and '' or item.checked and '[x] ' or '[ ] '
    lines[body.offset + index] = mark .. one_line(item.title)
  end
  for _, field in ipairs(M.fields(screen)) do
    local text = field.secret and (typed[field.name] and '••••••••' or '') or field.value or ''
    if is_text and field.multiline then
      if #lines > 0 then lines[#lines + 1] = '' end
      vim.list_extend(lines, vim.split(text, '\n', { plain = true }))
    else
      lines[#lines + 1] = (is_text and '' or field.label .. ': ') .. one_line(text)
    end
  end
  return #lines > 0 and lines or { one_line(body.empty or screen.title) }
end

--- The values in the lines of a text, by field.
function M.parse(screen, lines)
  local values = {}
  for row, field in ipairs(M.fields(screen)) do
    local has_gap = row > 1 and (lines[row] or '') == ''
    values[field.name] = field.multiline and table.concat(lines, '\n', has_gap and row + 1 or row) or lines[row] or ''
  end
  return values
end

--- The keys of each action by its name, the one to be shown first. `keymaps` has roles by key; the role "primary" is
--- what Enter does. In a text letters are text, so that the server's key comes after <LocalLeader>.
function M.keys(screen, keymaps, has_defaults)
  local keys, taken, is_text = {}, {}, M.is_text(screen)
  local function give(action, key)
    -- A key that begins another one would hide it.
    local hides = vim.tbl_filter(function(other) return vim.startswith(other, key) end, vim.tbl_keys(taken))
    if not action or #hides > 0 then return end
    keys[action.name] = keys[action.name] or {}
    table.insert(keys[action.name], key)
    taken[key] = true
  end
  local main = M.main_action(screen)
  if is_text then give(main, ':w') end
  local mapped = is_text and { q = has_defaults and 'back' or nil } or keymaps
  for _, key in ipairs(vim.fn.sort(vim.tbl_keys(mapped))) do
    local role = mapped[key]
    if role then give(role == 'primary' and main or M.action(screen, 'role', role), key) end
  end
  for _, action in ipairs(screen.actions) do
    if action.key and has_defaults then give(action, is_text and '<LocalLeader>' .. action.key or action.key) end
    if not keys[action.name] then keys[action.name] = { ':Todo ' .. action.name } end
  end
  return keys
end

local function ago(time)
  local year, month, day, hour, min, sec = time:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not year then return '' end
  local at = os.time({ year = year, month = month, day = day, hour = hour, min = min, sec = sec, isdst = false })
  local minutes = math.floor((os.time(os.date('!*t')) - at) / 60)
  if minutes < 1 then return 'just now' end
  if minutes < 60 then return minutes .. ' min ago' end
  return minutes < 2880 and math.floor(minutes / 60) .. ' h ago' or math.floor(minutes / 1440) .. ' days ago'
end

--- How a list stands towards its source, in words.
function M.standing(screen)
  local status, words = screen.body.status, {}
  if not status then return '' end
  local counts = { { 'pending', 'pending' }, { 'conflicts', 'conflict' }, { 'failed', 'failed' } }
  for _, count in ipairs(counts) do
    local number = status[count[1]] or 0
    local word = count[1] == 'conflicts' and number > 1 and count[1] or count[2]
    if number > 0 then words[#words + 1] = number .. ' ' .. word end
  end
  if status.syncedAt then words[#words + 1] = 'synced ' .. ago(status.syncedAt) end
  return table.concat(words, ', ')
end

return M
