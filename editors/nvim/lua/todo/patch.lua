-- JSON Patch (RFC 6902) on decoded JSON, as far as the server uses it. Anything else is an error, after which the
-- whole rendering is asked for.

--- The document after all operations. It is changed in place: after an error it must not be used any more.
local function apply(document, operations)
  local root = { document = document }
  for _, operation in ipairs(operations) do
    local op, holder, key, is_array = operation.op, root, 'document', false
    assert(not operation.path:match('^[^/]'), 'no JSON Pointer')
    for token in operation.path:gmatch('/([^/]*)') do
      holder = holder[key]
      -- An empty table may be both: it is taken as what the token fits.
      is_array = #holder > 0 or next(holder) == nil and token:match('^[%d-]') ~= nil
      key = token:gsub('~1', '/'):gsub('~0', '~')
      if is_array then key = (token == '-' and #holder or tonumber(token)) + 1 end
    end
    local is_there, is_next = holder[key] ~= nil, not is_array or key == #holder + 1
    assert(op == 'add' and (is_there or is_next) or (op == 'replace' or op == 'remove') and is_there, 'does not fit')
    if is_array and op == 'add' then
      table.insert(holder, key, operation.value)
    elseif is_array and op == 'remove' then
      table.remove(holder, key)
    else
      holder[key] = operation.value -- of a removal there is none
    end
  end
  return root.document
end

return { apply = apply }
