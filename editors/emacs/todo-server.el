;;; todo-server.el --- Todos, kept by todo-server  -*- lexical-binding: t; -*-

;; Author: The authors of todo-server
;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, processes, tools

;;; Commentary:

;; `M-x todo-server' starts the program of `todo-server-command' and shows
;; what it says: a form, a list or progress.  `?' is a menu of all that can be
;; done.  A text is edited in a buffer of its own, and saved with C-x C-s.
;;
;; The server describes every screen, so this package knows nothing about any
;; of them: it binds actions by their roles, and by the keys they come with.

;;; Code:

(require 'hl-line)
(require 'todo-server-text)

(defcustom todo-server-preview-width 100
  "The width in columns from which the note of a row is shown beside the list."
  :type 'natnum :group 'todo-server)

(defcustom todo-server-boxes '("[ ] " "[x] ")
  "The boxes of a row that is not done, and of one that is.
Many fonts have the signs ☐ and ☑."
  :type '(list string string) :group 'todo-server)

(defcustom todo-server-fold-done nil
  "Whether done rows are below the others, folded, in a list without sections."
  :type 'boolean :group 'todo-server)

(defvar todo-server--news nil "The message of the server that was echoed last.")
(defvar-local todo-server--folded '("Done") "The sections whose rows are hidden.")
(defvar-local todo-server--left nil "The rows of screens that were left and are below: (ID . PLACE) pairs.")
(defvar-local todo-server--headings nil "Lines of headings, counted from the first row.")
(defvar-local todo-server--columns 80 "The width for which the rows are drawn.")
(defconst todo-server--title-columns 16 "The columns that a title has at least.")
(defvar todo-server--front-id nil "The identity of the screen that was in front last.")

;;;; The mode

(define-derived-mode todo-server-mode special-mode "Todo"
  "Shows a screen of todo-server: a form, a list or progress.

\\{todo-server-mode-map}"
  (todo-server--prepare)
  (setq-local bidi-paragraph-direction 'left-to-right
              truncate-lines t
              show-paren-data-function #'ignore) ; a check box is not a pair of brackets to match
  (hl-line-mode)
  (add-hook 'post-command-hook #'todo-server--preview nil t)
  (add-hook 'window-configuration-change-hook #'todo-server--fit nil t)
  (add-hook 'window-scroll-functions #'todo-server--want-rows nil t))

(pcase-dolist (`(,key . ,command) '(("?" . todo-server-menu) ("q" . todo-server-quit)
                                    ("n" . next-line) ("p" . previous-line)
                                    ("\r" . todo-server-enter) ("t" . todo-server-toggle)
                                    ("+" . todo-server-create) ("b" . todo-server-link)
                                    ("^" . todo-server-back) ("g" . todo-server-refresh) ("\t" . todo-server-fold)
                                    ([remap undo] . todo-server-undo)
                                    ([remap undo-redo] . todo-server-redo)))
  (define-key todo-server-mode-map key command))

;;;; Drawing

(defvar todo-server--heading-map
  (let ((map (make-sparse-keymap)))
    (define-key map "\r" #'todo-server-fold)
    map)
  "The keys on the heading of a section.")

(defun todo-server--insert-field (field)
  "Insert the line of FIELD, with its error message below."
  (insert (propertize (concat (todo-server--say :label field) ": ") 'face 'todo-server-heading)
          (propertize (concat (todo-server--say :value field) " ") 'face 'todo-server-value)
          "\n"
          (todo-server--line (plist-get field :error) 'todo-server-alert)))

(defun todo-server--insert-item (item)
  "Insert the line of ITEM: a box, its title, and what is known of it to the right."
  (cl-destructuring-bind (&key title detail badge checked tone labels preview &allow-other-keys) item
    (let* ((box (pcase checked
                  ('t (cadr todo-server-boxes)) (:json-false (car todo-server-boxes)) (_ "")))
           ;; In a terminal the border of a window beside takes one more column.
           (room (- todo-server--columns (string-width box) 2))
           (known (mapconcat #'todo-server-rpc-plain (delq nil (list detail badge)) " · "))
           (space (- room todo-server--title-columns (string-width known) 5))
           (chips (truncate-string-to-width
                   (mapconcat (lambda (label)
                                (propertize (todo-server-rpc-plain label) 'face 'todo-server-label))
                              (and (< 0 space) labels) " ")
                   (max 0 space) nil nil "…"))
           (more (concat chips (unless (or (string-empty-p chips) (string-empty-p known)) " · ")
                         (propertize known 'face (todo-server--face tone 'todo-server-meta))))
           (title (propertize (todo-server-rpc-plain title)
                              'face (and (equal tone "muted") 'todo-server-muted)))
           (mark (if preview (propertize " ≡" 'face 'todo-server-meta) ""))
           (short (truncate-string-to-width
                   title (- (max todo-server--title-columns
                                 (- room (if (string-empty-p more) 0 (+ 2 (string-width more)))))
                            (string-width mark))
                   nil nil "…"))
           (last (max 0 (1- (length short)))))
      ;; The whole title is in the buffer; a mark shows that there is a note, and is not part of it.
      (unless (equal (concat short mark) title)
        (put-text-property last (length title) 'display (concat (substring short last) mark) title))
      (insert (propertize
               (concat box
                       title
                       (unless (string-empty-p more)
                         (concat " " (propertize "· " 'display
                                                 `(space :align-to (- right ,(+ 2 (string-width more)))))))
                       more "\n")
               'todo-server-item item)))))

(defun todo-server--insert-items (items row)
  "Insert ITEMS, the first of which is the row ROW, below their headings."
  (let ((line row) above)
    (setq todo-server--headings nil)
    (seq-doseq (item items)
      (let* ((section (plist-get item :section)) (folded (member section todo-server--folded)))
        (when (and section (not (equal section above)))
          (push line todo-server--headings)
          (cl-incf line)
          (insert (propertize (concat (if folded "▸ " "▾ ") (todo-server-rpc-plain section)
                                      (when folded
                                        (format " (%d)" (cl-count section items :test #'equal
                                                                  :key (lambda (it) (plist-get it :section)))))
                                      "\n")
                              'face 'todo-server-section 'todo-server-section section
                              'keymap todo-server--heading-map)))
        (let ((start (point)))
          (todo-server--insert-item item)
          (when (and section folded) (put-text-property start (point) 'invisible t)))
        (cl-incf line)
        (setq above section)))
    (setq todo-server--headings (nreverse todo-server--headings))))

(defun todo-server--insert-body (body)
  "Insert BODY, a form, progress or a list."
  (cl-destructuring-bind (&key kind fields text done total empty items offset &allow-other-keys)
      body
    (cl-flet ((missing (count)
                ;; There can be 100,000 of these: one insertion is much faster.
                (insert (propertize (string-join (make-list count "…\n")) 'todo-server-missing t))))
      (pcase kind
        ("form" (seq-do #'todo-server--insert-field fields))
        ("progress"
         (insert (todo-server-rpc-plain text) (if done (format " %s" done) "")
                 (if (and done total) (format "/%s" total) "") "\n")
         (when (and done total (< 0 total))
           (let ((full (/ (* 40 (min done total)) total)))
             (insert (make-string full ?█) (make-string (- 40 full) ?░) "\n"))))
        ("list"
         (when (eql total 0) (insert (todo-server--line empty 'default)))
         (missing offset)
         (todo-server--insert-items items offset)
         (missing (- total offset (length items))))
        (_ (insert (format "This front-end cannot draw “%s”.\n" kind)))))))

(defun todo-server--row (position)
  "The number of the row at POSITION; negative if that is the message above."
  (let ((line (- (line-number-at-pos position) (if (plist-get todo-server--screen :message) 2 1))))
    (- line (seq-count (lambda (heading) (< heading line)) todo-server--headings))))

(defun todo-server--place (id row)
  "The position of the row of the item ID, or of row number ROW if it is gone.
ID may also be a section: its heading."
  (let* ((body (plist-get todo-server--screen :body))
         (ids (seq-map (lambda (item) (plist-get item :id)) (plist-get body :items)))
         (index (seq-position ids id))
         ;; A row that is done may move away: the next one is there then.
         (index (and index (not (member (plist-get (elt (plist-get body :items) index) :section)
                                        todo-server--folded))
                     index))
         (line (if index (+ (plist-get body :offset) index) row)))
    (dolist (heading todo-server--headings) (when (<= heading line) (cl-incf line)))
    (or (and id (not index) (text-property-any (point-min) (point-max) 'todo-server-section id))
        (save-excursion
          (goto-char (point-min))
          (forward-line (- line (todo-server--row (point))))
          (when (eobp) (forward-line -1))
          ;; The heading of a folded section is visible.
          (while (and (invisible-p (point)) (not (bobp))) (forward-line -1))
          (todo-server--title-start)))))

(defun todo-server--title-start ()
  "The position of the title in the row that begins at point, behind its box."
  (+ (point) (pcase (todo-server--in (get-text-property (point) 'todo-server-item) :checked)
               ('t (length (cadr todo-server-boxes)))
               (:json-false (length (car todo-server-boxes)))
               (_ 0))))

(defun todo-server--done-last (screen)
  "SCREEN, with done rows in a section of their own, if the user wants that.
The rows of a part of a list stay where they are."
  (let* ((body (plist-get screen :body)) (items (append (plist-get body :items) nil)))
    (if (not (and todo-server-fold-done (eql (length items) (plist-get body :total))
                  (seq-every-p (lambda (item) (not (plist-get item :section))) items)))
        screen
      (let ((done (lambda (item) (todo-server--has :checked item))))
        (plist-put (copy-sequence screen) :body
                   (plist-put (copy-sequence body) :items
                              (vconcat (seq-remove done items)
                                       (mapcar (lambda (item) `(:section "Done" ,@item))
                                               (seq-filter done items)))))))))

(defun todo-server--draw (screen)
  "Draw SCREEN, a list or page, in this buffer; windows stay where they are."
  (let* ((select (unless (eq screen todo-server--screen) (todo-server--in screen :body :select)))
         (id (plist-get screen :id))
         (old (plist-get todo-server--screen :id))
         (known (and (equal id old) (not select)))
         (place (lambda (position)
                  (list (or (get-text-property position 'todo-server-section)
                            (todo-server--in (get-text-property position 'todo-server-item) :id))
                        (todo-server--row position))))
         (mark (lambda (position)
                 (cond (known (funcall place position))
                       (select (list select 0))
                       ((cdr (assoc id todo-server--left)))
                       (t (list nil 0)))))
         (here (funcall mark (point)))
         (windows (mapcar (lambda (window)
                            (list window (funcall mark (window-point window))
                                  (if known (line-number-at-pos (window-start window)) 1)))
                          (get-buffer-window-list nil nil t))))
    (unless (equal id old)
      (setf (alist-get old todo-server--left nil nil #'equal) (funcall place (point))))
    (setq todo-server--left (seq-filter (lambda (left)
                                          (seq-find (lambda (one) (equal (plist-get one :id) (car left)))
                                                    todo-server-rpc-screens))
                                        todo-server--left)
          todo-server--screen (setq screen (todo-server--done-last screen))
          todo-server--columns (window-width (get-buffer-window)))
    (todo-server--bind todo-server-mode-map)
    (with-silent-modifications
      (erase-buffer)
      (let ((message (todo-server--message)) (width (1- todo-server--columns)))
        ;; A row has one line; a long message is seen on several.
        (when (< width (string-width message))
          (put-text-property 0 (1- (length message)) 'display
                             (string-fill (substring message 0 -1) width) message))
        (insert message))
      (todo-server--insert-body (plist-get screen :body)))
    (pcase-dolist (`(,window ,point ,line) windows)
      (goto-char (point-min))
      (set-window-start window (line-beginning-position line) t)
      (set-window-point window (apply #'todo-server--place point))
      (todo-server--want-rows window (window-start window)))
    (goto-char (apply #'todo-server--place here))
    (hl-line-highlight)
    (todo-server--preview)))

(defun todo-server--fit ()
  "Draw the list again if the selected window has another width."
  ;; The note beside it, which comes with room for it, takes some of that again.
  (while (not (or (not todo-server--screen) (eql todo-server--columns (window-width))))
    (todo-server--draw todo-server--screen)))

;; Only the selected window requests rows: requests of the others would replace
;; them again.
(defun todo-server--want-rows (window start)
  "Ask for the rows that WINDOW has from START on, if they are not here."
  (with-current-buffer (window-buffer window)
    (when-let* (((eq window (get-buffer-window nil t)))
                (end (save-excursion (goto-char start)
                                     (line-beginning-position (window-height window))))
                (missing (text-property-any start end 'todo-server-missing t))
                (begin (max 0 (- (todo-server--row missing) (/ todo-server-rpc-window 2)))))
      (todo-server-rpc-notify :screen/window
                              (list :screen (plist-get todo-server--screen :name)
                                    :offset begin :limit todo-server-rpc-window)))))

(defun todo-server--preview ()
  "Show the note of the row at point beside the list, where there is room for it."
  (let ((item (get-text-property (point) 'todo-server-item)))
    (cond
     ((not (eq (window-buffer) (current-buffer))))
     ((get-text-property (point) 'todo-server-missing)
      (todo-server--want-rows (selected-window) (window-start)))
     ((and (or (get-buffer-window "*todo preview*")
               (>= (window-total-width) todo-server-preview-width))
           (not (equal item todo-server--noted)))
      (setq todo-server--noted item)
      (if (not item) (todo-server--close "preview")
        (todo-server--fill-side "preview" (plist-get item :title)
                                (or (plist-get item :preview) (propertize "No note" 'face 'todo-server-meta)))
        (todo-server--show-side "preview" 'right))))))

(defun todo-server--update ()
  "Show the newest rendering, or how the server ended."
  (let* ((front (todo-server--front))
         (text (todo-server--layout front))
         ;; A text without a buffer is new, too, unless its buffer is just
         ;; being killed.
         (new (not (and (equal (plist-get front :id) todo-server--front-id)
                        (or (not text) todo-server--taker (todo-server--attached))))))
    (setq todo-server--front-id (plist-get front :id))
    (with-current-buffer (get-buffer-create "*todo*")
      (unless (derived-mode-p 'todo-server-mode) (todo-server-mode))
      (when-let ((main (todo-server--main))) (todo-server--draw main)))
    (unless (eq text 'compare) (todo-server--close "base" "mine" "theirs"))
    (when (and text (or new (todo-server--attached))) (todo-server--draw-text front))
    (force-mode-line-update t)
    (todo-server--echo (plist-get front :message))
    (when (and new front) (todo-server--show))))

(add-hook 'todo-server-rpc-hook #'todo-server--update)

(defun todo-server--echo (news)
  "Echo NEWS, a message of the server, once; clear the echo area when they are old."
  (cl-flet ((said (news) (and news (concat "Todo: " (todo-server--say :text news)))))
    (unless (equal news todo-server--news)
      (when (or news (equal (said todo-server--news) (current-message)))
        (message (and news "%s") (said news)))
      (setq todo-server--news news))))

;;;; Commands

;;;###autoload
(defun todo-server ()
  "Show the todos, starting the server if it is not running."
  (interactive)
  (unless todo-server-rpc-connection (todo-server-rpc-start))
  (todo-server--update)
  (todo-server--show t))

;;;###autoload (autoload 'todo-server-create "todo-server" "Add something, from any buffer." t)

(defun todo-server-restart ()
  "Stop the server, and start it again; texts that are not saved stay."
  (interactive)
  (todo-server-rpc-stop)
  (todo-server))

(defun todo-server-fold ()
  "Fold or unfold the section at point."
  (interactive)
  (let ((section (or (get-text-property (point) 'todo-server-section)
                     (plist-get (get-text-property (point) 'todo-server-item) :section)
                     (user-error "Todo: there is no section here"))))
    (setq todo-server--folded (if (member section todo-server--folded)
                                  (remove section todo-server--folded)
                                (cons section todo-server--folded)))
    (goto-char (text-property-any (point-min) (point-max) 'todo-server-section section))
    (todo-server--draw todo-server--screen)))

(defun todo-server-quit ()
  "Hide the list, and leave the server alone."
  (interactive)
  (todo-server--close "preview")
  (quit-window))

(defun todo-server--items ()
  "The items in the region, or from point on as many as the prefix argument."
  (save-excursion
    (let* ((region (use-region-p))
           (end (if region (region-end) (point-max)))
           (count (if region most-positive-fixnum (max 1 (prefix-numeric-value current-prefix-arg))))
           items)
      (when region (goto-char (region-beginning)))
      ;; The message above the rows stands for the first one.
      (when (< (todo-server--row (point)) 0) (goto-char (todo-server--place nil 0)))
      (forward-line 0)
      (when (or region (get-text-property (point) 'todo-server-item))
        ;; A region that ends before a title, as after \`n', is without that row.
        (while (and (< (todo-server--title-start) end) (< (length items) count))
          ;; Rows of a folded section are not seen.
          (when-let ((item (and (not (invisible-p (point)))
                                (get-text-property (point) 'todo-server-item))))
            (push item items))
          (forward-line)))
      (nreverse items))))

;; A buffer that is not ours stands for the main one.
(defun todo-server--act (member value)
  "Do the action whose MEMBER is VALUE, with the text or the screen of this buffer."
  (todo-server-rpc-live)
  (let* ((screen (or todo-server--screen (todo-server--main)
                     (user-error "Todo: the server has said nothing yet")))
         (items (todo-server--items))
         (url (plist-get (car items) :url))
         (action (todo-server--find member value screen))
         (which (and (equal (plist-get action :scope) "item")
                     (cond ((not items) (user-error "Todo: there is no row here for “%s”"
                                                    (todo-server--say :title action)))
                           ((when-let ((item (seq-find (apply-partially #'todo-server--locked action)
                                                       items)))
                              (user-error "Todo: “%s” can only be read"
                                          (todo-server--say :title item))))
                           ((not (cdr items)) (list :item (plist-get (car items) :id)))
                           ((todo-server--has :many action)
                            (list :items (vconcat (mapcar (lambda (item) (plist-get item :id)) items))))
                           (t (user-error "Todo: “%s” is for one row" (todo-server--say :title action)))))))
    (setq deactivate-mark t)
    (cond ((and (equal value "link") url (string-match-p "\\`https?://" url)) (browse-url url))
          ((and (equal value "link") (not action)) (user-error "Todo: this row has no page in the browser"))
          ((not action)
           (user-error "Todo: “%s” has nothing for that" (todo-server--say :title screen)))
          ((todo-server--layout screen)
           (unless (derived-mode-p 'todo-server-text-mode) (set-buffer (todo-server--attached)))
           (unless (equal (plist-get action :role) "back")
             (todo-server--act-text (plist-get action :name)))
           (kill-buffer))
          (t
           (when-let ((params (apply #'todo-server--request screen action nil which)))
             (setq todo-server--opening (and (equal (plist-get action :role) "open") params))
             (todo-server--make-way todo-server--opening)
             ;; Keys that were typed ahead, or come from a macro, are for what this leads to.
             (todo-server-rpc-call
              :screen/act params
              (lambda (result _)
                ;; A refusal leaves the form unchanged: the errors of the values come with this.
                (when (and (not result) (plist-get params :values) (not (plist-get action :input)))
                  (todo-server-rpc-notify :screen/change
                                          `( :screen ,(plist-get screen :name)
                                             :values ,(plist-get params :values)))))))))))

;;;###autoload
(defun todo-server-doctor ()
  "Check the installation with the server's own doctor."
  (interactive)
  (async-shell-command (mapconcat #'shell-quote-argument `(,@todo-server-command "doctor") " ")
                       "*todo doctor*"))

(provide 'todo-server)
;;; todo-server.el ends here
