-- What the server says, as it stands now, and the way to say something to it.

local Server = require('todo.server')
local patch = require('todo.patch')

local M = {
  status = 'stopped', -- or "starting", "running", "dead"
  acting = 0, -- how many actions wait for their answer
  rows = 1000, -- how many rows of a list are asked for at once
}

local server, revision, is_resyncing, is_held

--- Draws what is there now, unless `without_drawing` forbids it.
function M.redraw()
  if not is_held then require('todo.view').draw() end
end

--- Runs `wait` while renderings are taken but not drawn: while a buffer is written, no other one may take its place.
function M.without_drawing(wait)
  is_held = true
  local ok, err = pcall(wait)
  is_held = false
  vim.schedule(M.redraw)
  if not ok then error(err, 0) end
end

function M.resync()
  if is_resyncing or not server then return end
  is_resyncing = true
  server:request('workflow/rendering', nil, function(err, result)
    is_resyncing = false
    if err then return end
    M.rendering, revision = result.rendering, result.revision
    M.redraw()
  end)
end

local function take(params)
  if not params.rendering then
    -- A patch can change the rendering in part and then fail: it is given away first.
    local base, ok = M.rendering, false
    M.rendering = nil
    if base and params.base == revision then ok, base = pcall(patch.apply, base, params.patch) end
    if not ok then return M.resync() end
    M.rendering = base
  end
  M.rendering, revision = params.rendering or M.rendering, params.revision
  M.redraw()
end

--- The screens, bottom first.
function M.stack()
  return vim.tbl_map(function(item) return item.screen end, M.rendering and M.rendering.items or {})
end

function M.front() return M.stack()[#M.stack()] end

--- The screen of that name, if it is there.
function M.find(name)
  return vim.tbl_filter(function(screen) return screen.name == name end, M.stack())[1]
end

local function die(why)
  M.status, M.rendering = 'dead', nil
  vim.notify('todo: ' .. why .. '. :Todo restart starts it again', vim.log.levels.ERROR)
  M.redraw()
end

function M.start(cmd)
  M.stop()
  local started, why
  started, why = Server.start(cmd, {
    notification = function(method, params)
      if method == 'workflow/render' and started == server then take(params) end
    end,
    exit = function(reason)
      if started == server then die(reason) end
    end,
  })
  if not started then return die(why) end
  server, M.status, M.acting, is_resyncing = started, 'starting', 0, false
  local group = vim.api.nvim_create_augroup('todo_server', {})
  vim.api.nvim_create_autocmd('VimLeavePre', { group = group, callback = M.stop })
  server:request('initialize', {
    processId = vim.fn.getpid(),
    clientInfo = { name = 'neovim' },
    capabilities = { render = { patch = true, window = M.rows } },
  }, function(err)
    if started ~= server or started.has_ended then return end
    if err then
      started:stop()
      return die(err.message)
    end
    M.status = 'running'
    server:notify('initialized')
  end)
end

function M.stop()
  if server then server:stop() end
  server, M.rendering, M.status = nil, nil, 'stopped'
end

--- Any request, for scripts: `callback(err, result)` is called once.
function M.request(method, params, callback)
  if server then return server:request(method, params, callback) end
  callback({ message = 'the server is not running; :Todo restart starts it' })
end

--- The user typed.
function M.change(screen, values, callback)
  M.request('screen/change', { screen = screen.name, values = values }, function(err)
    callback(err)
    M.redraw()
  end)
end

--- The user pressed: `act` has the screen, the action, and what goes with it.
function M.act(act, callback)
  M.acting = M.acting + 1
  local values = next(act.values or {}) and act.values or nil
  local params = { screen = act.screen.name, action = act.action.name, item = act.item, values = values }
  params.revision = revision
  M.request('screen/act', params, function(err)
    M.acting = math.max(M.acting - 1, 0)
    callback(err)
    M.redraw()
  end)
end

return M
