;;; todo-server-removed-test.el --- Todos that another client removed  -*- lexical-binding: t; -*-

;;; Code:

(require 'todo-server-test-helper)

(todo-server-test todo-server-test-removed
    "A todo that another client removed comes back with R, the cursor and RET."
  (let ((id (todo-server--in (todo-server-test-script "addTodo" '(:title "Rent" :note "kept"))
                             :todo :id)))
    (todo-server-test-login)
    (todo-server-test-wait (todo-server-test-sees "Rent"))
    (todo-server-test-script "removeTodo" (list :id id))
    (todo-server-test-wait (not (todo-server-test-sees "Rent")))
    (todo-server-test-press "R")
    (todo-server-test-wait (todo-server-test-sees "Rent · removed by you"))
    (with-current-buffer "*todo*"
      (goto-char (point-min))
      (search-forward "Rent"))
    (todo-server-test-press "RET")
    (todo-server-test-wait (todo-server-test-sees "Nothing was removed"))
    (todo-server-test-press "^")
    (todo-server-test-wait (todo-server-test-sees "[ ] Rent"))
    (should (equal (todo-server--in (todo-server-test-script "getTodo" (list :id id)) :todo :note)
                   "kept"))))

(provide 'todo-server-removed-test)
;;; todo-server-removed-test.el ends here
