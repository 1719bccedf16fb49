-- The command and the settings.

local M = {
  cmd = { 'todo-server' },
  boxes = { '[ ] ', '[x] ' }, -- of a row that is not done, and of one that is
  fold_done = false, -- true: done rows are below the others, in a fold
  use_default_keymaps = true, -- false: no key but those that `setup` is given
  -- The keys of lists and pages. Each does the action with a role of the server, or one of this
  -- plugin: primary, close, help, before, link.
  keymaps = {
    ['<CR>'] = 'primary', x = 'toggle', dd = 'remove', a = 'create', ['/'] = 'search', u = 'undo',
    ['<C-r>'] = 'redo', ['-'] = 'back', gx = 'link', gq = 'close', ['g?'] = 'help',
  },
  -- The same in a text, where letters are text.
  text_keymaps = { [':w'] = 'primary', ['-'] = 'back', ['g?'] = 'help', ['<LocalLeader>b'] = 'before' },
}

--- Changes settings of the plugin, all of which are optional. Example:
--- `setup { cmd = …, boxes = { '☐ ', '☑ ' }, keymaps = { X = 'toggle', x = false } }`.
function M.setup(options)
  M.cmd, M.boxes = options.cmd or M.cmd, options.boxes or M.boxes
  M.fold_done = options.fold_done or false
  if options.use_default_keymaps == false then
    M.keymaps, M.text_keymaps, M.use_default_keymaps = {}, {}, false
  end
  M.keymaps = vim.tbl_extend('force', M.keymaps, options.keymaps or {})
end

--- Runs `:Todo` with arguments. Without an argument, opens the screen in front. `restart` and
--- `stop` are commands of the plugin. Any other first word is the name of an action that is offered
--- now, and the words after it answer the first question of this action.
function M.command(args, mods)
  local session, view = require('todo.session'), require('todo.view')
  local name, text = args:match('^(%S*)%s*(.-)$')
  if name == 'stop' then return session.stop() end
  local is_new = name == 'restart' or session.status == 'stopped'
  if is_new then
    session.start(M.cmd)
  elseif session.status == 'dead' then
    return session.say(session.not_running.message, 'error')
  end
  local is_action = name ~= '' and name ~= 'restart'
  if is_action and (not is_new or vim.wait(2000, session.front, 5)) then view.press(name, text) end
  if is_new or not is_action then view.open(mods) end
end

function M.complete(lead)
  local names = { 'restart', 'stop' }
  for _, screen in ipairs(require('todo.session').stack) do
    for _, action in ipairs(require('todo.screen').where(screen.actions, 'enabled', true)) do
      table.insert(names, action.name)
    end
  end
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, names)
end

return M
