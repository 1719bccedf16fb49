;;; todo-server-texts-test.el --- Several texts, and the list beside them  -*- lexical-binding: t; -*-

;;; Code:

(require 'todo-server-terminal-helper)

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

(todo-server-test todo-server-texts-current
    "A text whose place another one took is shown as not current, and adopts when it is selected."
  (todo-server-texts-login "Beta")
  (let* ((id (todo-server-sharing-add "Alpha" "old"))
         (alpha (progn (todo-server-test-wait (todo-server-test-sees "Alpha"))
                       (todo-server-test-open "Alpha"))))
    (cl-flet ((selected ()
                (switch-to-buffer alpha)
                ;; The work of a redisplay, which does not happen in a batch.
                (run-hook-with-args 'window-state-change-functions (selected-window))))
      (switch-to-buffer "*todo*")
      (todo-server-test-open "Beta")
      (todo-server-test-script "editTodo" (list :id id :note "new"))
      (with-current-buffer alpha
        (should (string-match-p "not current" (todo-server--header)))
        (selected)
        (todo-server-test-wait (equal (buffer-string) "Alpha\n\nnew"))
        (should-not (buffer-modified-p))
        (should-not (string-match-p "not current" (todo-server--header)))
        (switch-to-buffer "*todo*")
        (todo-server-test-open "Beta")
        (todo-server-test-script "removeTodo" (list :id id))
        (selected)
        (todo-server-test-wait (todo-server-test-said-p "was removed elsewhere"))
        (should (equal (buffer-string) "Alpha\n\nnew"))))))

(todo-server-test todo-server-texts-saved
    "A save asks about the unsaved edits of the text in front, which is named, and saves both."
  (todo-server-texts-login "Alpha" "Beta")
  (let* ((alpha (todo-server-test-open "Alpha")) (beta (todo-server-test-open "Beta")))
    (dolist (text (list beta alpha))
      (with-current-buffer text (goto-char (point-max)) (insert "mine")))
    (todo-server-test-wait (todo-server-sharing-shown-p "mine"))
    (with-current-buffer alpha
      (todo-server-test-answering '(nil nil)
        (should (string-match-p "todo: Beta\\* is not saved" (todo-server-test-fails #'save-buffer))))
      (todo-server-test-answering '(t) (save-buffer)))
    (should-not (or (buffer-modified-p alpha) (buffer-modified-p beta)))
    (should (equal (todo-server-test-stored) '(("Alpha" . "mine") ("Beta" . "mine"))))))

(todo-server-test todo-server-texts-row
    "The list keeps its row, and its first line, while a text is in its window."
  (apply #'todo-server-texts-login (mapcar (lambda (row) (format "Row %02d" row)) (number-sequence 0 20)))
  (todo-server-test-wait (todo-server-test-sees "Row 20"))
  (let ((text (todo-server-test-open "Row 16")))
    (cl-flet ((back ()
                (switch-to-buffer "*todo*")
                (should (looking-at-p "\\(My \\)?Row 16"))
                (should (= 11 (line-number-at-pos (window-start)))))
              (saved () (with-current-buffer text (goto-char (point-min)) (insert "My ") (save-buffer))))
      (switch-to-buffer "*todo*")
      (set-window-start nil (line-beginning-position -5))
      (switch-to-buffer text)
      (saved)
      (back)
      (switch-to-buffer text)
      (todo-server-test-script "addTodo" '(:title "Row 21"))
      (todo-server-test-wait (todo-server-test-sees "Row 21"))
      (bury-buffer)
      (back))))

(todo-server-test todo-server-texts-fill
    "Filling a region, also up to the title, fills only the note."
  (let ((fields "Long title\n2030-12-24\nred\n"))
    (todo-server-test-script "addTodo" '(:title "Long title" :note "one\ntwo" :due "2030-12-24" :labels ["red"]))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Long title")
      (let ((transient-mark-mode t))
        (dolist (end (list (point-max) (+ (point-min) (length fields) -1)))
          (goto-char (point-min))
          (push-mark end t t)
          (call-interactively #'fill-paragraph)
          (should (equal (buffer-string) (concat fields "\none two")))))
      ;; The user deletes the blank line above the note.
      (deactivate-mark)
      (goto-char (point-max))
      (forward-line -1)
      (delete-char 1)
      (insert "zero\n")
      (fill-region (point-min) (point-max))
      (fill-paragraph nil)
      (should (equal (buffer-string) (concat fields "zero one two"))))))

(todo-server-test todo-server-texts-bytes
    "A raw byte in a text is named with its line; the text can be saved without it."
  (todo-server-texts-login "Alpha")
  (with-current-buffer (todo-server-test-open "Alpha")
    (let ((problem (format "“%c” in line 2 of “note” is not Unicode" #x3fffe9)))
      (goto-char (point-max))
      (insert "un\ncaf" #x3fffe9)
      (todo-server-test-wait (todo-server-test-said-p problem))
      (should (string-search problem (todo-server-test-fails #'save-buffer)))
      (should (buffer-modified-p))
      (delete-char -1)
      (save-buffer)))
  (should (equal (todo-server-test-stored) '(("Alpha" . "un\ncaf")))))

(todo-server-test todo-server-texts-alternate
    "A good guest: C-x C-v in a text shows the file, and keeps the list."
  (todo-server-texts-login "Alpha")
  (let ((text (todo-server-test-open "Alpha")) (file (expand-file-name "file" todo-server-test-folder)))
    (with-current-buffer text (find-alternate-file file))
    (should-not (buffer-live-p text))
    (should (equal (buffer-file-name (window-buffer)) file))
    (kill-buffer (window-buffer))
    (should (todo-server-test-sees "[ ] Alpha"))))

(todo-server-test todo-server-texts-read-only
    "A good guest: a text that the user made read-only shows what changes elsewhere."
  (let ((id (todo-server-sharing-add "Alpha" "old")))
    (todo-server-test-login)
    (with-current-buffer (todo-server-test-open "Alpha")
      (read-only-mode)
      (save-current-buffer (todo-server))
      (todo-server-test-script "editTodo" (list :id id :note "new"))
      (todo-server-test-wait (equal (buffer-string) "Alpha\n\nnew"))
      (should buffer-read-only))))

(defun todo-server-texts-switch (session name)
  "Switch to the buffer NAME in the terminal SESSION."
  (todo-server-terminal-keys session "C-x" "b")
  (todo-server-terminal-type session name)
  (todo-server-terminal-keys session "Enter"))

(defun todo-server-texts-both (session)
  "Have unsaved edits of Beta, and then of Alpha, in the terminal SESSION."
  (dolist (title '("Beta" "Alpha")) (todo-server-sharing-add title ""))
  (todo-server-terminal-start session)
  (todo-server-terminal-login session)
  (dolist (title '("Alpha" "Beta"))
    (todo-server-terminal-sees session "^\\[ \\] Alpha\n\\[ \\] Beta")
    (todo-server-terminal-keys session "Enter")
    (todo-server-terminal-sees session (concat "^" title))
    (todo-server-texts-switch session "*todo*")
    (todo-server-terminal-keys session "n"))
  (dolist (title '("Beta" "Alpha"))
    (todo-server-texts-switch session (format "*todo: %s*" title))
    (todo-server-terminal-sees session (concat "^" title))
    (todo-server-terminal-type session "My ")
    (todo-server-terminal-sees session (concat "^My " title))
    (todo-server-terminal-drafted "My Beta")))

(todo-server-terminal-test todo-server-terminal-save-all
    "C-x s saves several texts after one answer."
  (todo-server-texts-both "a")
  (todo-server-terminal-keys "a" "C-x" "s")
  (todo-server-terminal-sees "a" "Save buffer")
  (todo-server-terminal-keys "a" "!")
  (todo-server-test-wait (equal (todo-server-test-stored) '(("My Alpha" . "") ("My Beta" . "")))))

(defun todo-server-texts-backup-p (text)
  "Whether TEXT is in an auto-save file."
  (eql 0 (call-process "grep" nil nil nil "-rqF" text (expand-file-name "~/.emacs.d"))))

(todo-server-terminal-test todo-server-terminal-recover
    "Text that no server has survives a kill of Emacs, and `recover-session' shows it."
  (todo-server-sharing-add "Note" "")
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "^\\[ \\] Note")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "C-c C-c Save")
  (todo-server-terminal-type "a" "one ")
  (todo-server-terminal-sees "a" "^one Note")
  (mapc (lambda (pid) (signal-process pid 'KILL)) (todo-server-terminal-pids "--store sqlite:"))
  (todo-server-terminal-sees "a" "server exited")
  (todo-server-test-wait (todo-server-texts-backup-p "one Note"))
  (todo-server-terminal-type "a" "two ")
  (todo-server-test-wait (todo-server-texts-backup-p "one two Note"))
  (mapc (lambda (pid) (signal-process pid 'KILL)) (todo-server-terminal-pids "\\`emacs"))
  (todo-server-test-wait (not (todo-server-terminal-pids ".")))
  (let ((todo-server-terminal-width 160)) (todo-server-terminal-start "b"))
  (todo-server-terminal-sees "b" "l Log in")
  (todo-server-terminal-keys "b" "M-x")
  (todo-server-terminal-type "b" "recover-session")
  (todo-server-terminal-keys "b" "Enter")
  (todo-server-terminal-sees "b" "To recover a session")
  (todo-server-terminal-keys "b" "C-c" "C-c")
  (todo-server-terminal-sees "b" "Recover .*todo-.*(y, n")
  (todo-server-terminal-keys "b" "y")
  (todo-server-terminal-sees "b" "yes or no")
  (todo-server-terminal-type "b" "yes")
  (todo-server-terminal-keys "b" "Enter")
  (todo-server-terminal-sees "b" "^one two Note"))

(todo-server-terminal-test todo-server-terminal-backup
    "Text that the server refuses, beside another unsaved text, is in a file until it is saved."
  (todo-server-texts-both "a")
  (todo-server-test-wait (todo-server-texts-backup-p "My Alpha"))
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Save buffer.*Beta")
  (todo-server-terminal-keys "a" "y")
  (todo-server-terminal-sees "a" "Todo: saved")
  (todo-server-test-wait (not (todo-server-texts-backup-p "My Alpha"))))

(provide 'todo-server-texts-test)
;;; todo-server-texts-test.el ends here
