vim9script
# With the real server, which others change, too.

def g:Test_20_foreign_edit_updates_clean_buffers_and_keeps_the_cursor()
  g:Other(range(1, 5)->mapnew((_, n) => ['addTodo', {title: 'Todo ' .. n}]))
  g:Login()
  search("Todo 2")
  g:Other([['addTodo', {title: 'On top'}]])
  g:Until(() => getline(2) =~# 'On top', 'the foreign todo in the list')
  assert_equal('[ ] Todo 2', getline('.'))
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  const id = g:Stored()->filter((_, todo) => todo.title ==# 'Todo 2')[0].id
  g:Other([['editTodo', {id: id, title: 'Todo two', note: 'theirs'}]])
  g:Until(() => getline(1) ==# 'Todo two', 'the foreign text')
  assert_false(&modified)
enddef

def g:Test_20_a_selection_has_the_rows_that_the_user_selected()
  g:Other(range(1, 3)->mapnew((_, n) => ['addTodo', {title: 'Todo ' .. n}]))
  g:Login()
  feedkeys('3GVj', 'tx')
  g:Other([['addTodo', {title: 'On top'}]])
  g:Until(() => todo#Screen().body.total == 4, 'the foreign todo')
  todo#view#Draw()
  g:Keys('x')
  const Lines = () => getline(1, '$')->filter((_, line) => line =~ '^\[')
  g:Until(() => Lines() == ['[ ] On top', '[ ] Todo 3', '[x] Todo 2', '[x] Todo 1'], 'the rows')
enddef

def g:Test_21_foreign_edit_never_touches_unsaved_text()
  const id = g:Other([['addTodo', {title: 'Buy milk', note: 'one'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>AMine\<Esc>")
  todo#view#Send(bufnr())
  g:Other([['editTodo', {id: id, note: 'theirs'}]])
  g:Until(() => g:Said('changed elsewhere'), 'the warning')
  assert_equal(['Buy milkMine', '', 'one'], getline(1, '$'))
  assert_true(&modified)
  setline(1, 'More')
  todo#view#Send(bufnr())
  assert_equal(1, len(g:Messages()->filter((_, line) => line =~# 'changed elsewhere')))
  edit!
  assert_equal(['Buy milk', '', 'theirs'], getline(1, '$'))
enddef

# A conflict shows three texts, and one of them has the user's edits.
def g:Test_29_conflict_is_three_texts_in_a_diff()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  const buf = bufnr()
  setline(3, 'on Tuesday')
  todo#view#Send(bufnr())
  g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
  g:Until(() => has_key(todo#Screen(), 'message'), 'the server to know')
  wq
  g:AtScreen('conflict')
  assert_equal(3, winnr('$'))
  assert_equal([0, 1], [bufexists(buf), &modified ? 1 : 0])
  assert_equal([1, 1, 1], range(1, 3)->mapnew((_, nr) => getwinvar(nr, '&diff') ? 1 : 0))
  assert_equal(['on Tuesday', 'on Wednesday', '<<< mine'], range(1, 3)->mapnew((_, nr) => getbufline(winbufnr(nr), 3)[0]))
  assert_equal('<<< mine', getline(3))
  assert_equal([false, false, true], range(1, 3)->mapnew((_, nr) => !!getwinvar(nr, '&modifiable')))
  g:Keys("\<C-w>k3Gdp\<C-w>j")
  assert_equal('on Wednesday', getline(3))
  setline(3, 'on Tuesday or Wednesday')
  g:Keys(":write\<CR>")
  # As after any other :w, the text stays.
  g:AtScreen('todoEdit')
  assert_equal(['Call Bea', '', 'on Tuesday or Wednesday'], getline(1, '$'))
  assert_equal([1, 0], [winnr('$'), &modified ? 1 : 0])
  assert_false(&diff)
  assert_equal('on Tuesday or Wednesday', g:Stored()[0].note)
enddef

# The server hears at which rendering the text was typed: a change that came in the same moment is not overwritten.
def g:Test_29_typed_in_the_moment_of_a_foreign_edit_is_a_conflict()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  # Nothing is drawn while an autocommand runs, just as nothing is drawn while the user types.
  g:Edit = () => {
    g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
    todo#server#Wait(() => todo#server#stack[-1].body.fields[1].value ==# 'on Wednesday', 9000)
  }
  autocmd User Moment g:Edit()
  doautocmd User Moment
  assert_equal('on Monday', getline(3))
  setline(3, 'on Monday at noon')
  g:Keys(":write\<CR>")
  g:AtScreen('conflict')
  assert_equal(['<<< mine', 'on Wednesday'], [getline(3), g:Stored()[0].note])
enddef

def g:Test_29_reading_again_brings_back_my_text_in_a_conflict()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  setline(3, 'on Tuesday')
  todo#view#Send(bufnr())
  g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
  g:Until(() => has_key(todo#Screen(), 'message'), 'the server to know')
  g:Keys(":write\<CR>")
  g:AtScreen('conflict')
  setline(3, 'nonsense')
  todo#view#Send(bufnr())
  edit!
  assert_equal(['Call Bea', '', '<<< mine', 'on Tuesday', '=== theirs', 'on Wednesday', '>>>'], getline(1, '$'))
enddef

# Edits wait while a response is due, such as those of a login: the list may be in front when they are sent.
def g:Test_78_a_late_edit_opens_no_form_over_the_list()
  g:Other([['addTodo', {title: 'Call Bea'}]])
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  const buf = bufnr()
  setline(1, 'Call Bob')
  Restart('ann')
  todo#view#Send(buf)
  g:Keys('')
  assert_equal('todoList', todo#Screen().name)
  assert_match('^todo://todoList', bufname())
  # Where the user works on it, the form is opened again.
  execute 'buffer' buf
  todo#view#Send(buf)
  g:Until(() => todo#Screen().name ==# 'todoEdit', 'the form')
  assert_equal('Call Bob', todo#Screen().body.fields[0].value)
enddef

# The text of "Call Bea", which was changed here and elsewhere, and was saved.
def Conflict(): string
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  setline(3, 'on Tuesday')
  g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
  g:Keys(":write\<CR>")
  g:AtScreen('conflict')
  return id
enddef

# Ends the server, and logs in at a new one.
def Restart(name: string)
  job_stop(job_info()->filter((_, job) => job_status(job) ==# 'run')[0], 'kill')
  g:Until(() => !todo#server#IsRunning(), 'the end of the server')
  Todo restart
  g:AtScreen('welcome')
  g:Keys($"\<CR>{name}\<CR>\<CR>")
  g:AtScreen('todoList')
enddef

def g:Test_71_text_in_a_conflict_outlives_the_server()
  Conflict()
  Restart('ann')
  assert_equal('on Wednesday', g:Stored()[0].note)
  const texts = getbufinfo()->filter((_, info) => info.listed && bufname(info.bufnr) =~# 'conflict')
  assert_equal(1, len(texts))
  execute 'buffer' texts[0].bufnr
  const proposal = ['Call Bea', '', '<<< mine', 'on Tuesday', '=== theirs', 'on Wednesday', '>>>']
  assert_equal([proposal, 1], [getline(1, '$'), &modified ? 1 : 0])
  g:Keys(":write\<CR>n")
  assert_equal([proposal, 1, 'on Wednesday'], [getline(1, '$'), &modified ? 1 : 0, g:Stored()[0].note])
  # Taking theirs drops it, after a question.
  g:Keys("\\ty")
  g:AtScreen('todoList')
  assert_equal([], getbufinfo()->filter((_, info) => bufname(info.bufnr) =~# 'conflict'))
enddef

def g:Test_72_a_text_that_changed_again_during_a_comparison_is_not_overwritten()
  const id = Conflict()
  setline(3, ['on Tuesday or Wednesday'])
  deletebufline('', 4, '$')
  todo#view#Send(bufnr())
  g:Other([['editTodo', {id: id, note: 'on Friday'}]])
  g:Until(() => todo#Screen().body.fields[2].value =~# 'Friday', 'the newest text')
  todo#view#Draw()
  # The sides are the newest, and the text stays.
  const newest = ['on Tuesday or Wednesday', 'on Friday', 1]
  assert_equal(newest, [getline(3), getbufline(b:todo.sides[1], 3)[0], &modified ? 1 : 0])
  g:Keys(":write\<CR>n")
  assert_equal('on Friday', g:Stored()[0].note)
  g:Keys(":write\<CR>y")
  g:AtScreen('todoEdit')
  assert_equal('on Tuesday or Wednesday', g:Stored()[0].note)
enddef

# The user has changed nothing in the proposal: it follows the sides.
def g:Test_79_a_proposal_that_was_only_read_is_the_newest()
  const id = Conflict()
  const proposal = getline(1, '$')
  g:Other([['editTodo', {id: id, note: 'on Friday'}]])
  g:Until(() => todo#Screen().body.fields[2].value =~# 'Friday', 'the newest text')
  todo#view#Draw()
  const newest = mapnew(proposal, (_, line) => substitute(line, 'Wednesday', 'Friday', ''))
  assert_equal([newest, 'on Friday', 1], [getline(1, '$'), getbufline(b:todo.sides[1], 3)[0], &modified ? 1 : 0])
  g:Keys(":write\<CR>y")
  g:AtScreen('todoEdit')
  assert_equal(join(newest[2 :], "\n"), g:Stored()[0].note)
enddef

# The rendering has no question yet: the server refuses the save, and the user is asked.
def g:Test_73_a_save_that_turns_out_to_ask_does()
  Conflict()
  const proposal = getline(1, '$')
  setline(3, 'both')
  deletebufline('', 4, '$')
  todo#view#Send(bufnr())
  const Asks = () => has_key(todo#screen#Named(todo#Screen().actions, 'merge', 'role'), 'confirm')
  g:Until(() => !Asks(), 'the edits at the server')
  todo#view#Draw()
  setline(1, proposal + ['more'])
  g:Keys(":write\<CR>n")
  assert_equal([1, 'on Wednesday', 1], [Asks() ? 1 : 0, g:Stored()[0].note, &modified ? 1 : 0])
  g:Keys(":write\<CR>y")
  g:AtScreen('todoEdit')
  assert_match('<<< mine.*more', g:Stored()[0].note)
enddef

def g:Test_74_text_of_another_user_is_kept_and_stored_nowhere()
  g:Other([['addTodo', {title: 'Call Bea'}]])
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  const buf = bufnr()
  setline(1, 'Call Bob')
  Restart('eve')
  execute 'buffer' buf
  g:Keys(":write\<CR>")
  assert_true(g:Said('another user'))
  assert_equal(['Call Bob', 1], [getline(1), &modified ? 1 : 0])
  assert_equal([], g:Other([['listTodos', {}]], 'eve')[0].todos)
  Restart('ann')
  execute 'buffer' buf
  g:Keys(":write\<CR>")
  assert_equal(['Call Bob', 0], [g:Stored()[0].title, &modified ? 1 : 0])
enddef

def g:Test_75_only_changed_fields_are_saved()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: "one\r\ntwo\r\n"}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  setline(1, ['Call Bob', '', 'one', 'two'])
  assert_equal({title: 'Call Bob'}, todo#paint#Typed(b:todo))
  g:Other([['editTodo', {id: id, note: 'theirs'}]])
  g:Keys(":write\<CR>")
  assert_equal(['Call Bob', 'theirs'], [g:Stored()[0].title, g:Stored()[0].note])
  assert_equal([['Call Bob', '', 'theirs'], 0], [getline(1, '$'), &modified ? 1 : 0])
enddef

# Undo would put the lines of one field into another.
def g:Test_75_undo_ends_where_a_save_brings_new_fields()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  g:Keys("Goat noon\<Esc>")
  g:Other([['editTodo', {id: id, due: '2026-12-24', labels: ['red']}]])
  g:Keys(":write\<CR>")
  const lines = ['Call Bea', '2026-12-24', 'red', '', 'on Monday', 'at noon']
  assert_equal(lines, getline(1, '$'))
  g:Keys('u')
  assert_equal([lines, 0], [getline(1, '$'), &modified ? 1 : 0])
  # It stays while the fields are the same.
  g:Keys("GA or one\<Esc>:write\<CR>u:write\<CR>")
  assert_equal(lines, getline(1, '$'))
  const todo = g:Stored()[0]
  assert_equal(['Call Bea', "on Monday\nat noon", '2026-12-24', ['red']], [todo.title, todo.note, todo.due, todo.labels])
enddef

# Drafts are drawn by what draws any list.
def g:Test_76_drafts_are_drawn()
  const actions = [
    {name: 'open', title: 'Open', enabled: true, scope: 'item', role: 'open', key: 'o', primary: true},
    {name: 'discard', title: 'Discard', enabled: true, scope: 'item', role: 'remove', key: 'd', confirm: 'Discard this draft?'}]
  const drafts = {id: 'drafts/ann', name: 'drafts', title: 'Drafts', bar: {visible: false}, actions: actions,
    message: {id: 1, level: 'info', text: '1 draft.'},
    body: {kind: 'list', total: 1, offset: 0, empty: 'None.', items: [{id: 'd1', title: 'Call Bea', badge: 'draft'}]}}
  const params = json_encode({revision: 1, rendering: {items: [{screen: drafts}]}})
  writefile([$'<-- {{"method":"workflow/render","params":{params}}}'], $HOME .. '/drafts.txt')
  g:todo_command = ['python3', g:tests .. '/player.py', $HOME .. '/drafts.txt']
  Todo
  g:AtScreen('drafts')
  assert_equal(['Drafts', 'Call Bea'], getline(1, '$'))
  assert_equal(['info: 1 draft.', 'draft'], mapnew(b:todo.notes, (_, note) => note.text))
  g:Keys('g?')
  assert_match('^<CR> o *\[Open\]', getbufline(winbufnr(popup_list()[0]), 1)[0])
  assert_match('^dd *\[Discard\]', getbufline(winbufnr(popup_list()[0]), 2)[0])
  popup_clear()
enddef

# No action of rows is done to a row that can only be read, alone or among others, but opening it is.
def g:Test_77_row_can_only_be_read()
  const actions = [
    {name: 'open', title: 'Open', enabled: true, scope: 'item', role: 'open', key: 'o', primary: true},
    {name: 'drop', title: 'Drop', enabled: true, scope: 'item', role: 'remove', key: 'd', many: true}]
  const items = [{id: 'p1', title: 'Rex'}, {id: 'p2', title: 'Pia', readOnly: true}]
  const pets = {id: 'pets', name: 'pets', title: 'Pets', bar: {visible: false}, actions: actions,
    body: {kind: 'list', total: 2, offset: 0, empty: 'None.', items: items}}
  const params = json_encode({revision: 1, rendering: {items: [{screen: pets}]}})
  writefile([$'<-- {{"method":"workflow/render","params":{params}}}'], $HOME .. '/pets.txt')
  g:todo_command = ['python3', g:tests .. '/player.py', $HOME .. '/pets.txt']
  Todo
  g:AtScreen('pets')
  g:Keys('2Gg?')
  assert_match('\[Drop\]$', getbufline(winbufnr(popup_list()[0]), 2)[0])
  popup_clear()
  g:Keys('3Gg?')
  assert_match('\[Open\]$', getbufline(winbufnr(popup_list()[0]), 1)[0])
  assert_match('(Drop)$', getbufline(winbufnr(popup_list()[0]), 2)[0])
  popup_clear()
  for keys in ['3Gdd', '2G2dd', '2GVjd']
    messages clear
    feedkeys(keys, 'tx')
    assert_true(g:Said('“Pia” can only be read'), keys)
    assert_equal(0, todo#server#pending, keys)
  endfor
enddef

# A todo that another client removed comes back with R, the cursor and Enter.
def g:Test_removed_todo_is_restored()
  const todos = g:Other([['addTodo', {title: 'Rent', note: 'kept'}], ['addTodo', {title: 'Milk'}]])
  g:Login()
  g:Other(todos->mapnew((_, one) => ['removeTodo', {id: one.todo.id}]))
  g:Until(() => search('Milk', 'n') == 0 && search('Rent', 'n') == 0, 'the removals')
  g:Keys('R')
  g:AtScreen('removed')
  search('^Rent')
  g:Keys("\<CR>")
  g:Until(() => search('^Rent', 'nw') == 0 && search('^Milk', 'nw') > 0, 'the row to go')
  g:Keys('-')
  g:AtScreen('todoList')
  g:Until(() => search('^\[ \] Rent', 'nw') > 0, 'the restored todo')
  assert_equal('kept', g:Stored()[0].note)
enddef
