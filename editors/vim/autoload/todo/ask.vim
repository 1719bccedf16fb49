vim9script
scriptencoding utf-8
# Asks the user for the values of fields, on the command line.

import autoload './server.vim'
import autoload './screen.vim' as draw
import autoload './paint.vim'

# The wait for the answer to a field before the next question.
const ANSWER_MS = 500

# Whether the user has answered the last question, and the function that gets the text while it is
# typed.
var was_entered = false
var Hear: func
# The values that the field of the last question suggests.
var suggested: list<string>

# Completes a text with the values that its field suggests, or its last word with a word of one.
export def Complete(text: string, _: string, __: number): list<string>
  var start = 0
  while start >= 0
    const lead = strpart(text, start)
    const sign = lead =~ '^-' ? '-' : ''
    const Starts = (_, value) => stridx(tolower(value), tolower(lead[len(sign) :])) == 0
    const matches = copy(suggested)->filter(Starts)
    if !empty(matches)
      return matches->mapnew((_, value) => strpart(text, 0, start) .. sign .. value)
    endif
    start = matchend(text, '\s', start)
  endwhile
  return []
enddef

# [answer] to a question for a field, or [] if the user thought better of it. A secret is asked by
# Vim's own prompt for secrets, which keeps it out of every history. The server gets a secret of a
# page when it is complete, and the other fields with each letter; the question is repeated if the
# server refuses the answer, unless keys for the next question are there already.
export def Field(here: any, field: any, is_on_page: bool): list<string>
  const [is_secret, value] = [has_key(field, 'secret'), get(field, 'value', '')]
  # What the page does may be possible already.
  const may_be_empty = is_on_page && is_secret && draw.Main(here.screen).enabled
  const prompt = field.label .. (may_be_empty ? ' (may be empty): ' : ': ')
  # Vim does not say how a question ended, but where there is no text any more the user gave up.
  was_entered = false
  autocmd todo CmdlineLeave @,- was_entered = getcmdpos() > 0
  var heard = value
  Hear = (text) => {
    if text !=# heard
      heard = text
      server.Request('screen/change', paint.Params(here, {values: {[field.name]: text}}))
    endif
  }
  execute 'autocmd! todo CmdlineChanged @' is_on_page && !is_secret ? 'Hear(getcmdline())' : ''
  var answer = value
  try
    suggested = get(field, 'suggest', [])
    answer = is_secret ? inputsecret(prompt, value) : input(prompt, value, 'customlist,todo#ask#Complete')
  finally
    autocmd! todo CmdlineChanged,CmdlineLeave @,-
    if is_on_page
      # Keys typed ahead trigger no event.
      Hear(was_entered ? answer : value)
    endif
    # The answer, or the dots of a secret, would stay on the last line.
    redraw
    echo ''
  endtry
  if is_on_page && was_entered
    server.Wait(() => server.pending == 0, ANSWER_MS)
    paint.Repaint(here)
    const newest = draw.Named(get(here.screen.body, 'fields', []), field.name)
    if has_key(newest, 'error') && getchar(1) == 0
      return Field(here, newest, true)
    endif
  endif
  return was_entered ? [answer] : []
enddef
