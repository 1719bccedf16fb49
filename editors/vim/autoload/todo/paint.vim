vim9script
scriptencoding utf-8
# The contents of the buffers: a screen has one, or several when sides are compared, and b:todo
# describes it.

import autoload './server.vim'
import autoload './screen.vim' as draw
import autoload './view.vim'

# The width in columns from which a window shows notes beside its rows.
export const PREVIEW_COLUMNS = 100
const GROUPS = {todoTitle: 'Title', todoLabel: 'Comment', todoMuted: 'Comment', todoTag: 'Folded',
  todoError: 'ErrorMsg', todoNotice: 'MoreMsg', todoAlert: 'WarningMsg', todoDone: 'NONE',
  todoHelp: 'todoMuted', todoNews: 'todoAlert', todoPopup: 'Normal', todoQuestion: 'Question'}
const LEVELS = {info: 'todoNotice', warning: 'todoAlert', error: 'todoError'}

# Describes the contents of a buffer: {buf, id, screen, title, base, ...}, or {} if it is not a todo
# buffer, or `:q!` has unloaded it. `home` is the description on which actions work: that of the
# editable side, or else itself.
export def Of(buf: number): any
  return bufloaded(buf) ? getbufvar(buf, 'todo', {}) : {}
enddef

export def Ours(): list<number>
  return getbufinfo()->mapnew((_, info) => info.bufnr)->filter((_, buf) => !empty(Of(buf)))
enddef

# Whether the user is just typing: text, a command, or into a terminal; or selects.
export def IsTyping(): bool
  return mode(1) =~# "^n\\=[iRctvV\<C-v>]"
enddef

# The texts of a buffer, by field. The form may have got other fields since they were put there.
export def Texts(here: any): dict<string>
  Follow(here)
  const fields = get(here, 'laid_out', get(here, 'fields', []))
  return empty(fields) ? {} : draw.Values(fields, getbufline(here.buf, 1, '$'))
enddef

# Those of these texts that the user changed since they were loaded. He does not see how lines end.
def Changed(texts: dict<string>, loaded: dict<string>): dict<string>
  const Plain = (text: string) => substitute(text, "\r\n", "\n", 'g')
  return copy(texts)->filter((name, text) => Plain(text) !=# Plain(get(loaded, name, text)))
enddef

# The texts that the user changed, and those that the server has as unsaved edits.
def Edits(here: any): dict<string>
  const mine = Changed(Texts(here), here.version.loaded)->extend(here.told)
  return Texts(here)->filter((name, _) => has_key(mine, name))
enddef

# The texts that belong to the user: changed ones, those that the server has as unsaved edits, and
# all of a form that was opened with such edits, or of a comparison that a save led to.
export def Typed(here: any): dict<string>
  return here.is_asked ? Texts(here) : Edits(here)
enddef

# Whether a buffer has unsaved text, or only such as the user changed, or the user is typing there.
export def IsUnsaved(buf: number, is_changed = false): bool
  const here = Of(buf)
  const Edited = (): any => is_changed ? Edits(here) : Typed(here)
  return has_key(here, 'fields') && (buf == bufnr() && IsTyping() || !empty(Edited()))
enddef

# Returns the params of a request about the screen of a buffer, with the version on which its text
# is based.
export def Params(here: any, more: dict<any>): dict<any>
  here.told = empty(get(more, 'values', {})) ? here.told : Changed(more.values, here.version.loaded)
  return extend({screen: here.screen.name, base: here.version.base}, more)
enddef

# The item or the field at a line of a buffer, by its name, or ''.
export def TargetAt(here: any, line: number): string
  return line < here.first ? '' : get(here.targets, line - here.first, '')
enddef

# The screens with a body. The server sends only the names of those far below.
export def Screens(): list<any>
  return copy(server.stack)->filter((_, screen) => has_key(screen, 'body'))
enddef

# Shows the newest of a screen.
export def Repaint(here: any)
  Paint(draw.Named(Screens(), here.screen.id, 'id') ?? here.screen)
enddef

# Shows a screen in its buffers, and answers the one that is acted on.
export def Paint(screen: any): number
  const texts = draw.Texts(screen)
  const bufs = empty(texts) ? [PaintRows(screen)]
    : mapnew(texts, (_, fields) => PaintText(screen, fields, len(texts) > 1))
  for buf in bufs
    extend(Of(buf), {home: Of(bufs[0]), sides: bufs[1 :]})
  endfor
  return bufs[0]
enddef

# Shows the counts of a list, a sign of a request in flight and the key of the help at the right of
# the first line, in a window without a status line. Counts without room are left out, the last first.
export def Tell(buf: number)
  prop_remove({types: ['todoHelp'], bufnr: buf, all: true}, 1, Last(buf))
  if !view.HasStatusline()
    const help = {type: 'todoHelp', bufnr: buf, text_align: 'right'}
    const state = draw.Joined([server.pending > 0 ? '…' : '', todo#Frame() .. 'g? help'], '  ')
    const room = winwidth(bufwinid(buf)) - strwidth(getbufline(buf, 1)[0] .. state)
    var counts = draw.Standing(Of(buf).screen)
    while !empty(counts) && strwidth(counts) + 3 > room
      counts = substitute(counts, '\(, \)\=[^,]*$', '', '')
    endwhile
    prop_add(1, 0, extend({text: draw.Joined([counts, state], '  ')}, help))
  endif
enddef

# The buffer that is about `id`, and shows a screen, or a side of it, without anything beside it.
def Buffer(id: string, side: string, screen: any, is_text: bool): number
  const subject = get(screen, 'subject', '')
  var buf = get(Ours()->filter((_, one) => Of(one).id ==# id), 0, 0)
  if buf == 0
    var name = draw.Joined(['todo:/', screen.name, side, subject], '/')
      ->substitute('[[:cntrl:]]', ' ', 'g')
    while bufloaded(name)
      name ..= '+'
    endwhile
    buf = bufadd(name)
    # Before it is loaded, or Vim looks for a folder of that name.
    setbufvar(buf, '&buftype', 'acwrite')
    noautocmd silent bufload(buf)
    for [option, value] in items({bufhidden: 'hide', swapfile: false, buflisted: false,
        modifiable: false, modeline: false, undolevels: -1, textwidth: 0, wrapmargin: 0,
        formatoptions: substitute(&g:formatoptions, '\Ca', '', 'g')})
      setbufvar(buf, '&' .. option, value)
    endfor
    # For a text: the version that it is based on, the versions by undo step, the edits that the
    # server has, and whether all fields are unsaved edits.
    final nothing = {first: 1, targets: [], typed: {}, version: {base: null, loaded: {}}, steps: {}, step: 0, told: {}}
    setbufvar(buf, 'todo', extend({buf: buf, id: id, screen: screen, is_asked: false}, nothing))
    setbufvar(buf, '&filetype', is_text ? 'todotext' : 'todo')
    listener_add((changed, _, _, _, _) => view.SendSoon(changed), buf)
  endif
  const title = draw.Joined([side, draw.Joined([subject, screen.title], ' · ')], ': ')
  extend(Of(buf), {screen: screen, title: title, side: side, notes: []})
  prop_remove({types: keys(GROUPS), bufnr: buf, all: true}, 1, Last(buf))
  return buf
enddef

# The text of a form. What belongs to the user stays, and what does not follows the store, but not
# while a response is due. So does the proposal of a comparison that the user has not changed. The
# other sides are always the newest.
def PaintText(screen: any, fields: list<any>, is_side: bool): number
  const side = is_side ? fields[0] : {name: '', label: ''}
  const buf = Buffer(screen.id .. side.name, side.label, screen, true)
  final here = extend(Of(buf), {fields: fields})
  const is_typed = !has_key(fields[0], 'readOnly')
  const is_free = !is_typed || server.pending == 0
  if empty(here.version.loaded) && is_typed
    # A new form may have unsaved edits: a draft, or those of a buffer that is gone.
    here.is_asked = here.is_asked || has_key(draw.Leave(screen), 'confirm')
  endif
  if empty(here.version.loaded) || is_free && !IsUnsaved(buf, is_side)
    Adopt(here)
    setbufvar(buf, '&modified', false)
    here.adopted = getbufvar(buf, 'changedtick')
  endif
  setbufvar(buf, '&modified', here.is_asked || getbufvar(buf, '&modified'))
  # The names of the fields are above their lines, and the error messages below them.
  for [index, field] in items(fields)
    const is_long = has_key(field, 'multiline')
    const line = min([is_long && index > 0 ? index + 2 : index + 1, Last(buf)])
    if !is_side
      Note(buf, line, 'todoLabel', field.label, 'above')
    endif
    if has_key(field, 'error')
      Note(buf, is_long ? Last(buf) : line, 'todoError', '! ' .. field.error, 'below')
    endif
  endfor
  return buf
enddef

# Takes the base of a form, and its texts where they do not belong to the user. Texts that do are
# based on `own`, if it is not null. The undo history ends where fields are added or removed: undo
# would put the lines of one field into another.
export def Adopt(here: any, own: any = null)
  const Names = (fields: list<any>) => mapnew(fields, (_, field) => field.name)
  const has_new_fields = Names(here.fields) != Names(get(here, 'laid_out', []))
  const newest = draw.Values(here.fields, draw.Lines(here.fields))
  const mine = Changed(Texts(here), here.version.loaded)
  const lines = draw.Lines(here.fields, extendnew(newest, mine))
  const loaded = mapnew(newest, (name, text) => has_key(mine, name) ? here.version.loaded[name] : text)
  final version = {base: own == null || empty(mine) ? get(here.screen.body, 'base', null) : own, loaded: loaded}
  if has_new_fields || getbufline(here.buf, 1, '$') != lines
    # Without levels, a change drops all steps.
    setbufvar(here.buf, '&undolevels', has_new_fields ? -1 : &g:undolevels)
    Replace(here.buf, lines)
    setbufvar(here.buf, '&undolevels', &g:undolevels)
    # A text that is read again has a new version already.
    extend(here, has_new_fields ? {version: version, step: 0, steps: {0: version}}
      : empty(here.version.loaded) ? {} : {version: version, step: -1})
  endif
  extend(here.version, version)
  extend(here, {told: {}, laid_out: here.fields})
  Follow(here)
  setbufvar(here.buf, '&modifiable', !has_key(here.fields[0], 'readOnly'))
enddef

# Takes the version that the text of the current buffer is based on, which undo changes: text from
# before a change of another client is based on the version before it, so that a save does not
# overwrite that change. A new version (step -1) begins at the present undo step.
export def Follow(here: any)
  if get(here, 'buf', 0) == bufnr() && (get(here, 'step', 0) < 0 || len(here.steps) > 1)
    const tree = undotree()
    const path = Path(tree.entries, tree.seq_cur)->filter((_, step) => has_key(here.steps, step))
    # The oldest steps are dropped when there are too many; all others come after them.
    const oldest = get(tree.entries, 0, {seq: here.step + 1}).seq
    here.steps->extend(here.step < 0 ? {[tree.seq_cur]: here.version} : {})
    here.step = here.step < 0 ? tree.seq_cur : get(path, -1, here.step < oldest ? here.step : 0)
    here.version = here.steps[here.step]
  endif
enddef

# The undo steps that lead to a step.
def Path(entries: list<any>, step: number): list<number>
  final path: list<number> = []
  for entry in entries
    const beside = Path(get(entry, 'alt', []), step)
    if !empty(beside)
      return path + beside
    endif
    add(path, entry.seq)
    if entry.seq == step
      return path
    endif
  endfor
  return []
enddef

# Draws the rows of a list. The cursor of each window stays on its row. The other end of a selection
# could not: nothing is drawn while the user selects rows.
def PaintRows(screen: any): number
  if get(get(b:, 'todo', {}), 'id', '') ==# screen.id && mode() =~# "[vV\<C-v>]"
    return bufnr()
  endif
  const buf = Buffer(screen.id, '', screen, false)
  final [here, body] = [Of(buf), screen.body]
  const places = win_findbuf(buf)->mapnew((_, id) => [id, line('.', id), TargetAt(here, line('.', id))])
  const before = get(here, 'items', [])
  const rows = draw.Rows(screen, here.typed, Room(buf))
  const first = get(body, 'offset', 0) + 2
  const last = 1 + max([body.kind ==# 'list' ? body.total : 0, len(rows)])
  Fill(buf, screen.title, mapnew(rows, (_, row) => row[0]), first, last)
  extend(here, {first: first, targets: mapnew(rows, (_, row) => row[1]), items: get(body, 'items', [])})
  prop_add(1, 1, {type: 'todoTitle', bufnr: buf, length: len(screen.title)})
  # A line of the buffer would move the rows when it comes and goes.
  for text in draw.Message(screen)
    Note(buf, 1, LEVELS[screen.message.level], text, 'below')
  endfor
  for [index, row] in items(rows)
    for [column, type, length] in row[2]
      prop_add(first + index, column, {type: type, bufnr: buf, length: length})
    endfor
  endfor
  # The details of a row, at the right of its title.
  for [index, item] in items(get(body, 'items', []))
    const [section, line] = [get(item, 'section', ''), first + index]
    const [note, facts] = [draw.NoteSign(item), draw.Details(item)]
    const words = mapnew(facts, (_, fact) => fact[1])->join()
    if !empty(section) && section !=# draw.DONE && (index == 0 || get(body.items[index - 1], 'section', '') !=# section)
      Note(buf, line, 'todoLabel', section, 'above')
    endif
    if !empty(note)
      Note(buf, line, 'todoMuted', note, 'beside')
    endif
    for [at, fact] in items(facts)
      const gap = at > 0 ? 1 : max([Room(buf) - strdisplaywidth(rows[index][0] .. note .. words), 1])
      Note(buf, line, fact[0], fact[1], 'beside', gap)
    endfor
  endfor
  # The row that the server chose, once.
  const select = has_key(body, 'select') ? remove(body, 'select') : ''
  for [window, lnum, place] in places
    const row = index(here.targets, empty(select) ? place : select)
    # A row that is done moves away, and the cursor moves to the next one.
    const is_away = empty(select) && SectionOf(here.items, place) ==# draw.DONE
      && empty(SectionOf(before, place))
    const at = is_away ? min([lnum, last]) : first + row
    win_execute(window, row < 0 || empty(place .. select) ? '' : $'cursor({at}, {Column(here, at)})')
    # Folds depend on the sections.
    win_execute(window, 'setlocal foldmethod=expr')
  endfor
  return buf
enddef

def SectionOf(items: list<any>, id: string): string
  return get(draw.Named(items, id, 'id'), 'section', '')
enddef

# The first column of the title in a line of a list, behind its box.
export def Column(here: any, line: number): number
  const index = line - here.first
  return index < 0 ? 0 : len(draw.Box(get(get(here, 'items', []), index, {}))) + 1
enddef

# Moves the cursor to a row, and to its title; in a new buffer to the first one, whatever position
# viminfo has for it.
export def Begin()
  final here = Of(bufnr())
  const at = has_key(here, 'was_shown') ? [line('.'), col('.')] : [0, 1]
  const line = max([at[0], here.first])
  here.was_shown = true
  cursor(line, max([at[1], Column(here, line)]))
enddef

# 'foldexpr' of a list: the rows of a section are a fold, which is closed at first for done ones.
export def Fold(): string
  const [here, index] = [Of(bufnr()), v:lnum - Of(bufnr()).first]
  const Section = (at: number): string => at < 0 ? '' : get(get(get(here, 'items', []), at, {}), 'section', '')
  const level = Section(index) ==# draw.DONE ? '2' : '1'
  return empty(Section(index)) ? '0' : (Section(index) ==# Section(index - 1) ? '' : '>') .. level
enddef

# 'foldtext': the heading of a section whose rows are hidden.
export def Heading(): string
  const item = get(get(Of(bufnr()), 'items', []), v:foldstart - Of(bufnr()).first, {})
  return $'▸ {get(item, 'section', '')} ({v:foldend - v:foldstart + 1})'
enddef

# The width of the rows in columns: half of a wide window, which shows notes beside them.
export def Room(buf: number): number
  const width = max([winwidth(bufwinid(buf)), 20])
  return width >= PREVIEW_COLUMNS ? width / 2 : width - 1
enddef

# Shows text that is not part of the buffer, above or below a line or beside its text.
def Note(buf: number, line: number, type: string, text: string, place: string, gap = 0)
  add(Of(buf).notes, {line: line, text: text, place: place})
  # 'after' would not be drawn in a line that also has text above it and is not wrapped.
  const column = place ==# 'beside' ? len(getbufline(buf, line)[0]) + 1 : 0
  const align = column > 0 ? {} : {text_align: place}
  if gap > 0
    prop_add(line, column, {type: 'todoMuted', bufnr: buf, text: repeat(' ', gap)})
  endif
  prop_add(line, column, extend({type: type, bufnr: buf, text: text}, align))
enddef

def Last(buf: number): number
  return getbufinfo(buf)[0].linecount
enddef

# Makes these the lines of a text. The cursors stay in the lines that stay.
def Replace(buf: number, lines: list<string>)
  const before = getbufline(buf, 1, '$')
  const room = before == [''] ? 0 : min([len(before), len(lines)])
  var [above, below] = [0, 0]
  while above < room && before[above] ==# lines[above]
    above += 1
  endwhile
  while below < room - above && before[-1 - below] ==# lines[-1 - below]
    below += 1
  endwhile
  const [count, rest] = [len(before) - above - below, slice(lines, above, len(lines) - below)]
  setbufvar(buf, '&modifiable', true)
  setbufline(buf, above + 1, slice(rest, 0, count))
  appendbufline(buf, above + count, slice(rest, count))
  silent deletebufline(buf, above + len(rest) + 1, above + count)
enddef

# Makes these the lines of a list: the title, and from line `first` on the rows that the server
# has sent; the others, up to `last`, are blank.
def Fill(buf: number, title: string, rows: list<string>, first: number, last: number)
  setbufvar(buf, '&modifiable', true)
  # Blank rows are many: only those are touched that were sent before or are now.
  setbufline(buf, Of(buf).first, repeat([''], len(Of(buf).targets)))
  appendbufline(buf, '$', repeat([''], last - Last(buf)))
  silent deletebufline(buf, last + 1, '$')
  setbufline(buf, 1, title)
  setbufline(buf, first, rows)
  setbufvar(buf, '&modifiable', false)
  setbufvar(buf, '&modified', false)
enddef

export def DefineColors()
  highlight default todoDone cterm=strikethrough gui=strikethrough
  if empty(synIDattr(hlID('Comment'), 'fg'))
    # Without `syntax on` comments look like any text.
    highlight default todoMuted ctermfg=DarkGrey guifg=#808080
    highlight default link todoLabel todoMuted
  endif
  for [type, group] in items(GROUPS)
    execute $'highlight default link {type} {group}'
    if empty(prop_type_get(type))
      prop_type_add(type, {highlight: type, combine: true})
    endif
  endfor
enddef

DefineColors()
augroup todo
  autocmd! ColorScheme * todo#paint#DefineColors()
augroup END
