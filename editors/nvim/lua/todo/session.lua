-- The server: its process, what it says now, and the way to say something to it, one JSON text a
-- line.
--
-- `vim.lsp.rpc` is not used, for three reasons: it writes what is sent, passwords too, into lsp.log
-- at the level "debug", it keeps the server's last words on stderr from the user, and it never
-- answers requests of a dead server.

local screens = require('todo.screen')
local api, fn = vim.api, vim.fn

local M = {
  stack = {}, -- the screens, bottom first; those below may have no body
  status = 'stopped', -- or "running", "dead"
  not_running = { message = 'the server is not running; :Todo restart starts it' },
  acting = 0, -- the number of the user's requests in flight
  views = {}, -- the drawn screens and sides, by buffer
  rows = 500, -- the number of rows of a list per request
  joiner = '\226\128\141', -- joins emojis; older versions of Neovim show its code
}

local ANSWER_MS, SILENCE_MS = 5000, 300
local MESSAGE_COLUMNS, MESSAGE_MS = 20, 4000 -- the room that a message needs, and for how long
local NO_ANSWER = 'no answer within 5 s; the text is still here'
local STYLES = { error = 'ErrorMsg', warning = 'WarningMsg' }
local callbacks, last_id, job, is_waiting = {}, 0, nil, nil

--- Returns a text without the joiners of emojis.
function M.plain(text) return (text:gsub(M.joiner, '')) end

--- Returns a text of at most `width` columns. The middle of a longer text is left out.
function M.fit(whole, width)
  local text = M.plain(whole)
  if fn.strwidth(text) <= width then return text end
  local tail = fn.strcharpart(text, fn.strchars(text) - math.floor(width / 4))
  return fn.printf('%.' .. width - 1 - fn.strwidth(tail) .. 'S…', text) .. tail
end

--- Turns off 'ruler' and 'showcmd' for some seconds if they leave no room for a message in a narrow
--- window.
local function make_room()
  local ruler, showcmd = vim.o.ruler, vim.o.showcmd
  if vim.v.echospace > MESSAGE_COLUMNS or not (ruler or showcmd) then return end
  vim.o.ruler, vim.o.showcmd = false, false
  fn.timer_start(MESSAGE_MS, function() vim.o.ruler, vim.o.showcmd = ruler, showcmd end)
end

--- Adds the whole text to :messages. On the screen, the flag T of 'shortmess' truncates the text to
--- one line. Neovim then shows no prompt, unless a command of the user is running.
local function record(text, style)
  local flags = vim.o.shortmess
  vim.opt.shortmess:append('T')
  vim.cmd(('echohl %s | echomsg %s | echohl None'):format(style or 'None', fn.string(text)))
  vim.o.shortmess = flags
end

--- Shows a message on one line, so that the user need not press Enter. A message that is too long
--- for the line is shown as a whole in :messages and in a window.
function M.say(text, level)
  make_room()
  local line = M.plain(('todo: ' .. text):gsub('%s+', ' '))
  local cut = M.fit(line, math.max(vim.v.echospace - 1, 7))
  if cut ~= line then
    vim.schedule(function() record(line, STYLES[level]) end)
    require('todo.look').show_whole(line)
  end
  local is_late = vim.o.cmdheight == 0 -- a message during a command would be below it, and need a key
  local function echo()
    if is_late and is_waiting then return vim.defer_fn(echo, 5) end
    api.nvim_echo({ { cut, STYLES[level] } }, cut == line, {})
  end
  if is_late then vim.schedule(echo) else echo() end
end

--- Shows the message of an error. If the error is the end of the server, shows nothing, because
--- `stop` shows it.
function M.complain(err)
  return err and err.message and err.message ~= M.why and M.say(err.message, 'error')
end

--- Draws the newest screens, unless a command waits for an answer.
function M.redraw()
  if not is_waiting then require('todo.view').draw() end
end

--- Waits until a condition is met. Returns an error if that takes too long or the user interrupts
--- it. No screens are drawn during the wait, because a buffer that is being written must not be
--- replaced.
function M.wait(condition)
  is_waiting = true
  -- Neovim 0.7 ends an interrupted wait only after its full time, but each of its functions then
  -- fails, and thereby takes the interrupt.
  local is_interrupted = false
  local ok, why = vim.wait(ANSWER_MS, function()
    is_interrupted = not pcall(fn.mode)
    return is_interrupted or condition()
  end, 5)
  is_waiting = false
  vim.schedule(M.redraw)
  if is_interrupted or why == -2 then return { message = 'interrupted before the answer' } end
  return not ok and { message = NO_ANSWER } or nil
end

--- Calls `start(done)`, and waits until `done(err)` is called. Returns `err`, or the error of the
--- wait. If the wait has failed before `done` is called, `done` returns the error of the wait;
--- otherwise `done` returns nil.
function M.await(start)
  local answer, late
  start(function(err)
    answer = { err }
    return late
  end)
  late = M.wait(function() return answer end)
  return late or answer[1]
end

--- Waits for the responses if more keys have been typed, as in a macro, because the keys are meant
--- for the next screen.
function M.catch_up()
  local function is_here() return M.acting == 0 and not M.is_loading() end
  if fn.getchar(1) ~= 0 then vim.wait(ANSWER_MS, is_here, 5) end
end

function M.front() return M.stack[#M.stack] end

function M.is_loading() return M.front() and M.front().body.kind == 'progress' end

--- Returns the screen with an id, if there is one.
function M.find(id) return screens.where(M.stack, 'id', id)[1] end

--- Whether the screen with an id offers its actions. The front screen does; so does a list directly
--- below a form that is in front.
function M.offers(id)
  local front = M.front()
  local below = front and front.body.kind == 'form' and 1 or 0
  return screens.where(vim.list_slice(M.stack, #M.stack - below), 'id', id)[1] ~= nil
end

--- Returns the view of a screen, or of its read-only side `side`; nil if it has no buffer.
function M.find_view(screen, side)
  for buf, view in pairs(screen and M.views or {}) do
    local is_it = view.id == screen.id and view.side == side
    if is_it and api.nvim_buf_is_loaded(buf) then return view end
  end
end

local function send(message)
  message.jsonrpc = '2.0'
  -- If the server does not read any more, the exit of its process reports that.
  pcall(fn.chansend, job, vim.json.encode(message) .. '\n')
end

--- Sends any request, also for scripts. `callback(err, result)` is called once, even if the server
--- ends.
function M.request(method, params, callback)
  if not job then return callback(M.not_running) end
  last_id = last_id + 1
  callbacks[last_id] = callback
  send({ id = last_id, method = method, params = params })
end

--- Sends an edit (`what` is "change") or an action ("act") of the user on the screen of a view,
--- with the base of its form.
function M.tell(what, view, params, callback)
  params.screen, params.base = view.screen.name, params.base or view.base
  M.acting = M.acting + 1
  M.request('screen/' .. what, params, function(err, result)
    M.acting = M.acting - 1
    if callback then callback(err, result) end
    M.redraw()
  end)
end

local function receive(line)
  local ok, message = pcall(vim.json.decode, line, { luanil = { object = true, array = true } })
  if not ok or type(message) ~= 'table' then return end
  if message.method == 'workflow/render' and message.params.rendering then
    if not M.front() then vim.cmd("echo ''") end -- clears the message about a slow start
    M.stack = vim.tbl_map(function(item) return item.screen end, message.params.rendering.items)
    for _, screen in ipairs(require('todo').fold_done and M.stack or {}) do
      screens.move_done(screen.body or {})
    end
    for _, view in pairs(M.views) do
      local screen = M.find(view.id)
      if screen and screen.body then screens.renew(view, screen) end
    end
    return M.redraw()
  end
  local callback = callbacks[message.id]
  if not callback then return end
  callbacks[message.id] = nil
  callback(message.error, message.result)
end

--- Shuts the server down cleanly: it finishes a change that it is storing.
function M.stop(why)
  local ended, waiting = job, callbacks
  job, callbacks, M.stack = nil, {}, {}
  M.status, M.why = why and 'dead' or 'stopped', why or 'stopped'
  for _, callback in pairs(waiting) do callback({ message = M.why }) end
  if ended then fn.jobstop(ended) end
  if why then M.say(why .. '. :Todo restart', 'error') end
  M.redraw()
end

--- Starts the server with a command line, in place of the one that runs.
function M.start(cmd)
  M.stop()
  local rest, last_words = '', ''
  local ok, started = pcall(fn.jobstart, cmd, {
    on_stdout = function(from, pieces)
      if from ~= job then return end
      pieces[1] = rest .. pieces[1]
      rest = table.remove(pieces)
      local problem
      for _, line in ipairs(pieces) do
        local done, why = pcall(receive, line)
        if not done then problem = why end
      end
      -- CTRL-C, which was typed into a question, ends what is drawn meanwhile, and no more than that.
      if problem then vim.schedule(M.redraw) end
      if problem and not problem:find('nterrupt') then error(problem, 0) end
    end,
    stderr_buffered = true,
    on_stderr = function(_, lines) last_words = #lines > 1 and ': ' .. lines[#lines - 1] or '' end,
    on_exit = function(ended, code)
      local how = code > 128 and 'was ended by signal ' .. code - 128
        or 'ended with exit code ' .. code
      -- At the end of the editor it is meant to end.
      if ended ~= job or vim.v.exiting ~= vim.NIL then return end
      M.stop(('the server %s%s'):format(how, last_words))
    end,
  })
  local name = M.fit(cmd[1], 24)
  if not ok then return M.stop(('cannot run "%s": missing or not executable; :help todo'):format(name)) end
  job, M.status = started, 'running'
  M.request('initialize', {
    processId = fn.getpid(), clientInfo = { name = 'neovim' },
    capabilities = { render = { window = M.rows, frontOnly = true, preview = true } },
  }, function(err)
    if started ~= job then return end
    if err then return M.stop('the server cannot start: ' .. err.message) end
    send({ method = 'initialized' })
  end)
  fn.timer_start(SILENCE_MS, function()
    if started == job and not M.front() then M.say('the server has not answered yet', 'warning') end
  end)
end

return M
