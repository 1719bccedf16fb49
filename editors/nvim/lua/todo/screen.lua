-- What a screen is as text. Pure: from the server's description alone.

local M = {}

function M.action(screen, name)
  return vim.tbl_filter(function(action) return action.name == name end, screen.actions)[1]
end

local function has(fields, what)
  return #vim.tbl_filter(function(field) return field[what] end, fields or {}) > 0
end

function M.is_text(screen) return has(screen.body.fields, 'name') end

--- Whether there is text in it that can be lost, as in a file. What is typed into single lines is sent at once.
function M.is_document(screen) return has(screen.body.fields, 'multiline') end

--- The action that `:w` and <CR> do: on a row its first, in a form the right end of the bar, else the first.
--- It may not be enabled yet: what is typed in the same moment can enable it.
function M.main_action(screen)
  local kind = screen.body.kind
  local right = kind == 'form' and M.action(screen, screen.bar.right)
  local scope = kind == 'list' and 'item' or kind == 'form' and 'screen'
  return right or vim.tbl_filter(function(action) return action.scope == scope end, screen.actions)[1]
end

--- A text of one line, whatever is in it.
function M.one_line(text) return (text:gsub('[\r\n%z]+', ' ')) end

function M.progress_line(body)
  local counts = body.done and (' %d'):format(body.done) .. (body.total and ('/%d'):format(body.total) or '')
  return M.one_line(body.text) .. (counts or '')
end

--- The buffers of a form, each a list of fields: one, or one for each text of several lines, to be compared.
function M.parts(fields)
  local single = vim.tbl_filter(function(field) return not field.multiline end, fields)
  local multi = vim.tbl_filter(function(field) return field.multiline end, fields)
  if #multi <= 1 then return { vim.list_extend(single, multi) } end
  local parts = vim.tbl_map(function(field) return { field } end, multi)
  if #single > 0 then table.insert(parts, 1, single) end
  return parts
end

--- One line and a text have the form of a commit message; fields in any other number have labels.
local function label(part, field)
  local is_bare = #part <= 2 and part[#part].multiline and not part[1].secret
  return is_bare and '' or field.label .. ': '
end

--- What is shown of a value, which is what comes back unless it is changed.
function M.shown(field)
  if field.secret then return '***' end
  return field.multiline and field.value or M.one_line(field.value or '')
end

function M.form_lines(part, values)
  local lines = {}
  for _, field in ipairs(part) do
    if field.multiline then
      if #lines > 0 then lines[#lines + 1] = '' end
      vim.list_extend(lines, vim.split(values[field.name] or '', '\n', { plain = true }))
    else
      lines[#lines + 1] = label(part, field) .. values[field.name]
    end
  end
  return lines
end

--- The values in the lines, and whether the labels have to be put right. Nil if nothing can be made of them.
function M.parse(part, lines)
  if not part[#part].multiline and #lines ~= #part then return nil end
  local values, is_damaged = {}, false
  for row, field in ipairs(part) do
    local prefix, line = label(part, field), lines[row] or ''
    if field.multiline then
      values[field.name] = table.concat(lines, '\n', row > 1 and line == '' and row + 1 or row)
    else
      local has_label = vim.startswith(line, prefix)
      local is_erased = vim.startswith(prefix, line)
      local value = has_label and line:sub(#prefix + 1) or is_erased and '' or line:match('^.-: (.*)$') or line
      is_damaged = is_damaged or not has_label or (field.secret and value ~= '***')
      values[field.name] = field.secret and '***' or value
    end
  end
  return values, is_damaged
end

--- What the server says is wrong with what was typed, or with what was done.
function M.complaint(screen, err)
  if not screen or err.code ~= -32801 then return err.message or 'the server could not read it' end
  for _, field in ipairs(screen.body.fields or {}) do
    if field.error then return field.error end
  end
  return screen.message and screen.message.text or 'this is not possible now'
end

return M
