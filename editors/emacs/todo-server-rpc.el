;;; todo-server-rpc.el --- The connection of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Starts the server, talks JSON-RPC with it through jsonrpc.el, and keeps the
;; newest screens as jsonrpc.el reads JSON: plists and vectors, where null and
;; {} are both nil.  Nothing here draws.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)

(defgroup todo-server nil "Todos, kept by todo-server." :group 'applications)

(defcustom todo-server-command '("todo-server")
  "The program that keeps the todos, and its arguments."
  :type '(repeat string))

(defvar todo-server-timeout 5 "Seconds that a save waits for the answer of the server.")
(defconst todo-server-rpc-window 400 "How many rows of a long list to ask for at a time.")
(defvar todo-server-rpc-reason nil "Why the server is dead; nil if it is not.")
(defvar todo-server-rpc-screens nil "The newest screens, the bottom one first.")
(defvar todo-server-rpc-revision 0 "The number of the newest rendering.")
(defvar todo-server-rpc-hook nil "Run when the screens or the state have changed.")
(defvar todo-server-rpc-connection nil "The connection, while there is one.")
(defvar todo-server-rpc-process nil "The process of the server that was started last.")
(defvar todo-server-rpc--silence nil "The timer that tells of a server that says nothing.")
(define-error 'todo-server-gone "" 'user-error)

(defun todo-server-rpc-plain (text)
  "TEXT from outside on one line, and nothing in it without a glyph."
  (replace-regexp-in-string
   "[\u202a-\u202e\u2066-\u2069]" (lambda (mark) (format "\\u%x" (aref mark 0)))
   (replace-regexp-in-string "[[:cntrl:]\u2028\u2029]+" " " (or text "")) t t))

(defun todo-server-rpc--receive (_ method params)
  "Take over PARAMS of METHOD, if that is a rendering that is newer."
  (when (and (eq method 'workflow/render)
             (>= (plist-get params :revision) todo-server-rpc-revision))
    (setq todo-server-rpc-screens (mapcar (lambda (item) (plist-get item :screen))
                                          (plist-get (plist-get params :rendering) :items))
          todo-server-rpc-revision (plist-get params :revision))
    (run-hooks 'todo-server-rpc-hook)))

;;;; Requests

(defun todo-server-rpc-live ()
  "The connection; an error for the user if there is none."
  (or todo-server-rpc-connection
      (user-error "Todo: the server is not running; try M-x todo-server-restart")))

(defun todo-server-rpc-call (method params &optional then else)
  "Request METHOD with PARAMS; call THEN with the result when it comes.
Call ELSE with an error, or show it to the user."
  (jsonrpc-async-request (todo-server-rpc-live) method params :timeout nil
                         :success-fn (or then #'ignore) :error-fn (or else #'todo-server-rpc--tell)))

(defun todo-server-rpc--sentence (problem)
  "What to tell the user of PROBLEM, an error of JSON-RPC."
  (let ((said (todo-server-rpc-plain (plist-get problem :message))))
    ;; Only these codes come with a sentence for people.
    (format (if (memq (plist-get problem :code) '(-1 -32800 -32801 -32803)) "Todo: %s"
              "Todo: this package and its server do not fit together (%s)")
            said)))

(defun todo-server-rpc--tell (problem)
  "Tell the user of PROBLEM; that the server ended (-1) is told elsewhere."
  (unless (eql (plist-get problem :code) -1)
    (message "%s" (todo-server-rpc--sentence problem))))

(defun todo-server-rpc-call-now (method params &optional then _)
  "Request METHOD with PARAMS and wait; return once its rendering has come.
Signal an error for the user if it fails; throw `todo-server-late' if it takes
too long, because an error would drop the keys that were typed meanwhile.
THEN is called with whether it went well, however late that is."
  ;; Not `jsonrpc-request': before Emacs 30 that leaves the filter by a throw,
  ;; and what has come with the answer lies there until something else comes.
  (let (revision problem late)
    (todo-server-rpc-call method params
                          (lambda (result)
                            (setq revision (plist-get result :revision))
                            (when then (funcall then t)))
                          (lambda (answer)
                            (setq problem answer)
                            (when then (funcall then nil))
                            (when late (todo-server-rpc--tell answer))))
    (with-timeout (todo-server-timeout
                   (setq late (format "Todo: no answer within %s s" todo-server-timeout))
                   (message late)
                   ;; Again, for the keys that were typed meanwhile clear the echo area.
                   (run-with-idle-timer 0.1 nil #'message late)
                   (throw 'todo-server-late nil))
      ;; A newer jsonrpc.el hands over notifications later than responses.
      (while (not (or problem (and revision (<= revision todo-server-rpc-revision))))
        (accept-process-output nil 0.1)))
    (when problem
      (signal (if (equal (plist-get (plist-get problem :data) :reason) "itemGone")
                  'todo-server-gone 'user-error)
              (list (todo-server-rpc--sentence problem))))))

;;;; The process

(defun todo-server-rpc--spawn ()
  "A new process of the server."
  ;; jsonrpc.el takes over the buffer of this very name.
  (let ((stderr (get-buffer-create "*todo stderr*")))
    (prog1 (setq todo-server-rpc-process
                 (make-process :name "todo" :command todo-server-command :connection-type 'pipe
                               :coding 'utf-8-emacs-unix :noquery t :stderr stderr))
      ;; Else the end of the pipe would be the last line there.
      (set-process-sentinel (get-buffer-process stderr) #'ignore))))

(defun todo-server-rpc--connect ()
  "A new connection to a new server."
  (cl-flet ((connect (&rest more)
              (apply #'make-instance 'jsonrpc-process-connection :name "todo"
                     :process #'todo-server-rpc--spawn
                     :notification-dispatcher
                     (lambda (connection &rest message)
                       (when (eq connection todo-server-rpc-connection)
                         (apply #'todo-server-rpc--receive connection message)))
                     :on-shutdown
                     (lambda (connection)
                       (when (eq connection todo-server-rpc-connection)
                         (todo-server-rpc--ended (todo-server-rpc--last-words))))
                     more)))
    ;; No events buffer: passwords would be in it.  The keyword for that
    ;; changed with Emacs 30, and each version refuses the other's.
    (condition-case nil (connect :events-buffer-config '(:size 0 :format full))
      (invalid-slot-name (connect :events-buffer-scrollback-size 0)))))

(defun todo-server-rpc--last-words ()
  "Why the server ended: its code or signal, and its last words."
  (with-current-buffer (jsonrpc-stderr-buffer todo-server-rpc-connection)
    ;; Its stderr is a process of its own, and may lag behind.
    (when-let ((pipe (get-buffer-process (current-buffer))))
      (accept-process-output pipe 0.2 nil t))
    (string-join (cons (format "server exited (%s %s)"
                               (if (eq (process-status todo-server-rpc-process) 'signal) "signal"
                                 "code")
                               (process-exit-status todo-server-rpc-process))
                       (last (split-string (buffer-string) "\n" t "[ \t\r]+")))
                 ": ")))

(defun todo-server-rpc--reset (reason)
  "Forget the server, which ended for REASON, or on purpose if that is nil."
  (when todo-server-rpc--silence (cancel-timer todo-server-rpc--silence))
  (setq todo-server-rpc-reason reason
        todo-server-rpc-revision 0
        todo-server-rpc-screens nil
        todo-server-rpc-connection nil))

(defun todo-server-rpc--ended (reason)
  "The server cannot be used any more, for REASON."
  (todo-server-rpc--reset (todo-server-rpc-plain reason))
  (run-hooks 'todo-server-rpc-hook)
  (message "Todo: %s\nM-x todo-server-restart starts it again" todo-server-rpc-reason))

(defun todo-server-rpc-start ()
  "Start the server; what is shown comes with its first rendering."
  (todo-server-rpc--reset nil)
  (if (not (executable-find (car todo-server-command)))
      (todo-server-rpc--ended
       (format "cannot run %s; see `todo-server-command'" (car todo-server-command)))
    (setq todo-server-rpc-connection (todo-server-rpc--connect)
          todo-server-rpc--silence
          (run-with-timer 2 nil (lambda ()
                                  (unless todo-server-rpc-screens
                                    (message "Todo: the server says nothing; %s"
                                             "M-x todo-server-restart starts another")))))
    (run-hooks 'todo-server-rpc-hook)
    ;; One that died at once cannot be written to; that is told of when it is noticed.
    (ignore-errors
      (todo-server-rpc-call
       :initialize
       `( :processId ,(emacs-pid)
          :clientInfo (:name "emacs" :version ,emacs-version)
          :capabilities (:render (:frontOnly t :window ,todo-server-rpc-window)))
       (lambda (_) (jsonrpc-notify todo-server-rpc-connection :initialized nil))
       (lambda (problem)
         (unless (eql (plist-get problem :code) -1)
           (todo-server-rpc-stop)
           (todo-server-rpc--ended (plist-get problem :message))))))))

(defun todo-server-rpc-stop ()
  "Let the server finish what is being stored, and end; wait for neither."
  (when todo-server-rpc-connection
    ;; A new connection uses the same buffer: this one writes no more to it.
    (set-process-filter todo-server-rpc-process #'ignore)
    (signal-process todo-server-rpc-process 'TERM))
  (todo-server-rpc--reset nil))

(provide 'todo-server-rpc)
;;; todo-server-rpc.el ends here
