;;; todo-server-sharing-test.el --- With the real server, which others change, too  -*- lexical-binding: t; -*-

;;; Code:

(require 'todo-server-test-helper)

(todo-server-test todo-server-test-20-foreign
    "Checks 20, 22: a change by another server shows by itself; the cursor keeps its row."
  (todo-server-test-login)
  (todo-server-test-add "Mine")
  (with-current-buffer "*todo*" (goto-char (point-min)) (search-forward "Mine"))
  (todo-server-test-script "addTodo" '(:title "Theirs"))
  (todo-server-test-wait (todo-server-test-sees "Theirs"))
  (with-current-buffer "*todo*"
    (should (string-match-p "Mine" (thing-at-point 'line)))))

(todo-server-test todo-server-test-20-clean
    "Check 20: new text of the server replaces text without edits; undo does not bring it back."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (todo-server-sharing-edit id "theirs")
      (todo-server-test-wait (equal (buffer-string) "Both\n\ntheirs"))
      (should-not (buffer-modified-p))
      (should-not buffer-undo-list))))

(defun todo-server-sharing-edit (id note)
  "Let another server give the todo ID another NOTE."
  (todo-server-test-script "editTodo" (list :id id :note note)))

(defun todo-server-sharing-sides ()
  "The sides of the conflict in front: base, mine, theirs."
  (mapcar (lambda (name)
            (when-let ((side (or (todo-server--buffer name)
                                 (and (equal name "mine") (todo-server--attached)))))
              (with-current-buffer side (buffer-string))))
          '("base" "mine" "theirs")))

(todo-server-test todo-server-test-21-foreign-dirty
    "Check 21: a foreign edit leaves unsaved text alone, tells once, and ends in a conflict."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (goto-char (point-max))
      (insert " mine")
      (todo-server-test-wait (todo-server-sharing-shown-p "base mine"))
      (todo-server-sharing-edit id "theirs")
      (todo-server-test-wait (todo-server-test-said-p "changed elsewhere while you were editing"))
      (should (equal (buffer-string) "Both\n\nbase mine"))
      (should (string-match-p "\\`This todo was changed elsewhere" (todo-server-test-shown)))
      (dolist (text '("!" "?"))
        (insert text)
        (todo-server-test-wait (todo-server-sharing-shown-p text)))
      (should (= 1 (cl-count-if (lambda (said) (string-match-p "changed elsewhere" said))
                                todo-server-test-said)))
      (todo-server-test-fails #'save-buffer)
      (should (buffer-modified-p))
      (should (equal (todo-server-sharing-sides)
                     '("Both\n\nbase" "Both\n\nbase mine!?" "Both\n\ntheirs")))
      (goto-char (point-max))
      (insert " of both")
      (let ((text (buffer-string)))
        ;; Both sides' words are still there: the server has us ask.
        (todo-server-test-answering '(t) (save-buffer))
        (should-not (buffer-modified-p))
        (should (equal (buffer-string) text))
        (should (equal (todo-server-test-stored)
                       (list (cons "Both" (string-remove-prefix "Both\n\n" text))))))
      ;; It continues as any other text.
      (insert ".")
      (save-buffer)
      (should (string-suffix-p "of both." (cdar (todo-server-test-stored)))))))

(todo-server-test todo-server-test-21-crossing
    "Check 21: text that is not sent yet when a script changes the todo overwrites nothing."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (goto-char (point-max))
      (insert " mine")
      ;; Edits are sent after a pause: let none pass.
      (cancel-function-timers #'todo-server--send)
      (todo-server-sharing-edit id "theirs")
      (todo-server-test-wait (todo-server-sharing-shown-p "theirs"))
      (should (equal (buffer-string) "Both\n\nbase mine"))
      (todo-server-test-fails #'save-buffer)
      (should (equal (todo-server-sharing-sides)
                     '("Both\n\nbase" "Both\n\nbase mine" "Both\n\ntheirs")))
      (should (equal (todo-server-test-stored) '(("Both" . "theirs"))))
      ;; The pause after the last key may end at any moment.
      (let ((send (let ((text (current-buffer))) (lambda (&rest _) (todo-server--send text))))
            (inhibit-message t))
        (advice-add 'todo-server--show :before send)
        (unwind-protect (revert-buffer nil t) (advice-remove 'todo-server--show send)))
      (should (equal (buffer-string) "Both\n\ntheirs"))
      (should-not (buffer-modified-p)))))

(todo-server-test todo-server-test-21-typing-on
    "Never lose typed text: text is sent also without a pause."
  (todo-server-sharing-add "Note" "base ")
  (todo-server-test-login)
  (with-current-buffer (todo-server-test-open "Note")
    (goto-char (point-max))
    (todo-server-test-wait (insert "x") (todo-server-sharing-shown-p "base x"))))

(todo-server-test todo-server-test-21-one-text
    "Never lose typed text: one text is open at a time, and another one asks about it."
  (todo-server-sharing-add "First" "1")
  (todo-server-sharing-add "Second" "2")
  (todo-server-test-login)
  (let ((second (todo-server-test-open "Second")))
    (with-current-buffer second
      (should (equal (buffer-name) "*todo: Second*"))
      (goto-char (point-max))
      (insert " b"))
    (with-current-buffer "*todo*" (goto-char (point-min)) (search-forward "First"))
    (todo-server-test-wait (todo-server-sharing-shown-p "2 b"))
    (todo-server-test-press "RET" nil nil)
    (should (todo-server-test-said-p "*todo: Second* is not saved"))
    (should (buffer-modified-p second))
    (todo-server-test-press "RET" t)
    (todo-server-test-wait (equal "todoEdit" (plist-get (todo-server--front) :name)))
    (todo-server-test-wait (todo-server-sharing-shown-p "First"))
    (should (equal (todo-server-test-stored) '(("Second" . "2 b") ("First" . "1"))))
    (with-current-buffer (todo-server--attached)
      (goto-char (point-max))
      (insert " c"))
    (todo-server-test-wait (todo-server-sharing-shown-p "1 c"))
    ;; The list is alive beside a text, but not behind one that is not saved.
    (todo-server-test-press "x" nil t)
    (todo-server-test-wait (todo-server-test-sees "[x] First"))
    (should (equal (todo-server-test-stored) '(("Second" . "2 b") ("First" . "1"))))))

(todo-server-test todo-server-test-21-list-alive
    "Never lose typed text: the list works beside a text, which is still saved."
  (todo-server-sharing-add "First" "1")
  (todo-server-test-login)
  (let ((text (todo-server-test-open "First")))
    (todo-server-test-press "x")
    (todo-server-test-wait (todo-server-test-sees "[x] First"))
    (with-current-buffer text
      (goto-char (point-max))
      (insert " more")
      (save-buffer)
      (should (equal (buffer-string) "First\n\n1 more"))
      (should (eq (todo-server--attached) text)))
    (should (equal (todo-server-test-stored) '(("First" . "1 more"))))))

(todo-server-test todo-server-test-21-removed
    "Never lose typed text: a removal elsewhere is reported immediately, and the text is saved as new."
  (let ((id (todo-server-sharing-add "Lost" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Lost")
      (goto-char (point-max))
      (insert " mine")
      (todo-server-test-script "removeTodo" (list :id id))
      (todo-server-test-wait (todo-server-test-said-p "was removed elsewhere"))
      (should (string-match-p "C-c C-c Save as new" (todo-server--header)))
      (todo-server-test-answering '(t) (save-buffer))
      (should (equal (todo-server-test-stored) '(("Lost" . "base mine"))))
      (insert "!")
      (save-buffer)
      (should (equal (todo-server-test-stored) '(("Lost" . "base mine!")))))))

(todo-server-test todo-server-test-21-restarted
    "Never lose typed text: after a restart it is saved, or meets what was changed meanwhile."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (goto-char (point-max))
      (insert " mine")
      (save-current-buffer (todo-server-restart))
      (todo-server-sharing-edit id "theirs")
      (todo-server-test-wait (todo-server-test-sees "Welcome"))
      (should (string-match-p "list of this text is not on the screen" (todo-server-test-fails #'save-buffer)))
      (save-current-buffer (todo-server-test-login))
      (todo-server-test-fails #'save-buffer)
      (should (equal (todo-server-sharing-sides)
                     '("Both\n\nbase" "Both\n\nbase mine" "Both\n\ntheirs")))
      ;; The server dies in the middle of the conflict.
      (goto-char (point-max))
      (insert " merged")
      (save-current-buffer (todo-server-restart))
      (todo-server-test-wait (todo-server-test-sees "Welcome"))
      (save-current-buffer (todo-server-test-login))
      (let ((text (buffer-string)))
        (todo-server-test-answering '(t) (save-buffer))
        (should (equal (todo-server-test-stored)
                       (list (cons "Both" (string-remove-prefix "Both\n\n" text))))))
      ;; The message says nothing when the user has stopped the server.
      (should-not (todo-server-test-said-p "Server exited")))))

(todo-server-test todo-server-test-21-restarted-open
    "Never lose typed text: opening its row brings text from before a restart back to its form."
  (todo-server-sharing-add "Both" "base")
  (todo-server-test-login)
  (let ((text (todo-server-test-open "Both")))
    (with-current-buffer text (goto-char (point-max)) (insert " mine"))
    (todo-server-restart)
    (todo-server-test-wait (todo-server-test-sees "Welcome"))
    (todo-server-test-login)
    (should (eq text (todo-server-test-open "Both")))
    (with-current-buffer text
      (should (equal (buffer-string) "Both\n\nbase mine"))
      (save-buffer)
      (should (equal (todo-server-test-stored) '(("Both" . "base mine")))))))

(todo-server-test todo-server-test-21-restarted-gone
    "Never lose typed text: what was removed while the server was dead is saved as new, whole."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (goto-char (point-max))
      (insert " mine")
      (save-current-buffer (todo-server-restart))
      (todo-server-test-script "removeTodo" (list :id id))
      (todo-server-test-wait (todo-server-test-sees "Welcome"))
      (save-current-buffer (todo-server-test-login))
      (todo-server-test-answering '(nil)
        (should (string-match-p "nothing was done" (todo-server-test-fails #'save-buffer))))
      (should (buffer-modified-p))
      (todo-server-test-answering '(t) (save-buffer))
      (should-not (buffer-modified-p))
      (should (equal (todo-server-test-stored) '(("Both" . "base mine")))))))

(defun todo-server-pane-conflict (id)
  "Come into a comparison of the todo ID in this buffer, and replace the proposal."
  (goto-char (point-max))
  (insert " mine")
  (todo-server-sharing-edit id "theirs")
  (todo-server-test-fails #'save-buffer)
  (erase-buffer)
  (insert "Both\n\nmerged"))

(todo-server-test todo-server-pane-changed-fields
    "Only the fields that the user changed are sent, also after a change is undone."
  (todo-server-sharing-add "Both" "one\r\ntwo")
  (todo-server-test-login)
  (with-current-buffer (todo-server-test-open "Both")
    (buffer-enable-undo)
    (goto-char (point-min))
    (insert "Not ")
    (should (equal (plist-get (todo-server--params) :values) '(:title "Not Both")))
    (todo-server-test-wait (todo-server-sharing-shown-p "Not Both"))
    (undo-boundary)
    (undo)
    (should-not (buffer-modified-p))
    ;; A rendering with the old edit comes before the new one is sent.
    (cancel-function-timers #'todo-server--send)
    (todo-server-test-script "addTodo" '(:title "Other"))
    (todo-server-test-wait (todo-server-test-sees "Other"))
    (should (equal (buffer-string) "Both\n\none\r\ntwo"))
    (should (equal (plist-get (todo-server--params) :values) '(:title "Both")))))

(todo-server-test todo-server-pane-undo-fields
    "Undo ends where a save brought lines of other fields; later edits can be undone."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (todo-server-test-script "editTodo" (list :id id :due "2030-12-24" :labels ["red"]))
      (goto-char (point-max))
      (insert "\ntwo")
      (save-buffer)
      (should (equal (buffer-string) "Both\n2030-12-24\nred\n\nbase\ntwo"))
      (should-error (undo) :type 'user-error)
      (insert "\nthree")
      (undo-boundary)
      (undo)
      (should (equal (buffer-string) "Both\n2030-12-24\nred\n\nbase\ntwo"))
      (save-buffer)
      (should (equal (todo-server-test-stored) '(("Both" . "base\ntwo")))))))

(todo-server-test todo-server-pane-undo-conflict
    "Undo brings neither the fields of a form into a merged text, nor that into the form."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-script "editTodo" (list :id id :due "2030-12-24" :labels ["red"]))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (todo-server-pane-conflict id)
      (undo-boundary)
      (undo)
      (should (string-prefix-p "Both\n\n<<<" (buffer-string)))
      (undo-boundary)
      (let ((last-command 'undo)) (should-error (undo) :type 'user-error))
      (todo-server-test-answering '(t) (save-buffer))
      (should (string-prefix-p "Both\n2030-12-24\nred\n\n<<<" (buffer-string)))
      (should-error (undo) :type 'user-error))))

(todo-server-test todo-server-pane-newest-proposal
    "A merged text that the user has not changed follows each change of theirs; undo brings none back."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (goto-char (point-max))
      (insert " mine")
      (todo-server-sharing-edit id "theirs")
      (todo-server-test-fails #'save-buffer)
      (dolist (note '("newer" "newest"))
        (todo-server-sharing-edit id note)
        (todo-server-test-wait (todo-server-sharing-shown-p note))
        (should (string-match-p (concat "=== theirs\n" note "\n>>>") (buffer-string)))
        (should (equal (nth 2 (todo-server-sharing-sides)) (concat "Both\n\n" note)))
        (should (equal todo-server--base (todo-server--in (todo-server--front) :body :base)))
        (should (buffer-modified-p))
        (should-not buffer-undo-list))
      (goto-char (point-max))
      (insert "edited")
      (let ((text (buffer-string)))
        (todo-server-sharing-edit id "last")
        (todo-server-test-wait (todo-server-sharing-shown-p "last"))
        (should (equal (buffer-string) text))))))

(defun todo-server-pane-newer (id)
  "Come into a comparison of the todo ID, edit it, and have theirs changed once more."
  (todo-server-pane-conflict id)
  (let ((base todo-server--base))
    (todo-server-sharing-edit id "newer")
    (todo-server-test-wait (todo-server-sharing-shown-p "newer"))
    (should (equal (nth 2 (todo-server-sharing-sides)) "Both\n\nnewer"))
    (should (equal (buffer-string) "Both\n\nmerged"))
    (should (equal todo-server--base base))))

(todo-server-test todo-server-pane-asks-again
    "Theirs changes while a comparison is open: a save asks about it, and a yes stores the text."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (todo-server-pane-newer id)
      (todo-server-test-answering '(nil) (todo-server-test-fails #'save-buffer))
      (should (string-match-p "Theirs was changed" todo-server-test-asked))
      (should (buffer-modified-p))
      (should (equal (todo-server-test-stored) '(("Both" . "newer"))))
      (todo-server-test-answering '(t) (save-buffer))
      (should-not (buffer-modified-p))
      (should (equal (todo-server-test-stored) '(("Both" . "merged")))))))

(todo-server-test todo-server-pane-asks-unseen
    "Theirs changes during the question of a comparison: nothing is stored, and it is asked again."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (todo-server-pane-newer id)
      (cl-letf (((symbol-function 'y-or-n-p)
                 (lambda (_)
                   (todo-server-sharing-edit id "last")
                   (todo-server-test-wait (todo-server-sharing-shown-p "last")))))
        (todo-server-test-fails #'save-buffer))
      (should (equal (todo-server-test-stored) '(("Both" . "last"))))
      (todo-server-test-answering '(t) (save-buffer))
      (should (equal (todo-server-test-stored) '(("Both" . "merged")))))))

(todo-server-test todo-server-pane-asks-sides
    "A decision asks about the merged text, is about the newest sides, and is carried out."
  (let ((id (todo-server-sharing-add "Both" "base")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Both")
      (todo-server-pane-newer id)
      (todo-server-test-answering '(t) (todo-server--act-text "keepMine"))
      (should (equal (todo-server-test-stored) '(("Both" . "base mine")))))))

(todo-server-test todo-server-pane-other-user
    "A text of another user is stored nowhere, and stays until its user has logged in again."
  (todo-server-sharing-add "Both" "base")
  (todo-server-test-login)
  (with-current-buffer (todo-server-test-open "Both")
    (goto-char (point-max))
    (insert " mine")
    (save-current-buffer (todo-server-restart))
    (todo-server-test-wait (todo-server-test-sees "Welcome"))
    (save-current-buffer (todo-server-test-login "bob"))
    (should (string-match-p "Todo: " (todo-server-test-fails #'save-buffer)))
    (should (equal (buffer-string) "Both\n\nbase mine"))
    (should (buffer-modified-p))
    (todo-server-test-press "L")
    (todo-server-test-wait (todo-server-test-sees "Welcome"))
    (save-current-buffer (todo-server-test-login))
    (save-buffer)
    (should (equal (todo-server-test-stored) '(("Both" . "base mine"))))))

(provide 'todo-server-sharing-test)
;;; todo-server-sharing-test.el ends here
