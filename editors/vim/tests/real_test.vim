vim9script
# The flows of the real server. The numbers are those of the acceptance checks.

def g:Test_03_help_has_tags()
  const folder = $HOME .. '/help'
  mkdir(folder .. '/doc', 'p')
  writefile(readfile(g:tests .. '/../doc/todo-server.txt'), folder .. '/doc/todo-server.txt')
  execute 'helptags' fnameescape(folder .. '/doc')
  execute 'set runtimepath^=' .. fnameescape(folder)
  for tag in [':Todo', 'todo-server', 'g:todo_command', 'todo-keys', 'todo#Statusline()']
    execute 'help' tag
    assert_match('doc/todo-server.txt$', bufname(), tag)
  endfor
enddef

def g:Test_04_nothing_starts_before_the_command()
  assert_equal(2, exists(':Todo'))
  assert_equal([], job_info())
  const loaded = split(execute('scriptnames'), "\n")->filter((_, line) => line =~# 'autoload/todo' && line !~# '^ *\d\+ A:')
  assert_equal([], loaded)
enddef

def g:Test_04_a_file_of_that_type_is_left_alone()
  edit todo.txt
  setfiletype todo
  assert_equal([], g:Messages()->filter((_, line) => line =~# '^E\d'))
  assert_equal('', maparg('gq', 'n'))
enddef

def g:Test_06_start_shows_the_first_screen()
  g:todo_command = split($TODO_SERVER) + ['--store', 'memory']
  Todo
  g:AtScreen('welcome')
  assert_equal(['Welcome', 'Name:', 'Password:'], getline(1, '$'))
  assert_equal(2, line('.'))
  assert_equal('acwrite', &buftype)
  assert_false(&modifiable)
  assert_false(&buflisted)
enddef

def g:Test_07_wrong_password_is_the_servers_sentence()
  g:Other([['logout', {}], ['register', {username: 'annabella', password: 'correct horse'}]])
  g:todo_command = split($TODO_SERVER) + ['--store', g:Store()]
  Todo
  g:AtScreen('welcome')
  g:Keys("\<CR>annabella\<CR>wrong horse\<CR>")
  g:Until(() => match(b:todo.notes, 'error: ') >= 0, 'the error')
  assert_equal('welcome', todo#Screen().name)
  assert_false(g:Said('Error detected\|line \d'))
  assert_equal(3, line('.'))
  # The server has forgotten it, so the form shows none.
  assert_equal('Password:', getline('.'))
  g:Keys("\<CR>correct horse\<CR>")
  g:AtScreen('todoList')
enddef

def g:Test_08_loading_comes_before_the_list()
  g:seen = []
  autocmd User TodoRender add(g:seen, todo#Screen().name)
  g:Login()
  assert_true(index(g:seen, 'loading') >= 0)
  assert_true(index(g:seen, 'loading') < index(g:seen, 'todoList'))
enddef

def g:Test_09_password_is_nowhere()
  g:Login()
  Todo logout
  g:AtScreen('welcome')
  g:Keys("3G\<CR>hunter2hunter2\<CR>")
  g:AtScreen('todoList')
  for which in ['cmd', 'search', 'expr', 'input', 'debug']
    assert_notmatch('hunter2', execute('history ' .. which))
  endfor
  set viminfo='100,<50,s10,h,:100,@100 viminfofile=
  execute 'wviminfo!' $HOME .. '/viminfo'
  assert_equal(-1, match(readfile($HOME .. '/viminfo'), 'hunter2'))
  assert_notmatch('hunter2', execute('messages') .. execute('registers'))
  assert_equal(-1, match(getbufinfo()->mapnew((_, buf) => join(getbufline(buf.bufnr, 1, '$'))), 'hunter2'))
enddef

def g:Test_10_list_is_read_only_and_shows_no_ids()
  g:Login()
  g:Keys("aBuy milk\<CR>")
  assert_equal(['Todos of ann', '[ ] Buy milk'], getline(1, '$'))
  assert_false(&modifiable)
  assert_false(&modified)
  # Whatever a title looks like, nothing in it is coloured.
  g:Keys("a! error: one · two [three]\<CR>")
  assert_equal([], prop_list(2))
  g:Keys('x')
  assert_equal('[x] ! error: one · two [three]', getline(2))
  assert_equal(['todoDone', 'todoMuted'], prop_list(2)->mapnew((_, prop) => prop.type)->sort())
  for scheme in ['default', 'blue']
    execute 'colorscheme' scheme
    assert_match('strikethrough', execute('highlight todoDone'))
    assert_match('WarningMsg', execute('highlight todoAlert'))
  endfor
enddef

def g:Test_11_title_on_line_1_and_note_from_line_3()
  g:Other([['addTodo', {title: 'Buy milk', note: "Two litres\nor three"}]])
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  assert_equal(['Buy milk', '', 'Two litres', 'or three'], getline(1, '$'))
  assert_false(&modified)
  g:Keys('-')
  g:AtScreen('todoList')
enddef

def g:Test_12_13_save_is_stored_and_the_list_shows_it()
  g:Other([['addTodo', {title: 'Buy milk', note: 'Two litres'}]])
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  const buf = bufnr()
  g:Keys("ccBuy oat milk\<Esc>")
  assert_true(&modified)
  g:Keys(":write\<CR>")
  assert_false(getbufvar(buf, '&modified'))
  assert_equal('Buy oat milk', g:Stored()[0].title)
  g:AtScreen('todoEdit')
  g:Keys('-')
  g:AtScreen('todoList')
  assert_equal('[ ] Buy oat milk', getline(2))
  assert_equal(2, line('.'))
enddef

def g:Test_14_failed_save_keeps_text_and_window()
  g:Other([['addTodo', {title: 'Buy milk'}]])
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  setline(1, '')
  g:Keys(":write\<CR>")
  assert_true(&modified)
  assert_true(g:Said('A title must not be blank'))
  wq
  assert_match('todoEdit', bufname())
  split
  wq
  assert_equal(2, winnr('$'))
  assert_match('todoEdit', bufname())
  assert_true(&modified)
  g:Keys('-n')
  assert_equal('todoEdit', todo#Screen().name)
enddef

def g:Test_14_wq_saves_and_closes()
  g:Other([['addTodo', {title: 'Buy milk'}]])
  new
  g:Login()
  g:Keys("\<CR>ccBuy tea\<Esc>")
  wq
  assert_equal(1, winnr('$'))
  assert_equal('Buy tea', g:Stored()[0].title)
enddef

def g:Test_15_edit_bang_shows_the_servers_text()
  g:Other([['addTodo', {title: 'Buy milk', note: 'Two litres'}]])
  g:Login()
  g:Keys("\<CR>dGiWrong\<Esc>")
  todo#view#Send(bufnr())
  edit!
  assert_equal(['Buy milk', '', 'Two litres'], getline(1, '$'))
  assert_false(&modified)
  assert_match('todoEdit', bufname())
  setline(1, '')
  g:Keys(":write\<CR>")
  assert_true(&modified)
  edit!
  assert_equal(['Buy milk', '', 'Two litres'], getline(1, '$'))
  g:Keys(":write\<CR>")
  assert_equal('Buy milk', g:Stored()[0].title)
enddef

def g:Test_15_text_that_was_typed_and_undone_is_not_there()
  const id = g:Other([['addTodo', {title: 'Buy milk'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>AX\<Esc>")
  doautocmd TextChanged
  g:Until(() => todo#Screen().body.fields[0].value ==# 'Buy milkX', 'the server to know')
  feedkeys('u', 'tx')
  doautocmd TextChanged
  # The server has not heard of it yet.
  todo#view#Draw()
  assert_equal(['Buy milk', v:false], [getline(1), !!&modified])
  g:Other([['editTodo', {id: id, title: 'Buy tea'}]])
  g:Until(() => getline(1) ==# 'Buy tea', 'the foreign text')
enddef

def g:Test_16_text_round_trips_byte_for_byte()
  const title = 'é ☕ 😀 漢字 "quotes" \ backslash'
  const notes = ["\n\nafter blanks\n\n", "tab\there \\n 'x' 漢字", 'e' .. nr2char(0x301) .. '👨‍👩‍👧', "one\r\ntwo\r\n", "\r"]
  g:Login()
  g:Keys($"a{title}\<CR>")
  for note in notes
    g:Keys("\<CR>")
    g:AtScreen('todoEdit')
    deletebufline('', 2, '$')
    append(1, [''] + split(note, "\n", true))
    g:Keys(":write\<CR>")
    g:Keys('-')
    g:AtScreen('todoList')
    const todo = g:Stored()[0]
    assert_equal(title, todo.title)
    assert_equal(note, todo.note)
    g:Keys("\<CR>")
    g:AtScreen('todoEdit')
    assert_equal([title, ''] + split(note, "\n", true), getline(1, '$'))
    g:Keys('-')
    g:AtScreen('todoList')
  endfor
enddef

def g:Test_17_removing_asks_first()
  g:Other([['addTodo', {title: 'Buy milk'}]])
  g:Login()
  g:Keys('ddn')
  assert_equal(1, len(g:Stored()))
  g:Keys("dd\<Esc>")
  assert_equal(1, len(g:Stored()))
  g:Keys('ddy')
  assert_equal([], g:Stored())
  assert_equal('Nothing to do.', getline(2))
enddef

def g:Test_17_the_cursor_stays_where_a_row_was()
  g:Other(range(1, 4)->mapnew((_, n) => ['addTodo', {title: 'Todo ' .. n}]))
  g:Login()
  for [row, expected] in [['3G', '[ ] Todo 2'], ['2G', '[ ] Todo 2'], ['G', '[ ] Todo 2']]
    g:Keys(row .. 'ddy')
    assert_equal(expected, getline('.'))
  endfor
enddef

def g:Test_18_register_validates_while_typing()
  g:todo_command = split($TODO_SERVER) + ['--store', g:Store()]
  Todo openRegister
  g:AtScreen('register')
  g:Keys("\<CR>ann\<CR>\<C-c>")
  g:Until(() => match(getline(1, '$'), '^! ') >= 0, 'what is wrong')
  g:Keys("2G\<CR>abella\<CR>\<C-c>")
  assert_match(': annabella$', getline(2))
  g:Keys("3G\<CR>correct horse\<CR>")
  g:AtScreen('todoList')
  assert_match('annabella', getline(1))
enddef

def g:Test_19_undo_after_save_and_renders_are_no_undo_steps()
  g:Other([['addTodo', {title: 'Buy milk'}], ['addTodo', {title: 'Other'}]])
  g:Login()
  g:Keys("3G\<CR>")
  g:AtScreen('todoEdit')
  assert_equal(0, undotree().seq_last)
  g:Keys("ccBuy tea\<Esc>")
  g:Keys(":write\<CR>")
  assert_false(&modified)
  g:Keys('u')
  assert_equal('Buy milk', getline(1))
  assert_true(&modified)
  g:Keys(":write\<CR>")
  assert_equal('Buy milk', g:Stored()[1].title)
  g:Keys('-')
  g:AtScreen('todoList')
  g:Keys("2G\<CR>")
  g:AtScreen('todoEdit')
  silent! undo
  assert_equal('Other', getline(1))
enddef

def g:Test_28_a_long_list_comes_in_windows()
  g:Other(range(1, 800)->mapnew((_, n) => ['addTodo', {title: 'Todo ' .. n}]))
  g:Login()
  assert_equal([800, 500], [todo#Screen().body.total, len(todo#Screen().body.items)])
  assert_equal(['[ ] Todo 800', ''], [getline(2), getline(801)])
  g:Keys('800Gx')
  assert_equal('[x] Todo 2', getline('.'))
  g:Other([['addTodo', {title: 'On top'}]])
  g:Until(() => line('$') == 802, 'the foreign row')
  assert_equal(['[x] Todo 2', 801], [getline('.'), line('.')])
  g:Keys('gg')
  doautocmd CursorMoved
  g:Until(() => getline(2) =~# 'On top', 'the rows at the top')
enddef

def g:Test_28_a_list_of_100000_keeps_the_cursor_on_its_row()
  const lines = range(1, 100000)->mapnew((_, n) => json_encode({title: 'Todo ' .. n}))
  const file = $HOME .. '/todos.ndjson'
  writefile(['{"format":"todo-server","version":1}'] + lines, file)
  system($'{$TODO_SERVER} import --name ann --store {g:Store()} < {file}')
  assert_equal(0, v:shell_error)
  g:Login()
  assert_equal([100001, 500], [line('$'), len(todo#Screen().body.items)])
  g:Keys('50000Gx')
  const row = getline('.')
  assert_match('^\[x\] Todo \d', row)
  g:Other([['addTodo', {title: 'On top'}]])
  g:Until(() => line('$') == 100002, 'the foreign row')
  assert_equal([50001, row], [line('.'), getline('.')])
enddef

def g:Test_30_every_action_is_a_command()
  g:Login()
  g:Keys(":Todo add Buy milk\<CR>")
  assert_equal('[ ] Buy milk', getline(2))
  g:Keys(":Todo add Say \"hi\" | wave\<CR>")
  assert_equal('[ ] Say "hi" | wave', getline(2))
  g:Keys(":Todo filter nothing\<CR>")
  g:Until(() => line('$') == 2, 'the filtered list')
  g:Keys("/\<C-u>\<CR>")
  g:Until(() => getline(3) =~# 'Buy milk', 'everything, after an empty answer')
  assert_true(index(split(todo#Complete('', '', 0)), 'reload') >= 0)
  Todo logout
  g:AtScreen('welcome')
enddef

def g:Test_31_undo_and_redo_are_actions()
  g:Login()
  g:Keys(":Todo add Buy milk\<CR>")
  g:Keys('x')
  assert_equal('[x] Buy milk', getline(2))
  g:Keys(":Todo undo\<CR>")
  assert_equal('info: Undone: Buy milk', b:todo.notes[0].text)
  assert_equal('[ ] Buy milk', getline('$'))
  g:Keys(":Todo undo\<CR>")
  assert_equal('Nothing to do.', getline('$'))
  assert_equal([], g:Stored())
  g:Keys('g?')
  const redo = getbufline(winbufnr(popup_list()[0]), 1, '$')->filter((_, line) => line =~# 'Redo')[0]
  popup_close(popup_list()[0])
  assert_match('^<C-R> U ', redo)
  g:Keys('U')
  g:Keys(":Todo redo\<CR>")
  assert_equal('[x] Buy milk', getline('$'))
  g:Keys(":Todo redo\<CR>")
  assert_true(g:Said('othing'))
enddef

def g:Test_32_doctor_shows_what_the_server_says()
  g:todo_command = split($TODO_SERVER) + ['--store', g:Store()]
  Todo doctor
  assert_equal('terminal', &buftype)
  g:Until(() => job_status(term_getjob(bufnr())) ==# 'dead', 'the end of the doctor')
  g:Until(() => match(getline(1, '$'), 'ok: todo-server') >= 0, 'what the doctor says')
  assert_match('todos.sqlite', join(getline(1, '$'), ''))
enddef
