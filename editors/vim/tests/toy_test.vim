vim9script
# Cases that a real server seldom produces, with a toy about pets. The plugin is not made for
# either.

def g:Test_02_screens_of_another_application_are_drawn()
  g:Toy()
  assert_equal(['Zoo', '[ ] Pet 1', '[ ] Pet 2', '[ ] Pet 3'], getline(1, '$'))
  g:Keys("x\<CR>")
  g:AtScreen('pet')
  assert_equal(['Pet 1', ''], getline(1, '$'))
  setline(3, 'story')
  g:Keys(":write\<CR>")
  assert_false(&modified)
  g:Keys('-')
  g:AtScreen('zoo')
  assert_equal({story: 'story'}, g:Told('screen/act')[-2].values)
  g:Keys("aRex\<CR>secret\<CR>")
  assert_equal('[ ] Rex', getline(2))
  g:Keys("aNobody\<C-c>")
  assert_equal(5, line('$'))
  assert_equal({pet: 'Rex', code: 'secret'}, g:Told('screen/act')[-1].values)
enddef

def g:Test_18_what_is_typed_at_the_prompt_is_validated_live()
  g:todo_command = ['python3', g:tests .. '/toy_server.py']
  $TOY_LOG = $HOME .. '/toy.log'
  Todo
  g:AtScreen('gate')
  g:Keys("\<CR>bad\<CR>\<C-c>")
  assert_equal(['b', 'ba', 'bad'], g:Told('screen/change')->mapnew((_, params) => params.values.name))
  assert_equal('! A bad name.', getline(3))
  g:Keys("2G\<CR>x\<C-c>")
  assert_equal('Name: bad', getline(2))
  g:Keys("4G\<CR>1234\<CR>")
  assert_equal({pin: '1234'}, g:Told('screen/act')[-1].values)
enddef

def g:Test_08_progress_is_drawn()
  g:Toy()
  Todo leave
  g:AtScreen('gate')
  g:Keys('w')
  g:AtScreen('wait')
  assert_equal(['Waiting', 'Counting ██████░░░░░░░░░░░░░░ 3/10'], getline(1, '$'))
  assert_match('[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Waiting', todo#Statusline())
  g:Keys('-')
  g:AtScreen('gate')
enddef

def g:Test_20_windows_are_asked_for_and_bases_are_sent()
  g:Toy()
  assert_equal({window: 500, frontOnly: true, preview: true}, g:Told('initialize')[0].capabilities.render)
  g:Keys("\<CR>AX\<Esc>")
  const base = todo#server#stack[-1].body.base
  todo#view#Send(bufnr())
  g:Until(() => todo#server#stack[-1].body.base !=# base, 'the answer')
  assert_notequal(base, todo#server#stack[-1].body.base)
  todo#view#Draw()
  g:Keys("AY\<Esc>")
  g:Keys(":write\<CR>")
  assert_equal([base], (g:Told('screen/change')[-1 :] + g:Told('screen/act')[-1 :])->mapnew((_, params) => params.base)->uniq())
  g:Keys('-')
  g:AtScreen('zoo')
  assert_equal('[ ] Pet 1XY', getline(2))
enddef

# A form with two short fields and a long one is a text, whose line feeds are kept.
def g:Test_48_two_short_fields_and_a_long_one_are_a_text()
  g:Toy({TOY_KIND: '1'})
  g:Keys("\<CR>")
  g:AtScreen('pet')
  setline(1, ['Rex', 'dog', '', 'one', '', 'two'])
  g:Keys(":write\<CR>")
  assert_equal({title: 'Rex', kind: 'dog', story: "one\n\ntwo"}, g:Told('screen/act')[-1].values)
  assert_equal(['Name', 'Kind', 'Story'], mapnew(b:todo.notes, (_, note) => note.text))
enddef

# The sides of a conflict: mine, the merged one, and theirs.
def g:Test_49_sides_are_compared_with_the_merged_one_below_or_in_the_middle()
  g:Toy()
  Todo sides
  g:AtScreen('sides')
  assert_equal(['MINE', 'THEIRS', 'MERGED'], range(1, 3)->mapnew((_, nr) => matchstr(getbufvar(winbufnr(nr), 'todo').title, '^\w*')))
  assert_true(&modifiable)
  setline(3, 'both')
  g:Keys(":write\<CR>")
  assert_equal({merged: "Rex\n\nboth"}, g:Told('screen/act')[-1].values)
  g:AtScreen('zoo')
enddef

def g:Test_14_the_menu_saves_what_was_typed()
  g:Toy()
  g:Keys("\<CR>ccTyped\<Esc>")
  todo#Act('keep')
  g:Keys('-')
  g:AtScreen('zoo')
  assert_equal('[ ] Typed', getline(2))
enddef

def g:Test_23_a_crash_is_one_line_and_keeps_unsaved_text()
  g:Toy()
  g:Keys("\<CR>ccUnsaved\<Esc>")
  const buf = bufnr()
  job_stop(job_info()[0], 'kill')
  g:Until(() => g:Said('the server ended (signal kill)'), 'the reason')
  assert_match('signal kill', todo#News())
  assert_equal('Unsaved', getline(1))
  write
  assert_true(&modified)
  assert_true(g:Said('the server is not running'))
  g:Keys('-')
  assert_equal([], g:Messages()->filter((_, line) => line =~# 'E\d\+:\|line '))
  Todo restart
  g:AtScreen('gate')
  assert_equal(['Unsaved'], getbufline(buf, 1))
  assert_true(getbufvar(buf, '&modified'))
  assert_true(getbufvar(buf, '&buflisted'))
  assert_true(g:Said('its unsaved text stays'))
  execute 'buffer' buf
  todo#view#Draw()
  assert_equal('Unsaved', getline(1))
enddef

def g:Test_23_unsaved_text_is_never_saved_to_another_item()
  g:Toy()
  g:Keys("\<CR>ccUnsaved\<Esc>")
  const buf = bufnr()
  Todo restart
  g:AtScreen('gate')
  g:Keys("\<CR>ann\<CR>\<CR>")
  g:AtScreen('zoo')
  g:Keys("3G\<CR>")
  g:AtScreen('pet')
  assert_equal('Pet 2', getline(1))
  assert_notequal(buf, bufnr())
  assert_equal(['Unsaved'], getbufline(buf, 1))
enddef

def g:Test_23_the_last_line_of_a_crash_is_shown()
  g:Toy()
  Todo crash
  g:Until(() => g:Said('the server ended (code 3): out of pets'), 'the reason')
enddef

def g:Test_24_restart_works_twice()
  g:Toy()
  for _ in range(2)
    messages clear
    Todo crash
    g:Until(() => g:Said('the server ended'), 'the end')
    Todo restart
    g:AtScreen('gate')
    g:Keys("\<CR>ann\<CR>\<CR>")
    g:AtScreen('zoo')
  endfor
enddef

def g:Test_25_a_missing_server_is_one_line()
  for command in [['/no/such'], ['no-such'], [g:tests .. '/helpers.vim'], []]
    g:todo_command = command
    messages clear
    Todo
    assert_equal(1, len(g:Messages()))
    assert_true(g:Said('todo: cannot run'))
    assert_equal('', bufname())
  endfor
  messages clear
  Todo doctor
  assert_true(g:Said('todo: cannot run'))
enddef

def g:Test_25_a_server_that_is_none()
  g:todo_command = ['sh', '-c', 'echo not a server >&2; exit 7']
  Todo
  g:Until(() => g:Said('the server ended (code 7): not a server'), 'the reason')
enddef

def g:Test_25_the_line_of_a_crash_is_shown_whole()
  const line = $"todo-server crashed: SIGSEGV. {repeat('Send this line. ', 30)}frames 1a2b"
  g:todo_command = ['sh', '-c', $'echo "{line}" >&2; kill -SEGV $$']
  Todo
  g:Until(() => g:Said('the server ended (signal segv)'), 'the reason')
  assert_true(g:Said(line), string(g:Messages()))
enddef

def g:Test_27_a_slow_save_times_out_and_is_late()
  g:HoldingToy()
  g:Keys("\<CR>ccslow\<Esc>")
  const buf = bufnr()
  write
  assert_true(&modified)
  assert_true(g:Said('no answer in 5 s'))
  delete($TOY_HOLD)
  g:Until(() => !getbufvar(buf, '&modified'), 'the late answer')
  assert_equal('slow', getline(1))
  g:Keys('-')
  g:AtScreen('zoo')
  assert_equal('[ ] slow', getline(2))
enddef

# A save that is answered late: new edits are based on it, unless others changed the text in the same moment.
def g:Test_70_text_typed_during_a_save_overwrites_nothing_that_was_not_shown()
  for foreign in ['', 'Foreign']
    $TOY_FOREIGN = foreign
    g:HoldingToy()
    g:Keys("\<CR>ccslow\<Esc>")
    const buf = bufnr()
    const base = b:todo.version.base
    write
    assert_true(g:Said('no answer in 5 s'))
    setline(1, 'slow and more')
    todo#view#Send(buf)
    delete($TOY_HOLD)
    g:Until(() => todo#server#pending == 0, 'the late answer')
    assert_equal(['slow and more', 1], [getline(1), &modified ? 1 : 0])
    const newest = todo#server#stack[-1].body.base
    write
    assert_equal(empty(foreign) ? newest : base, g:Told('screen/act')[-1].base)
    assert_equal({title: 'slow and more'}, g:Told('screen/act')[-1].values)
    Todo stop
    execute 'bwipeout!' buf
  endfor
enddef

# The buffer of a text is gone when the answer to leaving it comes.
def g:Test_27_an_answer_may_come_long_after_its_rendering()
  g:HoldingToy({TOY_LATE: 'back'})
  g:Keys("\<CR>")
  g:AtScreen('pet')
  const buf = bufnr()
  feedkeys('-', 'tx')
  g:AtScreen('zoo')
  assert_false(bufexists(buf))
  assert_equal(1, todo#server#pending)
  delete($TOY_HOLD)
  g:Until(() => todo#server#pending == 0, 'the answer')
  assert_equal([], g:Messages()->filter((_, line) => line =~# 'E\d\+:\|line '))
enddef

def g:Test_27_a_slow_action_does_not_hold_up_typing()
  g:HoldingToy()
  Todo hang
  assert_match('…', todo#News())
  new
  feedkeys("ityping\<Esc>", 'tx')
  assert_equal(['typing', 1], [getline(1), todo#server#pending])
  assert_false(g:Said('no answer'))
  delete($TOY_HOLD)
enddef

def g:Test_28_a_list_of_100000_rows()
  g:Toy({TOY_PETS: '100000'})
  assert_equal('[ ] Pet 1', getline(2))
  assert_equal(100001, line('$'))
  g:Keys('70001Gx')
  assert_equal('[x] Pet 70000', getline(70001))
  assert_equal(70001, line('.'))
  g:Keys('x')
  assert_equal('[ ] Pet 70000', getline(70001))
enddef

def g:Test_33_the_menu_has_every_action()
  g:Toy()
  g:Keys('g?')
  const popup = popup_list()[0]
  const lines = getbufline(winbufnr(popup), 1, '$')
  assert_match('^<CR> o *\[Open\]', lines[0])
  assert_match('^dd r *\[Free\]', lines[2])
  assert_match('^v *(Never)', lines[9])
  # An empty line separates the actions of a row from those of the screen.
  assert_equal(1, count(lines, ''))
  popup_close(popup, 2)
  assert_equal('[x] Pet 1', getline(2))
  # Any other key closes it, and does nothing else.
  g:Keys('g?')
  g:Keys('x')
  assert_equal([[], '[x] Pet 1'], [popup_list(), getline(2)])
enddef

def g:Test_34_focus_and_other_windows_are_left_alone()
  g:Toy()
  vnew
  Todo restart
  wincmd p
  g:Until(() => [1, 2]->mapnew((_, nr) => bufname(winbufnr(nr)))->sort() == ['', 'todo://gate'], 'the gate beside it')
  wincmd p
  const here = win_getid()
  todo#view#Draw()
  assert_equal(here, win_getid())
enddef

def g:Test_55_a_list_says_how_it_stands_towards_its_source()
  const Utc = (seconds: number) => trim(system($'date -u -d @{localtime() + seconds} +%Y-%m-%dT%H:%M:%S.000Z'))
  const Standing = (status: dict<any>) => todo#screen#Standing({body: {status: status}})
  for zone in ['UTC0', 'AAA-5:30', 'BBB+3:30']
    $TZ = zone
    assert_equal('3 pending, 1 conflict, 2 failed', Standing({pending: 3, conflicts: 1, failed: 2}))
    assert_equal('2 conflicts, synced 2 min ago', Standing({pending: 0, conflicts: 2, syncedAt: Utc(-150)}))
    assert_equal('synced 5 h ago, again in 3 min', Standing({syncedAt: Utc(-5 * 3600 - 60), retryAt: Utc(210)}))
    assert_match('^again in [34]\d s$', Standing({retryAt: Utc(45)}))
    assert_equal('', Standing({retryAt: Utc(-45)}))
  endfor
  assert_equal('', todo#screen#Standing({body: {}}))
enddef

def g:Test_56_no_key_is_mapped_where_that_is_not_wanted_and_each_role_has_a_plug()
  g:todo_no_maps = 1
  nmap Z <Plug>(todo-toggle)
  $TOY_LOG = $HOME .. '/toy.log'
  g:todo_command = ['python3', g:tests .. '/toy_server.py']
  Todo
  g:AtScreen('gate')
  assert_equal('', execute('nmap <buffer>')->matchstr('todo#'))
  g:Keys(":call todo#Do('login')\<CR>ann\<CR>1234\<CR>")
  g:AtScreen('zoo')
  g:Keys('Z')
  assert_equal('[x] Pet 1', getline(2))
enddef

def g:Test_57_modifiers_of_the_command_are_obeyed()
  g:Toy()
  new
  vertical Todo
  assert_equal('row', winlayout()[1][0][0])
  assert_match('todo://zoo', bufname())
enddef
