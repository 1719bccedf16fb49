vim9script
# Forms: their fields are asked for one by one, or are texts that are saved and read again.

import autoload './server.vim'
import autoload './screen.vim' as draw
import autoload './view.vim'
import autoload './talk.vim'

const SAVE_MS = 5000

# Asks for a field of a page, and shows while it is typed what the server thinks of it.
export def AskField(field: any): bool
  const screen = view.Front().name
  const Params = (text: string) => ({screen: screen, values: {[field.name]: text}})
  const answer = talk.Question(field, (text) => server.Request('screen/change', Params(text), (_) => 0))
  if get(field, 'secret', false)
    if empty(answer)
      return true
    endif
    view.Remember(field.name)
  endif
  return talk.Do('screen/change', Params(get(answer, 0, get(field, 'value', '')))) && !empty(answer)
enddef

# :w in a form. When it fails the buffer stays modified, and :wq does not close its window.
export def Save(buf: number)
  const here = view.Of(buf)
  if get(here, 'depth', -1) < 0
    talk.Say('error', 'the screen of this text is gone; it can be copied from here')
  elseif has_key(here, 'targets')
    todo#Act(draw.Main(view.Front()))
  elseif has_key(here, 'names') && talk.IsReady()
    var values: dict<string> = {}
    for part in view.TextBuffers()->filter((_, part) => getbufvar(part, '&modified'))
      extend(values, view.Values(part))
    endfor
    const ticks = view.TextBuffers()->map((_, part) => [part, getbufvar(part, 'changedtick')])
    const depth = len(server.stack)
    const params = {screen: here.screen, action: draw.Main(view.Front()), values: values}
    talk.Ask('screen/act', params, SAVE_MS, () => Saved(ticks, depth))
  endif
enddef

# After a save the texts are not modified any more, unless they were typed over. When it led to another screen rather
# than back, they are not stored yet: they count as modified until this command ends, so that :wq stays.
def Saved(ticks: list<any>, depth: number)
  const MarkSaved = () => {
    for [part, tick] in ticks
      setbufvar(part, '&modified', getbufvar(part, '&modified') && getbufvar(part, 'changedtick') != tick)
    endfor
    view.DrawSoon()
  }
  if len(server.stack) >= depth
    timer_start(0, (_) => MarkSaved())
    return
  endif
  MarkSaved()
  # The buffer of a window cannot well be changed while it is written, but must be before keys that were typed ahead.
  feedkeys("\<Cmd>call todo#view#Draw()\<CR>", 'in')
  echo 'todo: saved'
enddef

# :e and :e!: the server's text again. A form keeps what was typed, so it is left, and opened again as it was before.
export def Reread(buf: number)
  const here = view.Of(buf)
  setbufvar(buf, '&modified', false)
  if get(here, 'depth', -1) < 0
    talk.Say('error', 'there is no such screen now; :Todo shows the one in front')
    return
  endif
  const way_back = get(view.Front().bar, 'left', '')
  if server.IsRunning() && get(here, 'is_told', false) && has_key(here, 'origin') && !empty(way_back)
    talk.Ask('screen/act', {screen: here.screen, action: way_back}) && talk.Ask('screen/act', here.origin)
  endif
  # Vim has emptied the buffer.
  view.Draw()
enddef
