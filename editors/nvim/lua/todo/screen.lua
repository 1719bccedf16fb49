-- What a screen is as text, and which keys it has. Pure: from the server's description alone.

local M = {}

local function all(list, what, value)
  return vim.tbl_filter(function(entry) return entry[what] == value end, list or {})
end

function M.action(screen, name) return all(screen.actions, 'name', name)[1] end

--- The texts of several lines, if the screen is a document: one of them is edited like a file, and the others are
--- there to be compared. Other fields are asked for one by one.
function M.texts(screen)
  local fields, texts = screen.body.fields, all(screen.body.fields, 'multiline', true)
  return #all(fields, 'secret', true) == 0 and #all(texts, 'readOnly', nil) > 0 and texts or {}
end

--- The fields in the buffer of a screen: in a document single lines come first, then the text.
function M.fields(screen)
  local texts, fields = M.texts(screen), screen.body.fields or {}
  if #texts == 0 then return fields end
  return vim.list_extend(all(fields, 'multiline', nil), { all(texts, 'readOnly', nil)[1] })
end

--- The action that `:w` and <CR> do: on a row its first, in a form the right end of the bar, else the first.
--- It may not be enabled yet: what is typed in the same moment can enable it.
function M.main_action(screen)
  local right = screen.body.kind == 'form' and M.action(screen, screen.bar.right)
  return right or all(screen.actions, 'scope', ({ list = 'item', form = 'screen' })[screen.body.kind])[1]
end

local function one_line(text) return (text:gsub('[\r\n%z]+', ' ')) end

local function line_of(item)
  local mark = item.checked == nil and '' or item.checked and '[x] ' or '[ ] '
  local texts = { item.title, item.detail or item.badge, item.detail and item.badge }
  return mark .. one_line(table.concat(texts, ' · '))
end

--- The lines of a screen. Of a long list only some rows are here; the others are blank. A document has the form of a
--- commit message: single lines, a blank one, the text.
function M.lines(screen)
  local body, lines, is_document = screen.body, {}, #M.texts(screen) > 0
  if body.kind == 'progress' then
    return { one_line(body.text) .. (body.done and ' ' .. table.concat({ body.done, body.total }, '/') or '') }
  end
  for row = 1, body.total or 0 do lines[row] = '' end
  for index, item in ipairs(body.items or {}) do
    lines[body.offset + index] = line_of(item)
  end
  for _, field in ipairs(M.fields(screen)) do
    local text = field.secret and '***' or field.value or ''
    if is_document and field.multiline then
      if #lines > 0 then lines[#lines + 1] = '' end
      vim.list_extend(lines, vim.split(text, '\n', { plain = true }))
    else
      lines[#lines + 1] = (is_document and '' or field.label .. ': ') .. one_line(text)
    end
  end
  return #lines > 0 and lines or { one_line(body.empty or screen.title) }
end

--- The values in the lines of a document, by field.
function M.parse(screen, lines)
  local values = {}
  for row, field in ipairs(M.fields(screen)) do
    local has_gap = row > 1 and (lines[row] or '') == ''
    values[field.name] = field.multiline and table.concat(lines, '\n', has_gap and row + 1 or row) or lines[row] or ''
  end
  return values
end

-- Other letters move and search, begin to fill in a form, or have a meaning of their own below.
local FREE = '[cfoprsuB-FJKO-SUWX]'

--- The key of each action by name. In a document letters are text, and an action without a key is a command.
function M.keys(screen)
  local keys, is_document = {}, #M.texts(screen) > 0
  local function give(action, key)
    local is_taken = vim.tbl_contains(vim.tbl_values(keys), key)
    if action and not keys[action.name] and not is_taken then keys[action.name] = key end
  end
  give(M.main_action(screen), is_document and ':w' or '<CR>')
  give(M.action(screen, screen.bar.left), '-')
  if screen.body.kind == 'list' then
    local rows = all(screen.actions, 'scope', 'item')
    give(vim.tbl_filter(function(action) return action.confirm end, rows)[1], 'dd')
    give(rows[2], 'x')
    give(M.action(screen, screen.bar.right), 'a')
  end
  for _, action in ipairs(screen.actions) do
    local first = is_document and '' or action.title:sub(1, 1)
    for letter in (first:lower() .. first:upper()):gmatch(FREE) do give(action, letter) end
    give(action, ':Todo ' .. action.name)
  end
  return keys
end

return M
