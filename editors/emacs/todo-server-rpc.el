;;; todo-server-rpc.el --- The connection of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Starts the server, talks JSON-RPC with it through jsonrpc.el, and keeps the
;; newest rendering as jsonrpc.el reads JSON: plists and vectors, where null
;; and {} are both nil.  Nothing here draws.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)

(defgroup todo-server nil
  "Todos, kept by todo-server."
  :group 'applications
  :prefix "todo-server-")

(defcustom todo-server-command '("todo-server")
  "The program that keeps the todos, and its arguments."
  :type '(repeat string))

(defcustom todo-server-timeout 5
  "Seconds that a save waits for the answer of the server."
  :type 'number)

(defconst todo-server-rpc-window 400 "How many rows of a long list to ask for at a time.")
(defvar todo-server-rpc-state nil "What the server is doing: nil, `starting', `run' or `dead'.")
(defvar todo-server-rpc-reason nil "Why the server is dead.")
(defvar todo-server-rpc-rendering nil "The newest rendering.")
(defvar todo-server-rpc-revision 0 "The number of the newest rendering.")
(defvar todo-server-rpc-hook nil "Run when the rendering or the state has changed.")
(defvar todo-server-rpc--connection nil)
(defvar todo-server-rpc--process nil)

;;;; Renderings

(defun todo-server-rpc-screens ()
  "The screens of the newest rendering, the bottom one first."
  (mapcar (lambda (item) (plist-get item :screen))
          (plist-get todo-server-rpc-rendering :items)))

(defun todo-server-rpc--edit (node path op value)
  "A copy of NODE after OP of JSON Patch with VALUE at PATH, a list of tokens."
  (pcase-let* ((`(,token . ,rest) path)
               (adds (and (not rest) (equal op "add")))
               (removes (and (not rest) (equal op "remove"))))
    (cond
     ((null path) value)
     ((vectorp node)
      (let ((index (if (equal token "-") (length node) (cl-parse-integer token))))
        (vconcat (substring node 0 index)
                 (cond (adds (vector value))
                       (removes nil)
                       (t (vector (todo-server-rpc--edit (aref node index) rest op value))))
                 (substring node (if adds index (1+ index))))))
     (t
      (let ((key (intern (concat ":" token))))
        (unless (or adds (plist-member node key)) (error "No member %s" token))
        (if removes
            (cl-loop for (member old) on node by #'cddr
                     unless (eq member key) nconc (list member old))
          (plist-put (copy-sequence node) key
                     (todo-server-rpc--edit (plist-get node key) rest op value))))))))

(defun todo-server-rpc--patch (document operation)
  "A copy of DOCUMENT after OPERATION of JSON Patch."
  (let ((op (plist-get operation :op))
        (path (mapcar (lambda (token) (string-replace "~0" "~" (string-replace "~1" "/" token)))
                      (cdr (split-string (plist-get operation :path) "/")))))
    (unless (member op '("add" "remove" "replace")) (error "Unknown operation %s" op))
    (todo-server-rpc--edit document path op (plist-get operation :value))))

(defun todo-server-rpc--receive (params)
  "Take over PARAMS, a rendering or a patch of the one kept."
  (let* ((patch (plist-get params :patch))
         (rendering (cond ((not patch) (plist-get params :rendering))
                          ((eql (plist-get params :base) todo-server-rpc-revision)
                           (ignore-errors
                             (cl-reduce #'todo-server-rpc--patch patch
                                        :initial-value todo-server-rpc-rendering))))))
    (if (not rendering) (todo-server-rpc-resync)
      (setq todo-server-rpc-rendering rendering
            todo-server-rpc-revision (plist-get params :revision))
      (run-hooks 'todo-server-rpc-hook))))

(defun todo-server-rpc-resync ()
  "Ask for the whole rendering."
  (todo-server-rpc-call :workflow/rendering nil #'todo-server-rpc--receive))

;;;; Requests

(defun todo-server-rpc-live ()
  "The connection; an error for the user if there is none."
  (unless (eq todo-server-rpc-state 'run)
    (user-error "Todo: the server is not running; try M-x todo-server-restart"))
  todo-server-rpc--connection)

(defun todo-server-rpc-call (method params &optional then)
  "Request METHOD with PARAMS; call THEN with the result when it comes.
An error is shown to the user."
  (jsonrpc-async-request
   (todo-server-rpc-live) method params
   :timeout nil
   :success-fn (or then #'ignore)
   :error-fn (lambda (problem)
               ;; -1: the server died, which is told of once, and not here.
               (unless (eql (plist-get problem :code) -1)
                 (message "Todo: %s" (plist-get problem :message))))))

(defun todo-server-rpc-call-now (method params)
  "Request METHOD with PARAMS and wait; return once its rendering has come.
Signal an error for the user if it fails or takes too long."
  ;; Not `jsonrpc-request': before Emacs 30 that leaves the filter by a throw,
  ;; and what has come with the answer lies there until something else comes.
  (let (revision problem)
    (jsonrpc-async-request
     (todo-server-rpc-live) method params
     :timeout nil
     :success-fn (lambda (result) (setq revision (plist-get result :revision)))
     :error-fn (lambda (error) (setq problem (plist-get error :message))))
    (with-timeout (todo-server-timeout
                   (user-error "Todo: no answer within %s s" todo-server-timeout))
      ;; A newer jsonrpc.el hands over notifications later than responses.
      (while (not (or problem (and revision (<= revision todo-server-rpc-revision))))
        (accept-process-output nil 0.1)))
    (when problem (user-error "Todo: %s" problem))))

;;;; The process

(defun todo-server-rpc--connect ()
  "A new connection to a new server."
  (let ((arguments
         (list :name "todo"
               :process
               (lambda ()
                 (setq todo-server-rpc--process
                       (make-process
                        :name "todo" :command todo-server-command :connection-type 'pipe
                        :coding 'utf-8-emacs-unix :noquery t
                        ;; jsonrpc.el takes over the buffer of this very name.
                        :stderr (get-buffer-create "*todo stderr*"))))
               :notification-dispatcher
               (lambda (connection method params)
                 (when (and (eq connection todo-server-rpc--connection)
                            (eq method 'workflow/render))
                   (todo-server-rpc--receive params)))
               :on-shutdown
               (lambda (connection)
                 (when (eq connection todo-server-rpc--connection)
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
  (with-current-buffer (jsonrpc-stderr-buffer todo-server-rpc--connection)
    ;; Its stderr is a process of its own, and may lag behind.
    (when-let ((pipe (get-buffer-process (current-buffer))))
      (accept-process-output pipe 0.2 nil t))
    (let ((words (cl-remove-if (lambda (line) (string-match-p "\\`Process .*stderr" line))
                               (split-string (buffer-string) "\n" t "[ \t\r]+"))))
      (format "server exited (%s %s)%s"
              (if (eq (process-status todo-server-rpc--process) 'signal) "signal" "code")
              (process-exit-status todo-server-rpc--process)
              (if words (concat ": " (car (last words))) "")))))

(defun todo-server-rpc--ended (reason)
  "The server cannot be used any more, for REASON."
  (setq todo-server-rpc-state 'dead
        todo-server-rpc-reason reason
        todo-server-rpc-rendering nil
        todo-server-rpc--connection nil)
  (run-hooks 'todo-server-rpc-hook)
  (message "Todo: %s.  M-x todo-server-restart starts it again" reason))

(defun todo-server-rpc-start ()
  "Start the server; what is shown comes with its first rendering."
  (add-hook 'kill-emacs-hook #'todo-server-rpc-stop)
  (setq todo-server-rpc-state 'starting
        todo-server-rpc-reason nil
        todo-server-rpc-rendering nil
        todo-server-rpc-revision 0)
  (run-hooks 'todo-server-rpc-hook)
  (if (not (executable-find (car todo-server-command)))
      (todo-server-rpc--ended
       (format "cannot run %s; see `todo-server-command'" (car todo-server-command)))
    (setq todo-server-rpc--connection (todo-server-rpc--connect))
    ;; One that died at once cannot be written to; that is told of when it is noticed.
    (ignore-errors
      (jsonrpc-async-request
       todo-server-rpc--connection :initialize
       `( :processId ,(emacs-pid)
          :clientInfo (:name "emacs" :version ,emacs-version)
          :capabilities (:render (:patch t :window ,todo-server-rpc-window)))
       :timeout nil
       :success-fn (lambda (_)
                     (setq todo-server-rpc-state 'run)
                     (jsonrpc-notify todo-server-rpc--connection :initialized nil))
       :error-fn (lambda (problem)
                   (unless (eql (plist-get problem :code) -1)
                     (todo-server-rpc-stop)
                     (todo-server-rpc--ended (plist-get problem :message))))))))

(defun todo-server-rpc-stop ()
  "Tell the server to end, without waiting; one that does not obey is killed.
To wait while Emacs is being killed can make it spin for ever."
  (when (and todo-server-rpc--connection (process-live-p todo-server-rpc--process))
    (ignore-errors
      (jsonrpc-async-request todo-server-rpc--connection :shutdown nil :timeout nil
                             :success-fn #'ignore :error-fn #'ignore)
      (jsonrpc-notify todo-server-rpc--connection :exit nil))
    ;; A new connection uses the same buffer: this one writes no more to it.
    (set-process-filter todo-server-rpc--process #'ignore)
    (run-at-time 3 nil #'delete-process todo-server-rpc--process))
  (setq todo-server-rpc--connection nil
        todo-server-rpc-state nil))

(provide 'todo-server-rpc)
;;; todo-server-rpc.el ends here
