;;; todo-server.el --- Todos, kept by todo-server  -*- lexical-binding: t; -*-

;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, processes, tools
;; URL: https://todo-server.invalid/

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

(defcustom todo-server-preview-width 100
  "How many columns a list needs for the note of a row to stand beside it."
  :type 'natnum :group 'todo-server)

(defvar todo-server--message-id nil "Which message of the server was echoed last.")
(defvar todo-server--echoed nil "What was echoed last, while it is not old.")
(defvar todo-server--front-id nil "The identity of the screen that was in front last.")
(defvar-local todo-server--top 1 "Where the rows or fields begin.")
(defvar-local todo-server--asked nil "Where the rows begin that were asked for last.")

;;;; The mode

(define-derived-mode todo-server-mode special-mode "Todo"
  "Shows a screen of todo-server: a form, a list or progress.

\\{todo-server-mode-map}"
  (setq-local header-line-format '(:eval (todo-server--header))
              mode-line-process '(:eval (todo-server--status))
              bidi-paragraph-direction 'left-to-right
              truncate-lines t)
  (buffer-disable-undo)
  (hl-line-mode)
  (add-hook 'post-command-hook #'todo-server--preview nil t)
  (add-hook 'window-scroll-functions #'todo-server--want-rows nil t))

(pcase-dolist (`(,key . ,command) '(("?" . todo-server-menu) ("q" . todo-server-quit)
                                    ("n" . next-line) ("p" . previous-line)
                                    ("\r" . todo-server-enter) ("t" . todo-server-toggle)
                                    ("+" . todo-server-create) ("D" . todo-server-remove)
                                    ("^" . todo-server-back) ("g" . todo-server-refresh)
                                    ("b" . todo-server-link) ([remap undo] . todo-server-undo)
                                    ([remap undo-redo] . todo-server-redo)))
  (define-key todo-server-mode-map key command))

(defun todo-server--status ()
  "The state of the server and of the list, for the mode line."
  (cl-destructuring-bind (&key (pending 0) (conflicts 0) (failed 0) syncedAt retryAt)
      (todo-server--in (todo-server--main) :body :status)
    (cl-flet ((told (count words face)
                (if (= count 0) "" (propertize (format words count (if (= count 1) "" "s")) 'face face)))
              (minutes (time) (round (float-time (time-subtract nil (date-to-time time))) 60)))
      (cond (todo-server-rpc-reason (propertize ":dead" 'face 'todo-server-alert))
            ((equal (todo-server--in (todo-server--front) :body :kind) "progress")
             (format ":%c" (aref "|/-\\" (mod todo-server-rpc-revision 4))))
            (todo-server-rpc-connection
             (concat ":run" (told pending " %s pending" 'todo-server-notice)
                     (told conflicts " %s conflict%s" 'todo-server-alert)
                     (told failed " %s failed" 'todo-server-alert)
                     (and syncedAt (format " synced %s min ago" (minutes syncedAt)))
                     (and retryAt (time-less-p nil (date-to-time retryAt))
                          (format " next try in %s min" (- (minutes retryAt))))))))))

;;;; Drawing

(defun todo-server--insert-field (field)
  "Insert the line of FIELD, with what is wrong with it below."
  (let ((problem (todo-server--say :error field)))
    (insert (propertize (concat (todo-server--say :label field) ": ") 'face 'todo-server-heading)
            (propertize (concat (todo-server--say :value field) " ") 'face 'todo-server-value)
            "\n")
    (unless (string-empty-p problem)
      (insert (propertize (concat problem "\n") 'face 'todo-server-alert)))))

(defun todo-server--insert-item (item)
  "Insert the line of ITEM: a box, its title, and what is known of it to the right."
  (let ((tone (pcase (plist-get item :tone)
                ("notice" 'todo-server-notice) ("alert" 'todo-server-alert) (_ 'todo-server-meta)))
        (more (mapconcat #'todo-server-rpc-plain
                         (delq nil (list (plist-get item :detail) (plist-get item :badge))) " · ")))
    (insert (propertize
             (concat (pcase (plist-get item :checked) ('t "[x] ") (:json-false "[ ] "))
                     (propertize (todo-server--say :title item)
                                 'face (and (equal (plist-get item :tone) "muted") 'todo-server-muted))
                     (unless (string-empty-p more)
                       (concat (propertize " · " 'display
                                           `(space :align-to (- right ,(1+ (string-width more)))))
                               (propertize more 'face tone)))
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

(defun todo-server--place (item row)
  "Where the row of ITEM is, or the line number ROW if that is gone."
  (save-excursion
    (goto-char (point-min))
    (if-let ((match (and item (text-property-search-forward 'todo-server-item item t))))
        (prop-match-beginning match)
      (goto-char todo-server--top)
      (forward-line row)
      (when (eobp) (forward-line -1))
      (point))))

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
      (let ((place (todo-server--place item row)))
        (if (not window) (goto-char place)
          (set-window-point window place)
          ;; The point of the selected window is that of the buffer.
          (save-excursion
            (goto-char place)
            (if above (forward-line above) (goto-char (point-min)))
            (set-window-start window (point) t)
            (todo-server--want-rows window (point))))))
    (todo-server--preview)))

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

(defun todo-server--item ()
  "The item at point."
  (when-let ((id (get-text-property (point) 'todo-server-item)))
    (todo-server--find :id id (todo-server--in todo-server--screen :body :items))))

(defun todo-server--preview ()
  "Show the note of the row at point beside the list, where there is room for it."
  (let* ((beside (get-buffer-window "*todo preview*"))
         (width (+ (window-total-width) (if beside (window-total-width beside) 0)))
         (item (and (>= width todo-server-preview-width) (todo-server--item))))
    (unless (or (not (eq (window-buffer) (current-buffer)))
                (equal item todo-server--noted))
      (setq todo-server--noted item)
      (if (not item) (todo-server--close "preview")
        (todo-server--fill-side "preview" (todo-server--say :title item) (plist-get item :preview))
        (todo-server--show-side "preview" 'right)))))

(defun todo-server--update ()
  "Show the newest rendering, or what became of the server."
  (let* ((front (todo-server--front))
         (new (not (equal (plist-get front :id) todo-server--front-id)))
         (user (window-buffer)))
    (setq todo-server--front-id (plist-get front :id))
    (with-current-buffer (get-buffer-create "*todo*")
      (unless (derived-mode-p 'todo-server-mode) (todo-server-mode))
      (when-let ((main (todo-server--main))) (todo-server--draw main)))
    (unless (eq (todo-server--layout front) 'compare) (todo-server--close "base" "mine" "theirs"))
    ;; Without a buffer, the user has just killed it.
    (when (and (todo-server--layout front) (or new (todo-server--attached)))
      (todo-server--draw-text front))
    (force-mode-line-update t)
    (todo-server--echo (plist-get front :message))
    ;; Whoever types into another text stays there.
    (when (and new front (or (eq user (todo-server--attached)) (not (buffer-modified-p user))
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
  (if todo-server-rpc-connection (todo-server--update) (todo-server-rpc-start))
  (todo-server--show t))

;;;###autoload (autoload 'todo-server-create "todo-server" "Add something, from any buffer." t)

(defun todo-server-restart ()
  "Stop the server, and start it again; texts that are not saved stay."
  (interactive)
  (todo-server-rpc-stop)
  (todo-server))

(defun todo-server-quit ()
  "Hide the list, and leave the server alone."
  (interactive)
  (todo-server--close "preview")
  (quit-window))

(defun todo-server--act (member value)
  "Do the action whose MEMBER is VALUE, with the text or the screen of this buffer.
A buffer that is not ours stands for the main one."
  (todo-server-rpc-live)
  (with-current-buffer (cond ((derived-mode-p 'todo-server-mode 'todo-server-text-mode)
                              (current-buffer))
                             ((derived-mode-p 'todo-server-side-mode) (todo-server--attached))
                             (t (todo-server--update)
                                (get-buffer "*todo*")))
    (let* ((action (todo-server--find member value (plist-get todo-server--screen :actions)))
           (item (todo-server--item))
           (url (or (plist-get item :url) ""))
           (id (and (equal (plist-get action :scope) "item")
                    (or (plist-get item :id)
                        (user-error "Todo: there is no row here for “%s”"
                                    (todo-server--say :title action)))))
           (opening (and (equal (plist-get action :role) "open")
                         (list (plist-get todo-server--screen :name) (plist-get action :name) id))))
      (cond ((and (equal value "link") (string-match-p "\\`https?://" url)) (browse-url url))
            ((not todo-server--screen) (user-error "Todo: the server has said nothing yet"))
            ((not action) (user-error "Todo: “%s” has nothing for that"
                                      (todo-server--say :title todo-server--screen)))
            ((derived-mode-p 'todo-server-text-mode)
             (unless (equal (plist-get action :role) "back")
               (todo-server--act-text (plist-get action :name)))
             (kill-buffer))
            (t (todo-server--make-way opening)
               (when-let ((params (todo-server--request action nil :item id)))
                 (setq todo-server--opening opening)
                 (todo-server-rpc-call :screen/act params)))))))

(defun todo-server-enter ()
  "Do what Enter does for the row or the screen."
  (interactive)
  (todo-server--act :name (plist-get (or (todo-server--primary "item") (todo-server--primary "screen"))
                                     :name)))

;;;###autoload
(defun todo-server-doctor ()
  "Check that everything is there, with the doctor of the server itself."
  (interactive)
  (require 'compile)
  (compilation-start (mapconcat #'shell-quote-argument `(,@todo-server-command "doctor") " ")
                     nil (lambda (_) "*todo doctor*")))

(provide 'todo-server)
;;; todo-server.el ends here
