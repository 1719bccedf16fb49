-- The process: JSON-RPC over its stdin and stdout, one message a line.
--
-- `vim.lsp.rpc` is not used, for three reasons: it writes what is sent, passwords too, into lsp.log at the level
-- "debug", it keeps the server's last words on stderr from the user, and it never answers requests of a dead server.

local Server = {}
Server.__index = Server

--- Calls `feed` for each whole line of the pieces that a job delivers.
local function by_line(feed)
  local rest = ''
  return function(_, pieces)
    pieces[1] = rest .. pieces[1]
    rest = table.remove(pieces)
    for _, line in ipairs(pieces) do
      if line ~= '' then feed(line) end
    end
  end
end

--- Starts `cmd`; answers a server, or nil and why not.
--- `on.notification(method, params)`, and once `on.exit(why)` unless it was stopped.
function Server.start(cmd, on)
  if vim.fn.executable(cmd[1]) == 0 then
    return nil, ('"%s" is missing or not executable; see :help todo-server'):format(cmd[1])
  end
  local self, last_words = setmetatable({ pending = {}, last_id = 0, on = on }, Server), nil
  self.job = vim.fn.jobstart(cmd, {
    on_stdout = by_line(function(line) self:receive(line) end),
    on_stderr = by_line(function(line) last_words = line end),
    on_exit = function(_, code)
      local how = code > 128 and 'was ended by signal ' .. code - 128 or 'ended with exit code ' .. code
      local why = 'the server ' .. how .. (last_words and ': ' .. last_words or '')
      self.has_ended = true
      self:fail_pending({ message = why })
      if not self.is_stopping then on.exit(why) end
    end,
  })
  return self
end

function Server:receive(line)
  local ok, message = pcall(vim.json.decode, line, { luanil = { object = true, array = true } })
  if not ok or type(message) ~= 'table' then return end
  if message.method then return self.on.notification(message.method, message.params or {}) end
  -- Without an id the server could not read what was sent, so the answer to it will never come.
  if message.id == nil then return self:fail_pending(message.error or {}) end
  local callback = self.pending[message.id]
  self.pending[message.id] = nil
  if callback then callback(message.error, message.result) end
end

function Server:fail_pending(err)
  local pending = self.pending
  self.pending = {}
  for _, callback in pairs(pending) do callback(err) end
end

function Server:notify(method, params, id)
  local message = vim.json.encode({ jsonrpc = '2.0', id = id, method = method, params = params })
  return not self.has_ended and pcall(vim.fn.chansend, self.job, message .. '\n')
end

--- `callback(err, result)` is called once, also when the server is gone.
function Server:request(method, params, callback)
  self.last_id = self.last_id + 1
  local id = self.last_id
  self.pending[id] = callback
  if not self:notify(method, params, id) then
    self.pending[id] = nil
    callback({ message = 'the server is not running; :Todo restart starts it' })
  end
end

--- Ends it in good order: a change that is being stored is finished.
function Server:stop()
  self.is_stopping = true
  if not self.has_ended then vim.fn.jobstop(self.job) end
end

return Server
