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

def g:Test_21_foreign_edit_never_touches_unsaved_text()
  const id = g:Other([['addTodo', {title: 'Buy milk', note: 'one'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>AMine\<Esc>")
  todo#view#Tell(bufnr())
  g:Other([['editTodo', {id: id, note: 'theirs'}]])
  g:Until(() => g:Said('changed elsewhere'), 'the warning')
  assert_equal(['Buy milkMine', '', 'one'], getline(1, '$'))
  assert_true(&modified)
  setline(1, 'More')
  todo#view#Tell(bufnr())
  assert_equal(1, len(g:Messages()->filter((_, line) => line =~# 'changed elsewhere')))
  edit!
  assert_equal(['Buy milk', '', 'theirs'], getline(1, '$'))
enddef

# A conflict comes up with three texts; what was typed stays in one of them.
def g:Test_29_conflict_is_three_texts_in_a_diff()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  const buf = bufnr()
  setline(3, 'on Tuesday')
  todo#view#Tell(bufnr())
  g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
  g:Until(() => has_key(todo#Screen(), 'message'), 'the server to know')
  wq
  g:AtScreen('conflict')
  assert_equal(3, winnr('$'))
  assert_false(bufexists(buf))
  assert_equal([1, 1, 1], range(1, 3)->mapnew((_, nr) => getwinvar(nr, '&diff') ? 1 : 0))
  assert_equal(['on Tuesday', '<<< mine', 'on Wednesday'], range(1, 3)->mapnew((_, nr) => getbufline(winbufnr(nr), 3)[0]))
  assert_equal('<<< mine', getline(3))
  assert_equal([false, true, false], range(1, 3)->mapnew((_, nr) => !!getwinvar(nr, '&modifiable')))
  g:Keys("\<C-w>l3Gdp\<C-w>h")
  assert_equal('on Wednesday', getline(3))
  setline(3, 'on Tuesday or Wednesday')
  write
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
  # Nothing is drawn while an autocommand runs, as nothing is drawn in the moment in which somebody types.
  g:Edit = () => {
    g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
    todo#server#Wait(() => todo#server#stack[-1].body.fields[1].value ==# 'on Wednesday', 9000)
  }
  autocmd User Moment g:Edit()
  doautocmd User Moment
  assert_equal('on Monday', getline(3))
  setline(3, 'on Monday at noon')
  write
  g:AtScreen('conflict')
  assert_equal(['<<< mine', 'on Wednesday'], [getline(3), g:Stored()[0].note])
enddef

def g:Test_29_reading_again_brings_back_my_text_in_a_conflict()
  const id = g:Other([['addTodo', {title: 'Call Bea', note: 'on Monday'}]])[0].todo.id
  g:Login()
  g:Keys("\<CR>")
  g:AtScreen('todoEdit')
  setline(3, 'on Tuesday')
  todo#view#Tell(bufnr())
  g:Other([['editTodo', {id: id, note: 'on Wednesday'}]])
  g:Until(() => has_key(todo#Screen(), 'message'), 'the server to know')
  write
  g:AtScreen('conflict')
  setline(3, 'nonsense')
  todo#view#Tell(bufnr())
  edit!
  assert_equal(['Call Bea', '', '<<< mine', 'on Tuesday', '=== theirs', 'on Wednesday', '>>>'], getline(1, '$'))
enddef
