;;; todo-server-text.el --- Texts of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form with a layout is edited in a buffer: a line for each short field, a
;; blank line, the long one, with the names of the fields as headings above,
;; which are no part of the text.  Of sides that are to be compared one can be
;; typed into; the others are shown in buffers beside it.
;;
;; A text lives in its buffer, not in the server.  It belongs to a screen by
;; the identity of that, and knows the base that it was typed on: so it can be
;; saved however late, and to another server; a conflict is for the server to see.

;;; Code:

(require 'todo-server-screen)

(declare-function todo-server--status "todo-server")
(autoload 'smerge-refine-regions "smerge-mode")

(defvar todo-server--claim nil
  "The buffer that may take over the next text: (BUFFER . TICK), as it was then.")
(defvar-local todo-server--id nil "The identity of what is shown here.")
(defvar-local todo-server--base nil "The base that this text was typed on.")
(defvar-local todo-server--opened-by nil "What opened this: names of screen and action, an item.")
(defvar-local todo-server--begun nil "This text as it came from the server.")
(defvar-local todo-server--pause nil "The timer that waits for a pause in the typing.")
(defvar-local todo-server--sides nil "The buffers of the other sides.")
(defvar-local todo-server--windows nil "The windows as they were before the sides were shown.")

;;;; What a text says

(defun todo-server--fields (screen)
  "The fields of SCREEN that are in its text, the one of several lines last."
  (seq-sort-by (lambda (field) (if (todo-server--has :multiline field) 1 0)) #'<
               (seq-remove (apply-partially #'todo-server--has :readOnly)
                           (append (todo-server--in screen :body :fields) nil))))

(defun todo-server--shown (field)
  "The value of FIELD as the text has it: on a line, unless it has several."
  (let ((value (or (plist-get field :value) "")))
    (if (todo-server--has :multiline field) value
      (replace-regexp-in-string "[\n\r]+" " " value))))

(defun todo-server--text (screen)
  "The whole text of SCREEN."
  (let ((texts (mapcar #'todo-server--shown (todo-server--fields screen))))
    (string-join `(,@(butlast texts) ,@(and (cdr texts) '("")) ,@(last texts)) "\n")))

(defun todo-server--buffer-text ()
  "The whole text of this buffer."
  (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))

(defun todo-server--values ()
  "The values that this text gives to the fields of its screen."
  (let* ((fields (todo-server--fields todo-server--screen))
         (count (1- (length fields)))
         (lines (split-string (todo-server--buffer-text) "\n"))
         (rest (nthcdr count lines)))
    (when (and (> count 0) (equal (car rest) "")) (pop rest))
    (cl-loop for text in (append (seq-take lines count) (list (string-join rest "\n")))
             for field in fields
             ;; A line cannot show all that a value from outside may have.
             nconc (todo-server--value (plist-get field :name)
                                       (if (string= text (todo-server--shown field))
                                           (plist-get field :value)
                                         text)))))

;;;; Text buffers

(defvar todo-server-text-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'todo-server-finish)
    (define-key map (kbd "C-c C-k") #'todo-server-discard)
    (define-key map (kbd "C-c C-a") #'todo-server-menu)
    (define-key map (kbd "C-c C-b") #'todo-server-show-base)
    map)
  "Keymap of `todo-server-text-mode'.")

(defun todo-server--prepare ()
  "Set up what all buffers with a text have."
  (setq-local header-line-format '(:eval (todo-server--header))
              mode-line-process '(:eval (todo-server--status))
              buffer-display-table (make-display-table))
  ;; What turns the direction of text is part of it, and seen.
  (seq-doseq (mark "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    (aset buffer-display-table mark
          (vconcat (mapcar (lambda (glyph) (make-glyph-code glyph 'escape-glyph))
                           (format "\\u%x" mark))))))

(define-derived-mode todo-server-text-mode text-mode "Todo-Text"
  "Edits a text of todo-server; \\[save-buffer] saves it.

\\{todo-server-text-mode-map}"
  (todo-server--prepare)
  (setq-local require-final-newline nil
              buffer-offer-save t
              revert-buffer-function #'todo-server--revert)
  (add-hook 'write-contents-functions #'todo-server--save nil t)
  (add-hook 'kill-buffer-query-functions #'todo-server--may-drop nil t)
  (add-hook 'kill-buffer-hook #'todo-server--killed nil t)
  (add-hook 'after-change-functions #'todo-server--typed nil t))

(define-derived-mode todo-server-side-mode special-mode "Todo-Side"
  "Shows a side that the text beside it is compared with."
  (todo-server--prepare)
  (visual-line-mode))

(defun todo-server--text-buffer (id layout)
  "The buffer for the text ID with LAYOUT, which has just come to the front."
  (or (seq-find (lambda (buffer) (equal (buffer-local-value 'todo-server--id buffer) id))
                (buffer-list))
      ;; What was typed since the text was sent is not drawn over.
      (pcase todo-server--claim
        (`(,buffer . ,tick) (and (buffer-live-p buffer)
                                 (or (eq layout 'text)
                                     (eql tick (buffer-chars-modified-tick buffer)))
                                 buffer)))
      (with-current-buffer (generate-new-buffer "*todo text*")
        (todo-server-text-mode)
        (current-buffer))))

(defun todo-server--draw-text (screen)
  "Show SCREEN, a text, in its buffer."
  (let ((id (plist-get screen :id)) (layout (todo-server--layout screen)))
    (unless (and todo-server--attached
                 (equal id (buffer-local-value 'todo-server--id todo-server--attached)))
      (todo-server--detach)
      (setq todo-server--attached (todo-server--text-buffer id layout)))
    (with-current-buffer todo-server--attached
      (let ((compare (and (eq layout 'compare) (not (equal id todo-server--id))))
            (name (format "*todo: %s*" (todo-server--plain (or (plist-get screen :subject)
                                                               (plist-get screen :title))))))
        (unless (string-prefix-p name (buffer-name)) (rename-buffer name t))
        (setq todo-server--screen screen
              todo-server--id id
              todo-server--title
              (and (eq layout 'compare)
                   (todo-server--plain (plist-get (car (todo-server--fields screen)) :label))))
        ;; Text that is not saved stays, and so does the base it was made from.
        (if (or compare (not (buffer-modified-p)))
            (todo-server--replace screen compare)
          (when (or (not todo-server--base) (equal todo-server--begun (todo-server--text screen)))
            (setq todo-server--base (todo-server--in screen :body :base))))
        (todo-server--decorate)
        (when compare (todo-server--make-sides))))))

(defun todo-server--begin (screen)
  "What is typed from now on is typed on the text of SCREEN."
  (setq todo-server--begun (todo-server--text screen)
        todo-server--base (todo-server--in screen :body :base)))

(defun todo-server--replace (screen modified)
  "Make this text that of SCREEN; if it is MODIFIED then, that can be undone."
  (todo-server--begin screen)
  (unless (string= todo-server--begun (todo-server--buffer-text))
    (let ((new (= (buffer-size) 0)))
      ;; This keeps point where it was.
      (save-restriction
        (widen)
        (replace-region-contents (point-min) (point-max) (lambda () todo-server--begun) 0.5))
      (when new (goto-char (point-min))))
    (unless modified (setq buffer-undo-list nil)))
  (set-buffer-modified-p modified))

(defun todo-server--detach ()
  "No text is in front any more: its buffer stays, its sides go."
  (when (buffer-live-p todo-server--attached)
    (with-current-buffer todo-server--attached (todo-server--close-sides)))
  (setq todo-server--attached nil))

(defun todo-server--decorate ()
  "Put the names of the fields above them, and what is wrong with one beside it."
  (remove-overlays nil nil 'todo-server-decoration t)
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let ((fields (todo-server--fields todo-server--screen))
            (message (todo-server--message todo-server--screen)))
        (when message (todo-server--add (point) 'before-string (concat message "\n")))
        (dolist (field fields)
          (let ((problem (propertize (todo-server--plain (plist-get field :error))
                                     'face 'todo-server-alert))
                (label (if (not (cdr fields)) ""
                         (propertize (concat (todo-server--plain (plist-get field :label)) "\n")
                                     'face 'todo-server-heading))))
            (cond ((string-empty-p problem))
                  ((todo-server--has :multiline field) (setq label (concat label problem "\n")))
                  ((todo-server--add (line-end-position) 'after-string
                                     (concat (propertize "\n" 'cursor t) problem))))
            (when (and (todo-server--has :multiline field) (cdr fields) (eolp)) (forward-line))
            (todo-server--add (point) 'before-string label)
            (forward-line)))))))

(defun todo-server--add (position where text)
  "Show TEXT at POSITION, WHERE is before or after it."
  (let ((overlay (make-overlay position position)))
    (overlay-put overlay 'todo-server-decoration t)
    (overlay-put overlay where text)))

(defun todo-server--typed (&rest _)
  "Move the headings with the text, and let the server check it after a pause."
  (when todo-server--screen (todo-server--decorate))
  (when todo-server--pause (cancel-timer todo-server--pause))
  (setq todo-server--pause (run-with-timer 0.2 nil #'todo-server--send (current-buffer))))

(defun todo-server--send (buffer)
  "Send the text of BUFFER, if its screen is in front."
  (when (and (buffer-live-p buffer) (eq buffer todo-server--attached) todo-server-rpc-connection)
    (with-current-buffer buffer
      (todo-server-rpc-call :screen/change
                            (list :screen (plist-get todo-server--screen :name)
                                  :values (todo-server--values) :base todo-server--base)
                            #'ignore #'ignore))))

;;;; Sides

(defun todo-server--make-sides ()
  "Make the buffers of the sides, and colour where mine and theirs are different."
  (dolist (field (append (todo-server--in todo-server--screen :body :fields) nil))
    (when (todo-server--has :readOnly field)
      (let ((screen todo-server--screen) (label (todo-server--plain (plist-get field :label))))
        (push (with-current-buffer (generate-new-buffer (format "*todo: %s*" label))
                (insert (or (plist-get field :value) ""))
                (goto-char (point-min))
                (todo-server-side-mode)
                (setq todo-server--screen screen
                      todo-server--title label
                      todo-server--id (plist-get field :side))
                (todo-server--bind todo-server-side-mode-map)
                (current-buffer))
              todo-server--sides))))
  (let ((mine (or (todo-server--side "mine") (current-buffer))) (theirs (todo-server--side "theirs")))
    (cl-flet ((end (buffer get) (with-current-buffer buffer (copy-marker (funcall get)))))
      (ignore-errors                    ; without the program diff it is not coloured
        (smerge-refine-regions (end mine #'point-min) (end mine #'point-max)
                               (end theirs #'point-min) (end theirs #'point-max) nil nil
                               '((face . smerge-refined-removed)) '((face . smerge-refined-added)))))))

(defun todo-server--side (name)
  "The buffer of the side NAME of the text in front."
  (seq-find (lambda (side) (equal (buffer-local-value 'todo-server--id side) name))
            (buffer-local-value 'todo-server--sides todo-server--attached)))

(defun todo-server--show-sides ()
  "Show the sides with this text between them, beside each other if wide."
  (when (and todo-server--sides (not todo-server--windows))
    (setq todo-server--windows (current-window-configuration))
    (delete-other-windows)
    (pcase-dolist (`(,name . ,place) (if (>= (window-width) 100) '(("mine" . left) ("theirs" . right))
                                       '(("mine" . above) ("theirs" . below))))
      (when-let ((side (todo-server--side name)))
        (set-window-buffer (split-window nil nil place) side)))
    (balance-windows)))

(defun todo-server-show-base ()
  "Show what the text was before, or hide it."
  (interactive)
  (let ((base (and todo-server--attached (todo-server--side "base"))))
    (cond ((not base) (user-error "Todo: nothing is compared here"))
          ((get-buffer-window base) (delete-window (get-buffer-window base)))
          ((set-window-buffer (split-window (frame-root-window) nil 'below) base)))))

(defun todo-server--close-sides ()
  "Close the sides of this text, and show the windows as they were before."
  (remove-overlays nil nil 'smerge 'refine)
  (when (and todo-server--windows (get-buffer-window))
    (set-window-configuration todo-server--windows))
  (mapc #'kill-buffer (seq-filter #'buffer-live-p todo-server--sides))
  (setq todo-server--sides nil todo-server--windows nil))

;;;; Saving, leaving

(defun todo-server--open (origin)
  "Let ORIGIN open a text that this buffer takes over."
  (pcase-let ((`(,screen ,action ,item) origin) (todo-server--quiet t))
    (setq todo-server--claim (cons (current-buffer) (buffer-chars-modified-tick)))
    (unwind-protect
        (todo-server-rpc-call-now :screen/act (list :screen screen :action action :item item))
      (setq todo-server--claim nil))))

(defun todo-server--attach ()
  "Bring the screen of this text to the front again, if it is not."
  (todo-server-rpc-live)
  (unless (equal todo-server--id (plist-get (todo-server--front) :id))
    (when (or (eq (todo-server--layout (todo-server--front)) 'compare)
              (not (equal (car todo-server--opened-by) (plist-get (todo-server--main) :name))))
      (user-error "Todo: not saved: “%s” is in front now; M-x todo-server shows it"
                  (todo-server--plain (plist-get (todo-server--front) :title))))
    (condition-case nil (todo-server--open todo-server--opened-by)
      (todo-server-gone (todo-server--attach-as-new)))))

(defun todo-server--attach-as-new ()
  "Save this text as something new: what it was opened from is not in the list."
  (let* ((list (todo-server--main)) (create (todo-server--find :role "create" (plist-get list :actions))))
    (unless (y-or-n-p (format "“%s” does not show this any more; save it as something new? "
                              (todo-server--plain (plist-get list :title))))
      (user-error "Todo: not saved"))
    (todo-server-rpc-call-now
     :screen/act (list :screen (plist-get list :name) :action (plist-get create :name)
                       :values (seq-mapcat (lambda (field)
                                             (let ((name (plist-get field :name)))
                                               (todo-server--value
                                                name (plist-get (todo-server--values)
                                                                (intern (concat ":" name))))))
                                           (plist-get create :input))))
    (setf todo-server--base nil
          (nth 2 todo-server--opened-by) (todo-server--in (todo-server--main) :body :select))
    (todo-server--open todo-server--opened-by)))

(defun todo-server--act-text (action &optional stay)
  "Do ACTION with this text; with STAY its form stays open, if it can."
  (todo-server--attach)
  (when (and (todo-server--has :primary action) todo-server--sides (not (plist-get action :confirm))
             (string= todo-server--begun (todo-server--buffer-text)))
    (setq action `(:confirm "Nothing was edited since the sides are shown; save it so?" ,@action)))
  (let* ((buffer (current-buffer))
         (claim (cons buffer (buffer-chars-modified-tick)))
         (todo-server--quiet t)
         (params (todo-server--request action (todo-server--values)
                                       :base todo-server--base :stay (if stay t :json-false))))
    (unless params (user-error "Todo: nothing was done"))
    (setq todo-server--claim claim)
    (todo-server-rpc-call-now :screen/act params
                              (lambda (well)
                                (setq todo-server--claim nil)
                                (when (and well (buffer-live-p buffer))
                                  (with-current-buffer buffer (todo-server--acted claim)))))
    (when (buffer-modified-p)
      (let (todo-server--quiet) (todo-server--show t))
      (with-current-buffer todo-server--attached (todo-server--show-sides))
      (user-error "Todo: not done yet: %s"
                  (todo-server--plain (plist-get (todo-server--front) :title))))))

(defun todo-server--acted (claim)
  "What this text was at CLAIM is saved or settled, or sides are compared."
  (let ((front (todo-server--front)))
    (unless (eq (todo-server--layout front) 'compare)
      (when (equal claim (cons (current-buffer) (buffer-chars-modified-tick)))
        (set-buffer-modified-p nil)
        ;; Else an undo would come to text that counts as saved.
        (setq buffer-undo-list (cl-delete t buffer-undo-list :key #'car-safe)))
      (when (equal todo-server--id (plist-get front :id)) (todo-server--begin front))
      (message "Todo: saved"))))

(defun todo-server--save ()
  "Save this text, as `save-buffer' wants it done."
  (catch 'todo-server-late
    (todo-server--attach)
    (todo-server--act-text (todo-server--primary "screen" todo-server--screen) t)
    ;; The text stays with its user, and so does its screen.  If it cannot be
    ;; opened now, the next save will say why.
    (ignore-errors (todo-server--attach)))
  t)

(defun todo-server-finish ()
  "Save this text, and go back."
  (interactive)
  (catch 'todo-server-late
    (when (buffer-modified-p)
      (todo-server--attach)
      (todo-server--act-text (todo-server--primary "screen" todo-server--screen)))
    (kill-buffer)))

(defun todo-server-discard ()
  "Go back without what was typed into this text."
  (interactive)
  (kill-buffer))

(defun todo-server--revert (_auto noconfirm)
  "Take the text of the server, unless NOCONFIRM is nil and the user declines."
  (when (or noconfirm (todo-server--may-drop))
    (todo-server-rpc-live)
    (catch 'todo-server-late
      ;; The screen may hold what was typed: the text that is stored comes anew.
      (when (eq todo-server--attached (current-buffer)) (todo-server--leave))
      (set-buffer-modified-p nil)
      (setq todo-server--id nil)
      (todo-server--attach))))

(defun todo-server--leave ()
  "Leave the text in front by the way back; what was typed is in its buffer."
  (let* ((todo-server--quiet t)
         (front (todo-server--front))
         (back (seq-find (lambda (action) (member (plist-get action :role) '("back" "take")))
                         (plist-get front :actions))))
    (todo-server-rpc-call-now :screen/act (list :screen (plist-get front :name)
                                                :action (plist-get back :name)))))

(defun todo-server--make-way (origin)
  "See that no unsaved text is in the way of an action.
ORIGIN is what the action opens: a text that it opened before goes on there."
  (when-let ((text (seq-find (lambda (buffer)
                               (with-current-buffer buffer
                                 (and (derived-mode-p 'todo-server-text-mode) (buffer-modified-p)
                                      (or origin (eq buffer todo-server--attached)))))
                             (buffer-list))))
    (if (and (equal origin (buffer-local-value 'todo-server--opened-by text))
             (not (eq text todo-server--attached)))
        (setq todo-server--claim (cons text (buffer-chars-modified-tick text)))
      (with-current-buffer text
        (pcase (read-char-choice (format "%s is not saved: (s)ave it, (d)rop it, or (g)o there? "
                                         (buffer-name))
                                 '(?s ?d ?g))
          (?s (save-buffer))
          (?d (set-buffer-modified-p nil) (let ((todo-server--quiet t)) (kill-buffer)))
          (?g (pop-to-buffer text) (user-error "Todo: this text is not saved")))))))

(defun todo-server--may-drop ()
  "Whether the text of this buffer may be lost."
  (or (not (buffer-modified-p))
      (yes-or-no-p (format "The text in %s is not saved; drop it? " (buffer-name)))))

(defun todo-server--killed ()
  "Go back in the server when the text in front is killed here."
  (let ((shown (eq (window-buffer) (current-buffer))))
    (todo-server--close-sides)
    (when (eq todo-server--attached (current-buffer))
      (setq todo-server--attached nil)
      (ignore-errors (todo-server--leave)))
    (when shown (todo-server--show t))))

(provide 'todo-server-text)
;;; todo-server-text.el ends here
