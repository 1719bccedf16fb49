vim9script
# Runs the test that $TODO_TEST names, and writes what failed to $TODO_RESULT.

g:tests = expand('<sfile>:p:h')
set nomore
try
  execute 'source' g:tests .. '/helpers.vim'
  for file in glob(g:tests .. '/*_test.vim', false, true)
    execute 'source' file
  endfor
  call($TODO_TEST, [])
catch
  add(v:errors, v:exception .. ' at ' .. v:throwpoint)
endtry
writefile(v:errors + (empty(v:errors) ? ['passed'] : []), $TODO_RESULT)
qall!
