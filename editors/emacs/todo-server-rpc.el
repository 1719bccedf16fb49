;;; todo-server-rpc.el --- The connection of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Starts the server, talks JSON-RPC with it through jsonrpc.el, and keeps the
;; newest rendering: plists and vectors, as jsonrpc.el reads JSON.  Nothing
;; here draws, and nothing here knows what a screen is about.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)
(require 'todo-server-patch)

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

(defvar todo-server-rpc-state nil
  "What the server is doing: nil, `starting', `run' or `dead'.")

(defvar todo-server-rpc-reason nil
  "Why the server is dead.")

(defvar todo-server-rpc-revision 0
  "The number of the rendering kept in `todo-server-rpc-rendering'.")

(defvar todo-server-rpc-rendering nil
  "The newest rendering.")

(defvar todo-server-rpc-windows nil
  "Non-nil if the server can send a list in parts.")

(defvar todo-server-rpc-render-hook nil
  "Run when `todo-server-rpc-rendering' has changed.")

(defvar todo-server-rpc-state-hook nil
  "Run when `todo-server-rpc-state' has changed.")

(defvar todo-server-rpc--connection nil)
(defvar todo-server-rpc--process nil)
(defvar todo-server-rpc--resyncing nil
  "Non-nil while the whole rendering is on its way.")

;;;; Renderings

(defun todo-server-rpc-screens ()
  "The screens of the newest rendering, the bottom one first."
  (mapcar (lambda (item) (plist-get item :screen))
          (plist-get todo-server-rpc-rendering :items)))

(defun todo-server-rpc--receive (params)
  "Take over PARAMS, a rendering or a patch of the one kept."
  (let ((rendering (plist-get params :rendering)))
    (when-let ((patch (and (not todo-server-rpc--resyncing)
                           (plist-get params :patch))))
      (setq rendering
            (and (eql (plist-get params :base) todo-server-rpc-revision)
                 (ignore-errors
                   (todo-server-patch todo-server-rpc-rendering patch))))
      (unless rendering (todo-server-rpc-resync)))
    (when rendering
      (setq todo-server-rpc-rendering rendering
            todo-server-rpc-revision (plist-get params :revision))
      (run-hooks 'todo-server-rpc-render-hook))))

(defun todo-server-rpc-resync ()
  "Ask for the whole rendering."
  (setq todo-server-rpc--resyncing t)
  (todo-server-rpc-call
   :workflow/rendering nil
   (lambda (result)
     (setq todo-server-rpc--resyncing nil)
     (todo-server-rpc--receive result))))

;;;; Requests

(defun todo-server-rpc--live ()
  "The connection; an error for the user if there is none."
  (unless (and todo-server-rpc--connection (eq todo-server-rpc-state 'run))
    (user-error "Todo: the server is not running; try M-x todo-server-restart"))
  todo-server-rpc--connection)

(defun todo-server-rpc-call (method params &optional then)
  "Request METHOD with PARAMS; call THEN with the result when it comes.
An error is shown to the user, unless THEN is `ignore'."
  (jsonrpc-async-request
   (todo-server-rpc--live) method params
   :timeout nil
   :success-fn (or then #'ignore)
   :error-fn (lambda (problem)
               ;; Code -1 is jsonrpc.el's own, for a dead server, which
               ;; `todo-server-rpc--ended' tells of once.
               (unless (or (eq then #'ignore) (eql (plist-get problem :code) -1))
                 (message "Todo: %s" (plist-get problem :message))))))

(defun todo-server-rpc-call-now (method params)
  "Request METHOD with PARAMS and wait; return once its rendering has come.
Signal an error for the user if it fails or takes too long."
  (condition-case problem
      (let ((wanted (plist-get (jsonrpc-request (todo-server-rpc--live) method params
                                                :timeout todo-server-timeout)
                               :revision))
            (end (time-add nil todo-server-timeout)))
        (while (and wanted (< todo-server-rpc-revision wanted) (time-less-p nil end))
          (accept-process-output nil 0.01)))
    (jsonrpc-error
     (let ((text (alist-get 'jsonrpc-error-message (cddr problem))))
       (user-error "Todo: %s" (pcase text
                                ((or "Timed out" 'nil)
                                 (format "no answer within %s s" todo-server-timeout))
                                ("Server died" (or todo-server-rpc-reason text))
                                (_ text)))))))

;;;; The process

(defun todo-server-rpc--make-process ()
  "Start the server."
  (let ((default-directory (expand-file-name "~/"))
        (process-adaptive-read-buffering nil))
    (setq todo-server-rpc--process
          (make-process
           :name "todo" :command todo-server-command :connection-type 'pipe
           :coding 'utf-8-emacs-unix :noquery t
           ;; jsonrpc.el takes over the buffer of this very name.
           :stderr (get-buffer-create "*todo stderr*")))))

(defun todo-server-rpc--connect ()
  "A new connection to a new server."
  (let ((arguments
         (list :name "todo"
               :process #'todo-server-rpc--make-process
               :notification-dispatcher
               (lambda (connection method params)
                 (when (and (eq connection todo-server-rpc--connection)
                            (eq method 'workflow/render))
                   (todo-server-rpc--receive params)))
               :on-shutdown
               (lambda (connection)
                 (when (eq connection todo-server-rpc--connection)
                   (todo-server-rpc--ended
                    (todo-server-rpc--post-mortem connection)))))))
    ;; No events buffer: passwords would be in it.  The keyword for that
    ;; changed with Emacs 30, and each version refuses the other's.
    (condition-case nil
        (apply #'make-instance 'jsonrpc-process-connection
               :events-buffer-config '(:size 0 :format full) arguments)
      (invalid-slot-name
       (apply #'make-instance 'jsonrpc-process-connection
              :events-buffer-scrollback-size 0 arguments)))))

(defun todo-server-rpc--post-mortem (connection)
  "Why the process of CONNECTION ended: its code or signal, and its last words."
  (let* ((process todo-server-rpc--process)
         (buffer (jsonrpc-stderr-buffer connection))
         (words (when (buffer-live-p buffer)
                  ;; Its stderr is a process of its own, and may lag behind.
                  (when-let ((pipe (get-buffer-process buffer)))
                    (accept-process-output pipe 0.2 nil t))
                  (with-current-buffer buffer
                    (cl-remove-if (lambda (line) (string-match-p "\\`Process .*stderr" line))
                                  (split-string (buffer-string) "\n" t "[ \t\r]+"))))))
    (format "server exited (%s %s)%s"
            (if (eq (process-status process) 'signal) "signal" "code")
            (process-exit-status process)
            (if words (concat ": " (car (last words))) ""))))

(defun todo-server-rpc--become (state)
  "Enter STATE and tell everybody."
  (setq todo-server-rpc-state state)
  (run-hooks 'todo-server-rpc-state-hook))

(defun todo-server-rpc--ended (reason)
  "The server cannot be used any more, for REASON."
  (setq todo-server-rpc--connection nil
        todo-server-rpc-reason reason)
  (todo-server-rpc--become 'dead)
  (message "Todo: %s.  M-x todo-server-restart starts it again" reason))

(defun todo-server-rpc--initialized (result)
  "Go on after the server answered RESULT to `initialize'."
  (let ((render (plist-get (plist-get result :capabilities) :render)))
    (setq todo-server-rpc-windows (eq (plist-get render :window) t)))
  (jsonrpc-notify todo-server-rpc--connection :initialized nil)
  (todo-server-rpc--become 'run))

(defun todo-server-rpc-start ()
  "Start the server; what is shown comes with its first rendering."
  (todo-server-rpc-stop)
  (add-hook 'kill-emacs-hook #'todo-server-rpc-exit)
  (setq todo-server-rpc-rendering nil todo-server-rpc-revision 0
        todo-server-rpc-reason nil todo-server-rpc--resyncing nil)
  (if (not (executable-find (car todo-server-command)))
      (todo-server-rpc--ended
       (format "cannot run %s; see `todo-server-command'" (car todo-server-command)))
    (todo-server-rpc--become 'starting)
    (condition-case problem
        (jsonrpc-async-request
         (setq todo-server-rpc--connection (todo-server-rpc--connect))
         :initialize
         (list :processId (emacs-pid)
               :clientInfo (list :name "emacs" :version emacs-version)
               :capabilities '(:render (:patch t :window 400)))
         :timeout nil
         :success-fn #'todo-server-rpc--initialized
         :error-fn (lambda (problem)
                     (unless (eql (plist-get problem :code) -1)
                       (todo-server-rpc-stop)
                       (todo-server-rpc--ended (plist-get problem :message)))))
      ;; One that dies at once may not even have read the request.
      (error (unless (eq todo-server-rpc-state 'dead)
               (todo-server-rpc--ended
                (if todo-server-rpc--connection
                    (todo-server-rpc--post-mortem todo-server-rpc--connection)
                  (error-message-string problem))))))))

(defun todo-server-rpc-exit ()
  "Tell the server to end, without waiting.
To wait while Emacs is being killed can make it spin for ever."
  (when (process-live-p todo-server-rpc--process)
    (ignore-errors
      (when (eq todo-server-rpc-state 'run)
        (jsonrpc-async-request todo-server-rpc--connection :shutdown nil :timeout nil
                               :success-fn #'ignore :error-fn #'ignore))
      (jsonrpc-notify todo-server-rpc--connection :exit nil))))

(defun todo-server-rpc-stop ()
  "Stop the server; one that does not obey is killed."
  (let ((process todo-server-rpc--process))
    (when (process-live-p process)
      (todo-server-rpc-exit)
      ;; A new connection uses the same buffer: this one writes no more to it.
      (set-process-filter process #'ignore)
      (ignore-errors (process-send-eof process))
      (run-at-time 3 nil (lambda () (when (process-live-p process)
                                      (delete-process process)))))
    (setq todo-server-rpc--connection nil
          todo-server-rpc-state nil)))

(provide 'todo-server-rpc)
;;; todo-server-rpc.el ends here
