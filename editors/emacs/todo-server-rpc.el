;;; todo-server-rpc.el --- The connection of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Starts the server, talks JSON-RPC with it through jsonrpc.el, and keeps the
;; newest rendering as jsonrpc.el reads JSON: plists and vectors, where null
;; and {} are both nil.  Nothing here draws.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'map)
(require 'subr-x)

(defgroup todo-server nil
  "Todos, kept by todo-server."
  :group 'applications)

(defcustom todo-server-command '("todo-server")
  "The program that keeps the todos, and its arguments."
  :type '(repeat string))

(defvar todo-server-timeout 5 "Seconds that a save waits for the answer of the server.")
(defconst todo-server-rpc-window 400 "How many rows of a long list to ask for at a time.")
(defvar todo-server-rpc-reason nil "Why the server is dead; nil if it is not.")
(defvar todo-server-rpc-rendering nil "The newest rendering; nil if there is none.")
(defvar todo-server-rpc-revision 0 "The number of the newest rendering.")
(defvar todo-server-rpc-hook nil "Run when the rendering or the state has changed.")
(defvar todo-server-rpc-connection nil "The connection, while there is one.")

;;;; Renderings

(defun todo-server-rpc-screens ()
  "The screens of the newest rendering, the bottom one first."
  (mapcar (lambda (item) (plist-get item :screen))
          (plist-get todo-server-rpc-rendering :items)))

(defun todo-server-rpc--patch (node path op value)
  "A copy of NODE after OP of JSON Patch with VALUE at PATH, a list of tokens."
  (if (null path) value
    (pcase-let* ((`(,token . ,rest) path)
                 (node (copy-sequence node))
                 (name (string-replace "~0" "~" (string-replace "~1" "/" token)))
                 (key (cond ((not (vectorp node)) (intern (concat ":" name)))
                            ((equal token "-") (length node))
                            (token (cl-parse-integer token)))))
      (unless (or (map-contains-key node key) (and (not rest) (equal op "add")))
        (error "No member %s" token))
      (pcase (if rest "replace" op)
        ("replace"
         (map-put! node key (todo-server-rpc--patch (map-elt node key) rest op value))
         node)
        ("add" (if (vectorp node)
                   (vconcat (substring node 0 key) (vector value) (substring node key))
                 (plist-put node key value)))
        ("remove" (if (vectorp node) (vconcat (substring node 0 key) (substring node (1+ key)))
                    (map-delete node key)))
        (_ (error "Unknown operation %s" op))))))

(defun todo-server-rpc--apply (document patch)
  "A copy of DOCUMENT after PATCH, operations of JSON Patch."
  (cl-reduce (lambda (node operation)
               (cl-destructuring-bind (&key op path value &allow-other-keys) operation
                 (todo-server-rpc--patch node (cdr (split-string path "/")) op value)))
             patch :initial-value document))

(defun todo-server-rpc--receive (params)
  "Take over PARAMS, a rendering or a patch of the one kept."
  (cl-destructuring-bind (&key revision base patch rendering &allow-other-keys) params
    (when (and patch (eql base todo-server-rpc-revision))
      (setq rendering (ignore-errors (todo-server-rpc--apply todo-server-rpc-rendering patch))))
    (if (not rendering) (todo-server-rpc-resync)
      (setq todo-server-rpc-rendering rendering
            todo-server-rpc-revision revision)
      (run-hooks 'todo-server-rpc-hook))))

(defun todo-server-rpc-resync ()
  "Ask for the whole rendering."
  (todo-server-rpc-call :workflow/rendering nil #'todo-server-rpc--receive))

;;;; Requests

(defun todo-server-rpc-live ()
  "The connection; an error for the user if there is none."
  (or todo-server-rpc-connection
      (user-error "Todo: the server is not running; try M-x todo-server-restart")))

(defun todo-server-rpc-call (method params &optional then else)
  "Request METHOD with PARAMS; call THEN with the result when it comes.
Call ELSE with an error, or show it to the user."
  (jsonrpc-async-request
   (todo-server-rpc-live) method params
   :timeout nil
   :success-fn (or then #'ignore)
   :error-fn (or else
                 (lambda (problem)
                   ;; -1: the server died, which is told of once, and not here.
                   (unless (eql (plist-get problem :code) -1)
                     (message "Todo: %s" (plist-get problem :message)))))))

(defun todo-server-rpc-call-now (method params)
  "Request METHOD with PARAMS and wait; return once its rendering has come.
Signal an error for the user if it fails or takes too long."
  ;; Not `jsonrpc-request': before Emacs 30 that leaves the filter by a throw,
  ;; and what has come with the answer lies there until something else comes.
  (let (revision problem)
    (todo-server-rpc-call method params
                          (lambda (result) (setq revision (plist-get result :revision)))
                          (lambda (error) (setq problem (plist-get error :message))))
    (with-timeout (todo-server-timeout
                   (user-error "Todo: no answer within %s s" todo-server-timeout))
      ;; A newer jsonrpc.el hands over notifications later than responses.
      (while (not (or problem (and revision (<= revision todo-server-rpc-revision))))
        (accept-process-output nil 0.1)))
    (when problem (user-error "Todo: %s" problem))))

;;;; The process

(defun todo-server-rpc--process ()
  "A new process of the server."
  ;; jsonrpc.el takes over the buffer of this very name.
  (let ((stderr (get-buffer-create "*todo stderr*")))
    (prog1 (make-process :name "todo" :command todo-server-command :connection-type 'pipe
                         :coding 'utf-8-emacs-unix :noquery t :stderr stderr)
      ;; Else the end of the pipe would be the last line there.
      (set-process-sentinel (get-buffer-process stderr) #'ignore))))

(defun todo-server-rpc--connect ()
  "A new connection to a new server."
  (let ((arguments
         (list :name "todo"
               :process #'todo-server-rpc--process
               :notification-dispatcher
               (lambda (connection method params)
                 (when (and (eq connection todo-server-rpc-connection)
                            (eq method 'workflow/render))
                   (todo-server-rpc--receive params)))
               :on-shutdown
               (lambda (connection)
                 (when (eq connection todo-server-rpc-connection)
                   (todo-server-rpc--ended (todo-server-rpc--last-words)))))))
    ;; No events buffer: passwords would be in it.  The keyword for that
    ;; changed with Emacs 30, and each version refuses the other's.
    (condition-case nil
        (apply #'make-instance 'jsonrpc-process-connection
               :events-buffer-config '(:size 0 :format full) arguments)
      (invalid-slot-name
       (apply #'make-instance 'jsonrpc-process-connection
              :events-buffer-scrollback-size 0 arguments)))))

(defun todo-server-rpc--last-words ()
  "Why the server ended: its code or signal, and its last words."
  (with-current-buffer (jsonrpc-stderr-buffer todo-server-rpc-connection)
    ;; Its stderr is a process of its own, and may lag behind.
    (when-let ((pipe (get-buffer-process (current-buffer))))
      (accept-process-output pipe 0.2 nil t))
    (let ((process (jsonrpc--process todo-server-rpc-connection)))
      (string-join (cons (format "server exited (%s %s)"
                                 (if (eq (process-status process) 'signal) "signal" "code")
                                 (process-exit-status process))
                         (last (split-string (buffer-string) "\n" t "[ \t\r]+")))
                   ": "))))

(defun todo-server-rpc--ended (reason)
  "The server cannot be used any more, for REASON."
  (setq todo-server-rpc-reason reason
        todo-server-rpc-rendering nil
        todo-server-rpc-connection nil)
  (run-hooks 'todo-server-rpc-hook)
  (message "Todo: %s.  M-x todo-server-restart starts it again" reason))

(defun todo-server-rpc-start ()
  "Start the server; what is shown comes with its first rendering."
  (setq todo-server-rpc-reason nil
        todo-server-rpc-revision 0)
  (if (not (executable-find (car todo-server-command)))
      (todo-server-rpc--ended
       (format "cannot run %s; see `todo-server-command'" (car todo-server-command)))
    (setq todo-server-rpc-connection (todo-server-rpc--connect))
    (run-hooks 'todo-server-rpc-hook)
    ;; One that died at once cannot be written to; that is told of when it is noticed.
    (ignore-errors
      (todo-server-rpc-call
       :initialize
       `( :processId ,(emacs-pid)
          :clientInfo (:name "emacs" :version ,emacs-version)
          :capabilities (:render (:patch t :window ,todo-server-rpc-window)))
       (lambda (_) (jsonrpc-notify todo-server-rpc-connection :initialized nil))
       (lambda (problem)
         (unless (eql (plist-get problem :code) -1)
           (todo-server-rpc-stop)
           (todo-server-rpc--ended (plist-get problem :message))))))))

(defun todo-server-rpc-stop ()
  "Let the server finish what is being stored, and end; wait for neither."
  (when todo-server-rpc-connection
    (let ((process (jsonrpc--process todo-server-rpc-connection)))
      ;; A new connection uses the same buffer: this one writes no more to it.
      (set-process-filter process #'ignore)
      (signal-process process 'TERM)))
  (setq todo-server-rpc-connection nil
        todo-server-rpc-rendering nil))

(provide 'todo-server-rpc)
;;; todo-server-rpc.el ends here
