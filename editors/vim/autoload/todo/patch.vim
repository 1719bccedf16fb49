vim9script
# JSON Patch (RFC 6902), of which the server uses add, remove and replace.

# A patched copy of the document; throws "todo: ..." when an operation does not fit it.
export def Apply(document: any, operations: list<any>): any
  # A holder for the document itself makes the path "" like any other.
  final root = {document: deepcopy(document)}
  for operation in operations
    const path = ['document'] + split(operation.path, '/', true)[1 :]
      ->map((_, token) => token->substitute('\~1', '/', 'g')->substitute('\~0', '\~', 'g'))
    var holder: any = root
    for token in path[: -2]
      holder = holder[Key(holder, token)]
    endfor
    Change(holder, path[-1], operation)
  endfor
  return root.document
enddef

def Change(holder: any, token: string, operation: dict<any>)
  if operation.op ==# 'remove'
    remove(holder, Key(holder, token))
  elseif operation.op ==# 'replace'
    holder[Key(holder, token)] = operation.value
  elseif operation.op !=# 'add'
    throw $'todo: unknown operation {operation.op}'
  elseif type(holder) == v:t_dict
    holder[token] = operation.value
  elseif token ==# '-' || token ==# string(len(holder))
    add(holder, operation.value)
  else
    insert(holder, operation.value, Key(holder, token))
  endif
enddef

# The key or index of something that is there.
def Key(holder: any, token: string): any
  const is_list = type(holder) == v:t_list
  if is_list ? token !~# '^\%(0\|[1-9]\d*\)$' || str2nr(token) >= len(holder) : !has_key(holder, token)
    throw $'todo: there is no {token}'
  endif
  return is_list ? str2nr(token) : token
enddef
