;;; todo-server-texts-test.el --- Several texts, and the list beside them  -*- lexical-binding: t; -*-

;;; Code:

(require 'todo-server-test-helper)

(defun todo-server-texts-login (&rest titles)
  "Log in, with todos that have TITLES, in a window that shows the list."
  (dolist (title (reverse titles)) (todo-server-sharing-add title ""))
  (todo-server-test-login)
  (switch-to-buffer "*todo*"))

(todo-server-test todo-server-texts-shown
    "RET on the row of the text in front shows it, without a question about its unsaved edits."
  (todo-server-texts-login "Alpha")
  (setq todo-server-test-asked nil)
  (let ((text (todo-server-test-open "Alpha")))
    (dolist (edit '("" "My "))
      (with-current-buffer text (goto-char (point-min)) (insert edit))
      (switch-to-buffer "*todo*")
      (todo-server-test-press "RET")
      (should-not todo-server-test-asked)
      (should (eq (window-buffer) text))
      (should (string-prefix-p edit (with-current-buffer text (buffer-string)))))))

(todo-server-test todo-server-texts-sent
    "Never lose typed text: edits of a text whose form is not open are sent, and no window changes."
  (todo-server-texts-login "Alpha" "Beta")
  (let ((alpha (todo-server-test-open "Alpha")))
    (cl-flet ((typed (text)
                (switch-to-buffer "*todo*")
                (with-current-buffer alpha (goto-char (point-max)) (insert text))
                (todo-server-test-wait (todo-server-sharing-shown-p text))
                (should (eq (todo-server--attached) alpha))
                (should (eq (window-buffer) (get-buffer "*todo*")))))
      (switch-to-buffer "*todo*")
      (should-not (eq (todo-server-test-open "Beta") alpha))
      (typed "one")
      (todo-server-restart)
      (todo-server-test-wait (todo-server-test-sees "Welcome"))
      (todo-server-test-login)
      (typed " two"))))

(provide 'todo-server-texts-test)
;;; todo-server-texts-test.el ends here
