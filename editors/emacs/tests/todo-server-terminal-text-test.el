;;; todo-server-terminal-text-test.el --- Real keys in texts  -*- lexical-binding: t; -*-

;;; Commentary:

;; Editing texts, late answers, and conflicts at 80 and 120 columns.

;;; Code:

(require 'todo-server-terminal-helper)

(todo-server-terminal-test todo-server-terminal-26-unsaved
    "Check 26: C-x C-c asks about a text that is not saved, and saves it."
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-keys "a" "a")
  (todo-server-terminal-type "a" "Note")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\[ \\] Note")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "C-c C-c Save")
  (todo-server-terminal-type "a" "My ")
  (todo-server-terminal-keys "a" "C-x" "C-c")
  (todo-server-terminal-sees "a" "Save buffer.*todo: Note")
  (todo-server-terminal-keys "a" "y")
  (todo-server-test-wait (not (todo-server-terminal-pids ".")))
  (should (equal (todo-server-test-stored) '(("My Note" . "")))))

(todo-server-terminal-test todo-server-terminal-draft
    "An edit survives a kill of Emacs and its server, TODO_ROUNDS times."
  (todo-server-test-script "addTodo" '(:title "Note"))
  (dotimes (round (string-to-number (or (getenv "TODO_ROUNDS") "2")))
    (let ((title (format "edit %d" round)) (session (format "a%d" round)))
      (todo-server-terminal-start session)
      (todo-server-terminal-login session)
      (todo-server-terminal-sees session "^\\[ \\] ")
      (todo-server-terminal-keys session "Enter")
      (todo-server-terminal-sees session "C-c C-c Save")
      (todo-server-terminal-keys session "C-k")
      (todo-server-terminal-type session title)
      (todo-server-terminal-sees session (concat "^" title))
      (todo-server-terminal-drafted title)
      (mapc (lambda (pid) (signal-process pid 'KILL)) (todo-server-terminal-pids "."))
      (todo-server-test-wait (not (todo-server-terminal-pids ".")))
      (todo-server-terminal-start session)
      (todo-server-terminal-login session)
      (todo-server-terminal-sees session "^\\[ \\] .* draft")
      (todo-server-terminal-sees session "1 unsaved text was recovered")
      (todo-server-terminal-keys session "Enter")
      (todo-server-terminal-sees session (concat "^" title))
      (todo-server-terminal-keys session "C-x" "C-s")
      (todo-server-terminal-sees session "Todo: saved")
      (should (equal (todo-server-test-stored) `((,title . ""))))
      (todo-server-terminal-keys session "C-x" "C-c")
      (todo-server-test-wait (not (todo-server-terminal-pids "."))))))

(todo-server-terminal-test todo-server-terminal-drafts
    "Several drafts of a todo are a list: a key discards one, RET opens one, as in any list."
  (todo-server-test-script "addTodo" '(:title "Note"))
  (dolist (session '("a" "b"))
    (todo-server-terminal-start session)
    (todo-server-terminal-login session)
    (todo-server-terminal-sees session "^\\[ \\] Note")
    (todo-server-terminal-keys session "Enter")
    (todo-server-terminal-sees session "C-c C-c Save")
    (todo-server-terminal-type session (concat "From " session ": "))
    (todo-server-terminal-drafted (concat "From " session ": ")))
  (mapc (lambda (pid) (signal-process pid 'KILL)) (todo-server-terminal-pids "."))
  (todo-server-test-wait (not (todo-server-terminal-pids ".")))
  (todo-server-terminal-start "c")
  (todo-server-terminal-login "c")
  (todo-server-terminal-sees "c" "2 unsaved texts were recovered")
  (todo-server-terminal-sees "c" "^\\[ \\] Note.* draft")
  (todo-server-terminal-keys "c" "Enter")
  (todo-server-terminal-sees "c" "Unsaved texts.*RET Open.*d Discard")
  (todo-server-terminal-sees "c" "From b.*\n.*From a")
  (todo-server-terminal-keys "c" "d")
  (todo-server-terminal-sees "c" "Discard this text\\?.*(y or n)")
  (todo-server-terminal-keys "c" "y")
  (todo-server-terminal-sees "c" "From a" "From b")
  (todo-server-terminal-keys "c" "Enter")
  (todo-server-terminal-sees "c" "^From a: Note")
  ;; It is unsaved: to leave it asks.
  (todo-server-terminal-keys "c" "C-c" "C-k")
  (todo-server-terminal-sees "c" "not saved; drop it")
  (todo-server-terminal-type "c" "no")
  (todo-server-terminal-keys "c" "Enter")
  (todo-server-terminal-sees "c" "^Unsaved text from .*Save or discard it")
  (todo-server-terminal-keys "c" "C-x" "C-s")
  (todo-server-terminal-sees "c" "Todo: saved")
  (should (equal (todo-server-test-stored) '(("From a: Note" . "")))))

(todo-server-terminal-test todo-server-terminal-fill
    "A good guest: filling, also while typing, breaks lines of the note, and joins and breaks no fields."
  (let ((title (string-join (make-list 20 "long") " ")))
    (todo-server-test-script "addTodo" '(:title "T" :due "2030-12-24" :labels ["red"]))
    (todo-server-terminal-start "a")
    (todo-server-terminal-login "a")
    (todo-server-terminal-eval "a" "(add-hook 'text-mode-hook 'turn-on-auto-fill)")
    (todo-server-terminal-keys "a" "Enter")
    (todo-server-terminal-sees "a" "C-c C-c Save")
    (todo-server-terminal-keys "a" "C-k")
    (todo-server-terminal-type "a" (concat title " "))
    (todo-server-terminal-keys "a" "BSpace" "M-q" "M->")
    (todo-server-terminal-type "a" (concat title "."))
    (todo-server-terminal-keys "a" "C-c" "C-c")
    (todo-server-terminal-sees "a" "\\[ \\] long long")
    (let ((todo (aref (plist-get (todo-server-test-script "listTodos") :todos) 0)))
      (should (equal (plist-get todo :title) title))
      (should (equal (plist-get todo :labels) ["red"]))
      (should (string-match-p "\\`long .*\n.*long\\.\\'" (plist-get todo :note))))))

(todo-server-terminal-test todo-server-terminal-elsewhere
    "A change elsewhere stays in the header line of a text that is scrolled down."
  (let ((id (todo-server--in (todo-server-test-script
                              "addTodo" `(:title "Long" :note ,(make-string 50 ?\n)))
                             :todo :id)))
    (todo-server-terminal-start "a")
    (todo-server-terminal-login "a")
    (todo-server-terminal-sees "a" "\\[ \\] Long")
    (todo-server-terminal-keys "a" "Enter")
    (todo-server-terminal-sees "a" "C-c C-c Save")
    (todo-server-terminal-keys "a" "M->")
    (todo-server-terminal-type "a" "mine")
    (todo-server-terminal-sees "a" "^mine")
    (todo-server-test-script "editTodo" (list :id id :title "Theirs"))
    (todo-server-terminal-sees "a" "^Todo: This todo was changed elsewhere")
    (todo-server-terminal-type "a" "!")
    (todo-server-terminal-sees "a" "^ Edit This todo was changed elsewhere" "^Todo: ")
    (todo-server-terminal-keys "a" "M-<")
    (todo-server-terminal-sees "a" "^ Edit  C-c C-c Save.*\nThis todo was changed elsewhere")))

(todo-server-terminal-test todo-server-terminal-written
    "C-x C-w turns a text into a file, without headings; its row leads to the text that is not saved."
  (todo-server-test-script "addTodo" '(:title "One" :note "Note"))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "\\[ \\] One")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "C-c C-c Save")
  (todo-server-terminal-type "a" "My ")
  (todo-server-terminal-drafted "My ")
  (todo-server-terminal-keys "a" "C-x" "C-w")
  (todo-server-terminal-sees "a" "^Write file:")
  (todo-server-terminal-keys "a" "C-a" "C-k")
  (todo-server-terminal-type "a" (expand-file-name "copy" todo-server-test-folder))
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "Help\nMy One\n\nNote\n\\(.*\n\\)*Wrote .*copy")
  (todo-server-terminal-keys "a" "C-x" "b")
  (todo-server-terminal-type "a" "*todo*")
  (todo-server-terminal-keys "a" "Enter" "Enter")
  (todo-server-terminal-sees "a" "^Title\nMy One\n" "Save buffer")
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-test-wait (equal (todo-server-test-stored) '(("My One" . "Note")))))

(defun todo-server-terminal-crossed (width)
  "Have unsaved text that was changed elsewhere, in a terminal of WIDTH columns."
  (let ((todo-server-terminal-width width)
        (id (todo-server--in (todo-server-test-script "addTodo" '(:title "Both" :note "base"))
                             :todo :id)))
    (todo-server-terminal-start "a")
    (todo-server-terminal-login "a")
    (todo-server-terminal-sees "a" "\\[ \\] Both")
    (todo-server-terminal-keys "a" "Enter")
    (todo-server-terminal-sees "a" "C-c C-c Save")
    (todo-server-terminal-keys "a" "M->")
    (todo-server-terminal-type "a" " mine")
    (todo-server-terminal-sees "a" "base mine")
    (todo-server-test-script "editTodo" (list :id id :note "theirs"))))

(defun todo-server-terminal-conflict (width)
  "Come into a conflict in a terminal of WIDTH columns."
  (todo-server-terminal-crossed width)
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Merged (open) "))

(todo-server-terminal-test todo-server-terminal-conflict-on-the-way
    "A save before another row is opened that ends in a conflict shows it."
  (todo-server-test-script "addTodo" '(:title "Other"))
  (let ((todo-server-terminal-height 24)) (todo-server-terminal-crossed 80))
  (todo-server-terminal-sees "a" "changed elsewhere")
  (todo-server-terminal-keys "a" "C-x" "b" "Enter")
  (todo-server-terminal-sees "a" "\\[ \\] Both.*\n\\[ \\] Other")
  (todo-server-terminal-keys "a" "M-<" "n" "Enter")
  (todo-server-terminal-sees "a" "Save buffer.*todo: Both")
  (todo-server-terminal-keys "a" "y")
  (todo-server-terminal-sees "a" "Merged (open)  C-c C-c Save merged\\(.*\n\\)*.*not done yet: Changed elsewhere")
  (todo-server-terminal-sees "a" "Theirs (open)" "Todos of ann"))

(todo-server-terminal-test todo-server-terminal-21-conflict-80
    "Check 21: at 80 columns the sides are one above the other, with names; a letter takes theirs."
  (let ((todo-server-terminal-height 24)) (todo-server-terminal-conflict 80))
  (let ((sides "Mine (open) .*\n\\(.*\n\\)*.*Merged (open)  C-c C-c Save merged.*\n\\(.*\n\\)*.*Theirs (open) "))
    (todo-server-terminal-sees "a" sides)
    (todo-server-terminal-keys "a" "C-c" "C-b")
    (todo-server-terminal-sees "a" "Before (open) ")
    (todo-server-terminal-keys "a" "C-c" "C-b")
    (todo-server-terminal-sees "a" sides "Before (open) "))
  (todo-server-terminal-keys "a" "C-c" "C-a")
  (todo-server-terminal-sees "a" "t Take theirs")
  (todo-server-terminal-keys "a" "t")
  (todo-server-terminal-sees "a" "(y or n)")
  (todo-server-terminal-keys "a" "y")
  (todo-server-terminal-sees "a" "Todos of ann")
  (todo-server-terminal-sees "a" "Theirs" t)
  (should (equal (todo-server-test-stored) '(("Both" . "theirs")))))

(todo-server-terminal-test todo-server-terminal-21-conflict-40
    "Check 21: in a small terminal the merged text is alone, and a key shows one side after the other."
  (let ((todo-server-terminal-height 14)) (todo-server-terminal-conflict 40))
  (todo-server-terminal-sees "a" "<<< mine\nbase mine\n=== theirs\ntheirs\n>>>" "(open) \\(.*\n\\)*.*(open) ")
  (dotimes (_ 2)
    (dolist (side '("Theirs" "Mine" "Before"))
      (todo-server-terminal-keys "a" "C-c" "C-b")
      (todo-server-terminal-sees "a" (format "Merged (open) \\(.*\n\\)*.*%s (open) " side)
                                 "(open) \\(.*\n\\)*.*(open) \\(.*\n\\)*.*(open) "))
    (todo-server-terminal-keys "a" "C-c" "C-b")
    (todo-server-terminal-sees "a" "Merged (open) " "(open) \\(.*\n\\)*.*(open) ")))

(todo-server-terminal-test todo-server-terminal-21-conflict-120
    "Check 21: at 120 columns the sides are next to each other, in colour."
  (todo-server-terminal-conflict 120)
  (todo-server-terminal-sees "a" "Mine (open) .*Merged (open) .*Theirs (open) ")
  (todo-server-terminal-sees "a" "\e\\[[0-9;]*m\\(the\\)?irs\\|\e\\[[0-9;]*m.*theirs" nil "-e")
  ;; Saving twice decides nothing.
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Both versions of a text are still there")
  (todo-server-terminal-keys "a" "n")
  (todo-server-terminal-sees "a" "nothing was done")
  (todo-server-terminal-keys "a" "M->")
  (todo-server-terminal-keys "a" "C-x" "h" "C-w")
  (todo-server-terminal-type "a" "Both!")
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Todo: saved")
  (todo-server-terminal-sees "a" "Theirs" t)
  (should (equal (todo-server-test-stored) '(("Both!" . "")))))

(todo-server-terminal-test todo-server-terminal-late
    "Never lose typed text: typing while a save waits for 6 s changes the text."
  (let ((hold (expand-file-name "hold" todo-server-test-folder)))
    (write-region "" nil hold nil 'silent)
    (let ((process-environment (cons (concat "HOLD=" hold) process-environment)))
      (todo-server-terminal-fake "a" 80))
    (todo-server-terminal-keys "a" "v")
    (todo-server-terminal-sees "a" "sweet")
    (todo-server-terminal-type "a" "very ")
    (todo-server-terminal-sees "a" "very sweet")
    (todo-server-terminal-keys "a" "C-c" "C-c")
    (todo-server-terminal-type "a" "dqx ")
    (todo-server-terminal-sees "a" "no answer within 5 s")
    (todo-server-terminal-sees "a" "very dqx sweet")
    (delete-file hold)
    (todo-server-terminal-sees "a" "Todo: saved")
    (todo-server-terminal-type "a" "q")
    (todo-server-terminal-sees "a" "very dqx qsweet")))

(todo-server-terminal-test todo-server-terminal-newer-message
    "Messages: an error that is shown again after pending keys replaces no newer message."
  (todo-server-terminal-fake "a" 80)
  (todo-server-terminal-eval
   "a" (concat "(prog1 \"newer\""
               " (let ((unread-command-events (list ?d)))"
               " (todo-server--complain '(user-error \"older\") nil nil))"
               " (run-with-idle-timer 0.3 nil (lambda () (message \"then %s\" (current-message)))))"))
  (todo-server-terminal-sees "a" "then \"newer\""))

(todo-server-terminal-test todo-server-terminal-text
    "Looks: the cursor is in the text, below the name of the field and above what is wrong."
  (dolist (width '(80 120))
    (let ((session (format "w%s" width)))
      (todo-server-terminal-fake session width)
      (todo-server-terminal-keys session "v")
      (todo-server-terminal-sees session "Kind\nsweet\n\nNotes\nsoft")
      (todo-server-terminal-keys session "C-k")
      (todo-server-terminal-type session "vinegar")
      (todo-server-terminal-sees session "Kind\nvinegar\nToo sour.\n\nNotes\nsoft")
      (pcase-dolist (`(,keys ,place) '((nil "7,3") (("C-a") "0,3") (("C-n" "C-n") "0,7")
                                       (("C-k") "0,7")))
        (apply #'todo-server-terminal-keys session keys)
        (todo-server-test-wait
         (equal (string-trim (todo-server-terminal-tmux "display" "-p" "-t" session
                                                        "#{cursor_x},#{cursor_y}"))
                place))))))

(todo-server-terminal-test todo-server-terminal-opened-conflict
    "Looks: a conflict that a row leads to has its sides beside it, of equal width, with names."
  (todo-server-terminal-fake "a" 120)
  (todo-server-terminal-keys "a" "M-:")
  (todo-server-terminal-type
   "a" "(todo-server-rpc-call :screen/act '(:screen \"basket\" :action \"clash\"))")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees
   "a" "^ Yours.\\{33\\}| Both.\\{34\\}| Others "))

(provide 'todo-server-terminal-text-test)
;;; todo-server-terminal-text-test.el ends here
