;;; todo-server.el --- Todos, kept by todo-server  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, processes, tools

;;; Commentary:

;; `M-x todo-server' starts the program of `todo-server-command' and shows
;; what it says: a form, a list or progress.  Each action has a key, shown
;; above the list; `?' explains them.  A text is edited in a buffer of its
;; own, and saved with C-x C-s.
;;
;; The server describes every screen, so this package knows nothing about any
;; of them; it goes by position only.  The right end of the bar is the main
;; action (`+', or a save), the left end is the way back (`^'), and the first
;; action for a row is what RET does.

;;; Code:

(require 'hl-line)
(require 'todo-server-draw)
(require 'todo-server-text)

(defconst todo-server--spinner ["|" "/" "-" "\\"])

(defvar todo-server--timer nil
  "Turns the spinner while something is going on.")

(defvar todo-server--message nil
  "The message of the screen in front, as it was last echoed.")

(defvar todo-server--shown nil
  "The depth and the name of the screen that was in front last.")

;;;; Modes

(defvar todo-server-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "?" #'todo-server-help)
    (define-key map "^" #'todo-server-back)
    (define-key map "+" #'todo-server-main)
    (define-key map "n" #'next-line)
    (define-key map "p" #'previous-line)
    (define-key map (kbd "RET") #'todo-server-enter)
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    map)
  "Keymap of `todo-server-mode'; the keys of the actions come on top.")

(define-derived-mode todo-server-mode special-mode "Todo"
  "Shows a screen of todo-server: a form, a list or progress.
The line above the rows shows each action that the screen offers, with its key.

\\{todo-server-mode-map}"
  (setq-local revert-buffer-function (lambda (&rest _) (todo-server-rpc-resync))
              mode-line-process '(:eval (todo-server--status))
              bidi-paragraph-direction 'left-to-right))

(define-derived-mode todo-server-list-mode todo-server-mode "Todo-List"
  "Shows a list of todo-server, one item a line.

\\{todo-server-mode-map}"
  (setq truncate-lines t)
  (hl-line-mode)
  (add-hook 'window-scroll-functions #'todo-server--scrolled nil t))

(defun todo-server--status ()
  "The state of the server, for the mode line."
  (pcase todo-server-rpc-state
    ('dead (propertize ":dead" 'face 'error))
    ('run (if todo-server--timer
              (concat ":" (aref todo-server--spinner (mod (truncate (* 10 (float-time))) 4)))
            ":run"))
    (state (and state (format ":%s" state)))))

;;;; Renderings

(defun todo-server--draw (screen)
  "Show SCREEN, which is no text, in the main buffer."
  (with-current-buffer (get-buffer-create todo-server-buffer)
    (let* ((inhibit-read-only t)
           (body (plist-get screen :body))
           (list (equal (plist-get body :kind) "list"))
           (keys (todo-server--keys screen)))
      (unless (and (eq major-mode (if list #'todo-server-list-mode #'todo-server-mode))
                   (equal (plist-get screen :name) (plist-get todo-server--screen :name)))
        (erase-buffer)
        (if list (todo-server-list-mode) (todo-server-mode))
        (buffer-disable-undo))
      (setq todo-server--screen screen
            header-line-format
            (string-replace "%" "%%" (concat " " (propertize (plist-get screen :title) 'face 'bold)
                                             (and list (format "  (%s)" (plist-get body :total))))))
      (todo-server--bind keys)
      (funcall (if list #'todo-server--draw-list #'todo-server--draw-form) screen keys)
      (set-buffer-modified-p nil))))

(defun todo-server--render ()
  "Show the newest rendering."
  (let* ((screens (todo-server-rpc-screens))
         (front (todo-server--front))
         (place (cons (length screens) (plist-get front :name)))
         (new (not (equal place todo-server--shown)))
         (main (cl-find-if-not #'todo-server--shape screens :from-end t)))
    (setq todo-server--shown place
          todo-server--left todo-server--attached)
    (when main (todo-server--draw main))
    (if (todo-server--shape front) (todo-server--draw-text front new)
      (setq todo-server--attached nil))
    (todo-server--spin (equal (plist-get (plist-get front :body) :kind) "progress"))
    (let ((text (plist-get (plist-get front :message) :text)))
      (unless (equal text todo-server--message)
        (when (setq todo-server--message text) (message "Todo: %s" text))))
    (when new (todo-server--show))))

(defun todo-server--spin (busy)
  "Turn the spinner while BUSY."
  (cond ((and busy (not todo-server--timer))
         (setq todo-server--timer (run-with-timer 0 0.1 #'force-mode-line-update t)))
        ((and todo-server--timer (not busy))
         (cancel-timer todo-server--timer)
         (setq todo-server--timer nil)))
  (force-mode-line-update t))

(defun todo-server--state-changed ()
  "Say in the main buffer what became of the server."
  (unless (eq todo-server-rpc-state 'run)
    (setq todo-server--shown nil todo-server--attached nil))
  (todo-server--spin (eq todo-server-rpc-state 'starting))
  (with-current-buffer (get-buffer-create todo-server-buffer)
    (unless (derived-mode-p 'todo-server-mode) (todo-server-mode))
    (when (eq todo-server-rpc-state 'dead)
      (setq header-line-format
            (propertize (string-replace "%" "%%" (concat " " todo-server-rpc-reason))
                        'face 'error)))))

(add-hook 'todo-server-rpc-render-hook #'todo-server--render)
(add-hook 'todo-server-rpc-state-hook #'todo-server--state-changed)

;;;; Commands

;;;###autoload
(defun todo-server ()
  "Show the todos, starting the server if it is not running."
  (interactive)
  (pcase todo-server-rpc-state
    ('starting)
    ('run (when todo-server-rpc-rendering (todo-server--render)))
    (_ (todo-server-rpc-start)))
  (todo-server--show t))

(defun todo-server-restart ()
  "Stop the server, and start it again; texts that are not saved stay."
  (interactive)
  (todo-server-rpc-start)
  (todo-server--show t))

(defun todo-server-quit ()
  "Stop the server, and bury its buffer."
  (interactive)
  (todo-server-rpc-stop)
  (todo-server--state-changed)
  (when-let ((window (get-buffer-window todo-server-buffer))) (quit-window nil window)))

(defun todo-server-act (name)
  "Do the action NAME of the screen of this buffer, read with completion."
  (interactive (list (todo-server--read-action todo-server--screen)))
  (todo-server-rpc--live)
  (let* ((item (get-text-property (point) 'todo-server-item))
         (screen (todo-server--surface (plist-get todo-server--screen :name)))
         (needed (equal (plist-get (todo-server--action screen name) :scope) "item")))
    (when (and needed (not (plist-get item :id)))
      (user-error "Todo: there is nothing on this line"))
    (todo-server--do screen name :item (and needed (plist-get item :id)))))

(defun todo-server--act-if (name)
  "Do the action NAME if there is one."
  (todo-server-act (or name (user-error "Todo: not possible here"))))

(defun todo-server-main ()
  "Do the main action of this screen."
  (interactive)
  (todo-server--act-if (todo-server--end todo-server--screen :right)))

(defun todo-server-back ()
  "Go back from this screen."
  (interactive)
  (todo-server--act-if (todo-server--end todo-server--screen :left)))

(defun todo-server-enter ()
  "Press the button at point, or do the first action for the row at point."
  (interactive)
  (if (button-at (point)) (push-button)
    (let ((scope (if (derived-mode-p 'todo-server-list-mode) "item" "screen")))
      (todo-server--act-if
       (or (and (equal scope "screen") (todo-server--end todo-server--screen :right))
           (plist-get (seq-find (lambda (action) (equal (plist-get action :scope) scope))
                                (plist-get todo-server--screen :actions))
                      :name))))))

(defun todo-server--change (name value now)
  "Tell the server that the field NAME is VALUE; NOW is to wait until it is shown."
  (let ((params (list :screen (plist-get todo-server--screen :name)
                      :values (list (intern (concat ":" name)) value))))
    (if now (todo-server-rpc-call-now :screen/change params)
      (todo-server-rpc-call :screen/change params #'ignore))))

(defun todo-server--read-checked (field tell)
  "Ask for the value of FIELD, and TELL the server of each change meanwhile."
  (let (answer)
    (unwind-protect
        (setq answer (minibuffer-with-setup-hook
                         (lambda ()
                           (add-hook 'after-change-functions
                                     (lambda (&rest _) (funcall tell (minibuffer-contents)))
                                     nil t))
                       (todo-server--read field)))
      ;; After C-g the field is what it was before.
      (unless answer (funcall tell (or (plist-get field :value) ""))))))

(defun todo-server-answer (name)
  "Ask for the value of the field NAME, checked by the server while you type."
  (interactive (list (completing-read
                      "Field: " (mapcar (lambda (field) (plist-get field :name))
                                        (todo-server--fields todo-server--screen))
                      nil t)))
  (todo-server-rpc--live)
  (let* ((buffer (current-buffer))
         (field (seq-find (lambda (field) (equal (plist-get field :name) name))
                          (todo-server--fields todo-server--screen)))
         (secret (eq (plist-get field :secret) t))
         (answer (if secret (todo-server--read field)
                   (todo-server--read-checked
                    field (lambda (value)
                            (with-current-buffer buffer
                              (todo-server--change name value nil)))))))
    (when secret
      (setq todo-server--secrets (delete name todo-server--secrets))
      (unless (string= answer "") (push name todo-server--secrets)))
    (unwind-protect (todo-server--change name answer t)
      (when secret (clear-string answer)))
    (when (get-buffer-window buffer)
      (ignore-errors (forward-button 1)))))

(defun todo-server-help ()
  "Explain the keys of this buffer."
  (interactive)
  (let ((keys (todo-server--keys todo-server--screen))
        (mode major-mode))
    (with-help-window (help-buffer)
      (pcase-dolist (`(,key . ,action) keys)
        (princ (format "%s\t%s%s\n" (if key (string key) "") (plist-get action :title)
                       (if (eq (plist-get action :enabled) t) "" " (not now)"))))
      (princ (concat "\n" (substitute-command-keys (documentation mode)))))))

;;;###autoload
(defun todo-server-doctor ()
  "Check that everything is there, also with the doctor of the server itself."
  (interactive)
  (let ((program (executable-find (car todo-server-command))))
    (with-current-buffer (get-buffer-create "*todo doctor*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (special-mode)
        (insert (format "Emacs %s\n`todo-server-command': %S\nProgram: %s\nServer: %s\n\n"
                        emacs-version todo-server-command (or program "not found")
                        (or todo-server-rpc-reason todo-server-rpc-state "not started"))))
      (when program
        (make-process :name "todo doctor" :buffer (current-buffer) :noquery t
                      :connection-type 'pipe
                      :command `(,program "doctor" ,@(cdr todo-server-command))))
      (display-buffer (current-buffer)))))

;;;###autoload
(defalias 'todo-doctor #'todo-server-doctor)

(provide 'todo-server)
;;; todo-server.el ends here
