;;; todo-server-terminal-test.el --- Real keys in a terminal  -*- lexical-binding: t; -*-

;;; Commentary:

;; The list, its questions and messages, and how the server ends.

;;; Code:

(require 'todo-server-terminal-helper)

(todo-server-terminal-test todo-server-terminal-completes
    "TAB completes qualifiers and labels."
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-keys "a" "a")
  (todo-server-terminal-sees "a" "^Title:\n*\\'")
  (todo-server-terminal-type "a" "one")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\[ \\] one")
  (todo-server-terminal-keys "a" "l")
  (todo-server-terminal-sees "a" "^Labels")
  (todo-server-terminal-type "a" "\"at home\" garden")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "at home garden")
  ;; Each label has a background of its own, and the space between them has not.
  (todo-server-terminal-sees "a" "48;5;[0-9]+mat home\e[^ ]* \e[^ ]*48;5;[0-9]+mgarden" nil "-e")
  (todo-server-terminal-keys "a" "/")
  (todo-server-terminal-sees "a" "^Words: *\n*\\'")
  (todo-server-terminal-type "a" "is:open -label:g")
  (todo-server-terminal-keys "a" "Tab")
  (todo-server-terminal-sees "a" "^Words: is:open -label:garden")
  (todo-server-terminal-keys "a" "C-a" "C-k")
  (todo-server-terminal-type "a" "label:\"at")
  (todo-server-terminal-keys "a" "Tab" "Enter")
  (todo-server-terminal-sees "a" "with “label:\"at home\"”"))

(todo-server-terminal-test todo-server-terminal-main-flow
    "Checks 6, 8, 10-14, 17, 23-25 with real keys."
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-keys "a" "a")
  (todo-server-terminal-sees "a" "^Title:\n*\\'")
  (todo-server-terminal-type "a" "Buy milk")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\[ \\] Buy milk")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "C-c C-c Save")
  (todo-server-terminal-type "a" "Now: ")
  (todo-server-terminal-keys "a" "M->")
  (todo-server-terminal-type "a" "Two litres")
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Todo: saved")
  (should (equal (todo-server-test-stored) '(("Now: Buy milk" . "Two litres"))))
  (todo-server-terminal-sees "a" "Two litres")
  ;; A title that is refused keeps the text, in one window and in two.
  (dolist (windows '(("C-x" "1") ("C-x" "2")))
    (apply #'todo-server-terminal-keys "a" windows)
    (todo-server-terminal-keys "a" "M-<" "C-k")
    (todo-server-terminal-keys "a" "C-c" "C-c")
    (todo-server-terminal-sees "a" "must not be blank")
    (todo-server-terminal-sees "a" "Two litres")
    (todo-server-terminal-keys "a" "C-y")
    (todo-server-terminal-sees "a" "must not be blank" t))
  (todo-server-terminal-keys "a" "C-x" "1" "C-c" "C-c")
  (todo-server-terminal-sees "a" "\\[ \\] Now: Buy milk")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Now: Buy milk")
  (todo-server-terminal-keys "a" "d")
  (todo-server-terminal-sees "a" "(y or n)")
  (todo-server-terminal-keys "a" "n" "?")
  (todo-server-terminal-sees "a" "This screen")
  (todo-server-terminal-keys "a" "q")
  (todo-server-terminal-sees "a" "This screen" t)
  (todo-server-terminal-keys "a" "d" "y")
  (todo-server-terminal-sees "a" "\\[x\\] Now" t)
  ;; A killed server, twice; the text that is not saved stays.
  (todo-server-terminal-keys "a" "a")
  (todo-server-terminal-type "a" "Precious")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\[ \\] Precious")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "C-c C-c Save")
  (todo-server-terminal-type "a" "unsaved ")
  (dotimes (_ 2)
    (mapc (lambda (pid) (signal-process pid 'KILL)) (todo-server-terminal-pids "--store sqlite:"))
    (todo-server-terminal-sees "a" (todo-server-test-exited "signal 9"))
    (todo-server-terminal-sees "a" "unsaved Precious")
    (todo-server-terminal-keys "a" "M-x")
    (todo-server-terminal-type "a" "todo-server-restart")
    (todo-server-terminal-keys "a" "Enter")
    (todo-server-terminal-sees "a" "Welcome")
    (todo-server-terminal-keys "a" "C-x" "b")
    (todo-server-terminal-type "a" "*todo: Precious*")
    (todo-server-terminal-keys "a" "Enter")
    (todo-server-terminal-sees "a" "unsaved Precious")))

(todo-server-terminal-test todo-server-terminal-07-09-18-password
    "Checks 7, 9, 18: a password is shown as dots, checked while typing, and never stored."
  (todo-server-terminal-start "a")
  (todo-server-terminal-sees "a" "Log in")
  (todo-server-terminal-keys "a" "r")
  (todo-server-terminal-sees "a" "User name:")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-type "a" "ann")
  (todo-server-terminal-sees "a" "At least 8 characters")
  (todo-server-terminal-type "a" "abella")
  (todo-server-terminal-sees "a" "At least 8 characters" t)
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "^Password.*: *\n*\\'")
  (todo-server-terminal-type "a" "geheim-4711")
  (todo-server-terminal-sees "a" "^Password.*: \\(\\*\\|[.]\\)+\n*\\'")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "Todos of annabella")
  (pcase-dolist (`(,command ,buffer) '(("view-lossage" "*Help*")
                                       ("list-command-history" "*Command History*")
                                       ("view-echo-area-messages" "*Messages*")))
    (todo-server-terminal-keys "a" "M-x")
    (todo-server-terminal-type "a" command)
    (todo-server-terminal-keys "a" "Enter")
    (todo-server-terminal-sees "a" (regexp-quote buffer))
    ;; `view-lossage' has a key in each line, with its command.
    (should-not (string-match-p (mapconcat #'char-to-string "geheim" "\\(?: +;;.*\n\\|[ \n]\\)*")
                                (todo-server-terminal-screen "a"))))
  (should-not (todo-server-terminal-pids "geheim"))
  (should (equal "" (with-output-to-string
                      (call-process "grep" nil standard-output nil
                                    "-r" "geheim" (getenv "HOME") todo-server-test-folder)))))

(todo-server-terminal-test todo-server-terminal-22-two
    "Check 22: two editors with one store; each sees what the other saved."
  (todo-server-terminal-start "a")
  (todo-server-terminal-start "b")
  (dolist (session '("a" "b")) (todo-server-terminal-login session))
  (pcase-dolist (`(,one ,other ,title) '(("a" "b" "From a") ("b" "a" "From b")))
    (todo-server-terminal-keys one "a")
    (todo-server-terminal-sees one "^Title:\n*\\'")
    (todo-server-terminal-type one title)
    (todo-server-terminal-keys one "Enter")
    (todo-server-terminal-sees one (concat "\\[ \\] " title))
    (todo-server-terminal-sees other (concat "\\[ \\] " title)))
  ;; A key typed while the list is reloaded may belong to another screen: this one is the last.
  (todo-server-terminal-keys "a" "g")
  (todo-server-terminal-sees "a" "\\[ \\] From b\n\\[ \\] From a"))

(todo-server-terminal-test todo-server-terminal-back
    "The way back from the agenda and from removed todos leads to the row where it began."
  (mapc (lambda (title) (todo-server-test-script "addTodo" (list :title title :due "2020-01-02")))
        '("three" "two" "one"))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "\\[ \\] three")
  (todo-server-terminal-keys "a" "n")
  (pcase-dolist (`(,key ,title ,row) '(("R" "Nothing was removed" "two") ("A" "▾ Overdue" "three")))
    (todo-server-terminal-keys "a" key)
    (todo-server-terminal-sees "a" title)
    (todo-server-terminal-keys "a" "^")
    (todo-server-terminal-sees "a" "Todos of ann")
    (todo-server-terminal-keys "a" "x")
    (todo-server-terminal-sees "a" (concat "\\[x\\] " row))
    (todo-server-terminal-keys "a" "n")))

(todo-server-terminal-test todo-server-terminal-26-orphans
    "Check 26: however Emacs ends, it ends, and no server is left."
  (dolist (end '(quit HUP TERM KILL terminal))
    (todo-server-terminal-start "a")
    (todo-server-terminal-sees "a" "Log in")
    (let ((emacs (todo-server-terminal-pids "\\`emacs")))
      (should (= 1 (length emacs)))
      (should (todo-server-terminal-pids "--store sqlite:"))
      (pcase end
        ('quit (todo-server-terminal-keys "a" "C-x" "C-c"))
        ('terminal (todo-server-terminal-tmux "kill-server"))
        (_ (signal-process (car emacs) end))))
    (todo-server-test-wait (not (todo-server-terminal-pids ".")))))

(todo-server-terminal-test todo-server-terminal-missing
    "Messages are seen: a server that is missing or does not answer, at 80 columns."
  (todo-server-terminal-start "a" "/no/such/server")
  (todo-server-terminal-sees "a" "cannot run /no/such/server")
  (todo-server-terminal-sees "a" "M-x todo-server-restart starts it again")
  (todo-server-terminal-start "b" "sleep" "1000")
  (todo-server-terminal-sees "b" "the server does not respond; M-x todo-server-restart"))

(todo-server-terminal-test todo-server-terminal-slow
    "Messages are seen: that the server does not respond is shown until it does."
  (let ((hold (expand-file-name "hold" todo-server-test-folder)))
    (write-region "" nil hold nil 'silent)
    (todo-server-terminal-start "a" "sh" "-c" "while [ -e \"$0\" ]; do sleep 0.1; done; exec \"$@\"" hold
                                "python3" (expand-file-name "fake_server.py" (getenv "TODO_TESTS")) "3")
    (todo-server-terminal-sees "a" "does not respond")
    (delete-file hold)
    (todo-server-terminal-sees "a" "Fruit 0")
    (todo-server-terminal-sees "a" "does not respond" t)))

(todo-server-terminal-test todo-server-terminal-said
    "Messages are seen: the echo area is cleared when its message is out of date."
  (todo-server-test-script "addTodo" '(:title "Both"))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Both")
  (todo-server-terminal-keys "a" "u")
  (todo-server-terminal-sees "a" "^Todo: Undone: Both")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Both")
  (todo-server-terminal-sees "a" "Undone" t)
  ;; Emacs's own key for undo is the role as well.
  (todo-server-terminal-keys "a" "C-_")
  (todo-server-terminal-sees "a" "\\[ \\] Both"))

(todo-server-terminal-test todo-server-terminal-hints
    "Messages are seen: each window shows the hints that fit."
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "Todos of ann  RET Open  a Add  x Done or not  \\? Help")
  (todo-server-terminal-keys "a" "C-x" "3")
  (todo-server-terminal-sees "a" "Todos of ann  RET Open  a Add  \\? Help ")
  (todo-server-terminal-keys "a" "C-x" "1")
  (todo-server-terminal-sees "a" "x Done or not  \\? Help"))

(todo-server-terminal-test todo-server-terminal-preview
    "Looks: from 100 columns on the note of the row is beside the list, and closes with it."
  (todo-server-terminal-fake "narrow" 80)
  (todo-server-terminal-keys "narrow" "n" "x")
  (todo-server-terminal-sees "narrow" "\\[x\\] Fruit 1" "Grown")
  (todo-server-terminal-fake "a" 100)
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0[ ≡]*|Grown on tree 0")
  (todo-server-terminal-keys "a" "n")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0[ ≡]*|Grown on tree 1")
  (todo-server-terminal-keys "a" "v")
  (todo-server-terminal-sees "a" "sweet" "Grown")
  (todo-server-terminal-keys "a" "C-c" "C-k")
  (todo-server-terminal-sees "a" "Grown on tree 1")
  ;; A list that is not so wide has none; each of two windows keeps its row.
  (todo-server-terminal-keys "a" "C-x" "1" "C-x" "3" "n" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 2[ ≡]*|.*\\[x\\] Fruit 2" "Grown")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 2[ ≡]*|.*\\[ \\] Fruit 2")
  (todo-server-terminal-keys "a" "C-x" "o" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 1[ ≡]*|.*\\[x\\] Fruit 1")
  (todo-server-terminal-keys "a" "C-x" "1" "n")
  (todo-server-terminal-sees "a" "Grown on tree 2")
  (todo-server-terminal-keys "a" "q")
  (todo-server-terminal-sees "a" "Grown" t))

(todo-server-terminal-test todo-server-terminal-anywhere
    "No words for front-end authors: something is added from any buffer."
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-keys "a" "q" "M-x")
  (todo-server-terminal-type "a" "todo-server-create")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "^Title:")
  (todo-server-terminal-type "a" "From afar")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-test-wait (equal (todo-server-test-stored) '(("From afar" . "")))))

(todo-server-terminal-test todo-server-terminal-28-window
    "Check 28: one moves through 100,000 rows as through any buffer."
  (todo-server-terminal-fake "a" 80 "100000")
  (todo-server-terminal-keys "a" "M->")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 99999[ ≡]*$")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 99999[ ≡]*$")
  (dotimes (_ 40) (todo-server-terminal-keys "a" "M-v"))
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 994[0-9][0-9][ ≡]*$")
  (todo-server-terminal-keys "a" "M-<")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0[ ≡]*$"))

(todo-server-terminal-test todo-server-terminal-28-preview
    "Check 28: in a long list the note of the row stays, and no rows are requested repeatedly."
  (todo-server-terminal-fake "a" 120 "100000")
  (todo-server-terminal-keys "a" "M->")
  (todo-server-terminal-sees "a" "Grown on tree 99999")
  ;; Also in two windows, which the server cannot both give their rows.
  (todo-server-terminal-keys "a" "C-x" "2" "M-<")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0 ")
  (todo-server-terminal-keys "a" "C-x" "o")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 99999 ")
  (todo-server-terminal-keys "a" "x" "x" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 99999 ")
  (todo-server-terminal-eval "a" "(< todo-server-rpc-revision 15)")
  (todo-server-terminal-sees "a" "^t\n*\\'"))

(todo-server-terminal-test todo-server-terminal-rule
    "A good guest: a rule that shows all todo buffers in one window does not replace the list."
  (todo-server-terminal-fake "a" 120)
  (todo-server-terminal-keys "a" "q")
  (todo-server-terminal-eval
   "a" "(setq display-buffer-alist '((\"todo\" display-buffer-in-side-window)))")
  (todo-server-terminal-keys "a" "M-x")
  (todo-server-terminal-type "a" "todo-server")
  (todo-server-terminal-keys "a" "Enter" "n" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 1" "Grown"))

(todo-server-terminal-test todo-server-terminal-frames
    "Looks: the note has one window, and stays there when a list elsewhere has no room for it."
  (todo-server-terminal-fake "a" 120)
  (todo-server-terminal-sees "a" "Grown on tree 0")
  (todo-server-terminal-keys "a" "C-x" "5" "2")
  (todo-server-terminal-sees "a" "F2 ")
  (todo-server-terminal-keys "a" "C-x" "3" "n" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 1[ ≡]*|.*\\[x\\] Fruit 1")
  (todo-server-terminal-eval "a" "(windowp (get-buffer-window \"*todo preview*\" t))")
  (todo-server-terminal-sees "a" "^t\n*\\'")
  (todo-server-terminal-keys "a" "C-x" "5" "0" "C-x" "3" "n" "x")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 1[ ≡]*|.*\\[ \\] Fruit 1")
  (todo-server-terminal-eval "a" "(= 1 (length (get-buffer-window-list \"*todo preview*\")))")
  (todo-server-terminal-sees "a" "^t\n*\\'"))

(todo-server-terminal-test todo-server-terminal-many
    "A good guest: keys are for the region or the prefix argument, and one undo reverts them."
  (mapc (lambda (title) (todo-server-test-script "addTodo" (list :title title)))
        '("three" "two" "one"))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "\\[ \\] one\n\\[ \\] two\n\\[ \\] three")
  (todo-server-terminal-keys "a" "C-Space" "n" "n" "x")
  (todo-server-terminal-sees "a" "\\[x\\] one\n\\[x\\] two\n\\[ \\] three")
  (todo-server-terminal-keys "a" "u")
  (todo-server-terminal-sees "a" "\\[ \\] one\n\\[ \\] two\n\\[ \\] three")
  (todo-server-terminal-keys "a" "M-<" "n" "C-u" "2" "d")
  (todo-server-terminal-sees "a" "Remove 2 todos\\? (y or n)")
  (todo-server-terminal-keys "a" "y")
  (todo-server-terminal-sees "a" "\\[ \\] three" "\\] one")
  (should (equal (todo-server-test-stored) '(("three" . "")))))

(todo-server-terminal-test todo-server-terminal-menu
    "No line of the menu is continued, also where its columns divide the width, or with line numbers."
  (pcase-dolist (`(,width ,mode . ,keys) '((120 ignore "?") (80 ignore "v" "C-c" "C-a")
                                           (110 global-display-line-numbers-mode "v" "C-c" "C-a")))
    (let ((session (format "w%s" width)))
      (todo-server-terminal-fake session width)
      (todo-server-terminal-eval session (format "(%s)" mode))
      (apply #'todo-server-terminal-keys session keys)
      (todo-server-terminal-sees session "This buffer\n.*C-. +[RS].*\n.*C-. +C"))))

(todo-server-terminal-test todo-server-terminal-small
    "At 40 by 12 the menu has a column that scrolls, and the mode line has the state of the list."
  (todo-server-test-script "addTodo" (list :title (make-string 60 ?w)))
  (let ((todo-server-terminal-width 40) (todo-server-terminal-height 12))
    (todo-server-terminal-start "a"))
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "\\*todo\\* +1 open ")
  (todo-server-terminal-keys "a" "?")
  (todo-server-terminal-sees "a" "^This row\n +o +Open" "This buffer")
  (todo-server-terminal-keys "a" "M->")
  (todo-server-terminal-sees "a" "C-d +Check the server")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] www" "Check the server")
  (todo-server-terminal-sees "a" "\\*todo\\* +1 done")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\*todo: ww.*… +1 done"))

(todo-server-terminal-test todo-server-terminal-long-title
    "A long title leaves the facts of its row in sight, at each width, and with line numbers elsewhere."
  (todo-server-test-script
   "addTodo" (list :title (concat "Begin" (make-string 90 ?w)) :note "Note" :due "2020-01-02"
                   :labels ["home" "garden"]))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (let ((facts "\\[ \\] Begin%s… ≡ +%sdue 2020-01-02 *%s"))
    (todo-server-terminal-sees "a" (format facts "w\\{30,\\}" "garden home · " "$") "w\\$")
    (todo-server-terminal-keys "a" "C-x" "3")
    (todo-server-terminal-sees "a" (concat (format facts "w+" "" "|") (format facts "w+" "" "$")))
    (todo-server-terminal-keys "a" "C-x" "1")
    (todo-server-terminal-sees "a" (format facts "w\\{30,\\}" "garden home · " "$"))
    (todo-server-terminal-eval
     "a" (concat "(progn (global-display-line-numbers-mode) (global-visual-line-mode)"
                 " (kill-buffer) (todo-server) 'again)"))
    (todo-server-terminal-sees "a" (concat (format facts "w\\{30,\\}" "garden home · " "\n") "\\(.*\n\\)*again"))
    (todo-server-terminal-tmux "resize-window" "-t" "a" "-x" "120")
    (todo-server-terminal-sees "a" (format facts "w+" "garden home · " "|")))
  ;; The whole title is found.
  (todo-server-terminal-keys "a" "C-s")
  (todo-server-terminal-type "a" (make-string 90 ?w))
  (todo-server-terminal-sees "a" "I-search:" "Failing"))

(todo-server-terminal-test todo-server-terminal-long-message
    "A message that is wider than the window has several lines."
  (let ((todo-server-terminal-width 30)) (todo-server-terminal-fake "a" 30))
  (todo-server-terminal-keys "a" "l")
  (todo-server-terminal-sees "a" "^A message that is\\(.*\n\\)+.*its end\\.\n.*\\[ \\] Fruit 0"))

(todo-server-terminal-test todo-server-terminal-macro
    "A good guest: a keyboard macro edits the text that its RET opens, and so do keys typed ahead."
  (mapc (lambda (title) (todo-server-test-script "addTodo" (list :title title))) '("two" "one"))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "\\[ \\] two")
  (todo-server-terminal-keys "a" "C-x" "(" "Enter" "C-e")
  (todo-server-terminal-type "a" "!x")
  (todo-server-terminal-keys "a" "C-c" "C-c" "Down" "C-x" ")" "C-x" "e")
  (todo-server-terminal-sees "a" "\\[ \\] one!x\n\\[ \\] two!x")
  (should (equal (todo-server-test-stored) '(("one!x" . "") ("two!x" . "")))))

(provide 'todo-server-terminal-test)
;;; todo-server-terminal-test.el ends here
