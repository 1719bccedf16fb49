;;; todo-server-text.el --- Texts of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form with a layout is edited in a buffer: a line for each short field, a
;; blank line, the long one.  The names of the fields are headings above, and
;; not part of the text.

;;; Code:

(require 'todo-server-sides)

(declare-function todo-server--preview "todo-server-list")
(declare-function todo-server--act-text "todo-server-save")
(declare-function todo-server--revert "todo-server-save")
(declare-function todo-server--may-drop "todo-server-save")
(declare-function todo-server--killed "todo-server-save")

;; While there is one, no window changes.
(defvar todo-server--taker nil "The text being saved or left: it takes over the next form.")
(defvar todo-server--opening nil "The params of the last request that opened a text.")
(defvar-local todo-server--opened-by nil "The `todo-server--opening' that brought this.")
(defvar-local todo-server--base nil "The base of the edits in this text.")
(defvar-local todo-server--laid-out nil "The names of the fields for which this text is laid out.")
(defvar-local todo-server--texts nil "The fields that are not the user's: (NAME . TEXT) pairs.")
(defvar-local todo-server--noted nil "The item whose note was shown last beside this buffer.")
(defvar-local todo-server--timer nil "The timer that sends the edits of this text.")
(defvar-local todo-server--unsent-since nil "When that was started first, in seconds.")
(defvar todo-server--saving nil "The last save: (CONNECTION BUFFER . TEXT).")

;;;; The parts of a text

(defun todo-server--fields (screen)
  "The fields of SCREEN that are in its text, the one of several lines last."
  (seq-sort-by (lambda (field) (if (todo-server--has :multiline field) 1 0)) #'<
               (seq-remove (apply-partially #'todo-server--has :readOnly)
                           (append (todo-server--in screen :body :fields) nil))))

(defun todo-server--drawn ()
  "The fields of the screen as a buffer has them: (NAME . TEXT) pairs."
  (mapcar (lambda (field)
            (let ((value (or (plist-get field :value) "")))
              (cons (plist-get field :name)
                    (if (todo-server--has :multiline field) value
                      (replace-regexp-in-string "[\n\r]+" " " value)))))
          (todo-server--fields todo-server--screen)))

(defun todo-server--text ()
  "The whole text of this buffer."
  (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))

(defun todo-server--split (&optional text)
  "The fields in TEXT or this buffer: (NAME . TEXT) pairs."
  (let* ((names todo-server--laid-out)
         (lines (split-string (or text (todo-server--text)) "\n"))
         (rest (nthcdr (1- (length names)) lines)))
    (when (and (cdr names) (equal (car rest) "")) (pop rest))
    (cl-loop for (name . more) on names
             collect (cons name (if more (or (pop lines) "") (string-join rest "\n"))))))

;; Once changed, a field is the user's until it is saved: the server has its edit.
(defun todo-server--edits (&optional text)
  "The fields in TEXT or this buffer that belong to the user: (NAME . TEXT) pairs."
  (let ((edits (seq-difference (todo-server--split text) todo-server--texts)))
    (setq todo-server--texts (seq-remove (lambda (field) (assoc (car field) edits))
                                         todo-server--texts))
    edits))

(defun todo-server--in-flight ()
  "The save in flight: its buffer and its text."
  (and (eq (car todo-server--saving) todo-server-rpc-connection) (cdr todo-server--saving)))

;;;; Text buffers

(define-derived-mode todo-server-text-mode text-mode "Todo-Text"
  "Edits a text of todo-server; \\[save-buffer] saves it.

\\{todo-server-text-mode-map}"
  (todo-server--prepare)
  (setq-local require-final-newline nil
              buffer-offer-save 'always
              command-error-function #'todo-server--complain
              fill-paragraph-function #'todo-server--short-p
              fill-forward-paragraph-function #'todo-server--forward-paragraph
              normal-auto-fill-function (lambda () (unless (todo-server--short-p) (do-auto-fill)))
              revert-buffer-function #'todo-server--revert)
  (add-hook 'write-contents-functions #'todo-server--act-text nil t)
  (add-hook 'kill-buffer-query-functions #'todo-server--may-drop nil t)
  (add-hook 'kill-buffer-hook #'todo-server--killed nil t)
  (add-hook 'window-state-change-functions #'todo-server--selected nil t)
  (add-hook 'change-major-mode-hook #'todo-server--undecorate nil t)
  (add-hook 'after-change-functions #'todo-server--typed nil t))

(let ((map todo-server-text-mode-map))
  (define-key map (kbd "C-c C-c") 'todo-server-enter)
  (define-key map (kbd "C-c C-k") #'kill-current-buffer)
  (define-key map (kbd "C-c C-a") #'todo-server-menu)
  (define-key map (kbd "C-c C-b") #'todo-server-next-side))

(defun todo-server--short-p (&rest _)
  "Whether point is in a field of one line, or in the title; these are not filled."
  (< (line-number-at-pos nil t) (max 2 (length todo-server--laid-out))))

(defun todo-server--forward-paragraph (count)
  "Move COUNT paragraphs forward; nothing above the note is one."
  (prog1 (if (and (< 0 count) (todo-server--short-p)) 0 (forward-paragraph count))
    (while (and (todo-server--short-p) (not (eobp))) (forward-line))))

(defun todo-server--complain (data context caller)
  "Show the error DATA of CONTEXT and CALLER, and keep the keys typed meanwhile."
  (if (not (eq (car data) 'user-error)) (command-error-default-function data context caller)
    (let ((told (message "%s" (error-message-string data))))
      ;; Those keys clear the echo area; a newer message stays.
      (when (input-pending-p)
        (run-with-idle-timer 0.1 nil (lambda ()
                                       (unless (current-message) (message "%s" told))))))))

(defun todo-server--attached ()
  "The buffer of the text in front."
  (todo-server--buffer (plist-get (todo-server--front) :id)))

(defun todo-server--draw-text (screen)
  "Show SCREEN, a text, in its buffer, which is made if there is none."
  (with-current-buffer (or (todo-server--attached)
                           todo-server--taker
                           (pcase (todo-server--in-flight)
                             (`(,(and (pred buffer-live-p) buffer) . ,text)
                              ;; Later edits are in no comparison.
                              (and (or (eq (todo-server--layout screen) 'text)
                                       (equal text (with-current-buffer buffer (todo-server--text))))
                                   buffer)))
                           (generate-new-buffer "*todo text*"))
    (unless (derived-mode-p 'todo-server-text-mode)
      (todo-server-text-mode)
      (setq todo-server--opened-by todo-server--opening))
    (let* ((name (format "*todo: %s*" (todo-server-rpc-plain (or (plist-get screen :subject)
                                                                 (plist-get screen :title)))))
           (compare (eq (todo-server--layout screen) 'compare))
           (new (not (equal todo-server--id (plist-get screen :id))))
           (edited (or (eq (car (todo-server--in-flight)) (current-buffer)) (todo-server--edits)))
           (old (todo-server--in todo-server--screen :body :base))
           (tick (buffer-chars-modified-tick)))
      (unless (string-prefix-p name (buffer-name)) (rename-buffer name t))
      (setq todo-server--screen screen
            todo-server--id (plist-get screen :id)
            todo-server--title (and compare
                                    (todo-server--say :label (car (todo-server--fields screen)))))
      ;; The user's text is among the sides of a new comparison.
      (when (or (and compare new) (not edited)) (todo-server--adopt nil))
      ;; Undo does not revert changes by others.
      (unless (or edited (eql tick (buffer-chars-modified-tick)))
        (setq buffer-undo-list nil))
      (todo-server--decorate)
      (cond ((not compare) (remove-overlays nil nil 'smerge 'refine))
            ((not (and (equal old (todo-server--in screen :body :base))
                       (todo-server--buffer "theirs")))
             (todo-server--make-sides screen))))))

(defun todo-server--adopt (edits)
  "Adopt the base and the texts of the screen, but for EDITS, fields of the user."
  (let* ((drawn (todo-server--drawn))
         (texts (mapcar (lambda (field) (cdr (or (assoc (car field) edits) field))) drawn))
         (compare (eq (todo-server--layout todo-server--screen) 'compare))
         ;; The form may have edits from elsewhere, such as a draft: then the way back asks.
         (unsaved (plist-get (todo-server--find :role (if compare "keep" "back") todo-server--screen)
                             :confirm))
         (inhibit-read-only t)
         ;; The server has this text; an edit would end its message about a restored one.
         (after-change-functions (remq #'todo-server--typed after-change-functions)))
    (setq todo-server--base (todo-server--in todo-server--screen :body :base)
          todo-server--texts (unless unsaved
                               (seq-remove (lambda (field) (assoc (car field) edits)) drawn)))
    (save-excursion
      (save-restriction
        (widen)
        (replace-region-contents
         (point-min) (point-max)
         (lambda ()
           (string-join `(,@(butlast texts) ,@(and (cdr texts) '("")) ,@(last texts)) "\n"))
         0.5)))
    ;; Undo would bring lines of other fields.
    (unless (equal todo-server--laid-out (mapcar #'car drawn)) (setq buffer-undo-list nil))
    (setq todo-server--laid-out (mapcar #'car drawn))
    (set-buffer-modified-p (or edits compare unsaved))
    (unless (buffer-modified-p) (delete-auto-save-file-if-necessary t))))

(defun todo-server--undecorate ()
  "Remove the names of the fields, and what is wrong with them."
  (save-restriction
    (widen)
    (remove-overlays nil nil 'todo-server-decoration t)))

(defun todo-server--decorate ()
  "Put the names of the fields above them, and what is wrong with one below."
  (todo-server--undecorate)
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let ((fields (todo-server--fields todo-server--screen)) (count 0))
        (cl-flet ((add (line)
                    (let ((overlay (make-overlay (point) (point))))
                      (overlay-put overlay 'todo-server-decoration t)
                      (overlay-put overlay 'priority (cl-incf count))
                      (overlay-put overlay 'before-string (concat (if (bolp) "" "\n") line)))))
          (add (todo-server--message))
          (mapc #'add (todo-server--titles))
          (cl-loop for (field . more) on fields
                   do (when (and (cdr fields) (not more) (eolp)) (forward-line))
                   (when (cdr fields)
                     (add (todo-server--line (plist-get field :label) 'todo-server-heading)))
                   ;; Below its line is above the next one, so that the cursor stays at its end.
                   (unless (todo-server--has :multiline field) (forward-line))
                   (when (plist-get field :error)
                     (add (todo-server--line (plist-get field :error) 'todo-server-alert)))))))))

(defun todo-server--typed (&rest _)
  "Move the headings with the text; send it after a pause, or without one in 4 s."
  (todo-server--decorate)
  (unless (memq todo-server--timer timer-list)
    (setq todo-server--unsent-since (float-time)))
  (when (< (- (float-time) todo-server--unsent-since) 4)
    (todo-server--cancel-send)
    (setq todo-server--timer (run-with-timer 0.2 nil #'todo-server--send (current-buffer)))))

(defun todo-server--cancel-send ()
  "Stop the timer that sends the edits of this text."
  (when todo-server--timer (cancel-timer todo-server--timer)))

(defun todo-server--params ()
  "The params that say what this text is."
  (list :screen (plist-get todo-server--screen :name) :base todo-server--base
        ;; The form of these edits, if it is not open, may be of a todo that is gone: all is sent.
        :values (or (todo-server--values
                     (if (and (buffer-modified-p) (not (eq (todo-server--attached) (current-buffer))))
                         (todo-server--split)
                       (todo-server--edits)))
                    (make-hash-table))))

(defun todo-server--send (text)
  "Send the edits of the buffer TEXT; their errors come with the next rendering.
Its form is opened again, unless another one with unsaved edits is in front."
  (when (buffer-live-p text)
    (with-current-buffer text
      (when (derived-mode-p 'todo-server-text-mode)
        (let ((saving (eq text (car (todo-server--in-flight))))
              (attached (eq text (todo-server--attached))))
          ;; A text that is being left is not opened again before it shows what it was left for.
          (unless (and (eq text todo-server--taker) (not saving))
            (when (or saving (not attached)) (todo-server--auto-save))
            (condition-case problem
                (when (and (not saving) (or attached (todo-server--openable-p)))
                  (todo-server-rpc-notify :screen/change `(:open t ,@(todo-server--params))))
              (user-error (todo-server--auto-save)
                          (message "%s" (cadr problem))))))))))

(defun todo-server--openable-p ()
  "Whether a list, or above one a form without unsaved edits, is in front."
  (cl-flet ((list-p (screen) (equal (todo-server--in screen :body :kind) "list")))
    (let ((back (todo-server--find :role "back" (todo-server--front))))
      (and (seq-some #'list-p todo-server-rpc-screens)
           (or (list-p (todo-server--front)) (and back (not (plist-get back :confirm))))))))

(defun todo-server--auto-save ()
  "Save edits that the server may not have, for `recover-session'."
  (when auto-save-list-file-name
    (unless buffer-auto-save-file-name
      (setq buffer-auto-save-file-name
            (expand-file-name (concat (make-temp-name "#todo-") "#")
                              (file-name-directory auto-save-list-file-name))))
    (do-auto-save t t)))

(defun todo-server--selected (window)
  "Open the form of the text in WINDOW again if that is selected."
  (let ((text (window-buffer window)))
    (unless (or (not (eq window (selected-window))) (eq text (todo-server--attached)))
      (todo-server--send text))))

;;;; Windows

(defun todo-server--roomy ()
  "Whether this frame has room for the sides, at least seven lines for each."
  (or (>= (frame-width) 100) (>= (frame-height) 22)))

(defun todo-server-next-side ()
  "Show the next side that is not in sight; after the last one, hide it again."
  (interactive)
  (let* ((sides (or (seq-filter #'todo-server--buffer '("theirs" "mine" "base"))
                    (user-error "Todo: nothing is compared here")))
         (seen (seq-filter (lambda (id) (get-buffer-window (todo-server--buffer id))) sides))
         (next (if seen (cadr (member (car (last seen)) sides)) (car sides))))
    (unless (and next (todo-server--roomy))
      (mapc #'quit-windows-on (mapcar #'todo-server--buffer seen)))
    (todo-server--show t)
    (when next (todo-server--show-side next 'below t))))

;; The user who types into another text stays there.
(defun todo-server--show (&optional force)
  "Show what is in front if the user is in a window of this package, or by FORCE."
  (when (and (not todo-server--taker)
             (or force (with-current-buffer (window-buffer)
                         (and (string-prefix-p "todo-server-" (symbol-name major-mode))
                              (or (not (buffer-modified-p))
                                  (eq (current-buffer) (todo-server--attached)))))))
    (pop-to-buffer (or (todo-server--attached) "*todo*")
                   '((display-buffer-reuse-window display-buffer-same-window)))
    (setq todo-server--noted 'none)
    (todo-server--preview)
    ;; Beside each other, else above each other; theirs first, which is news.
    (when (and (todo-server--buffer "theirs") (todo-server--roomy))
      (pcase-dolist (`(,id ,wide ,narrow) '(("theirs" right below) ("mine" left above)))
        (todo-server--show-side id (if (>= (frame-width) 100) wide narrow)))
      (balance-windows (window-parent)))))

(provide 'todo-server-text)
;;; todo-server-text.el ends here
