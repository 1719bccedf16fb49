;;; todo-server-test.el --- With the real server, without a screen  -*- lexical-binding: t; -*-

;;; Code:

(require 'package)
(require 'todo-server-test-helper)

(defun todo-server-test--files ()
  "The files of the package."
  (directory-files (getenv "TODO_PACKAGE") t "\\`todo.*\\.el\\'"))

(ert-deftest todo-server-test-01-compiled ()
  "Check 1: every file was compiled, which a warning prevents, and that is what runs."
  (dolist (file (todo-server-test--files))
    (should (file-newer-than-file-p (concat file "c") file))
    (should (assoc (concat file "c") load-history))))

(ert-deftest todo-server-test-02-lint ()
  "Check 2: checkdoc has nothing to say."
  (dolist (file (todo-server-test--files))
    (with-temp-buffer
      (call-process "emacs" nil t nil "-Q" "--batch" "--eval"
                    (format "(checkdoc-file %S)" file))
      (should (equal (buffer-string) "")))))

(ert-deftest todo-server-test-02-package-lint ()
  "A good guest: package-lint, older than Emacs 28, finds that version.
It also finds that the project has no public address yet, and nothing else."
  (with-temp-buffer
    (apply #'call-process "emacs" nil t nil "-Q" "--batch" "--eval"
           "(progn (require 'package)
                   (add-to-list 'package-directory-list \"/usr/share/emacs/site-lisp/elpa\")
                   (package-initialize)
                   (require 'package-lint)
                   (setq package-lint-main-file (expand-file-name \"todo-server.el\"
                                                                  (getenv \"TODO_PACKAGE\"))))"
           "-f" "package-lint-batch-and-exit" (todo-server-test--files))
    (should (equal (seq-filter (lambda (line) (string-match-p "\\(warning\\|error\\):" line))
                               (split-string (buffer-string) "\n"))
                   '("todo-server.el:1:0: error: Package should have a Homepage or URL header."
                     "todo-server.el:5:23: warning: This makes the package uninstallable in all \
released Emacs versions.")))))

(ert-deftest todo-server-test-03-help ()
  "Check 3: every command says what it does."
  (let ((commands (apropos-internal "\\`todo-server" #'commandp)))
    (should (> (length commands) 8))
    (dolist (command commands)
      (should (documentation command)))))

(ert-deftest todo-server-test-04-nothing-before ()
  "Check 4: loading starts nothing and changes no key."
  (with-temp-buffer
    (call-process "emacs" nil t nil "-Q" "--batch" "-L" (getenv "TODO_PACKAGE")
                  "-l" "todo-server" "--eval"
                  "(princ (list (process-list) kill-emacs-hook (get-buffer \"*todo*\")))")
    (should (equal (buffer-string) "(nil nil nil)"))))

(ert-deftest todo-server-test-05-install ()
  "Check 5: `package-install-file' makes the commands available."
  (let ((user (make-temp-file "elpa" t))
        (package (expand-file-name ".." (getenv "TODO_TESTS"))))
    (with-temp-buffer
      (should (eql 0 (call-process
                      "emacs" nil t nil "-Q" "--batch" "--eval"
                      (format "(progn (setq package-user-dir %S) (package-initialize)
                                 (package-install-file %S))"
                              user package))))
      (erase-buffer)
      (call-process "emacs" nil t nil "-Q" "--batch" "--eval"
                    (format "(progn (setq package-user-dir %S) (package-initialize)
                               (princ (list (autoloadp (symbol-function 'todo-server))
                                            (commandp 'todo-server-create)
                                            (progn (todo-server-doctor) (featurep 'todo-server)))))"
                            user))
      (should (string-suffix-p "(t t t)" (buffer-string))))))

(ert-deftest todo-server-test-05-no-server ()
  "A test run without a server ends immediately, and says what is missing."
  (with-temp-buffer
    (let ((process-environment `("TODO_SERVER=no-server --store memory" "TODO_TESTS_SELECTOR=\"no test\""
                                 ,@process-environment)))
      (should (eql 1 (call-process (expand-file-name "run" (getenv "TODO_TESTS")) nil t))))
    (should (string-prefix-p "There is no no-server: set TODO_SERVER" (buffer-string)))))

(todo-server-test todo-server-test-06-welcome
    "Check 6: the start shows the first screen."
  (todo-server)
  (should (get-buffer "*todo*"))
  (should (todo-server-test-said-p "Todo: starting the server…"))
  (todo-server-test-wait (todo-server-test-sees "Welcome"))
  (should (todo-server-test-sees "Name:")))

(todo-server-test todo-server-test-07-18-wrong-password
    "Checks 7, 9, 18: register with live errors, then a wrong password; no secret is kept."
  (todo-server)
  (todo-server-test-wait (todo-server-test-sees "Register"))
  (todo-server-test-press "r")
  (todo-server-test-wait (todo-server-test-sees "User name"))
  ;; Errors in a name are reported before the question for a password.
  (todo-server-test-press "r" "ann" "annabella" todo-server-test-password)
  (should (string-prefix-p "At least 8 characters. User name" todo-server-test-asked))
  (todo-server-test-wait (todo-server-test-sees "Todos of annabella"))
  (todo-server-test-press "L")
  (todo-server-test-wait (todo-server-test-sees "Welcome"))
  (todo-server-test-press "l" "annabella" "wrong password")
  (todo-server-test-wait (todo-server-test-said-p "password"))
  (should (todo-server-test-sees "Welcome"))
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (should-not (string-match-p todo-server-test-password (buffer-string)))))
  (should-not (member todo-server-test-password minibuffer-history)))

(todo-server-test todo-server-test-08-loading
    "Check 8: loading is shown, then the list."
  (let (kinds)
    (cl-flet ((note () (push (list (todo-server--in (todo-server--front) :body :kind)
                                   (todo-server--status))
                             kinds)))
      (add-hook 'todo-server-rpc-hook #'note)
      (unwind-protect (todo-server-test-login)
        (remove-hook 'todo-server-rpc-hook #'note)))
    (should (equal (seq-uniq (nreverse (delq nil (mapcar #'car kinds))))
                   '("form" "progress" "list")))
    (should (string-match-p "\\`:[-|/\\]\\'" (cadr (assoc "progress" kinds))))
    (should (equal (todo-server--status) ""))
    (should-not (todo-server-test-said-p "screen"))))

(todo-server-test todo-server-test-10-nowhere
    "Check 10: RET where nothing is, and a key of no action, are one clear line."
  (todo-server)
  (todo-server-test-wait (todo-server-test-sees "Welcome"))
  (with-current-buffer "*todo*"
    (goto-char (point-max))
    (todo-server-test-press "RET" "" "")
    (todo-server-test-wait (todo-server-test-said-p "Todo: ")))
  (should (string-match-p "has nothing for that" (todo-server-test-fails #'todo-server-toggle))))

(todo-server-test todo-server-test-10-read-only
    "Check 10: the list cannot be typed into, is nothing to save, and shows no id."
  (todo-server-test-login)
  (todo-server-test-add "Buy milk")
  (with-current-buffer "*todo*"
    (should (derived-mode-p 'special-mode))
    (should-not (buffer-modified-p))
    (should-error (insert "x") :type 'buffer-read-only)
    (goto-char (point-min))
    (search-forward "milk")
    (should-not (todo-server-test-sees
                 (todo-server--in (get-text-property (1- (point)) 'todo-server-item) :id)))))

(todo-server-test todo-server-test-10-killed-list
    "A good guest: a list whose buffer was killed comes back, also for an action from another buffer."
  (todo-server-test-login)
  (todo-server-test-add "Row")
  (kill-buffer "*todo*")
  (todo-server)
  (should (todo-server-test-sees "[ ] Row"))
  (kill-buffer "*todo*")
  (todo-server-test-answering '("From afar") (todo-server-create))
  (todo-server-test-wait (todo-server-test-sees "From afar")))

(todo-server-test todo-server-test-11-12-13-edit
    "Checks 11, 12, 13, 19: open, save, back to the list; undo brings the old text."
  (todo-server-test-script "addTodo" '(:title "Old" :note "one\ntwo"))
  (todo-server-test-login)
  (with-current-buffer (todo-server-test-open "Old")
    (should (equal (buffer-string) "Old\n\none\ntwo"))
    (should-not (buffer-modified-p))
    (goto-char (point-min))
    (insert "Very ")
    (save-buffer)
    (should-not (buffer-modified-p))
    (should (equal (todo-server-test-stored) '(("Very Old" . "one\ntwo"))))
    (should (todo-server-test-sees "Very Old"))
    (undo-boundary)
    (undo)
    (should (equal (buffer-string) "Old\n\none\ntwo"))
    (save-buffer)
    (should (equal (todo-server-test-stored) '(("Old" . "one\ntwo"))))
    (let ((text (current-buffer)))
      (todo-server-enter)
      (should-not (buffer-live-p text)))
    (todo-server-test-wait (todo-server-test-possible "Add"))))

(todo-server-test todo-server-test-14-15-failed-save
    "Checks 14, 15: a failed save changes nothing; revert shows the server's text."
  (todo-server-test-login)
  (todo-server-test-add "Title")
  (with-current-buffer (todo-server-test-open "Title")
    (delete-region (point-min) (line-end-position))
    (should (string-match-p "blank" (todo-server-test-fails #'save-buffer)))
    (should (buffer-modified-p))
    (should-error (todo-server-enter) :type 'user-error)
    (should (eq (todo-server--attached) (current-buffer)))
    (let ((inhibit-message t)) (revert-buffer nil t))
    (should (equal (buffer-string) "Title\n\n"))
    (should-not (buffer-modified-p))
    (should-not (todo-server-test-said-p "changed"))))

(todo-server-test todo-server-test-16-round-trip
    "Check 16: any text comes back byte for byte, also what was not touched."
  (todo-server-test-login)
  (todo-server-test-add todo-server-test-text)
  (with-current-buffer (todo-server-test-open todo-server-test-text)
    (goto-char (point-max))
    (insert todo-server-test-note)
    (todo-server-enter))
  (should (equal (todo-server-test-stored)
                 (list (cons todo-server-test-text todo-server-test-note))))
  (with-current-buffer (todo-server-test-open todo-server-test-text)
    (should (string-suffix-p todo-server-test-note (buffer-string)))
    (goto-char (point-min))
    (insert "! ")
    (save-buffer))
  (should (equal (todo-server-test-stored)
                 (list (cons (concat "! " todo-server-test-text) todo-server-test-note)))))

(todo-server-test todo-server-test-17-confirm
    "Check 17: to remove asks first; toggling and filtering do not."
  (todo-server-test-login)
  (todo-server-test-add "Keep")
  (todo-server-test-press "d" nil)
  (should (equal todo-server-test-asked "Remove this todo? “Keep” "))
  (should (todo-server-test-possible "Add"))
  (should (equal (todo-server-test-stored) '(("Keep" . ""))))
  (todo-server-test-press "x")
  (todo-server-test-wait (todo-server-test-sees "[x] Keep"))
  (todo-server-test-press "/" "nothing")
  (todo-server-test-wait (not (todo-server-test-sees "Keep")))
  (todo-server-test-press "RET")
  (should (todo-server-test-said-p "there is no row here"))
  (todo-server-test-press "/" "")
  (todo-server-test-wait (todo-server-test-sees "Keep"))
  (todo-server-test-press "d" t)
  (todo-server-test-wait (not (todo-server-test-sees "Keep"))))

(todo-server-test todo-server-test-19-undo-redo
    "Check 19: undo and redo of the list change its rows back and forth, and the store."
  (todo-server-test-login)
  (todo-server-test-add "Row")
  (with-current-buffer "*todo*" (should (equal (todo-server-test-row) "[ ] Row")))
  (todo-server-test-press "x")
  (todo-server-test-wait (todo-server-test-sees "[x] Row"))
  (dotimes (_ 2)
    (pcase-dolist (`(,key ,row ,done) '(("u" "[ ] Row" :false) ("U" "[x] Row" t)))
      (todo-server-test-press key)
      (todo-server-test-wait (todo-server-test-sees row))
      (should (equal (todo-server-test-row) row))
      (should (eq (plist-get (aref (plist-get (todo-server-test-script "listTodos") :todos) 0) :done)
                  done))))
  (dotimes (_ 2) (todo-server-test-press "u"))
  (todo-server-test-wait (todo-server-test-sees "Nothing to do."))
  (should-not (todo-server-test-stored))
  (todo-server-test-press "U")
  (todo-server-test-wait (todo-server-test-sees "[ ] Row")))

(defun todo-server-test-row ()
  "The line at point in the main buffer."
  (with-current-buffer "*todo*" (string-trim-right (thing-at-point 'line))))

(todo-server-test todo-server-test-23-24-killed
    "Checks 23, 24: a killed server is one line; texts stay; a restart works, twice."
  (todo-server-test-login)
  (todo-server-test-add "Precious")
  (let ((text (todo-server-test-open "Precious")))
    (with-current-buffer text (goto-char (point-max)) (insert "unsaved"))
    (dotimes (_ 2)
      (setq todo-server-test-said nil)
      (signal-process (todo-server-test-process) 'KILL)
      (todo-server-test-wait todo-server-rpc-reason)
      (let ((said (seq-filter (lambda (said) (string-match-p "\\`Todo: " said))
                              todo-server-test-said)))
        (should (= (length said) 1))
        (should (string-match-p (concat "\\`Todo: " (todo-server-test-exited "signal 9")
                                        "\nM-x todo-server-restart starts it again\\'")
                                (car said))))
      (should (string-match-p "ended" (with-current-buffer "*todo*" (todo-server--status))))
      (with-current-buffer text
        (should (equal (buffer-string) "Precious\n\nunsaved"))
        (should (string-match-p "not running" (todo-server-test-fails #'save-buffer)))
        (should (buffer-modified-p)))
      (todo-server-restart)
      (todo-server-test-wait (todo-server-test-sees "Welcome")))
    (todo-server-test-login)
    (with-current-buffer text (save-buffer)))
  (should (equal (todo-server-test-stored) '(("Precious" . "unsaved")))))

(todo-server-test todo-server-test-23-ended-before-its-sentinel
    "Check 23: edits and saves after the server's end, before Emacs reports it, keep the text."
  (todo-server-test-login)
  (todo-server-test-add "Precious")
  (let ((text (todo-server-test-open "Precious")))
    (with-current-buffer text (goto-char (point-max)) (insert "unsaved"))
    (signal-process (todo-server-test-process) 'KILL)
    ;; No sentinel runs here.
    (while (process-live-p (todo-server-test-process)))
    (with-current-buffer text
      (todo-server--send text)
      (should (string-match-p "not running" (todo-server-test-fails #'save-buffer)))
      (should (equal (buffer-string) "Precious\n\nunsaved"))
      (should (buffer-modified-p)))
    (should (todo-server-test-said-p "server exited"))))

(todo-server-test todo-server-test-25-missing
    "Check 25: a server that is missing or no program is one clear line."
  (let ((plain (expand-file-name "plain" todo-server-test-folder)))
    (write-region "text" nil plain nil 'silent)
    (dolist (program (list "no-such-server" "/no/such/server" plain))
      (let ((todo-server-command (list program)))
        (todo-server)
        (todo-server-test-wait todo-server-rpc-reason)
        (should (todo-server-test-said-p (concat "cannot run " program)))
        (should (todo-server-test-sees "cannot run")))))
  (let ((todo-server-command '("sh" "-c" "echo out of order >&2; exit 3")))
    (todo-server)
    (todo-server-test-wait todo-server-rpc-reason)
    (should (todo-server-test-said-exited-p "code 3" "out of order"))))

(todo-server-test todo-server-test-25-crash-line
    "Check 25: the line of a crash is shown, and is in *Messages*, as a whole."
  (let* ((line (concat "todo-server crashed: SIGSEGV. "
                       (apply #'concat (make-list 60 "Send this line. ")) "frames 1a2b"))
         (todo-server-command (list "sh" "-c" (format "echo '%s' >&2; kill -SEGV $$" line))))
    (todo-server)
    (todo-server-test-wait todo-server-rpc-reason)
    (should (todo-server-test-said-exited-p "signal 11" (concat (regexp-quote line) "\n")))))

(todo-server-test todo-server-test-25-unknown-status
    "Check 25: an exit status that Emacs does not know is not shown as a code."
  (let ((todo-server-command '("sh" "-c" "echo out of order >&2; exit 3")))
    (cl-letf (((symbol-function 'process-exit-status) (lambda (_) 256)))
      (todo-server)
      (todo-server-test-wait todo-server-rpc-reason))
    (should (todo-server-test-said-p "server exited: out of order"))))

(todo-server-test todo-server-test-25-ends-before-its-sentinel
    "Check 25: a server that ends before Emacs watches it is one clear line as well."
  (let ((todo-server-command '("sh" "-c" "echo out of order >&2; exit 3"))
        (end (lambda (process)
               (while (process-live-p process) (accept-process-output nil 0.01))
               ;; This runs the sentinel that it has so far.
               (accept-process-output nil 0.01)
               process)))
    (advice-add 'todo-server-rpc--spawn :filter-return end)
    (unwind-protect (todo-server)
      (advice-remove 'todo-server-rpc--spawn end))
    (todo-server-test-wait todo-server-rpc-reason)
    (should (todo-server-test-said-exited-p "code 3" "out of order"))))

(todo-server-test todo-server-test-29-doctor
    "The doctor says what the server says of itself."
  (todo-server-doctor)
  (with-current-buffer "*todo doctor*"
    (todo-server-test-wait (not (get-buffer-process (current-buffer))))
    (should (string-match-p "^ok: " (buffer-string)))))

(defun todo-server-test--late (receive connection message)
  "Let RECEIVE handle the MESSAGE of CONNECTION from a timer, as jsonrpc.el does from Emacs 30."
  (run-at-time 0 nil receive connection message))

(todo-server-test todo-server-test-30-timers
    "With messages that come from timers a save is complete all the same."
  (advice-add 'jsonrpc-connection-receive :around #'todo-server-test--late)
  (unwind-protect
      (progn
        (todo-server-test-login)
        (todo-server-test-add "Late")
        (with-current-buffer (todo-server-test-open "Late")
          (insert "Very ")
          (save-buffer)
          (should (todo-server-test-sees "Very Late"))
          (insert "very ")
          (todo-server-enter))
        (should (equal (todo-server-test-stored) '(("Very very Late" . "")))))
    (advice-remove 'jsonrpc-connection-receive #'todo-server-test--late)))

(provide 'todo-server-test)
;;; todo-server-test.el ends here
