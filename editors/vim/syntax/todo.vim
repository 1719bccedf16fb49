vim9script
# Screens that are drawn: their lines look the same whatever they are about.
if exists('b:current_syntax')
  finish
endif
b:current_syntax = 'todo'

syntax match Title /\%1l.*/
syntax match Comment /^\[x\] .*/ contains=NonText
syntax match NonText / · .*$/
syntax match Function /^\[[^\]]\{2,}\]$/
syntax match NonText /^(.*)$/
syntax match Label /^[^:\[(]*:\ze\( \|$\)/
syntax match ErrorMsg /^\(!\|error:\) .*/
syntax match WarningMsg /^warning: .*/
syntax match MoreMsg /^info: .*/
