;;; todo-server-terminal-helper.el --- Emacs in a terminal  -*- lexical-binding: t; -*-

;;; Commentary:

;; Emacs runs in tmux; keys are sent to it, and its screen is read.

;;; Code:

(require 'todo-server-test-helper)

(defun todo-server-terminal-tmux (&rest arguments)
  "Do what ARGUMENTS say in our own tmux, and return what it prints."
  (with-temp-buffer
    (apply #'call-process "tmux" nil t nil "-S" (getenv "TODO_TMUX") "-f" "/dev/null" arguments)
    (buffer-string)))

(defvar todo-server-terminal-width 80 "The width of the terminals in columns.")
(defvar todo-server-terminal-height 20 "The height of the terminals in lines.")

(defun todo-server-terminal-start (session &rest command)
  "Start Emacs with the server COMMAND in the terminal SESSION."
  (let ((command (or command (append (todo-server-test-program) (todo-server-test-store)))))
    (todo-server-terminal-tmux
     "new-session" "-d" "-s" session "-x" (number-to-string todo-server-terminal-width)
     "-y" (number-to-string todo-server-terminal-height)
     "emacs" "-nw" "-Q" "-L" (getenv "TODO_PACKAGE") "-l" "todo-server" "--eval"
     (format "(setq todo-server-command '%S)" command) "-f" "todo-server")))

(defun todo-server-terminal-screen (session &optional options)
  "Return the screen of the terminal SESSION; with \"-e\" as OPTIONS with escape sequences for colours."
  (todo-server-terminal-tmux "capture-pane" (or options "-p") "-p" "-t" session))

(defun todo-server-terminal-sees (session text &optional gone options)
  "Wait until the terminal SESSION shows TEXT, or does not if GONE is t.
If GONE is a regexp, wait until it shows TEXT, and not that.  OPTIONS are those of
`todo-server-terminal-screen'.  Emacs draws a change in several steps: a test waits for the
screen that it expects."
  (let ((end (time-add nil todo-server-test-patience)) screen)
    (while (progn
             (setq screen (todo-server-terminal-screen session options))
             (cond ((eq gone t) (string-match-p text screen))
                   ((not (string-match-p text screen)))
                   (gone (string-match-p gone screen))))
      (unless (time-less-p nil end)
        (ert-fail (list "waited too long" text gone screen)))
      (accept-process-output nil 0.02))))

(defun todo-server-terminal-keys (session &rest keys)
  "Type KEYS in the terminal SESSION, one after the other."
  (apply #'todo-server-terminal-tmux "send-keys" "-t" session keys))

(defun todo-server-terminal-type (session text)
  "Type TEXT in the terminal SESSION."
  (todo-server-terminal-tmux "send-keys" "-t" session "-l" text))

(defun todo-server-terminal-eval (session expression)
  "Evaluate EXPRESSION in the terminal SESSION."
  (todo-server-terminal-keys session "M-:")
  (todo-server-terminal-type session expression)
  (todo-server-terminal-keys session "Enter"))

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
  (todo-server-terminal-sees session "^Password (may be empty): *\n*\\'")
  (todo-server-terminal-keys session "Enter")
  (todo-server-terminal-sees session "Todos of ann"))

(defun todo-server-terminal-drafted (text)
  "Wait until TEXT is in a file beside the store."
  (todo-server-test-wait
   (eql 0 (call-process "grep" nil nil nil "-rqaF" text todo-server-test-folder))))

(defun todo-server-terminal-fake (session width &optional rows)
  "Start Emacs with the fake server and its ROWS in the terminal SESSION of WIDTH columns."
  (let ((todo-server-terminal-width width))
    (todo-server-terminal-start session "python3"
                                (expand-file-name "fake_server.py" (getenv "TODO_TESTS"))
                                (or rows "3") todo-server-test-folder))
  (todo-server-terminal-sees session "\\[ \\] Fruit 0[ ≡]*\\(|\\|$\\)"))

(defmacro todo-server-terminal-test (name check &rest body)
  "Define the test NAME of CHECK; BODY has terminals that end with it."
  (declare (indent 2) (doc-string 2))
  `(todo-server-test ,name ,check
     (unwind-protect (progn ,@body)
       (todo-server-terminal-tmux "kill-server")
       (todo-server-test-wait (not (todo-server-terminal-pids "."))))))

(provide 'todo-server-terminal-helper)
;;; todo-server-terminal-helper.el ends here
