-- JSON Patch (RFC 6902) on decoded JSON, as far as the server uses it. Anything else is an error, after which the
-- whole rendering is asked for.

local M = {}

--- The table that holds what `path` points to, the key in that, and whether it is an array.
--- An empty table may be both: it is taken as what the token fits.
local function find(root, path)
  local tokens, holder = vim.split(path, '/', { plain = true }), root
  assert(tokens[1] == '', 'no JSON Pointer')
  tokens[1] = 'document'
  for index, token in ipairs(tokens) do
    token = token:gsub('~1', '/'):gsub('~0', '~')
    local is_array = #holder > 0 or (next(holder) == nil and (token == '-' or token:match('^%d+$')))
    local key = is_array and (token == '-' and #holder or tonumber(token)) + 1 or token
    if index == #tokens then return holder, key, is_array end
    holder = holder[key]
    assert(type(holder) == 'table', 'no such path')
  end
end

--- The document after all operations. It is changed in place: after an error it must not be used any more.
function M.apply(document, operations)
  local root = { document = document }
  for _, operation in ipairs(operations) do
    local holder, key, is_array = find(root, operation.path)
    if operation.op == 'add' then
      assert(not is_array or key <= #holder + 1, 'no such index')
      if is_array then table.insert(holder, key, operation.value) else holder[key] = operation.value end
    else
      assert(holder[key] ~= nil, 'no such path')
      assert(operation.op == 'replace' or operation.op == 'remove', 'unknown operation')
      if operation.op == 'replace' then
        holder[key] = operation.value
      elseif is_array then
        table.remove(holder, key)
      else
        holder[key] = nil
      end
    end
  end
  return root.document
end

return M
