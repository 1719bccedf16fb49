vim9script
# Lines into buffers, and lists of which the server sends a part: every row has a line, those not sent are blank.

import autoload './server.vim'
import autoload './screen.vim' as draw

# How near the end of what was sent more is asked for.
const MARGIN_ROWS = 100

# Makes these the lines of a buffer.
export def Put(buf: number, lines: list<string>)
  if getbufline(buf, 1, '$') != lines
    Change(buf, () => {
      setbufline(buf, 1, lines)
      silent deletebufline(buf, len(lines) + 1, '$')
    })
  endif
enddef

# Changes lines, but not as a step of undo, which would bring back what this screen is not about.
def Change(buf: number, Do: func(): void)
  const levels = getbufvar(buf, '&undolevels')
  setbufvar(buf, '&modifiable', true)
  setbufvar(buf, '&undolevels', -1)
  Do()
  setbufvar(buf, '&undolevels', levels)
  setbufvar(buf, '&modifiable', false)
  setbufvar(buf, '&modified', false)
enddef

# Draws a list, and keeps the cursor of each window on its item.
export def Paint(buf: number, screen: any)
  final here: dict<any> = getbufvar(buf, 'todo')
  const body = screen.body
  const windows = win_findbuf(buf)
  const places = mapnew(windows, (_, id) => IdAt(here, line('.', id)))
  const head = [screen.title] + draw.Message(screen)
  const shown = body.total == 0 ? [body.empty] : mapnew(body.items, (_, item) => draw.Row(item))
  const count = len(head) + max([body.total, body.offset + len(shown)])
  Change(buf, () => {
    # Rows that are not sent are blank, and many: only what was sent before and what is sent now is touched.
    setbufline(buf, get(here, 'head', 0) + get(here, 'offset', 0) + 1, repeat([''], get(here, 'shown', 0)))
    setbufline(buf, 1, head)
    appendbufline(buf, '$', repeat([''], count - getbufinfo(buf)[0].linecount))
    silent deletebufline(buf, count + 1, '$')
    setbufline(buf, len(head) + body.offset + 1, shown)
  })
  extend(here, {head: len(head), offset: body.offset, total: body.total, shown: len(shown)})
  here.ids = mapnew(body.items, (_, item) => item.id)
  for [index, id] in items(windows)
    const row = index(here.ids, places[index])
    if row >= 0 && !empty(places[index])
      win_execute(id, $'call todo#rows#Move({row + here.offset + here.head + 1})')
    endif
  endfor
enddef

# Moves the cursor to the line that its item is on now, and scrolls by as much, so that nothing moves on the screen.
export def Move(row: number)
  var place = winsaveview()
  place.topline = place.topline > 1 ? max([place.topline + row - place.lnum, 1]) : 1
  place.lnum = row
  winrestview(place)
enddef

# The id of the item on a line, '' where there is none or it is not known.
export def IdAt(here: any, line: number): string
  const row = line - get(here, 'head', 0) - 1 - get(here, 'offset', 0)
  return row < 0 ? '' : get(get(here, 'ids', []), row, '')
enddef

# Asks for the rows around these lines, when the server has not sent them.
export def Reach(here: any, top: number, bottom: number)
  const first = max([top - here.head - 1 - MARGIN_ROWS, 0])
  const last = min([bottom - here.head + MARGIN_ROWS, here.total])
  const params = Window(here, (top + bottom) / 2)
  if (first < here.offset || last > here.offset + len(here.ids)) && get(here, 'asked', -1) != params.offset
    here.asked = params.offset
    server.Request('screen/window', params, (_) => 0)
  endif
enddef

# The params that ask for the rows around a line.
export def Window(here: any, line: number): dict<any>
  const offset = max([line - here.head - server.WINDOW_ROWS / 2, 0])
  return {screen: here.screen, offset: offset, limit: server.WINDOW_ROWS}
enddef
