;;; todo-server-test-helper.el --- What the tests share  -*- lexical-binding: t; -*-

;;; Commentary:

;; Each test has a folder and a server of its own, and waits for conditions.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'json)
(require 'todo-server)

(defconst todo-server-test-text "é ☕ 😀 字 \"quotes\" \\ backslash")
(defconst todo-server-test-note
  (concat todo-server-test-text "\r\nsecond\n\n\tthird \u2028 e\u0301\n"))
(defconst todo-server-test-password "geheim-pässword-4711")

(defconst todo-server-test-patience (string-to-number (or (getenv "TODO_PATIENCE") "60"))
  "The time limit in seconds for a condition; it only ends tests that hang.")

(defvar todo-server-test-folder nil
  "The folder of the running test.")

(defvar todo-server-test-said nil
  "The messages shown in the echo area, newest first.")

(defmacro todo-server-test-wait (&rest condition)
  "Wait for CONDITION, within `todo-server-test-patience', and return its value."
  `(todo-server-test--wait (lambda () ,@condition) ',(car (last condition))))

(defun todo-server-test--wait (condition form)
  "Wait for CONDITION, written as FORM."
  (let ((end (time-add nil todo-server-test-patience)) value)
    (while (not (setq value (funcall condition)))
      (unless (time-less-p nil end)
        (ert-fail (list "waited too long" form
                        (truncate-string-to-width (todo-server-test-main) 400)
                        (seq-take todo-server-test-said 5))))
      (accept-process-output nil 0.01))
    value))

(defun todo-server-test-program ()
  "The command of the server, without a store."
  (split-string-and-unquote (getenv "TODO_SERVER")))

(defun todo-server-test-store ()
  "The option for the store of the running test."
  (list "--store" (concat "sqlite:" (expand-file-name "t.sqlite" todo-server-test-folder))))

(defun todo-server-test--say (format &rest arguments)
  "Keep the message that FORMAT and ARGUMENTS make."
  (when format (push (apply #'format-message format arguments) todo-server-test-said))
  nil)

(defun todo-server-test-process ()
  "The process of the server."
  (and todo-server-rpc-connection todo-server-rpc-process))

(defun todo-server-test-call (body)
  "Call BODY with a folder and an editor of its own, and tidy up after it."
  (let* ((todo-server-test-folder (make-temp-file "todo" t))
         (todo-server-test-said nil)
         (todo-server-timeout todo-server-test-patience)
         (todo-server-command (append (todo-server-test-program) (todo-server-test-store))))
    (setq todo-server-rpc-reason nil todo-server--news nil todo-server--front-id nil)
    (unwind-protect
        (cl-letf (((symbol-function 'message) #'todo-server-test--say))
          (funcall body))
      (let ((process (todo-server-test-process)))
        (todo-server-rpc-stop)
        (todo-server-test--wait (lambda () (not (process-live-p process))) 'end-of-server))
      (dolist (buffer (buffer-list))
        ;; One may have been killed with another.
        (when (string-match-p "\\`\\*todo" (or (buffer-name buffer) ""))
          (with-current-buffer buffer (set-buffer-modified-p nil) (kill-buffer))))
      (delete-directory todo-server-test-folder t))))

(defmacro todo-server-test (name check &rest body)
  "Define the test NAME of CHECK, a docstring; BODY has a server of its own."
  (declare (indent 2) (doc-string 2))
  `(ert-deftest ,name () ,check (todo-server-test-call (lambda () ,@body))))

(defun todo-server-test-main ()
  "The text of the main buffer."
  (if-let ((buffer (get-buffer "*todo*")))
      (with-current-buffer buffer
        (concat (todo-server--header) "\n"
                (buffer-substring-no-properties (point-min) (point-max))))
    ""))

(defun todo-server-test-shown ()
  "Return the text of this buffer with the lines displayed around it."
  (let ((text (buffer-substring-no-properties (point-min) (point-max))))
    (dolist (position (number-sequence (point-max) (point-min) -1) text)
      (dolist (where '(after-string before-string))
        (dolist (overlay (overlays-in position position))
          (when-let ((string (and (= (overlay-start overlay) position) (overlay-get overlay where))))
            (setq text (concat (substring text 0 (1- position)) (substring-no-properties string)
                               (substring text (1- position))))))))))

(defun todo-server-test-sees (text)
  "Whether the main buffer has TEXT."
  (string-match-p (regexp-quote text) (todo-server-test-main)))

(defun todo-server-test-said-p (text)
  "Whether TEXT was shown in the echo area."
  (seq-find (lambda (said) (string-match-p (regexp-quote text) said)) todo-server-test-said))

;; `todo-server-rpc--exit-status' tells when the status is unknown.
(defun todo-server-test-exited (status)
  "A regexp for the message about the server's exit with STATUS, if Emacs knows that."
  (format "server exited\\( (%s)\\)?" status))

(defun todo-server-test-said-exited-p (status words)
  "Whether the echo area showed the server's exit with STATUS and its last WORDS."
  (seq-find (lambda (said)
              (string-match-p (concat (todo-server-test-exited status) ": " words) said))
            todo-server-test-said))

(defvar todo-server-test-asked nil
  "The last question that was asked in the minibuffer.")

(defmacro todo-server-test-answering (answers &rest body)
  "Do BODY while ANSWERS, a list, are given in the minibuffer."
  (declare (indent 1))
  `(let ((answers ,answers))
     (cl-letf* ((next (lambda (&rest arguments)
                        (setq todo-server-test-asked (car arguments))
                        (pop answers)))
                ((symbol-function 'read-string) next)
                ((symbol-function 'read-passwd) (lambda (&rest _) (copy-sequence (pop answers))))
                ((symbol-function 'y-or-n-p) next)
                ((symbol-function 'yes-or-no-p) next)
                ;; The question of `save-some-buffers'.
                ((symbol-function 'map-y-or-n-p)
                 (lambda (ask act list &rest _)
                   (let ((wanted (seq-filter ask list)))
                     (length (and wanted (pop answers) (mapc act wanted))))))
                ((symbol-function 'completing-read) next))
       ,@body)))

(defun todo-server-test-press (key &rest answers)
  "Press KEY in the main buffer, giving ANSWERS to its questions."
  (with-current-buffer "*todo*"
    (todo-server-test-answering answers
      (let ((last-command-event (aref (kbd key) 0)))
        ;; The same as in the command loop.
        (condition-case error (call-interactively (key-binding (kbd key)))
          (user-error (todo-server-test--say "%s" (cadr error))))))))

(defun todo-server-test-login (&optional name)
  "Start the server and log in as NAME."
  (todo-server)
  (todo-server-test-wait (todo-server-test-sees "Welcome"))
  (todo-server-test-press "l" (or name "ann") "")
  (todo-server-test-wait (todo-server-test-sees "Todos of")))

(defun todo-server-test-possible (title)
  "Whether the action TITLE of the front screen is possible."
  (seq-find (lambda (action) (and (equal (plist-get action :title) title)
                                  (eq (plist-get action :enabled) t)))
            (plist-get (todo-server--front) :actions)))

(defun todo-server-test-add (title)
  "Add TITLE in the list, and wait until its row is shown."
  (todo-server-test-press "a" title)
  (todo-server-test-wait (todo-server-test-sees title)))

(defun todo-server-test-open (title)
  "Open the row TITLE, and return the buffer of its text."
  (with-current-buffer "*todo*"
    (goto-char (point-min))
    (search-forward title))
  (todo-server-test-press "RET")
  (todo-server-test-wait (todo-server--attached)))

(defun todo-server-test-script (method &optional params)
  "Let another server with the same store do METHOD with PARAMS for ann."
  (with-temp-buffer
    (let ((id 0) (coding-system-for-write 'utf-8-unix) (coding-system-for-read 'utf-8-unix))
      (pcase-dolist (`(,method . ,params) `(("initialize") ("login" :name "ann")
                                            (,method . ,params)))
        (insert (json-serialize (list :jsonrpc "2.0" :id (cl-incf id) :method method
                                      :params params)
                                :null-object nil :false-object :json-false)
                "\n"))
      (let ((command (append (todo-server-test-program) (todo-server-test-store))))
        (apply #'call-process-region (point-min) (point-max) (car command) t '(t nil) nil
               (cdr command)))
      (goto-char (point-min))
      (re-search-forward "^.*\"id\":3\\b.*$")
      (let ((answer (json-parse-string (match-string 0) :object-type 'plist)))
        (or (plist-get answer :result) (error "%S" (plist-get answer :error)))))))

(defun todo-server-test-stored ()
  "The todos of ann that are in the store, as (TITLE . NOTE) pairs."
  (seq-map (lambda (todo) (cons (plist-get todo :title) (plist-get todo :note)))
           (plist-get (todo-server-test-script "listTodos") :todos)))

(defun todo-server-test-fails (body)
  "The message with which BODY refuses."
  (cadr (should-error (funcall body) :type 'user-error)))

(defun todo-server-sharing-add (title note)
  "Let another server add a todo with TITLE and NOTE; return its id."
  (todo-server--in (todo-server-test-script "addTodo" (list :title title :note note)) :todo :id))

(defun todo-server-sharing-shown-p (text)
  "Whether the server has TEXT in a field of the form in front."
  (seq-some (lambda (field) (string-search text (or (plist-get field :value) "")))
            (todo-server--in (todo-server--front) :body :fields)))

;;;; The server that is about fruit

(defun todo-server-fake-start (rows &rest arguments)
  "Start the fake server with ROWS and ARGUMENTS; return how many rows were made of items."
  (setq todo-server-command
        `("python3" ,(expand-file-name "fake_server.py" (getenv "TODO_TESTS"))
          ,(number-to-string rows) ,@arguments))
  (todo-server-fake-counting
   (todo-server)
   (todo-server-test-wait (get-buffer "*todo*"))
   (todo-server-test-wait (todo-server-test-sees "Fruit 0"))))

(defmacro todo-server-fake-counting (&rest body)
  "Do BODY, and return how many rows were made of items meanwhile."
  `(let* ((count 0) (counted (lambda (_) (cl-incf count))))
     (advice-add 'todo-server--insert-item :before counted)
     (unwind-protect (progn ,@body count)
       (advice-remove 'todo-server--insert-item counted))))

(defun todo-server-fake-text ()
  "The buffer of the text in front, once there is one."
  (todo-server-test-wait (and (todo-server--layout (todo-server--front)) (todo-server--attached))))

(defun todo-server-fake-open ()
  "Start the fake server, and return the buffer of its text."
  (todo-server-fake-start 3)
  (todo-server-test-press "v")
  (todo-server-fake-text))

(defun todo-server-fake-retitle (text)
  "Make TEXT the first line of this buffer."
  (goto-char (point-min))
  (delete-region (point) (line-end-position))
  (insert text))

(defun todo-server-fake-act (name)
  "Do the action NAME, after which the text is still open."
  (should (string-match-p "not done yet" (todo-server-test-fails
                                          (lambda () (todo-server--act-text name))))))

(defmacro todo-server-fake-holding (&rest body)
  "Do BODY while saves are not answered, until `todo-server-fake-release'."
  `(let* ((hold (expand-file-name "hold" todo-server-test-folder))
          (process-environment (cons (concat "HOLD=" hold) process-environment))
          (todo-server-timeout 0.3))
     (write-region "" nil hold nil 'silent)
     ,@body))

(defun todo-server-fake-release ()
  "Let what is held be answered, however long that takes."
  (setq todo-server-timeout todo-server-test-patience)
  (delete-file (expand-file-name "hold" todo-server-test-folder)))

(provide 'todo-server-test-helper)
;;; todo-server-test-helper.el ends here
