vim9script
# Draws every rendering of every transcript, and compares it with its picture.

const FIXTURES = g:tests .. '/../../../Fixtures'

import autoload 'todo/paint.vim' as paint
import autoload 'todo/screen.vim' as draw

# The names of the actions as the menu has them. The menu also dims those that the row of the cursor does not have.
def Actions(screen: dict<any>): list<string>
  todo#Menu()
  const popup = popup_list()[0]
  const lines = getbufline(winbufnr(popup), 1, '$')->filter((_, line) => !empty(line))
  const labels = mapnew(lines, (_, line) => matchstr(line, '[[(]\w.*$'))
  popup_close(popup)
  assert_equal(mapnew(screen.actions, (_, action) => action.title), mapnew(labels, (_, label) => label[1 : -2]))
  const row = draw.Named(get(screen.body, 'items', []), paint.TargetAt(b:todo, line('.')), 'id')
  for [index, action] in items(screen.actions)
    assert_equal(draw.IsPossible(action, row) ? '[' : '(', labels[index][0], action.name)
  endfor
  return mapnew(screen.actions, (_, action) => action.enabled ? $'[{action.name}]' : $'({action.name})')
enddef

# A text as the picture has it. A document has no labels, its title and what is wrong are in the status line.
def Document(screen: dict<any>): list<string>
  var [lines, status] = [[screen.title], todo#Statusline()]
  assert_match('\V' .. (b:todo.side ?? screen.title), status)
  final drawn: dict<list<string>> = {}
  for buf in [b:todo.home.buf] + b:todo.sides
    const fields = getbufvar(buf, 'todo').fields
    const names = mapnew(fields, (_, field) => field.name)
    var texts: list<string> = []
    var rest = getbufline(buf, 1, '$')
    const notes = mapnew(getbufvar(buf, 'todo').notes, (_, note) => note.text)
    for field in fields
      if len(names) == 1
        assert_match($'^{field.label}: .*{screen.title}', getbufvar(buf, 'todo').title)
      else
        assert_true(index(notes, field.label) >= 0, field.label)
      endif
      if !has_key(field, 'multiline')
        add(texts, $'{field.label}: {remove(rest, 0)}')
      else
        const text = len(names) > 1 && rest[0] ==# '' ? rest[1 :] : rest
        const shown = empty(text) ? [''] : text
        extend(texts, [field.label .. ':'] + mapnew(shown, (_, line) => '| ' .. trim(line, "\r", 2)))
      endif
      if index(notes, $'! {get(field, 'error', '?')}') >= 0
        add(texts, $'! {field.error}')
      endif
    endfor
    drawn[len(names) == 1 ? names[0] : ''] = texts
  endfor
  # The sides stand as they are compared; what was there before is shown on demand.
  for field in get(screen.body, 'layout', '') ==# 'compare' ? screen.body.fields : [{name: ''}]
    if !has_key(drawn, field.name)
      todo#Before()
      drawn[field.name] = [field.label .. ':'] + mapnew(getbufline(winbufnr(popup_list()[0]), 1, '$'), (_, line) => '| ' .. line)
      popup_clear()
    endif
    extend(lines, drawn[field.name])
  endfor
  const news = !empty(b:todo.side) ? [printf('%s: %s', screen.message.level, screen.message.text)] : []
  if !empty(news)
    assert_equal('todo: ' .. screen.message.text, g:Messages()[-1])
  endif
  return lines + (empty(news) ? [matchstr(todo#News(), '\(info\|warning\|error\): .*')] : news)
enddef

def Drawn(): list<string>
  const screen = todo#Screen()
  const actions = Actions(screen)
  # The editor shows nothing for a password that was not typed into it.
  var lines = getline(1, '$')->map((_, line) => screen.body.kind ==# 'form' && line ==# 'Password:' ? line .. ' ***' : line)
  final notes: list<any> = has_key(b:todo, 'fields') ? [] : b:todo.notes
  for note in copy(notes)->filter((_, note) => note.place !=# 'below')
    if note.place ==# 'above'
      lines[note.line - 1] = $'# {note.text}' .. "\n" .. lines[note.line - 1]
    endif
    if note.place ==# 'above' || note.text ==# ' ≡'
      continue
    endif
    const item = screen.body.items[note.line - b:todo.first]
    const labels = get(item, 'labels', [])->mapnew((_, label) => '#' .. label)
    assert_true(index([get(item, 'detail', ''), get(item, 'badge', '')] + labels, note.text) >= 0, note.text)
    # The labels have one dot before them all.
    lines[note.line - 1] ..= (index(labels, note.text) > 0 ? ' ' : ' · ') .. note.text
  endfor
  if has_key(b:todo, 'fields')
    lines = Document(screen)
  else
    # The message is above the rows, which may be many.
    lines += copy(notes)->filter((_, note) => note.place ==# 'below')->map((_, note) => note.text)
  endif
  return (lines + [join(actions)])->join("\n")->split("\n")->map((_, line) => trim(substitute(line, ' [█░]\+', '', ''), ' ', 2))->filter((_, line) => !empty(line))
enddef

def g:Test_35_every_transcript_is_drawn_as_its_pictures()
  # The server itself writes down whole renderings, where the transcripts have but their pictures.
  const folder = $HOME .. '/Fixtures'
  system($'cp -r {shellescape(FIXTURES)} {shellescape(folder)}')
  final files: list<string> = glob(folder .. '/transcripts/*/*.txt', false, true)
  mapnew(files, (_, file) => readfile(file)->filter((_, line) => line !~# '^renderings:')->writefile(file))
  system($TODO_SERVER .. ' replay --update ' .. files->mapnew((_, file) => shellescape(file))->join())
  assert_equal(0, v:shell_error)
  var count = 0
  # Patches are for those who ask for them.
  for file in files->filter((_, file) => match(readfile(file), '^== ') >= 0 && match(readfile(file), '"patch":true') < 0)
    g:todo_command = ['python3', g:tests .. '/player.py', file]
    Todo restart
    var left = 1
    while left > 0
      var result: dict<any> = {}
      todo#server#Request('test/next', {}, (reply) => extend(result, reply.result))
      g:Until(() => !empty(result), 'the next rendering of ' .. file)
      # The user of the transcript types elsewhere: here nothing is unsaved.
      mapnew(paint.Ours(), (_, buf) => extend(paint.Of(buf), {is_asked: false}))
      todo#view#Draw()
      if !empty(result.picture)
        assert_equal(result.picture, Drawn(), file)
        count += 1
      endif
      left = result.left
    endwhile
  endfor
  assert_inrange(100, 10000, count)
enddef
