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

(defun todo-server--status ()
  "The state of the server and of the list, for the mode line."
  (cl-flet ((minutes (time) (/ (abs (round (float-time (time-subtract nil (date-to-time time))))) 60)))
    (cond (todo-server-rpc-reason (propertize ":dead" 'face 'todo-server-alert))
          ((todo-server--busy-p) (format ":%c" (aref "|/-\\" (mod (truncate (float-time) 0.1) 4))))
          ((cl-loop with status = (todo-server--in (todo-server--main) :body :status)
                    for (member words . face) in '((:pending " %s pending" . todo-server-notice)
                                                   (:conflicts " %s in conflict" . todo-server-alert)
                                                   (:failed " %s failed" . todo-server-alert)
                                                   (:syncedAt " synced %s min ago")
                                                   (:retryAt " next try in %s min"))
                    for value = (plist-get status member)
                    unless (or (memq value '(nil 0))
                               (and (eq member :retryAt) (time-less-p (date-to-time value) nil)))
                    concat (propertize (format words (if (stringp value) (minutes value) value))
                                       'face face) into told
                    finally return (if status told (and todo-server-rpc-connection ":run")))))))

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
  (let ((problem (todo-server--say :error field)))
    (insert (propertize
             (concat (propertize (concat (todo-server--say :label field) ": ")
                                 'face 'todo-server-heading)
                     (propertize (concat (cond ((not (todo-server--has :secret field))
                                                (todo-server--say :value field))
                                               ((member (plist-get field :name) todo-server--secrets)
                                                "***"))
                                         " ")
                                 'face 'todo-server-value)
                     "\n"
                     (unless (string-empty-p problem)
                       (propertize (concat problem "\n") 'face 'todo-server-alert)))
             'todo-server-field (plist-get field :name)))))

(defun todo-server--insert-item (item)
  "Insert the line of ITEM: a box, its title, and what is known of it to the right."
  (let ((tone (cdr (assoc (plist-get item :tone) '(("muted" . todo-server-muted)
                                                   ("notice" . todo-server-notice)
                                                   ("alert" . todo-server-alert)))))
        (more (mapconcat #'todo-server-rpc-plain
                         (delq nil (list (plist-get item :detail) (plist-get item :badge))) " · ")))
    (insert (propertize
             (concat (pcase (plist-get item :checked) ('t "[x] ") (:json-false "[ ] "))
                     (propertize (todo-server--say :title item)
                                 'face (and (eq tone 'todo-server-muted) tone))
                     (unless (string-empty-p more)
                       (concat (propertize " · " 'display
                                           `(space :align-to (- right ,(1+ (string-width more)))))
                               (propertize more 'face (if (eq tone 'todo-server-muted) 'todo-server-meta
                                                        (or tone 'todo-server-meta)))))
                     "\n")
             'todo-server-item (plist-get item :id)))))

(defun todo-server--insert-body (body)
  "Insert BODY, a form, progress or a list."
  (cl-destructuring-bind (&key kind done total items offset &allow-other-keys) body
    (pcase kind
      ("form" (seq-do #'todo-server--insert-field (plist-get body :fields)))
      ("progress"
       (insert (todo-server--say :text body) (if done (format " %s" done) "")
               (if (and done total) (format "/%s" total) "") "\n")
       (when (and done total (< 0 total))
         (let ((full (/ (* 40 (min done total)) total)))
           (insert (make-string full ?█) (make-string (- 40 full) ?░) "\n"))))
      ("list" (when (eql total 0) (insert (todo-server--say :empty body) "\n"))
       ;; There can be 100,000 of these: all at once is much faster.
       (insert (string-join (make-list offset "…\n")))
       (seq-do #'todo-server--insert-item items)
       (insert (string-join (make-list (- total offset (length items)) "…\n"))))
      (_ (insert (format "This front-end cannot draw “%s”.\n" kind))))))

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
         (select (todo-server--in screen :body :select))
         (known (and (equal (plist-get screen :id) (plist-get todo-server--screen :id)) (not select)))
         (places (mapcar
                  (lambda (window)
                    (let* ((at (if window (window-point window) (point)))
                           (row (if known (todo-server--row at) 0)))
                      (list window (or select (and known (get-text-property at 'todo-server-item))) row
                            (and known window (> (window-start window) 1)
                                 (- (todo-server--row (window-start window)) row)))))
                  (or (get-buffer-window-list nil nil t) '(nil)))))
    (setq todo-server--screen screen)
    (todo-server--bind todo-server-mode-map)
    (erase-buffer)
    (insert (todo-server--message screen))
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
         (new (not (equal (plist-get front :id) todo-server--shown)))
         (user (window-buffer)))
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
    (when (and new front (or (eq user todo-server--attached) (not (buffer-modified-p user))
                             (not (buffer-local-value 'todo-server--id user))))
      (todo-server--show))))

(add-hook 'todo-server-rpc-hook #'todo-server--update)

(defun todo-server--echo (news)
  "Echo NEWS, a message of the server, once; clear the echo area when they are old."
  (unless (equal (plist-get news :id) todo-server--message-id)
    (setq todo-server--message-id (plist-get news :id))
    (when (or news (equal todo-server--echoed (current-message)))
      (setq todo-server--echoed (and news (concat "Todo: " (todo-server--say :text news))))
      (message (and news "%s") todo-server--echoed))))

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

(defun todo-server--act (member value)
  "Do the action whose MEMBER is VALUE, with the text or the screen of this buffer.
A buffer that is not ours stands for the main one."
  (todo-server-rpc-live)
  (with-current-buffer (cond ((derived-mode-p 'todo-server-mode 'todo-server-text-mode)
                              (current-buffer))
                             ((derived-mode-p 'todo-server-side-mode) todo-server--attached)
                             ((get-buffer "*todo*")))
    (let* ((action (todo-server--find member value (plist-get todo-server--screen :actions)))
           (for-item (equal (plist-get action :scope) "item"))
           (item (get-text-property (point) 'todo-server-item))
           (url (plist-get (todo-server--find :id item (todo-server--in todo-server--screen :body :items))
                           :url)))
      (cond ((and (equal value "link") (string-match-p "\\`https?://" (or url ""))) (browse-url url))
            ((not todo-server--screen) (user-error "Todo: the server has said nothing yet"))
            ((not action) (user-error "Todo: “%s” has nothing for that"
                                      (todo-server--say :title todo-server--screen)))
            ((derived-mode-p 'todo-server-text-mode)
             (catch 'todo-server-late
               (unless (equal (plist-get action :role) "back") (todo-server--act-text action))
               (kill-buffer)))
            ((and for-item (not item))
             (user-error "Todo: there is no row here for “%s”" (todo-server--say :title action)))
            ((todo-server--act-screen action (and for-item item)))))))

(defun todo-server--act-screen (action item)
  "Do ACTION, on ITEM if that is not nil, of the screen of this buffer."
  (let ((origin (and (equal (plist-get action :role) "open")
                     (list (plist-get todo-server--screen :name) (plist-get action :name) item))))
    (todo-server--make-way origin)
    (when-let ((claim (or todo-server--claim t))
               (params (todo-server--request action nil :item item)))
      (todo-server-rpc-call :screen/act params
                            (lambda (_)
                              (when (eq todo-server--claim claim) (setq todo-server--claim nil))
                              (when (and origin (buffer-live-p todo-server--attached))
                                (with-current-buffer todo-server--attached
                                  (setq todo-server--opened-by origin))))))))

(defun todo-server-enter ()
  "Ask for the field at point, or do what Enter does for the row or the screen."
  (interactive)
  (if-let ((field (get-text-property (point) 'todo-server-field)))
      (todo-server--answer (todo-server--find :name field (todo-server--in todo-server--screen
                                                                           :body :fields)))
    (todo-server--act :name (plist-get (or (todo-server--primary "item") (todo-server--primary "screen"))
                                       :name))))

(defun todo-server--answer (field)
  "Ask for the value of FIELD, checked by the server while the user types."
  (todo-server-rpc-live)
  (let* ((screen todo-server--screen)
         (name (plist-get field :name))
         (secret (todo-server--has :secret field))
         (params (lambda (value)
                   (list :screen (plist-get screen :name) :base (todo-server--in screen :body :base)
                         :values (todo-server--value field value))))
         (check (lambda (&rest _)
                  (unless secret
                    (todo-server-rpc-call :screen/change (funcall params (minibuffer-contents))
                                          #'ignore #'ignore))))
         (value (minibuffer-with-setup-hook
                    (lambda () (add-hook 'after-change-functions check nil t))
                  (todo-server--read field))))
    (setq todo-server--secrets (remove name todo-server--secrets))
    (unless (or (not secret) (string-empty-p value)) (push name todo-server--secrets))
    (catch 'todo-server-late
      (todo-server-rpc-call-now :screen/change (funcall params value))
      (forward-line))))

;;;###autoload
(defun todo-server-doctor ()
  "Check that everything is there, with the doctor of the server itself."
  (interactive)
  (require 'compile)
  (compilation-start (mapconcat #'shell-quote-argument `(,@todo-server-command "doctor") " ")
                     nil (lambda (_) "*todo doctor*")))

(provide 'todo-server)
;;; todo-server.el ends here
