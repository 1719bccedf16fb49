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

(defvar todo-server-timeout 5 "Seconds to wait for a response; nil does not wait.")
(defconst todo-server-rpc-window 400 "The number of rows per request for a long list.")
(defconst todo-server-rpc--starting "Todo: starting the server…" "The message until the first response.")
(defconst todo-server-rpc--silent "Todo: the server does not respond; M-x todo-server-restart starts another"
  "The message while the first response is late.")
(defvar todo-server-rpc-reason nil "Why the server is dead; nil if it is not.")
(defvar todo-server-rpc-screens nil "The newest screens, the bottom one first.")
(defvar todo-server-rpc-revision 0 "The number of the newest rendering.")
(defvar todo-server-rpc-hook nil "Run when the screens or the state have changed.")
(defvar todo-server-rpc-connection nil "The connection, while there is one.")
(defvar todo-server-rpc-process nil "The process of the server that was started last.")

(defun todo-server-rpc-plain (text)
  "TEXT from outside on one line, and nothing in it without a glyph."
  (replace-regexp-in-string
   "[\u202a-\u202e\u2066-\u2069]" (lambda (mark) (format "\\u%x" (aref mark 0)))
   (replace-regexp-in-string "[[:cntrl:]\u2028\u2029]+" " " (or text "")) t t))

(defun todo-server-rpc--receive (connection method params)
  "Take over PARAMS of METHOD, if that is a rendering that comes by our CONNECTION."
  (when (and (eq connection todo-server-rpc-connection) (eq method 'workflow/render))
    (setq todo-server-rpc-screens (mapcar (lambda (item) (plist-get item :screen))
                                          (plist-get (plist-get params :rendering) :items))
          todo-server-rpc-revision (plist-get params :revision))
    (run-hooks 'todo-server-rpc-hook)))

;;;; Requests

(defun todo-server-rpc-live ()
  "The connection; an error for the user if there is none."
  (or todo-server-rpc-connection
      (user-error "Todo: the server is not running; try M-x todo-server-restart")))

(defun todo-server-rpc--send (send &rest arguments)
  "Call SEND, a function of jsonrpc.el, with the connection and ARGUMENTS.
An error for the user if the server ended."
  (let ((connection (todo-server-rpc-live)))
    ;; Emacs writes nothing to a stopped process.
    (when (eq (process-status todo-server-rpc-process) 'stop)
      (continue-process todo-server-rpc-process))
    (condition-case problem (apply send connection arguments)
      (error
       (when (process-live-p todo-server-rpc-process) (signal (car problem) (cdr problem)))
       ;; The sentinel, which reports the end, may not have run yet.
       (with-timeout (2)
         (while (eq connection todo-server-rpc-connection) (accept-process-output nil 0.1)))
       (todo-server-rpc-live)))))

(defun todo-server-rpc-notify (method params)
  "Notify the server of METHOD with PARAMS, if it is running."
  (ignore-error user-error (todo-server-rpc--send #'jsonrpc-notify method params)))

(defun todo-server-rpc-request (method params then)
  "Request METHOD with PARAMS, if the server is running; wait for nothing.
THEN gets the result, nil after a failure."
  (ignore-error user-error
    (todo-server-rpc--send #'jsonrpc-async-request method params :timeout nil
                           :success-fn then :error-fn (lambda (_) (funcall then nil)))))

(defun todo-server-rpc--message (problem)
  "Return the message about PROBLEM, a JSON-RPC error, or the server's end."
  (format (cond (todo-server-rpc-reason "Todo: %s\nM-x todo-server-restart starts it again")
                ;; Only the messages of these codes are for users.
                ((memq (plist-get problem :code) '(-1 -32800 -32801 -32803)) "Todo: %s")
                (t "Todo: this package and its server do not fit together (%s)"))
          (or todo-server-rpc-reason (todo-server-rpc-plain (plist-get problem :message)))))

;; THEN gets the result, nil after a failure, however late that is, and whether nothing waited for
;; it; a late failure is reported.
(defun todo-server-rpc-call (method params &optional then)
  "Request METHOD with PARAMS, call THEN, and return once its rendering has come."
  ;; Not `jsonrpc-request': before Emacs 30 that leaves the filter by a throw,
  ;; and what has come with the answer lies there until something else comes.
  (let (revision problem (late (not todo-server-timeout)))
    (cl-flet ((answered (result error)
                (setq revision (plist-get result :revision) problem error)
                (when (and late error) (message "%s" (todo-server-rpc--message error)))
                (funcall (or then #'ignore) result late)))
      (condition-case failure
          (todo-server-rpc--send #'jsonrpc-async-request method params :timeout nil
                                 :success-fn (lambda (result) (answered result nil))
                                 :error-fn (lambda (error) (answered nil error)))
        (error (funcall (or then #'ignore) nil nil)
               (signal (car failure) (cdr failure)))))
    (unless late
      ;; A newer jsonrpc.el hands over notifications later than responses.
      (cl-flet ((complete () (or problem (and revision (<= revision todo-server-rpc-revision)))))
        (unwind-protect
            (with-timeout (todo-server-timeout
                           ;; The response and the timer may come in the same wait.
                           (unless (complete)
                             (user-error "Todo: no answer within %s s" todo-server-timeout)))
              (while (not (complete)) (accept-process-output nil 0.1)))
          (setq late t))))
    (when problem (user-error "%s" (todo-server-rpc--message problem)))))

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

(defun todo-server-rpc--connect (&rest events)
  "A new connection to a new server, with EVENTS to configure its log."
  (apply #'make-instance 'jsonrpc-process-connection
         :name "todo" :process #'todo-server-rpc--spawn
         :notification-dispatcher #'todo-server-rpc--receive
         :on-shutdown #'todo-server-rpc--died
         events))

;; If the output ends before the system reports the exit, Emacs records the code 256 and keeps it.
(defun todo-server-rpc--exit-status ()
  "The exit status of the server in parentheses, or nil if it is unknown."
  (let ((status (process-exit-status todo-server-rpc-process)))
    (unless (= status 256)
      (format " (%s %s)" (if (eq (process-status todo-server-rpc-process) 'signal) "signal" "code")
              status))))

(defun todo-server-rpc--died (connection)
  "Tell that the server of CONNECTION died, with its code and its last words."
  (when (eq connection todo-server-rpc-connection)
    (with-current-buffer (jsonrpc-stderr-buffer connection)
      ;; Its stderr is a process of its own, and may lag behind.
      (when-let ((pipe (get-buffer-process (current-buffer))))
        (accept-process-output pipe 0.2 nil t))
      (todo-server-rpc-stop
       (string-join
        (cons (concat "server exited" (todo-server-rpc--exit-status))
              (last (split-string (buffer-string) "\n" t "[ \t\r]+")))
        ": ")))))

(defun todo-server-rpc-stop (&optional reason)
  "Forget the server, and let it finish what is being stored; wait for nothing.
REASON is why, if that is news for the user."
  (when (process-live-p todo-server-rpc-process)
    ;; A new connection uses the same buffer: this one writes no more to it,
    ;; and its end is not reported.
    (set-process-filter todo-server-rpc-process #'ignore)
    (set-process-sentinel todo-server-rpc-process #'ignore)
    (signal-process todo-server-rpc-process 'TERM))
  (setq todo-server-rpc-reason (and reason (todo-server-rpc-plain reason))
        todo-server-rpc-revision 0
        todo-server-rpc-screens nil
        todo-server-rpc-connection nil)
  (when reason
    (run-hooks 'todo-server-rpc-hook)
    (message "%s" (todo-server-rpc--message nil))))

(defun todo-server-rpc--check (connection)
  "Tell the user if nothing has come by CONNECTION yet."
  (when (and (eq connection todo-server-rpc-connection) (not todo-server-rpc-screens))
    (if (process-live-p todo-server-rpc-process)
        (message "%s" todo-server-rpc--silent)
      ;; It ended before it had its sentinel, which is not called for that any more.
      (todo-server-rpc--died connection))))

(defun todo-server-rpc-start ()
  "Start the server; what is shown comes with its first rendering."
  (setq todo-server-rpc-reason nil)
  (if (not (executable-find (car todo-server-command)))
      (todo-server-rpc-stop
       (format "cannot run %s; see `todo-server-command'" (car todo-server-command)))
    ;; No events buffer: passwords would be in it.  The keyword for that
    ;; changed with Emacs 30, and each version refuses the other's.
    (setq todo-server-rpc-connection
          (condition-case nil
              (todo-server-rpc--connect :events-buffer-config '(:size 0 :format full))
            (invalid-slot-name (todo-server-rpc--connect :events-buffer-scrollback-size 0))))
    (message "%s" todo-server-rpc--starting)
    (run-with-timer 2 nil #'todo-server-rpc--check todo-server-rpc-connection)
    ;; A process that has already died cannot be written to; its sentinel
    ;; reports the end.
    (ignore-errors
      (jsonrpc-async-request
       todo-server-rpc-connection :initialize
       `( :processId ,(emacs-pid)
          :clientInfo (:name "emacs" :version ,emacs-version)
          :capabilities (:render (:frontOnly t :preview t :window ,todo-server-rpc-window)))
       :timeout nil
       :success-fn (lambda (_)
                     (when (member (current-message) (list todo-server-rpc--starting todo-server-rpc--silent))
                       (message nil))
                     (jsonrpc-notify todo-server-rpc-connection :initialized nil))
       :error-fn (lambda (problem)
                   (unless (eql (plist-get problem :code) -1)
                     (todo-server-rpc-stop (plist-get problem :message))))))))

(provide 'todo-server-rpc)
;;; todo-server-rpc.el ends here
