;;; todo-server-sharing-test.el --- With the real server, which others change, too  -*- lexical-binding: t; -*-

;;; Code:

(require 'todo-server-test-helper)

(todo-server-test todo-server-test-20-foreign
    "Checks 20, 22: a change by another server shows within a second; the cursor keeps its row."
  (todo-server-test-login)
  (todo-server-test-add "Mine")
  (with-current-buffer "*todo*" (goto-char (point-min)) (search-forward "Mine"))
  (todo-server-test-script "addTodo" '(:title "Theirs"))
  (let ((todo-server-test-patience 2)) (todo-server-test-wait (todo-server-test-sees "Theirs")))
  (with-current-buffer "*todo*"
    (should (string-match-p "Mine" (thing-at-point 'line)))))

(todo-server-test todo-server-test-21-foreign-dirty
    "Check 21: a foreign edit leaves unsaved text alone, tells once, and ends in a conflict."
  (todo-server-test-script "addTodo" '(:title "Both" :note "base"))
  (todo-server-test-login)
  (with-current-buffer (todo-server-test-open "Both")
    (goto-char (point-max))
    (insert " mine")
    (todo-server-test-wait
     (equal (plist-get (aref (todo-server--in (todo-server--front) :body :fields) 1) :value)
            "base mine"))
    (let ((id (plist-get (aref (plist-get (todo-server-test-script "listTodos") :todos) 0) :id)))
      (todo-server-test-script "editTodo" (list :id id :note "theirs")))
    (todo-server-test-wait (todo-server-test-said-p "changed elsewhere while you were editing"))
    (should (equal (buffer-string) "Both\n\nbase mine"))
    (insert "!")
    (todo-server--send (current-buffer) #'todo-server-rpc-call-now)
    (delete-char -1)
    (todo-server--send (current-buffer) #'todo-server-rpc-call-now)
    (should (= 1 (cl-count-if (lambda (said) (string-match-p "changed elsewhere" said))
                              todo-server-test-said)))
    (todo-server-test-fails #'save-buffer)
    (should (buffer-modified-p))
    (should (equal (buffer-string)
                   (concat "<<<<<<< Mine\nBoth\n\nbase mine\n||||||| Before\nBoth\n\nbase\n"
                           "=======\nBoth\n\ntheirs\n>>>>>>> Theirs\n")))
    (should smerge-mode)
    (should (string-match-p "choose" (todo-server-test-fails #'save-buffer)))
    (goto-char (point-min))
    (search-forward "base mine")
    (smerge-keep-current)
    (goto-char (point-max))
    (search-backward "mine")
    (insert "of ")
    (save-buffer)
    (should-not (buffer-modified-p))
    (should (equal (buffer-string) "Both\n\nbase of mine")))
  (should (equal (todo-server-test-stored) '(("Both" . "base of mine")))))

(todo-server-test todo-server-test-21-crossing
    "Check 21: text that is not sent yet when a script changes the todo overwrites nothing."
  (let ((id (todo-server--in (todo-server-test-script "addTodo" '(:title "Both" :note "base"))
                             :todo :id)))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (dolist (theirs '("theirs" "theirs again"))
        (todo-server-test-script "editTodo" (list :id id :note theirs))
        (todo-server-test-wait
         (equal (plist-get (aref (todo-server--in (todo-server--front) :body :fields) 1) :value)
                theirs))
        (when (equal theirs "theirs")
          ;; Without edits the text follows; then it is edited, and what is
          ;; typed waits for a pause: as long as nobody lets time pass, forever.
          (should (equal (buffer-string) "Both\n\ntheirs"))
          (goto-char (point-max))
          (insert " mine")
          (cancel-function-timers #'todo-server--send)))
      (should (equal (buffer-string) "Both\n\ntheirs mine"))
      (todo-server-test-fails #'save-buffer)
      (should (equal (buffer-string)
                     (concat "<<<<<<< Mine\nBoth\n\ntheirs mine\n||||||| Before\nBoth\n\ntheirs\n"
                             "=======\nBoth\n\ntheirs again\n>>>>>>> Theirs\n")))
      (should (equal (todo-server-test-stored) '(("Both" . "theirs again"))))
      ;; The pause does the same.
      (let ((inhibit-message t)) (revert-buffer nil t))
      (should (equal (buffer-string) "Both\n\ntheirs again"))
      (goto-char (point-max))
      (insert "!")
      (cancel-function-timers #'todo-server--send)
      (todo-server-test-script "editTodo" (list :id id :note "third"))
      (todo-server-test-wait
       (equal (plist-get (aref (todo-server--in (todo-server--front) :body :fields) 1) :value)
              "third"))
      (setq todo-server-test-said nil)
      (todo-server--send (current-buffer) #'todo-server-rpc-call)
      (todo-server-test-wait
       (todo-server-test-said-p "changed elsewhere while you were editing"))
      (should (string-match-p "not done yet" (todo-server-test-fails #'todo-server-finish)))
      (should smerge-mode)))
  (should (equal (todo-server-test-stored) '(("Both" . "third")))))

(todo-server-test todo-server-test-21-detached
    "Check 21: a text whose screen is gone is saved all the same, but never blindly."
  (todo-server-test-script "addTodo" '(:title "First" :note "1"))
  (todo-server-test-script "addTodo" '(:title "Second" :note "2"))
  (todo-server-test-login)
  (let ((one (todo-server-test-open "First"))
        (two (todo-server-test-open "Second")))
    (should-not (eq one two))
    (with-current-buffer one
      (goto-char (point-max))
      (insert " a")
      (save-buffer))
    (let ((todos (plist-get (todo-server-test-script "listTodos") :todos)))
      (todo-server-test-script "editTodo"
                               (list :id (plist-get (aref todos 0) :id) :note "foreign")))
    (should (eq todo-server--attached one))
    (with-current-buffer two
      (goto-char (point-max))
      (insert " b")
      (should (string-match-p "choose" (todo-server-test-fails #'save-buffer)))
      (should (equal (buffer-string)
                     (concat "<<<<<<< Mine\nSecond\n\n2 b\n||||||| Before\nSecond\n\n2\n"
                             "=======\nSecond\n\nforeign\n>>>>>>> Theirs\n")))
      (dolist (save (list #'save-buffer (lambda () (todo-server-act "save"))))
        (should (string-match-p "choose" (todo-server-test-fails save))))
      (goto-char (point-min))
      (smerge-keep-upper)
      (save-buffer)
      (should (equal (buffer-string) "Second\n\n2 b"))))
  (should (equal (todo-server-test-stored) '(("Second" . "2 b") ("First" . "1 a")))))

(todo-server-test todo-server-test-21-restarted
    "Check 21: what was changed while the server was dead meets unsaved text as a conflict."
  (let ((id (todo-server--in (todo-server-test-script "addTodo" '(:title "Both" :note "base"))
                             :todo :id)))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (goto-char (point-max))
      (insert " mine")
      (save-current-buffer (todo-server-restart))
      (todo-server-test-script "editTodo" (list :id id :note "theirs"))
      (todo-server-test-wait (todo-server-test-sees "Welcome"))
      (should (string-match-p "is in front now" (todo-server-test-fails #'save-buffer)))
      (save-current-buffer (todo-server-test-login))
      (todo-server-test-fails #'save-buffer)
      (should (equal (buffer-string)
                     (concat "<<<<<<< Mine\nBoth\n\nbase mine\n||||||| Before\nBoth\n\nbase\n"
                             "=======\nBoth\n\ntheirs\n>>>>>>> Theirs\n")))
      (should (string-search "Side by side" header-line-format))
      (goto-char (point-min))
      (smerge-keep-upper)
      ;; Changed again meanwhile: this is for the server to see.
      (todo-server-test-script "editTodo" (list :id id :note "theirs again"))
      (todo-server-test-wait
       (equal (plist-get (aref (todo-server--in (todo-server--front) :body :fields) 1) :value)
              "theirs again"))
      (should (string-match-p "Changed elsewhere" (todo-server-test-fails #'save-buffer)))
      (let ((inhibit-message t)) (revert-buffer nil t))
      (should (equal (buffer-string) "Both\n\ntheirs again"))
      (should-not (buffer-modified-p))))
  (should (equal (todo-server-test-stored) '(("Both" . "theirs again")))))

(provide 'todo-server-sharing-test)
;;; todo-server-sharing-test.el ends here
