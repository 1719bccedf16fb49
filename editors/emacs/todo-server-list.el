;;; todo-server-list.el --- Lists of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Draws a list, a page of fields or progress, and requests the rows of a long
;; list that a window shows.

;;; Code:

(require 'hl-line)
(require 'todo-server-save)

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

(defvar-local todo-server--folded '("Done") "The sections whose rows are hidden.")
(defvar-local todo-server--left nil "The rows of screens that were left and are below: (ID . PLACE) pairs.")
(defvar-local todo-server--headings nil "Lines of headings, counted from the first row.")
(defvar-local todo-server--columns 80 "The width for which the rows are drawn.")
(defconst todo-server--title-columns 16 "The columns that a title has at least.")
(defvar todo-server-mode-map)

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
         ;; Windows with their start and point, and what a window that showed this buffer before has of it.
         (views (mapcar (lambda (view)
                          (cl-destructuring-bind (_ start point) view
                            (list view (if known (line-number-at-pos start) 1) (funcall mark point))))
                        (append (mapcar (lambda (window)
                                          (list window (window-start window) (window-point window)))
                                        (get-buffer-window-list nil nil t))
                                (delq nil (mapcar (lambda (window)
                                                    (assq (current-buffer) (window-prev-buffers window)))
                                                  (window-list-1 nil nil t)))))))
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
    (pcase-dolist (`((,window ,old-start ,old-point) ,line ,place) views)
      (goto-char (point-min))
      (let ((start (line-beginning-position line)) (point (apply #'todo-server--place place)))
        (if (bufferp window) (progn (set-marker old-start start) (set-marker old-point point))
          (set-window-start window start t)
          (set-window-point window point)
          (todo-server--want-rows window start))))
    (goto-char (apply #'todo-server--place here))
    (hl-line-highlight)
    (todo-server--preview)))

(defun todo-server--fit ()
  "Draw the list again if the selected window has another width."
  ;; The note beside it, which comes with room for it, takes some of that again.
  (while (not (or (not todo-server--screen) (eql todo-server--columns (window-width))))
    (todo-server--draw todo-server--screen)))

(defvar todo-server--rows-request nil
  "The last request for rows: its connection, and the revision in its response.")

(defun todo-server--rows-awaited ()
  "Whether the rows of the last request have not come yet."
  (pcase-let ((`(,connection . ,revision) todo-server--rows-request))
    (and connection (eq connection todo-server-rpc-connection)
         (not (and revision (<= revision todo-server-rpc-revision))))))

;; Only the selected window requests rows: requests of the others would replace
;; them again.  There is one request at a time: a fast user passes more windows
;; than can be drawn, and each rendering of one that was passed would be
;; followed by one more request.
(defun todo-server--want-rows (window start)
  "Ask for the rows that WINDOW has from START on, if they are not here."
  (with-current-buffer (window-buffer window)
    (when-let* (((eq window (get-buffer-window nil t)))
                ((not (todo-server--rows-awaited)))
                (end (save-excursion (goto-char start)
                                     (line-beginning-position (window-height window))))
                (missing (text-property-any start end 'todo-server-missing t))
                (begin (max 0 (- (todo-server--row missing) (/ todo-server-rpc-window 2)))))
      (setq todo-server--rows-request (list todo-server-rpc-connection))
      (todo-server-rpc-request :screen/window
                               (list :screen (plist-get todo-server--screen :name)
                                     :offset begin :limit todo-server-rpc-window)
                               #'todo-server--rows-answered))))

(defun todo-server--rows-answered (result)
  "Take over RESULT of a request for rows, and ask for those now in the window."
  (setq todo-server--rows-request
        (and result (cons todo-server-rpc-connection (plist-get result :revision))))
  (when-let ((window (and result (get-buffer-window "*todo*" t))))
    (todo-server--want-rows window (window-start window))))

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

(provide 'todo-server-list)
;;; todo-server-list.el ends here
