;;; todo-server-terminal-test.el --- Real keys in a terminal  -*- lexical-binding: t; -*-

;;; Commentary:

;; Emacs runs in tmux; keys are sent to it, and its screen is read.

;;; Code:

(require 'todo-server-test-helper)

(defun todo-server-terminal-tmux (&rest arguments)
  "Do what ARGUMENTS say in our own tmux, and return what it prints."
  (with-temp-buffer
    (apply #'call-process "tmux" nil t nil "-S" (getenv "TODO_TMUX") "-f" "/dev/null" arguments)
    (buffer-string)))

(defvar todo-server-terminal-width 80 "How many columns the terminals have.")

(defun todo-server-terminal-start (session &rest command)
  "Start Emacs with the server COMMAND in the terminal SESSION."
  (let ((command (or command (append (todo-server-test-program) (todo-server-test-store)))))
    (todo-server-terminal-tmux
     "new-session" "-d" "-s" session "-x" (number-to-string todo-server-terminal-width) "-y" "20"
     "emacs" "-nw" "-Q" "-L" (getenv "TODO_PACKAGE") "-l" "todo-server" "--eval"
     (format "(setq todo-server-command '%S)" command) "-f" "todo-server")))

(defun todo-server-terminal-screen (session)
  "What the terminal SESSION shows."
  (todo-server-terminal-tmux "capture-pane" "-p" "-t" session))

(defun todo-server-terminal-sees (session text &optional gone)
  "Wait until the terminal SESSION shows TEXT, or does not if GONE."
  (let ((end (time-add nil todo-server-test-patience)) screen)
    (while (eq (and gone t)
               (and (string-match-p text (setq screen (todo-server-terminal-screen session))) t))
      (unless (time-less-p nil end)
        (ert-fail (list (if gone "still there" "not there") text screen)))
      (accept-process-output nil 0.02))))

(defun todo-server-terminal-keys (session &rest keys)
  "Type KEYS in the terminal SESSION, one after the other."
  (apply #'todo-server-terminal-tmux "send-keys" "-t" session keys))

(defun todo-server-terminal-type (session text)
  "Type TEXT in the terminal SESSION."
  (todo-server-terminal-tmux "send-keys" "-t" session "-l" text))

(defun todo-server-terminal-pids (pattern)
  "The live processes of this test whose command line has PATTERN."
  (seq-filter
   (lambda (pid)
     (let ((attributes (process-attributes pid)))
       (and (not (equal (alist-get 'state attributes) "Z"))
            (string-search todo-server-test-folder (or (alist-get 'args attributes) ""))
            (string-match-p pattern (alist-get 'args attributes)))))
   (list-system-processes)))

(defun todo-server-terminal-login (session)
  "Log in as ann in the terminal SESSION."
  (todo-server-terminal-sees session "l Log in")
  (todo-server-terminal-keys session "Enter")
  (todo-server-terminal-sees session "^Name:\n*\\'")
  (todo-server-terminal-type session "ann")
  (todo-server-terminal-keys session "Enter")
  (todo-server-terminal-sees session "^Password: *\n*\\'")
  (todo-server-terminal-keys session "Enter")
  (todo-server-terminal-sees session "Todos of ann"))

(defun todo-server-terminal-fake (session width &optional rows)
  "Start Emacs with the fake server and its ROWS in the terminal SESSION of WIDTH columns."
  (let ((todo-server-terminal-width width))
    (todo-server-terminal-start session "python3"
                                (expand-file-name "fake_server.py" (getenv "TODO_TESTS"))
                                (or rows "3") todo-server-test-folder))
  (todo-server-terminal-sees session "\\[ \\] Fruit 0 *\\(|\\|$\\)"))

(defmacro todo-server-terminal-test (name check &rest body)
  "Define the test NAME of CHECK; BODY has terminals that end with it."
  (declare (indent 2) (doc-string 2))
  `(todo-server-test ,name ,check
     (unwind-protect (progn ,@body)
       (todo-server-terminal-tmux "kill-server")
       (todo-server-test-wait (not (todo-server-terminal-pids "."))))))

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
    (todo-server-terminal-sees "a" "must not be blank" 'gone))
  (todo-server-terminal-keys "a" "C-x" "1" "C-c" "C-c")
  (todo-server-terminal-sees "a" "\\[ \\] Now: Buy milk")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Now: Buy milk")
  (todo-server-terminal-keys "a" "d")
  (todo-server-terminal-sees "a" "(y or n)")
  (todo-server-terminal-keys "a" "n" "?")
  (todo-server-terminal-sees "a" "This screen")
  (todo-server-terminal-keys "a" "F7")
  (todo-server-terminal-sees "a" "This screen" 'gone)
  (todo-server-terminal-keys "a" "d" "y")
  (todo-server-terminal-sees "a" "\\[x\\] Now" 'gone)
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
    (todo-server-terminal-sees "a" "signal 9")
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
    "Checks 7, 9, 18: a password is asked for with dots, checked while typing, and kept nowhere."
  (todo-server-terminal-start "a")
  (todo-server-terminal-sees "a" "Log in")
  (todo-server-terminal-keys "a" "r")
  (todo-server-terminal-sees "a" "User name:")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-type "a" "ann")
  (todo-server-terminal-sees "a" "At least 8 characters")
  (todo-server-terminal-type "a" "abella")
  (todo-server-terminal-sees "a" "At least 8 characters" 'gone)
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "^Password: *\n*\\'")
  (todo-server-terminal-type "a" "geheim-4711")
  (todo-server-terminal-sees "a" "^Password: \\(\\*\\|[.]\\)+\n*\\'")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "Todos of annabella")
  (dolist (place '("view-lossage" "list-command-history" "view-echo-area-messages"))
    (todo-server-terminal-keys "a" "M-x")
    (todo-server-terminal-type "a" place)
    (todo-server-terminal-keys "a" "Enter")
    (should-not (string-match-p "geheim" (todo-server-terminal-screen "a"))))
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
    (todo-server-terminal-keys other "g")
    (todo-server-terminal-sees other (concat "\\[ \\] " title))))

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

(defun todo-server-terminal-conflict (width)
  "Come into a conflict in a terminal of WIDTH columns."
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
    (todo-server-test-script "editTodo" (list :id id :note "theirs"))
    (todo-server-terminal-keys "a" "C-x" "C-s")
    (todo-server-terminal-sees "a" "Theirs")))

(todo-server-terminal-test todo-server-terminal-21-conflict-80
    "Check 21: at 80 columns the sides stand above each other with their names; theirs by letter."
  (todo-server-terminal-conflict 80)
  (todo-server-terminal-sees "a" "Merged (open)  C-c C-c Save merged")
  (todo-server-terminal-keys "a" "C-c" "C-b")
  (todo-server-terminal-sees "a" "Before")
  (todo-server-terminal-keys "a" "C-c" "C-a")
  (todo-server-terminal-sees "a" "t Take theirs")
  (todo-server-terminal-keys "a" "t")
  (todo-server-terminal-sees "a" "(y or n)")
  (todo-server-terminal-keys "a" "y")
  (todo-server-terminal-sees "a" "Todos of ann")
  (todo-server-terminal-sees "a" "Theirs" 'gone)
  (should (equal (todo-server-test-stored) '(("Both" . "theirs")))))

(todo-server-terminal-test todo-server-terminal-21-conflict-120
    "Check 21: at 120 columns the sides stand beside each other, in colour, at once."
  (todo-server-terminal-conflict 120)
  (todo-server-terminal-sees "a" "Mine (open) .*Merged (open) .*Theirs (open) ")
  (should (string-match-p "\e\\[[0-9;]*m\\(the\\)?irs\\|\e\\[[0-9;]*m.*theirs"
                          (todo-server-terminal-tmux "capture-pane" "-e" "-p" "-t" "a")))
  ;; Twice is no decision.
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Both words for one place are still there")
  (todo-server-terminal-keys "a" "n")
  (todo-server-terminal-sees "a" "nothing was done")
  (todo-server-terminal-keys "a" "M->")
  (todo-server-terminal-keys "a" "C-x" "h" "C-w")
  (todo-server-terminal-type "a" "Both!")
  (todo-server-terminal-keys "a" "C-x" "C-s")
  (todo-server-terminal-sees "a" "Todo: saved")
  (todo-server-terminal-sees "a" "Theirs" 'gone)
  (should (equal (todo-server-test-stored) '(("Both!" . "")))))

(todo-server-terminal-test todo-server-terminal-late
    "Never lose typed text: what is typed while a save waits for 6 s lands in the text."
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

(todo-server-terminal-test todo-server-terminal-missing
    "Everything that is said is seen: a server that is missing, or says nothing, at 80 columns."
  (todo-server-terminal-start "a" "/no/such/server")
  (todo-server-terminal-sees "a" "cannot run /no/such/server")
  (todo-server-terminal-sees "a" "M-x todo-server-restart starts it again")
  (todo-server-terminal-start "b" "sleep" "1000")
  (todo-server-terminal-sees "b" "the server says nothing; M-x todo-server-restart"))

(todo-server-terminal-test todo-server-terminal-said
    "Everything that is said is seen: the echo area is cleared when its news are old."
  (todo-server-test-script "addTodo" '(:title "Both"))
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Both")
  (todo-server-terminal-keys "a" "u")
  (todo-server-terminal-sees "a" "^Todo: Undone: Both")
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Both")
  (todo-server-terminal-sees "a" "Undone" 'gone)
  ;; Emacs's own key for undo is the role as well.
  (todo-server-terminal-keys "a" "C-_")
  (todo-server-terminal-sees "a" "\\[ \\] Both"))

(todo-server-terminal-test todo-server-terminal-hints
    "Everything that is said is seen: the hints are those that fit, in each window."
  (todo-server-terminal-start "a")
  (todo-server-terminal-login "a")
  (todo-server-terminal-sees "a" "Todos of ann  RET Open  a Add  x Done or not  \\? Help")
  (todo-server-terminal-keys "a" "C-x" "3")
  (todo-server-terminal-sees "a" "Todos of ann  RET Open  a Add  \\? Help ")
  (todo-server-terminal-keys "a" "C-x" "1")
  (todo-server-terminal-sees "a" "x Done or not  \\? Help"))

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

(todo-server-terminal-test todo-server-terminal-preview
    "Looks: from 100 columns on the note of the row stands beside the list, and goes with it."
  (todo-server-terminal-fake "narrow" 80)
  (todo-server-terminal-keys "narrow" "n" "x")
  (todo-server-terminal-sees "narrow" "\\[x\\] Fruit 1")
  (should-not (string-match-p "Grown" (todo-server-terminal-screen "narrow")))
  (todo-server-terminal-fake "a" 100)
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0 *|Grown on tree 0")
  (todo-server-terminal-keys "a" "n")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0 *|Grown on tree 1")
  (todo-server-terminal-keys "a" "v")
  (todo-server-terminal-sees "a" "sweet")
  (should-not (string-match-p "Grown" (todo-server-terminal-screen "a")))
  (todo-server-terminal-keys "a" "C-c" "C-k")
  (todo-server-terminal-sees "a" "Grown on tree 1")
  ;; A list that is not so wide has none; each of two windows keeps its row.
  (todo-server-terminal-keys "a" "C-x" "1" "C-x" "3" "n" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 2 *|.*\\[x\\] Fruit 2")
  (should-not (string-match-p "Grown" (todo-server-terminal-screen "a")))
  (todo-server-terminal-keys "a" "x")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 2 *|.*\\[ \\] Fruit 2")
  (todo-server-terminal-keys "a" "C-x" "o" "x")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 1 *|.*\\[x\\] Fruit 1")
  (todo-server-terminal-keys "a" "C-x" "1" "n")
  (todo-server-terminal-sees "a" "Grown on tree 2")
  (todo-server-terminal-keys "a" "q")
  (todo-server-terminal-sees "a" "Grown" 'gone))

(todo-server-terminal-test todo-server-terminal-opened-conflict
    "Looks: a conflict that a row leads to has its sides beside it, of equal width, with names."
  (todo-server-terminal-fake "a" 120)
  (todo-server-terminal-keys "a" "M-:")
  (todo-server-terminal-type
   "a" "(todo-server-rpc-call :screen/act '(:screen \"basket\" :action \"clash\"))")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees
   "a" "^ Yours.\\{33\\}| Both.\\{34\\}| Others "))

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
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 99999$")
  (todo-server-terminal-keys "a" "Enter")
  (todo-server-terminal-sees "a" "\\[x\\] Fruit 99999$")
  (dotimes (_ 40) (todo-server-terminal-keys "a" "M-v"))
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 994[0-9][0-9]$")
  (todo-server-terminal-keys "a" "M-<")
  (todo-server-terminal-sees "a" "\\[ \\] Fruit 0$"))

(provide 'todo-server-terminal-test)
;;; todo-server-terminal-test.el ends here
