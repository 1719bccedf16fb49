;;; todo-server.el --- Todos, kept by todo-server  -*- lexical-binding: t; -*-

;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, processes, tools
;; URL: https://github.com/todo-server/todo-server

;;; Commentary:

;; `M-x todo-server' starts the program of `todo-server-command' and shows
;; what it says: a form, a list or progress.  `?' is a menu of all that can be
;; done.  A text is edited in a buffer of its own, and saved with C-x C-s.
;;
;; The server describes every screen, so this package knows nothing about any
;; of them: it binds actions by their roles, and by the keys they come with.

;;; Code:

(require 'hl-line)
(require 'text-property-search)
(require 'todo-server-text)

(defvar todo-server--message-id nil "Which message of the server was echoed last.")
(defvar todo-server--echoed nil "What was echoed last, while it is not old.")
(defvar todo-server--shown nil "The identity of the screen that was in front last.")
(defvar todo-server--secrets nil "The names of the secret fields that were typed into.")
(defvar todo-server--ticker nil "The timer that draws the mode lines.")
(defvar-local todo-server--top 1 "Where the rows or fields begin.")
(defvar-local todo-server--asked nil "Where the rows begin that were asked for last.")

;;;; The mode

(defvar todo-server-mode-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,role ,_ ,key) todo-server--roles)
      (when key (define-key map key (intern (format "todo-server-%s" role)))))
    (define-key map "?" #'todo-server-menu)
    (define-key map "n" #'next-line)
    (define-key map "p" #'previous-line)
    (define-key map (kbd "RET") #'todo-server-enter)
    map)
  "Keymap of `todo-server-mode'; what is not in it, the screen adds.")

(define-derived-mode todo-server-mode special-mode "Todo"
  "Shows a screen of todo-server: a form, a list or progress.

\\{todo-server-mode-map}"
  (setq-local header-line-format '(:eval (todo-server--header))
              mode-line-process '(:eval (todo-server--status))
              bidi-paragraph-direction 'left-to-right
              truncate-lines t)
  (buffer-disable-undo)
  (hl-line-mode)
  (add-hook 'window-scroll-functions #'todo-server--want-rows nil t))

(defun todo-server--busy-p ()
  "Whether something is going on that the user waits for."
  (equal (todo-server--in (todo-server--front) :body :kind) "progress"))

(defun todo-server--ago (time)
  "How far the TIME of the server is from now, in words."
  (let ((minutes (round (abs (float-time (time-subtract nil (date-to-time time)))) 60)))
    (cond ((< minutes 1) "less than 1 min")
          ((< minutes 120) (format "%d min" minutes))
          ((format "%d h" (round minutes 60))))))

(defun todo-server--status ()
  "The state of the server and of the list, for the mode line."
  (let ((status (todo-server--in (todo-server--main) :body :status)))
    (cond (todo-server-rpc-reason (propertize ":dead" 'face 'todo-server-alert))
          ((todo-server--busy-p) (format ":%c" (aref "|/-\\" (mod (truncate (float-time) 0.1) 4))))
          (status
           (cl-loop for (member words . face) in '((:pending "%s pending" . todo-server-notice)
                                                   (:conflicts "%s in conflict" . todo-server-alert)
                                                   (:failed "%s failed" . todo-server-alert)
                                                   (:syncedAt "synced %s ago")
                                                   (:retryAt "next try in %s"))
                    for value = (plist-get status member)
                    unless (memq value '(nil 0))
                    concat (propertize (concat " " (format words (if (stringp value)
                                                                     (todo-server--ago value)
                                                                   value)))
                                       'face face)))
          (todo-server-rpc-connection ":run"))))

(defun todo-server--tick ()
  "Draw the mode lines, and again when they will say something else."
  (when todo-server--ticker (cancel-timer todo-server--ticker))
  (force-mode-line-update t)
  (setq todo-server--ticker (and todo-server-rpc-connection
                                 (run-with-timer (if (todo-server--busy-p) 0.1 30) nil
                                                 #'todo-server--tick))))

;;;; Drawing

(defun todo-server--insert-field (field)
  "Insert the line of FIELD, with what is wrong with it below."
  (let ((label (plist-get field :label)) (problem (plist-get field :error)))
    (insert (propertize (concat (todo-server--plain label) ": ") 'face 'todo-server-heading)
            (propertize (if (not (todo-server--has :secret field))
                            (concat (todo-server--plain (plist-get field :value)) " ")
                          (if (member (plist-get field :name) todo-server--secrets) "***" " "))
                        'face 'todo-server-value)
            "\n")
    (when problem
      (insert (propertize (todo-server--plain problem) 'face 'todo-server-alert) "\n"))
    (put-text-property (line-beginning-position (if problem -1 0)) (point)
                       'todo-server-field (plist-get field :name))))

(defun todo-server--insert-item (item)
  "Insert the line of ITEM: a box, its title, and what is known of it to the right."
  (let* ((tone (pcase (plist-get item :tone)
                 ("muted" 'todo-server-muted) ("notice" 'todo-server-notice)
                 ("alert" 'todo-server-alert)))
         (title (todo-server--plain (plist-get item :title)))
         (more (mapconcat #'todo-server--plain
                          (delq nil (list (plist-get item :detail) (plist-get item :badge))) " · ")))
    (insert (propertize
             (concat (pcase (plist-get item :checked) ('t "[x] ") (:json-false "[ ] "))
                     (if (eq tone 'todo-server-muted) (propertize title 'face tone) title)
                     (unless (string-empty-p more)
                       (concat (propertize " · " 'display
                                           `(space :align-to (- right ,(1+ (string-width more)))))
                               (propertize more 'face (if (memq tone '(nil todo-server-muted))
                                                          'todo-server-meta
                                                        tone))))
                     "\n")
             'todo-server-item (plist-get item :id)))))

(defun todo-server--insert-body (body)
  "Insert BODY, a form, progress or a list."
  (let ((done (plist-get body :done))
        (total (plist-get body :total))
        (items (plist-get body :items))
        (offset (plist-get body :offset)))
    (pcase (plist-get body :kind)
      ("form" (seq-do #'todo-server--insert-field (plist-get body :fields)))
      ("progress" (insert (todo-server--plain (plist-get body :text)) (if done (format " %s" done) "")
                          (if (and done total) (format "/%s" total) "") "\n")
       (when (and done total (> total 0))
         (let ((full (round (* 40.0 (min 1 (/ done (float total)))))))
           (insert (propertize (concat (make-string full ?█) (make-string (- 40 full) ?░))
                               'face 'todo-server-info)
                   "\n"))))
      ("list" (when (eql total 0) (insert (todo-server--plain (plist-get body :empty)) "\n"))
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
         (known (equal (plist-get screen :id) (plist-get todo-server--screen :id)))
         (message (todo-server--message screen))
         (select (todo-server--in screen :body :select))
         (places (mapcar
                  (lambda (window)
                    (let* ((at (if window (window-point window) (point)))
                           (row (if known (todo-server--row at) 0)))
                      (list window
                            (or select (and known (get-text-property at 'todo-server-item)))
                            row
                            (and known (not select) window (> (window-start window) 1)
                                 (- (todo-server--row (window-start window)) row)))))
                  (or (get-buffer-window-list nil nil t) '(nil)))))
    (setq todo-server--screen screen)
    (todo-server--bind todo-server-mode-map)
    (erase-buffer)
    (when message (insert message "\n"))
    (setq todo-server--top (point))
    (todo-server--insert-body (plist-get screen :body))
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
        ;; If the list is gone meanwhile, so is the question.
        (todo-server-rpc-call :screen/window
                              (list :screen (plist-get todo-server--screen :name)
                                    :offset begin :limit todo-server-rpc-window)
                              #'ignore #'ignore)))))

(defun todo-server--update ()
  "Show the newest rendering, or what became of the server."
  (let* ((front (todo-server--front))
         (new (not (equal (plist-get front :id) todo-server--shown))))
    (setq todo-server--shown (plist-get front :id))
    (when new (setq todo-server--secrets nil))
    (with-current-buffer (get-buffer-create "*todo*")
      (unless (derived-mode-p 'todo-server-mode) (todo-server-mode))
      (when-let ((main (todo-server--main))) (todo-server--draw main)))
    (cond ((not (todo-server--layout front)) (todo-server--detach))
          ;; Without a buffer, the user has just killed it.
          ((or new todo-server--attached) (todo-server--draw-text front)))
    (todo-server--tick)
    (todo-server--echo (plist-get front :message))
    ;; Whoever types into another text stays there.
    (when (and new front (or (eq (window-buffer) todo-server--attached)
                             (not (and (buffer-modified-p (window-buffer))
                                       (buffer-local-value 'todo-server--id (window-buffer))))))
      (todo-server--show))))

(add-hook 'todo-server-rpc-hook #'todo-server--update)

(defun todo-server--echo (news)
  "Echo NEWS, a message of the server, once; clear the echo area when they are old."
  (cond ((not news)
         (when (and todo-server--echoed (equal todo-server--echoed (current-message)))
           (message nil))
         (setq todo-server--message-id nil todo-server--echoed nil))
        ((not (equal (plist-get news :id) todo-server--message-id))
         (setq todo-server--message-id (plist-get news :id)
               todo-server--echoed (concat "Todo: " (todo-server--plain (plist-get news :text))))
         (message "%s" todo-server--echoed))))

;;;; Commands

;;;###autoload
(defun todo-server ()
  "Show the todos, starting the server if it is not running."
  (interactive)
  (unless todo-server-rpc-connection (todo-server-rpc-start))
  (todo-server--show t))

;;;###autoload (autoload 'todo-server-create "todo-server" "Add something, from any buffer." t)

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
  (todo-server--act :name name))

(defun todo-server--act (member value)
  "Do the action whose MEMBER is VALUE, with the text or the screen of this buffer.
A buffer that is not ours stands for the main one."
  (todo-server-rpc-live)
  (with-current-buffer (cond ((derived-mode-p 'todo-server-mode 'todo-server-text-mode)
                              (current-buffer))
                             ((derived-mode-p 'todo-server-side-mode) todo-server--attached)
                             ((get-buffer "*todo*")))
    (let ((action (todo-server--find member value (plist-get todo-server--screen :actions)))
          (item (get-text-property (point) 'todo-server-item)))
      (cond ((and item (equal value "link")) (todo-server--follow item))
            ((not todo-server--screen) (user-error "Todo: the server has said nothing yet"))
            ((not action)
             (user-error "Todo: “%s” has nothing for that"
                         (todo-server--plain (plist-get todo-server--screen :title))))
            ((derived-mode-p 'todo-server-text-mode)
             (catch 'todo-server-late
               (unless (equal (plist-get action :role) "back") (todo-server--act-text action))
               (kill-buffer)))
            ((and (equal (plist-get action :scope) "item") (not item))
             (user-error "Todo: there is no row here for “%s”" (plist-get action :title)))
            ((todo-server--act-screen action (and (equal (plist-get action :scope) "item")
                                                  item)))))))

(defun todo-server--follow (item)
  "Show the page of ITEM in a browser."
  (let ((url (plist-get (todo-server--find :id item (todo-server--in todo-server--screen :body :items))
                        :url)))
    (if (string-match-p "\\`https?://" (or url "")) (browse-url url)
      (user-error "Todo: this row has no page"))))

(defun todo-server--act-screen (action item)
  "Do ACTION, on ITEM if that is not nil, of the screen of this buffer."
  (let* ((screen todo-server--screen)
         (origin (and (equal (plist-get action :role) "open")
                      (list (plist-get screen :name) (plist-get action :name) item))))
    (todo-server--make-way origin)
    (when-let ((params (todo-server--request action nil :item item)))
      (todo-server-rpc-call
       :screen/act params
       (lambda (_)
         (setq todo-server--claim nil)
         (when (and origin (buffer-live-p todo-server--attached))
           (with-current-buffer todo-server--attached
             (setq todo-server--opened-by origin))))))))

(defun todo-server-enter ()
  "Ask for the field at point, or do what Enter does for the row or the screen."
  (interactive)
  (let ((field (get-text-property (point) 'todo-server-field)))
    (if field (todo-server--answer (todo-server--find :name field (todo-server--in todo-server--screen
                                                                              :body :fields)))
      (todo-server--act :name (plist-get (or (todo-server--primary "item" todo-server--screen)
                                             (todo-server--primary "screen" todo-server--screen))
                                         :name)))))

(defun todo-server--answer (field)
  "Ask for the value of FIELD, checked by the server while the user types."
  (todo-server-rpc-live)
  (let* ((screen (plist-get todo-server--screen :name))
         (base (todo-server--in todo-server--screen :body :base))
         (name (plist-get field :name))
         (secret (todo-server--has :secret field))
         (params (lambda (value)
                   (list :screen screen :base base :values (todo-server--value name value))))
         (check (lambda (&rest _)
                  (unless secret
                    (todo-server-rpc-call :screen/change (funcall params (minibuffer-contents))
                                          #'ignore #'ignore))))
         (value (minibuffer-with-setup-hook
                    (lambda () (add-hook 'after-change-functions check nil t))
                  (todo-server--read field))))
    (when secret
      (setq todo-server--secrets (if (string-empty-p value) (remove name todo-server--secrets)
                                   (cons name todo-server--secrets))))
    (catch 'todo-server-late
      (todo-server-rpc-call-now :screen/change (funcall params value))
      (forward-line))))

;;;###autoload
(defun todo-server-doctor ()
  "Check that everything is there, also with the doctor of the server itself."
  (interactive)
  (let ((program (executable-find (car todo-server-command))))
    (with-help-window "*todo doctor*"
      (princ (format "Emacs %s\n`todo-server-command': %S\nProgram: %s\nServer: %s\n\n"
                     emacs-version todo-server-command (or program "not found")
                     (or todo-server-rpc-reason
                         (if todo-server-rpc-connection "running" "not started")))))
    (when program
      (make-process :name "todo doctor" :buffer "*todo doctor*" :noquery t
                    :command `(,program "doctor" ,@(cdr todo-server-command))
                    :sentinel #'ignore))))

(provide 'todo-server)
;;; todo-server.el ends here
