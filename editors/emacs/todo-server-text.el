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

(defvar todo-server--claim nil "The text that may take over the next form: (BUFFER . TICK).")
(defvar-local todo-server--id nil "The identity of what is shown here.")
(defvar-local todo-server--base nil "The base that this text was typed on.")
(defvar-local todo-server--begun nil "This text as it came from the server.")
(defvar-local todo-server--opened-by nil "What opened this: names of screen and action, an item.")
(defvar-local todo-server--pause nil "The timer that waits for a pause in the typing.")
(defvar-local todo-server--sides nil "The buffers of the other sides.")

;;;; What a text says

(defun todo-server--fields (screen)
  "The fields of SCREEN that are in its text, the one of several lines last."
  (seq-sort-by (lambda (field) (if (todo-server--has :multiline field) 1 0)) #'<
               (seq-remove (apply-partially #'todo-server--has :readOnly)
                           (append (todo-server--in screen :body :fields) nil))))

(defun todo-server--shown (field)
  "The value of FIELD as the text has it: on a line, unless it has several."
  (if (todo-server--has :multiline field) (or (plist-get field :value) "")
    (replace-regexp-in-string "[\n\r]+" " " (or (plist-get field :value) ""))))

(defun todo-server--form-text (screen)
  "The whole text of SCREEN."
  (let ((texts (mapcar #'todo-server--shown (todo-server--fields screen))))
    (string-join `(,@(butlast texts) ,@(and (cdr texts) '("")) ,@(last texts)) "\n")))

(defun todo-server--text ()
  "The whole text of this buffer."
  (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))

(defun todo-server--values ()
  "The values that this text gives to the fields of its screen."
  (let* ((fields (todo-server--fields todo-server--screen))
         (lines (split-string (todo-server--text) "\n"))
         (rest (nthcdr (1- (length fields)) lines)))
    (when (and (cdr fields) (equal (car rest) "")) (pop rest))
    (cl-loop for (field . more) on fields
             for text = (if more (or (pop lines) "") (string-join rest "\n"))
             ;; A line cannot show all that a value from outside may have.
             nconc (todo-server--value field (if (string= text (todo-server--shown field))
                                                 (plist-get field :value)
                                               text)))))

;;;; Text buffers

(defvar todo-server-text-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'todo-server-finish)
    (define-key map (kbd "C-c C-k") #'kill-current-buffer)
    (define-key map (kbd "C-c C-a") #'todo-server-menu)
    (define-key map (kbd "C-c C-b") #'todo-server-show-base)
    map)
  "Keymap of `todo-server-text-mode'.")

(defun todo-server--prepare ()
  "Set up what all buffers with a text have."
  (setq-local header-line-format '(:eval (todo-server--header))
              mode-line-process '(:eval (todo-server--status))
              truncate-partial-width-windows nil
              word-wrap t
              glyphless-char-display (copy-sequence glyphless-char-display))
  ;; What turns the direction of text is part of it, and seen.
  (dolist (marks '((?\u202a . ?\u202e) (?\u2066 . ?\u2069)))
    (set-char-table-range glyphless-char-display marks 'hex-code)))

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
  (todo-server--prepare))

(defun todo-server--text-buffer (id layout)
  "The buffer for the text ID with LAYOUT, which has just come to the front."
  (or (seq-find (lambda (buffer) (equal (buffer-local-value 'todo-server--id buffer) id))
                (buffer-list))
      ;; What was typed since the text was sent is not drawn over.
      (pcase todo-server--claim
        (`(,(and buffer (pred buffer-live-p)) . ,tick)
         (and (or (eq layout 'text) (eql tick (buffer-chars-modified-tick buffer))) buffer)))
      (with-current-buffer (generate-new-buffer "*todo text*")
        (todo-server-text-mode)
        (current-buffer))))

(defun todo-server--draw-text (screen)
  "Show SCREEN, a text, in its buffer."
  (let* ((id (plist-get screen :id))
         (layout (todo-server--layout screen))
         (compare (eq layout 'compare))
         (name (format "*todo: %s*" (todo-server-rpc-plain (or (plist-get screen :subject)
                                                               (plist-get screen :title))))))
    (unless (and todo-server--attached
                 (equal id (buffer-local-value 'todo-server--id todo-server--attached)))
      (todo-server--detach)
      (setq todo-server--attached (todo-server--text-buffer id layout)))
    (with-current-buffer todo-server--attached
      (let ((new (not (equal id todo-server--id)))
            (again (equal todo-server--begun (todo-server--form-text screen)))
            (other (not (equal todo-server--base (todo-server--in screen :body :base)))))
        (unless (string-prefix-p name (buffer-name)) (rename-buffer name t))
        (setq todo-server--screen screen
              todo-server--id id
              todo-server--title (and compare (todo-server--say :label (car (todo-server--fields screen)))))
        ;; Text that is not saved stays, and so does the base it was made from,
        ;; unless what is there now has the same text, or is shown beside it.
        (cond ((or (and compare new) (not (buffer-modified-p)))
               (todo-server--begin screen)
               (todo-server--replace compare))
              ((or compare again (not todo-server--base))
               (setq todo-server--base (todo-server--in screen :body :base))))
        (todo-server--decorate)
        (when (and compare (or new other)) (todo-server--make-sides))))))

(defun todo-server--begin (screen)
  "What is typed from now on is typed on the text of SCREEN."
  (setq todo-server--begun (todo-server--form-text screen)
        todo-server--base (todo-server--in screen :body :base)))

(defun todo-server--replace (modified)
  "Make the text what it began as; if it is MODIFIED then, that can be undone."
  (unless (string= todo-server--begun (todo-server--text))
    (let ((first (= (buffer-size) 0)))
      ;; This keeps point where it was.
      (save-restriction
        (widen)
        (replace-region-contents (point-min) (point-max) (lambda () todo-server--begun) 0.5))
      (when first (goto-char (point-min))))
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
      (cl-flet ((add (position where text)
                  (let ((overlay (make-overlay position position)))
                    (overlay-put overlay 'todo-server-decoration t)
                    (overlay-put overlay where text))))
        (add (point) 'before-string (todo-server--message todo-server--screen))
        (cl-loop with fields = (todo-server--fields todo-server--screen)
                 for field in fields
                 for long = (todo-server--has :multiline field)
                 for label = (if (cdr fields) (concat (todo-server--say :label field) "\n") "")
                 for problem = (propertize (todo-server--say :error field) 'face 'todo-server-alert)
                 do (when (and long (cdr fields) (eolp)) (forward-line))
                 (add (point) 'before-string
                      (concat (propertize label 'face 'todo-server-heading)
                              (unless (or (not long) (string-empty-p problem)) (concat problem "\n"))))
                 ;; Below its line is above the next one, so that the cursor stays at its end.
                 (when (and (> (forward-line) 0) (not (bolp))) (setq problem (concat "\n" problem)))
                 (unless (or long (string-empty-p problem))
                   (add (point) 'before-string (concat problem "\n"))))))))

(defun todo-server--typed (&rest _)
  "Move the headings with the text, and let the server check it after a pause."
  (when todo-server--screen (todo-server--decorate))
  (when todo-server--pause (cancel-timer todo-server--pause))
  (setq todo-server--pause (run-with-timer 0.2 nil #'todo-server--send (current-buffer)
                                             #'todo-server-rpc-call)))

(defun todo-server--send (buffer request)
  "Send the text of BUFFER with REQUEST, if its screen is in front."
  (when (and (buffer-live-p buffer) (eq buffer todo-server--attached) todo-server-rpc-connection)
    (with-current-buffer buffer
      (funcall request :screen/change
               (list :screen (plist-get todo-server--screen :name)
                     :values (todo-server--values) :base todo-server--base)
               #'ignore #'ignore))))

;;;; Sides

(defun todo-server--make-sides ()
  "Make the buffers of the sides, and colour where mine and theirs are different."
  (let ((shown (and todo-server--sides (get-buffer-window (car todo-server--sides)))))
    (todo-server--close-sides)
    (seq-doseq (field (todo-server--in todo-server--screen :body :fields))
      (when (todo-server--has :readOnly field)
        (let ((screen todo-server--screen) (label (todo-server--say :label field)))
          (push (with-current-buffer (generate-new-buffer (format "*todo: %s*" label))
                  (save-excursion (insert (or (plist-get field :value) "")))
                  (todo-server-side-mode)
                  (setq todo-server--screen screen
                        todo-server--title label
                        todo-server--id (plist-get field :side))
                  (todo-server--bind todo-server-side-mode-map)
                  (current-buffer))
                todo-server--sides))))
    (cl-flet ((bounds (buffer) (with-current-buffer buffer
                                 (list (copy-marker (point-min)) (copy-marker (point-max))))))
      (ignore-errors                    ; without the program diff it is not coloured
        (apply #'smerge-refine-regions
               `(,@(bounds (or (todo-server--side "mine") (current-buffer)))
                 ,@(bounds (todo-server--side "theirs")) nil nil
                 ((face . smerge-refined-removed)) ((face . smerge-refined-added))))))
    (when shown (todo-server--show-sides))))

(defun todo-server--side (name)
  "The buffer of the side NAME of the text in front."
  (seq-find (lambda (side) (equal (buffer-local-value 'todo-server--id side) name))
            (and todo-server--attached
                 (buffer-local-value 'todo-server--sides todo-server--attached))))

(defun todo-server--show-sides ()
  "Show the sides with this text between them, beside each other if wide."
  (when-let ((window (get-buffer-window)))
    (with-selected-window window
      (pcase-dolist (`(,name . ,direction) (if (>= (frame-width) 100) '(("mine" . left) ("theirs" . right))
                                             '(("mine" . above) ("theirs" . below))))
        (when-let ((side (todo-server--side name)))
          (ignore-errors (set-window-buffer (split-window nil nil direction) side))))
      (balance-windows))))

(defun todo-server-show-base ()
  "Show what the text was before, or hide it."
  (interactive)
  (let ((base (or (todo-server--side "base") (user-error "Todo: nothing is compared here"))))
    (if (get-buffer-window base) (delete-windows-on base)
      (display-buffer base '(display-buffer-in-direction (direction . below))))))

(defun todo-server--close-sides ()
  "Close the sides of this text, and their windows."
  (remove-overlays nil nil 'smerge 'refine)
  (dolist (side (seq-filter #'buffer-live-p todo-server--sides))
    (when (get-buffer-window side) (ignore-errors (delete-window (get-buffer-window side))))
    (kill-buffer side))
  (setq todo-server--sides nil))

;;;; Saving, leaving

(defun todo-server--open (screen action item)
  "Do ACTION of SCREEN on ITEM, which opens a text that this buffer takes over."
  (let ((todo-server--quiet t))
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
                  (todo-server--say :title (todo-server--front))))
    (condition-case nil (apply #'todo-server--open todo-server--opened-by)
      (todo-server-gone (todo-server--attach-as-new (todo-server--main))))))

(defun todo-server--attach-as-new (list)
  "Save this text as something new on LIST, which has not what it was opened from."
  (let ((create (todo-server--find :role "create" (plist-get list :actions)))
        (values (todo-server--values)))
    (unless (y-or-n-p (format "“%s” does not show this any more; save it as something new? "
                              (todo-server--say :title list)))
      (user-error "Todo: not saved"))
    (todo-server-rpc-call-now
     :screen/act (list :screen (plist-get list :name) :action (plist-get create :name)
                       :values (seq-mapcat (lambda (field)
                                             (let ((key (car (todo-server--value field nil))))
                                               (list key (plist-get values key))))
                                           (plist-get create :input))))
    (setf todo-server--base nil
          (nth 2 todo-server--opened-by) (todo-server--in (todo-server--main) :body :select))
    (apply #'todo-server--open todo-server--opened-by)))

(defun todo-server--act-text (action &optional stay)
  "Do ACTION with this text, or what Enter does; with STAY its form stays open."
  ;; Else what it stores late would be a change by somebody else.
  (when (eq (car-safe todo-server--claim) (current-buffer))
    (user-error "Todo: the last save has no answer yet"))
  (todo-server--attach)
  ;; Whether the server wants us to ask depends on what was typed last.
  (when todo-server--sides (todo-server--send (current-buffer) #'todo-server-rpc-call-now))
  (let* ((action (or action (todo-server--primary "screen")))
         (buffer (current-buffer))
         (claim (cons buffer (buffer-chars-modified-tick)))
         (todo-server--quiet t))
    (when (and (todo-server--has :primary action) todo-server--sides
               (string= todo-server--begun (todo-server--text)))
      (setq action (append action '(:confirm "Nothing was edited since; save it as it is?"))))
    (let ((params (or (todo-server--request action (todo-server--values) :base todo-server--base
                                            :stay (if stay t :json-false))
                      (user-error "Todo: nothing was done"))))
      (setq todo-server--claim claim)
      (todo-server-rpc-call-now :screen/act params
                                (lambda (well)
                                  (when (eq todo-server--claim claim) (setq todo-server--claim nil))
                                  (when (and well (buffer-live-p buffer))
                                    (with-current-buffer buffer (todo-server--acted claim))))))
    (when (buffer-modified-p)
      (let (todo-server--quiet) (todo-server--show t))
      (with-current-buffer todo-server--attached (todo-server--show-sides))
      (user-error "Todo: not done yet: %s" (todo-server--say :title (todo-server--front))))))

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
    (todo-server--act-text nil t)
    ;; The text stays with its user, and so does its screen.  If it cannot be
    ;; opened now, the next save will say why.
    (ignore-errors (todo-server--attach)))
  t)

(defun todo-server-finish ()
  "Save this text, and go back."
  (interactive)
  (catch 'todo-server-late
    (when (buffer-modified-p) (todo-server--act-text nil))
    (kill-buffer)))

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
  (let ((todo-server--quiet t)
        (back (cl-some (lambda (role) (todo-server--find :role role (plist-get (todo-server--front) :actions)))
                       '("back" "take"))))
    (todo-server-rpc-call-now :screen/act (list :screen (plist-get (todo-server--front) :name)
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
      (save-some-buffers nil (lambda () (eq (current-buffer) text)))
      (let ((todo-server--quiet t))
        (unless (or (not (buffer-modified-p text)) (kill-buffer text))
          (user-error "Todo: %s is not saved" (buffer-name text)))))))

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
