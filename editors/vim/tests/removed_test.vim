vim9script
# With the real server: todos that were removed elsewhere while this Vim was open.

const REMOVALS = g:tests .. '/../../../Tests/LanguageServer/removals.py'

# The output of `removals.py`.
def Removals(words: list<string>): string
  const output = system(['python3', REMOVALS]->extend(words)->map((_, word) => shellescape(word))->join())
  assert_equal(0, v:shell_error, output)
  return output
enddef

# Each todo is removed in its way, and comes back with its id and its note.
def CheckRestored(more: list<string>, ways: dict<string>)
  const options = ['--store', g:Store()] + more
  Removals(['prepare'] + options)
  g:Login('ann', more)
  for [way, reason] in items(ways)
    const title = 'By ' .. way
    g:Until(() => search($'^\[ \] {title}$', 'nw') > 0, title)
    const before = Removals(['remove', way] + options)
    g:Until(() => search(title, 'nw') == 0, 'the end of ' .. title)
    g:Keys('R')
    g:AtScreen('removed')
    assert_equal(title, getline('.'))
    assert_match(reason, b:todo.notes[0].text)
    g:Keys(way ==# 'closing' ? "\<CR>y" : "\<CR>")
    g:Until(() => search($'^{title}', 'nw') == 0, 'the row to go')
    g:Keys('-')
    g:AtScreen('todoList')
    g:Until(() => search($'^\[ \] {title}$', 'nw') > 0, 'the restored todo')
    assert_equal(before, Removals(['find', way] + options))
  endfor
enddef

def g:Test_removed_by_other_programs_is_restored()
  CheckRestored([], {
    script: 'removed by you', assistant: 'removed by an assistant',
    mirror: 'removed in a document', ['language client']: 'removed in a document'})
enddef

def g:Test_removed_at_the_source_is_restored()
  const github = job_start(['python3', REMOVALS, 'issues'], {mode: 'nl'})
  const url = ch_readraw(github, {timeout: 60000})->trim()
  CheckRestored(['--sync', 'manual', '--source', 'github:o/r', '--github-url', url],
    {closing: 'closed at the source', deletion: 'deleted at the source'})
  job_stop(github)
  g:Until(() => job_status(github) !=# 'run', 'the end of GitHub')
enddef

def g:Test_page_at_the_source_is_opened()
  const github = job_start(['python3', REMOVALS, 'issues'], {mode: 'nl'})
  const url = ch_readraw(github, {timeout: 60000})->trim()
  const options = ['--sync', 'manual', '--source', 'github:o/r', '--github-url', url]
  const folder = tempname()
  mkdir(folder)
  writefile(['#!/bin/sh', $'echo "$1" >{folder}/page'], folder .. '/xdg-open')
  setfperm(folder .. '/xdg-open', 'rwx------')
  Removals(['prepare', '--store', g:Store()] + options)
  g:Login('ann', options)
  g:Until(() => search('^\[ \] By closing$') > 0, 'the issue')
  $PATH = folder .. ':' .. $PATH
  g:Keys('gx')
  g:Until(() => getfsize(folder .. '/page') > 0, 'the page')
  assert_match('^https://github.com/o/r/issues/\d$', readfile(folder .. '/page')[0])
  job_stop(github)
  g:Until(() => job_status(github) !=# 'run', 'the end of GitHub')
enddef
