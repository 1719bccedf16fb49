;;; todo-server.el --- Todos, kept by todo-server  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, processes, tools

;;; Commentary:

;; `M-x todo-server' starts the program of `todo-server-command' and shows
;; what it says: a form, a list or progress.  Each action has a key, shown
;; with it.  A text is edited in a buffer of its own, and saved with C-x C-s.
;;
;; The server describes every screen, so this package knows nothing about any
;; of them.  In a text, the right end of the bar is what saves, and the left
;; end is the way back; the first action for a row is what RET does.

;;; Code:

(require 'hl-line)
(require 'text-property-search)
(require 'todo-server-text)

(defvar todo-server--message nil "The message of the screen in front, as it was last echoed.")
(defvar todo-server--shown nil "The depth and the name of the screen that was in front last.")
(defvar-local todo-server--top 1 "Where the rows or fields begin.")
(defvar-local todo-server--asked nil "Where the rows begin that were asked for last.")

;;;; The mode

(defvar todo-server-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map [remap self-insert-command] #'todo-server-press)
    (define-key map "?" #'todo-server-help)
    (define-key map "n" #'next-line)
    (define-key map "p" #'previous-line)
    (define-key map (kbd "RET") #'todo-server-enter)
    map)
  "Keymap of `todo-server-mode'; actions have the keys they are shown with.")

(define-derived-mode todo-server-mode special-mode "Todo"
  "Shows a screen of todo-server: a form, a list or progress.
Each action stands there with its key, grey if it is not possible now.

\\{todo-server-mode-map}"
  (setq-local revert-buffer-function (lambda (&rest _) (todo-server-rpc-resync))
              mode-line-process '(:eval (todo-server--status))
              bidi-paragraph-direction 'left-to-right
              truncate-lines t)
  (buffer-disable-undo)
  (hl-line-mode)
  (add-hook 'window-scroll-functions #'todo-server--want-rows nil t))

(defun todo-server--busy-p ()
  "Whether something is going on that the user waits for."
  (equal (todo-server--in (todo-server--front) :body :kind) "progress"))

(defun todo-server--status ()
  "The state of the server, for the mode line."
  (cond (todo-server-rpc-reason (propertize ":dead" 'face 'error))
        ((todo-server--busy-p) (format ":%c" (aref "|/-\\" (mod (truncate (float-time) 0.1) 4))))
        (todo-server-rpc-connection ":run")))

(defun todo-server--spin ()
  "Draw the mode lines, and again soon while something is going on."
  (cancel-function-timers #'todo-server--spin)
  (force-mode-line-update t)
  (when (todo-server--busy-p) (run-with-timer 0.1 nil #'todo-server--spin)))

;;;; Drawing

(defun todo-server--insert-actions (screen)
  "Insert the message of SCREEN, and its actions with their keys."
  (when-let ((message (plist-get screen :message)))
    (insert (propertize (plist-get message :text) 'face
                        (pcase (plist-get message :level) ("info" 'success) (name (intern name))))
            "\n"))
  (dolist (label (todo-server--labels screen))
    (when (> (+ (current-column) (string-width label)) 78) (insert "\n"))
    (insert label "  "))
  (insert "\n\n"))

(defun todo-server--insert-field (field)
  "Insert the line of FIELD, with what is wrong with it."
  (insert (plist-get field :label) ": "
          (propertize (if (todo-server--has :secret field) "***"
                        (concat (plist-get field :value) " "))
                      'face 'widget-field)
          "  " (propertize (or (plist-get field :error) "") 'face 'error) "\n"))

(defun todo-server--insert-item (item)
  "Insert the line of ITEM."
  (insert (propertize
           (concat (pcase (plist-get item :checked) ('t "[x] ") (:json-false "[ ] "))
                   (replace-regexp-in-string
                    "[[:cntrl:]]+" " "
                    (string-join (delq nil (list (plist-get item :title) (plist-get item :detail)
                                                 (plist-get item :badge)))
                                 " · "))
                   "\n")
           'todo-server-item (plist-get item :id))))

(defun todo-server--insert-body (body)
  "Insert BODY, a form, progress or a list."
  (let ((done (plist-get body :done))
        (total (plist-get body :total))
        (items (plist-get body :items))
        (offset (plist-get body :offset)))
    (pcase (plist-get body :kind)
      ("form" (seq-do #'todo-server--insert-field (plist-get body :fields)))
      ("progress" (insert (plist-get body :text) (if done (format " %s" done) "")
                          (if (and done total) (format "/%s" total) "") "\n"))
      ("list" (when (eql total 0) (insert (plist-get body :empty) "\n"))
       ;; There can be 100,000 of these: all at once is much faster.
       (insert (string-join (make-list offset "…\n")))
       (seq-do #'todo-server--insert-item items)
       (insert (string-join (make-list (- total offset (length items)) "…\n"))))
      (kind (insert (format "This front-end cannot draw “%s”.\n" kind))))))

(defun todo-server--row (position)
  "The number of the row at POSITION; negative above the rows."
  (- (line-number-at-pos position) (line-number-at-pos todo-server--top)))

(defun todo-server--goto (item row)
  "Go to the row of ITEM, or to the line number ROW if that is gone."
  (goto-char (point-min))
  (if-let ((match (and item (text-property-search-forward 'todo-server-item item t))))
      (goto-char (prop-match-beginning match))
    (goto-char todo-server--top)
    (forward-line row)
    (when (eobp) (forward-line -1))))

(defun todo-server--draw (screen)
  "Draw SCREEN, which is no text, in this buffer; windows stay where they are."
  (let* ((inhibit-read-only t)
         (list (equal (todo-server--in screen :body :kind) "list"))
         (known (equal (plist-get screen :name) (plist-get todo-server--screen :name)))
         (places (mapcar
                  (lambda (window)
                    (let* ((at (if window (window-point window) (point)))
                           (row (if known (todo-server--row at) 0)))
                      (list window (and known (get-text-property at 'todo-server-item)) row
                            (and known window (> (window-start window) 1)
                                 (- (todo-server--row (window-start window)) row)))))
                  (or (get-buffer-window-list nil nil t) '(nil)))))
    (setq todo-server--screen screen
          header-line-format
          (string-replace "%" "%%" (concat " " (propertize (plist-get screen :title) 'face 'bold))))
    (erase-buffer)
    ;; A list can be longer than a window.
    (when list (todo-server--insert-actions screen))
    (setq todo-server--top (point))
    (todo-server--insert-body (plist-get screen :body))
    (unless list
      (insert "\n")
      (todo-server--insert-actions screen))
    (pcase-dolist (`(,window ,item ,row ,above) places)
      (todo-server--goto item row)
      (when window
        (set-window-point window (point))
        (save-excursion
          (if above (forward-line above) (goto-char (point-min)))
          (set-window-start window (point) t)
          (todo-server--want-rows window (point)))))))

(defun todo-server--want-rows (window start)
  "Ask for the rows that WINDOW has from START on, if they are not here."
  (with-current-buffer (window-buffer window)
    (let* ((body (plist-get todo-server--screen :body))
           (offset (or (plist-get body :offset) 0))
           (first (max 0 (todo-server--row start)))
           (last (min (+ first (window-height window)) (or (plist-get body :total) 0)))
           (begin (max 0 (- first (/ todo-server-rpc-window 2)))))
      (unless (or (<= offset first last (+ offset (length (plist-get body :items))))
                  (eql begin todo-server--asked)
                  (not todo-server-rpc-connection))
        (setq todo-server--asked begin)
        (todo-server-rpc-call :screen/window
                              (list :screen (plist-get todo-server--screen :name)
                                    :offset begin :limit todo-server-rpc-window))))))

(defun todo-server--update ()
  "Show the newest rendering, or what became of the server."
  (let* ((screens (todo-server-rpc-screens))
         (front (todo-server--front))
         (place (cons (length screens) (plist-get front :name)))
         (new (not (equal place todo-server--shown)))
         (text (todo-server--in front :message :text)))
    (setq todo-server--shown place)
    (with-current-buffer (get-buffer-create "*todo*")
      (unless (derived-mode-p 'todo-server-mode) (todo-server-mode))
      (when-let ((main (cl-find-if-not #'todo-server--shape screens :from-end t)))
        (todo-server--draw main))
      (when todo-server-rpc-reason
        (setq header-line-format (propertize (string-replace "%" "%%" todo-server-rpc-reason)
                                             'face 'error))))
    (cond ((not (todo-server--shape front)) (setq todo-server--attached nil))
          ;; Without a buffer, the user has just killed it.
          ((or new todo-server--attached) (todo-server--draw-text front new)))
    (todo-server--spin)
    (unless (equal text todo-server--message)
      (when (setq todo-server--message text) (message "Todo: %s" text)))
    (when (and new front) (todo-server--show))))

(add-hook 'todo-server-rpc-hook #'todo-server--update)

;;;; Commands

;;;###autoload
(defun todo-server ()
  "Show the todos, starting the server if it is not running."
  (interactive)
  (unless todo-server-rpc-connection (todo-server-rpc-start))
  (todo-server--show t))

(defun todo-server-restart ()
  "Stop the server, and start it again; texts that are not saved stay."
  (interactive)
  (todo-server-rpc-stop)
  (todo-server))

(defun todo-server-act (name)
  "Do the action NAME of the screen of this buffer, read with completion."
  (interactive (list (completing-read "Action: " (seq-map (lambda (action) (plist-get action :name))
                                                          (plist-get todo-server--screen :actions))
                                      nil t)))
  (if (derived-mode-p 'todo-server-text-mode)
      (progn (todo-server--act-text name)
             (kill-buffer))
    (let* ((screen (plist-get todo-server--screen :name))
           (action (todo-server--find :name name (plist-get todo-server--screen :actions)))
           (wanted (equal (plist-get action :scope) "item"))
           (item (and wanted (get-text-property (point) 'todo-server-item))))
      (unless (and action (or item (not wanted)))
        (user-error "Todo: there is nothing here for that"))
      (todo-server--surface screen)
      (todo-server--do screen name #'todo-server-rpc-call item))))

(defun todo-server-press ()
  "Do the action that is shown with this key."
  (interactive)
  (todo-server-act (plist-get (cdr (assoc (string last-command-event)
                                          (todo-server--keys todo-server--screen)))
                              :name)))

(defun todo-server-enter ()
  "Ask for the field at point, or do the first action for the row."
  (interactive)
  (let ((row (todo-server--row (point)))
        (fields (todo-server--in todo-server--screen :body :fields)))
    (if (< -1 row (length fields)) (todo-server--answer (elt fields row))
      (todo-server-act (plist-get (todo-server--find
                                   :scope "item" (plist-get todo-server--screen :actions))
                                  :name)))))

(defun todo-server--answer (field)
  "Ask for the value of FIELD, checked by the server while the user types."
  (todo-server-rpc-live)
  (let* ((screen (plist-get todo-server--screen :name))
         (base (todo-server--in todo-server--screen :body :base))
         (secret (todo-server--has :secret field))
         (tell (lambda (request value)
                 (funcall request :screen/change
                          (list :screen screen :base base
                                :values (todo-server--value (plist-get field :name) value)))))
         (check (lambda (&rest _)
                  (unless secret (funcall tell #'todo-server-rpc-call (minibuffer-contents))))))
    (funcall tell #'todo-server-rpc-call-now
             (minibuffer-with-setup-hook (lambda () (add-hook 'after-change-functions check nil t))
               (todo-server--read field)))
    (forward-line)))

(defun todo-server-help ()
  "Explain this buffer and its keys."
  (interactive)
  (describe-function major-mode))

;;;###autoload
(defun todo-server-doctor ()
  "Check that everything is there, also with the doctor of the server itself."
  (interactive)
  (let ((program (executable-find (car todo-server-command))))
    (with-help-window "*todo doctor*"
      (princ (format "Emacs %s\n`todo-server-command': %S\nProgram: %s\nServer: %s\n\n"
                     emacs-version todo-server-command (or program "not found")
                     (or todo-server-rpc-reason
                         (if todo-server-rpc-connection "running" "not started"))))
      (when program
        (apply #'call-process program nil standard-output nil
               "doctor" (cdr todo-server-command))))))

(provide 'todo-server)
;;; todo-server.el ends here
