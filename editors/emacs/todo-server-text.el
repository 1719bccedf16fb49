;;; todo-server-text.el --- Texts of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form with a layout is edited in a buffer: a line for each short field, a
;; blank line, the long one, with the names of the fields as headings above,
;; which are no part of the text.  Of sides that are to be compared one can be
;; typed into; the others are shown in buffers beside it.

;;; Code:

(require 'todo-server-screen)

(declare-function todo-server--preview "todo-server")

(defvar todo-server--taker nil
  "The text that is being saved or left: it takes over the form that comes.
While there is one, no window changes.")
(defvar todo-server--opening nil "The params of what was opened last.")
(defvar-local todo-server--opened-by nil "The `todo-server--opening' that brought this.")
(defvar-local todo-server--id nil "The identity of what is shown here.")
(defvar-local todo-server--base nil "The base that this text was typed on.")
(defvar-local todo-server--noted nil "The item whose note was shown last beside this buffer.")
(defvar-local todo-server--saving nil
  "The connection that has not answered a save of this text yet, and its tick.")

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

(defun todo-server--values ()
  "The values that this text gives to the fields of its screen."
  (let* ((fields (todo-server--fields todo-server--screen))
         (text (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))
         (lines (split-string text "\n"))
         (rest (nthcdr (1- (length fields)) lines)))
    (when (and (cdr fields) (equal (car rest) "")) (pop rest))
    (cl-loop for (field . more) on fields
             for text = (if more (or (pop lines) "") (string-join rest "\n"))
             ;; A line cannot show all that a value from outside may have.
             nconc (todo-server--value field (if (string= text (todo-server--shown field))
                                                 (plist-get field :value)
                                               text)))))

;;;; Text buffers

(define-derived-mode todo-server-text-mode text-mode "Todo-Text"
  "Edits a text of todo-server; \\[save-buffer] saves it.

\\{todo-server-text-mode-map}"
  (todo-server--prepare)
  (setq-local require-final-newline nil
              buffer-offer-save 'always
              command-error-function #'todo-server--complain
              revert-buffer-function #'todo-server--revert)
  (add-hook 'write-contents-functions #'todo-server--act-text nil t)
  (add-hook 'kill-buffer-query-functions #'todo-server--may-drop nil t)
  (add-hook 'kill-buffer-hook #'todo-server--killed nil t)
  (add-hook 'after-change-functions #'todo-server--typed nil t))

(let ((map todo-server-text-mode-map))
  (define-key map (kbd "C-c C-c") 'todo-server-enter)
  (define-key map (kbd "C-c C-k") #'kill-current-buffer)
  (define-key map (kbd "C-c C-a") #'todo-server-menu)
  (define-key map (kbd "C-c C-b") #'todo-server-show-base))

(define-derived-mode todo-server-side-mode special-mode "Todo-Side"
  "Shows a side that a text is compared with, or the note of a row."
  (todo-server--prepare))

(defun todo-server--complain (data context caller)
  "Show the error DATA of CONTEXT and CALLER, and keep the keys typed meanwhile."
  (if (not (eq (car data) 'user-error)) (command-error-default-function data context caller)
    (let ((told (message "%s" (error-message-string data))))
      ;; Those keys clear the echo area; a newer message stays.
      (when (input-pending-p)
        (run-with-idle-timer 0.1 nil (lambda ()
                                       (unless (current-message) (message "%s" told))))))))

(defun todo-server--buffer (id)
  "The buffer of ID, the identity of a screen or the name of a side."
  (and id (seq-find (lambda (buffer) (equal (buffer-local-value 'todo-server--id buffer) id))
                    (buffer-list))))

(defun todo-server--attached ()
  "The buffer of the text in front."
  (todo-server--buffer (plist-get (todo-server--front) :id)))

(defun todo-server--draw-text (screen)
  "Show SCREEN, a text, in its buffer, which is made if there is none."
  (with-current-buffer (or (todo-server--attached)
                           todo-server--taker
                           (generate-new-buffer "*todo text*"))
    (unless (derived-mode-p 'todo-server-text-mode)
      (todo-server-text-mode)
      (setq todo-server--opened-by todo-server--opening))
    (let* ((name (format "*todo: %s*" (todo-server-rpc-plain (or (plist-get screen :subject)
                                                                 (plist-get screen :title)))))
           (base (todo-server--in screen :body :base))
           (compare (eq (todo-server--layout screen) 'compare))
           (new (not (equal todo-server--id (plist-get screen :id))))
           (moved (not (equal todo-server--base base))))
      (unless (string-prefix-p name (buffer-name)) (rename-buffer name t))
      (setq todo-server--screen screen
            todo-server--id (plist-get screen :id)
            todo-server--title (and compare
                                    (todo-server--say :label (car (todo-server--fields screen)))))
      ;; Text that is not saved stays, and so does the base that it was made
      ;; from, unless what is there now is shown beside it.
      (if (or (and compare new) (not (buffer-modified-p))) (todo-server--begin compare)
        (when (or compare (not todo-server--base)) (setq todo-server--base base)))
      (todo-server--decorate)
      (cond ((not compare) (remove-overlays nil nil 'smerge 'refine))
            ((or moved (not (todo-server--buffer "theirs"))) (todo-server--make-sides screen))))))

(defun todo-server--begin (modified)
  "Make the text that of the screen; if it is MODIFIED then, that can be undone."
  (let ((texts (mapcar #'todo-server--shown (todo-server--fields todo-server--screen)))
        (tick (buffer-chars-modified-tick)))
    (setq todo-server--base (todo-server--in todo-server--screen :body :base))
    (save-excursion
      (save-restriction
        (widen)
        (replace-region-contents
         (point-min) (point-max)
         (lambda ()
           (string-join `(,@(butlast texts) ,@(and (cdr texts) '("")) ,@(last texts)) "\n"))
         0.5)))
    ;; What others changed is no step of undo; what a save made of the text is one.
    (unless (or modified todo-server--saving (eql tick (buffer-chars-modified-tick)))
      (setq buffer-undo-list nil))
    (set-buffer-modified-p modified)))

(defun todo-server--decorate ()
  "Put the names of the fields above them, and what is wrong with one below."
  (remove-overlays nil nil 'todo-server-decoration t)
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
          (cl-loop for (field . more) on fields
                   do (when (and (cdr fields) (not more) (eolp)) (forward-line))
                   (when (cdr fields)
                     (add (todo-server--line (plist-get field :label) 'todo-server-heading)))
                   ;; Below its line is above the next one, so that the cursor stays at its end.
                   (unless (todo-server--has :multiline field) (forward-line))
                   (when (plist-get field :error)
                     (add (todo-server--line (plist-get field :error) 'todo-server-alert)))))))))

(defun todo-server--typed (&rest _)
  "Move the headings with the text, and let the server check it after a pause."
  (todo-server--decorate)
  (cancel-function-timers #'todo-server--send)
  (run-with-timer 0.2 nil #'todo-server--send))

(defun todo-server--params ()
  "The params that say what this text is."
  (list :screen (plist-get todo-server--screen :name)
        :values (todo-server--values) :base todo-server--base))

(defun todo-server--send ()
  "Send the text in front; what is wrong with it comes with the next rendering."
  (when-let ((text (todo-server--attached)))
    (jsonrpc-notify (todo-server-rpc-live) :screen/change
                    (with-current-buffer text (todo-server--params)))))

;;;; Sides

(defun todo-server--make-sides (screen)
  "Fill the buffers of the sides of SCREEN, and colour their differences."
  (seq-doseq (field (todo-server--in screen :body :fields))
    (when (todo-server--has :readOnly field)
      (with-current-buffer (todo-server--fill-side (plist-get field :side) (plist-get field :label)
                                                   (plist-get field :value))
        (setq todo-server--screen screen)
        (todo-server--bind todo-server-side-mode-map))))
  (let ((bounds (mapcan (lambda (buffer)
                          (with-current-buffer buffer (list (point-min-marker) (point-max-marker))))
                        (list (or (todo-server--buffer "mine") (current-buffer))
                              (todo-server--buffer "theirs")))))
    (ignore-errors                      ; without the program diff it is not coloured
      (apply #'smerge-refine-regions `(,@bounds nil nil ((face . smerge-refined-removed))
                                                ((face . smerge-refined-added)))))))

(defun todo-server--fill-side (id title text)
  "Fill the buffer of the side ID, which is called TITLE, with TEXT; return it."
  (with-current-buffer (get-buffer-create (format "*todo %s*" id))
    (todo-server-side-mode)
    (setq todo-server--id id
          todo-server--title (todo-server-rpc-plain title))
    (with-silent-modifications
      (erase-buffer)
      (save-excursion (insert (or text ""))))
    (current-buffer)))

(defun todo-server--show-side (id direction)
  "Show the side ID, if there is one, in DIRECTION from this window."
  (when-let ((side (todo-server--buffer id)))
    ;; Three windows beside each other have one parent.  A new window begins with
    ;; the list, but does not show it.
    (let ((here (window-buffer)) window-combination-limit window-scroll-functions)
      ;; A window that is dedicated goes with its buffer; softly, it may show others.
      (display-buffer side `((display-buffer-reuse-window display-buffer-in-direction)
                             (direction . ,direction) (dedicated . soft)))
      ;; A rule of the user's may have one window for all buffers of ours.  What
      ;; was before is shown because somebody wants to see it.
      (unless (equal id "base") (set-window-buffer nil here t)))))

(defun todo-server--close (&rest ids)
  "Close the sides IDS, and the windows that were made for them."
  (mapc #'kill-buffer (delq nil (mapcar #'todo-server--buffer ids))))

(defun todo-server-show-base ()
  "Show what the text was before, or hide it."
  (interactive)
  (let ((base (or (todo-server--buffer "base") (user-error "Todo: nothing is compared here"))))
    (if (get-buffer-window base) (quit-windows-on base) (todo-server--show-side "base" 'below))))

(defun todo-server--show (&optional force)
  "Show what is in front if the user is in a window of ours, or by FORCE.
Whoever types into another text stays there."
  (when (and (not todo-server--taker)
             (or force (with-current-buffer (window-buffer)
                         (and (string-prefix-p "todo-server-" (symbol-name major-mode))
                              (or (not (buffer-modified-p))
                                  (eq (current-buffer) (todo-server--attached)))))))
    (pop-to-buffer (or (todo-server--attached) "*todo*")
                   '((display-buffer-reuse-window display-buffer-same-window)))
    (setq todo-server--noted 'none)
    (todo-server--preview)
    ;; Beside each other, if there is room, else above each other.
    (pcase-dolist (`(,id ,wide ,narrow) '(("mine" left above) ("theirs" right below)))
      (todo-server--show-side id (if (>= (frame-width) 100) wide narrow)))
    (when (todo-server--buffer "theirs") (balance-windows (window-parent)))))

;;;; Saving, leaving

(defun todo-server--act-text (&optional name)
  "Do the action NAME with this text, or what Enter does; return t."
  ;; Else what it stores late would be a change by somebody else.
  (when (eq (car todo-server--saving) (todo-server-rpc-live))
    (user-error "Todo: the last save has no answer yet"))
  (let* ((text (current-buffer)) (todo-server--taker text))
    (cancel-function-timers #'todo-server--send)
    ;; The form may be gone, and what there is to ask depends on what was typed last.
    (todo-server-rpc-call :screen/change `(:open t ,@(todo-server--params)))
    (let* ((actions (plist-get todo-server--screen :actions))
           (action (or (todo-server--find :name name actions)
                       (todo-server--find :primary t actions)))
           (params (or (todo-server--request todo-server--screen action (todo-server--values)
                                             :base todo-server--base :stay t)
                       (user-error "Todo: nothing was done"))))
      (setq todo-server--saving (cons (todo-server-rpc-live) (buffer-chars-modified-tick)))
      (todo-server-rpc-call :screen/act params
                                (lambda (well)
                                  (when (buffer-live-p text)
                                    (with-current-buffer text
                                      (when well (todo-server--acted (plist-get action :role)))
                                      (setq todo-server--saving nil))))))
    (when (buffer-modified-p)
      (let (todo-server--taker) (todo-server--show t))
      (user-error "Todo: not done yet: %s" (todo-server--say :title (todo-server--front))))
    t))

(defun todo-server--acted (role)
  "What was sent of this text is saved by ROLE, unless sides have to be compared."
  (unless (eq (todo-server--layout (todo-server--front)) 'compare)
    (if (eql (cdr todo-server--saving) (buffer-chars-modified-tick)) (set-buffer-modified-p nil)
      (setq todo-server--base nil))     ; what was typed meanwhile is typed on what is stored now
    (when (eq (todo-server--attached) (current-buffer))
      (todo-server--draw-text (todo-server--front)))
    ;; Else an undo would come to text that counts as saved.
    (setq buffer-undo-list (cl-delete t buffer-undo-list :key #'car-safe))
    (message (unless (equal role "take") "Todo: saved"))))

(defun todo-server--revert (_auto noconfirm)
  "Take the text of the server, unless NOCONFIRM is nil and the user declines."
  (when (or noconfirm (todo-server--may-drop))
    (todo-server-rpc-live)
    ;; The screen may hold what was typed: the text that is stored comes anew.
    (when (eq (todo-server--attached) (current-buffer)) (todo-server--leave))
    (set-buffer-modified-p nil)
    (let ((todo-server--taker (current-buffer)))
      (todo-server-rpc-call :screen/act todo-server--opened-by))))

(defun todo-server--leave ()
  "Leave the text in front by the way back; what was typed is in its buffer."
  (let* ((front (todo-server--front))
         (actions (plist-get front :actions))
         (back (or (todo-server--find :role "back" actions)
                   (todo-server--find :role "take" actions)))
         (todo-server--taker (current-buffer)))
    (todo-server-rpc-call :screen/act (list :screen (plist-get front :name)
                                                :action (plist-get back :name)))))

(defun todo-server--make-way (opening)
  "See that no unsaved text is in the way of an action.
OPENING has its params if it opens a text: what it opened before goes on there."
  (when-let ((text (seq-find (lambda (buffer)
                               (with-current-buffer buffer
                                 (and (derived-mode-p 'todo-server-text-mode) (buffer-modified-p)
                                      (or (eq buffer (todo-server--attached))
                                          (and opening
                                               (not (equal opening todo-server--opened-by)))))))
                             (buffer-list))))
    (save-some-buffers nil (lambda () (eq (current-buffer) text)))
    (unless (or (not (buffer-modified-p text)) (kill-buffer text))
      (user-error "Todo: %s is not saved" (buffer-name text)))))

(defun todo-server--may-drop ()
  "Whether the text of this buffer may be lost."
  (or (not (buffer-modified-p))
      (yes-or-no-p (format "The text in %s is not saved; drop it? " (buffer-name)))))

(defun todo-server--killed ()
  "Go back in the server when the text in front is killed here."
  (when (eq (todo-server--attached) (current-buffer))
    (setq todo-server--id nil)
    (ignore-errors (todo-server--leave)))
  (when (eq (window-buffer) (current-buffer)) (todo-server--show t)))

(provide 'todo-server-text)
;;; todo-server-text.el ends here
