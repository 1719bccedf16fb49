-- `luarocks make` in this folder installs the plugin; it is not published yet.
rockspec_format = '3.0'
package = 'todo-server.nvim'
version = 'scm-1'
source = { url = 'file://.' }
description = {
  summary = 'Todos, live in several editors at the same time',
  detailed = 'A front-end of todo-server, which keeps todos in a file, a CalDAV task list or GitHub issues.',
  license = 'Apache-2.0',
  labels = { 'neovim' },
}
dependencies = { 'lua >= 5.1' }
build = { type = 'builtin', copy_directories = { 'doc', 'plugin' } }
