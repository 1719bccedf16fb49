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

;; The program that removes todos in several ways, and that is a GitHub.
(defun todo-server-test-removals (&rest words)
  "The output of `removals.py' with WORDS."
  (with-temp-buffer
    (let ((code (apply #'call-process "python3" nil t nil (todo-server-test-removals-file) words)))
      (unless (eql code 0) (ert-fail (buffer-string)))
      (buffer-string))))

(defun todo-server-test-removals-file ()
  "The path of `removals.py'."
  (expand-file-name "../../../Tests/LanguageServer/removals.py" (getenv "TODO_TESTS")))

(defun todo-server-test-restored (ways &rest more)
  "Remove a todo in each of WAYS beside an open Emacs, and bring it back.
WAYS is an alist of ways and reasons; MORE are more options of the server."
  (let ((options (append (todo-server-test-store) more)))
    (setq todo-server-command (append (todo-server-test-program) options))
    (apply #'todo-server-test-removals "prepare" options)
    (todo-server-test-login)
    (pcase-dolist (`(,way . ,reason) ways)
      (let ((title (concat "By " way)) before)
        (todo-server-test-wait (todo-server-test-sees (concat "[ ] " title)))
        (setq before (apply #'todo-server-test-removals "remove" way options))
        (todo-server-test-wait (not (todo-server-test-sees title)))
        (todo-server-test-press "R")
        (todo-server-test-wait (todo-server-test-sees (concat title " · " reason)))
        (with-current-buffer "*todo*"
          (goto-char (point-min))
          (search-forward title))
        (todo-server-test-press "RET" t)
        (todo-server-test-wait (todo-server-test-sees "Nothing was removed"))
        (todo-server-test-press "^")
        (todo-server-test-wait (todo-server-test-sees (concat "[ ] " title)))
        (should (equal (apply #'todo-server-test-removals "find" way options) before))))))

(todo-server-test todo-server-test-removed-by-programs
    "A todo that any other program removed comes back."
  (todo-server-test-restored '(("script" . "removed by you") ("assistant" . "removed by an assistant")
                               ("mirror" . "removed in a document")
                               ("language client" . "removed in a document"))))

(todo-server-test todo-server-test-removed-at-source
    "A todo that was closed or deleted at the source comes back."
  (with-temp-buffer
    (let ((github (make-process :name "github" :buffer (current-buffer) :connection-type 'pipe
                                :sentinel #'ignore
                                :command (list "python3" (todo-server-test-removals-file) "issues"))))
      (unwind-protect
          (progn
            (todo-server-test-wait (string-match-p "\n" (buffer-string)))
            (todo-server-test-restored
             '(("closing" . "closed at the source") ("deletion" . "deleted at the source"))
             "--sync" "manual" "--source" "github:o/r" "--github-url" (string-trim (buffer-string))))
        (delete-process github)))))

(provide 'todo-server-removed-test)
;;; todo-server-removed-test.el ends here
