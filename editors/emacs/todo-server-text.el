;;; todo-server-text.el --- Texts of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form with a field of several lines is edited as a text: its other fields
;; are the first lines, then comes a blank line, then that field.  A form with
;; more such fields is a conflict for `smerge-mode': the last three are the
;; base, yours, and the other side; there may be no base.  Yours is sent.
;;
;; A text lives in its buffer, not in the server: when its screen is gone, a
;; save repeats what opened it, and says so if the server has another text by
;; now.  While its screen is in front, the server tells by the revision what
;; the text was made from, and makes a conflict where it has to.

;;; Code:

(require 'smerge-mode)
(require 'todo-server-screen)

(declare-function todo-server--status "todo-server")

(defconst todo-server--changed
  "Todo: changed on the server; save again to overwrite it, or M-x revert-buffer")
(defvar-local todo-server--opened-by nil "The `todo-server--origin' that brought this text.")
(defvar-local todo-server--base nil "The parts of the screen that this text was made from.")

;;;; What a text says

(defun todo-server--parts (screen)
  "The fields that the text of SCREEN has, in their order: (NAME . TEXT) pairs."
  (let* ((fields (append (todo-server--in screen :body :fields) nil))
         (long (seq-filter #'todo-server--multiline-p fields)))
    (mapcar (lambda (field)
              (let ((value (or (plist-get field :value) "")))
                (cons (plist-get field :name)
                      (if (memq field long) value (replace-regexp-in-string "[\n\r]+" " " value)))))
            (if (cdr long) (last (butlast fields)) (append (seq-remove #'todo-server--multiline-p fields) long)))))

(defun todo-server--text (screen)
  "The whole text of SCREEN."
  (if (eq (todo-server--shape screen) 'text)
      (let ((texts (mapcar #'cdr (todo-server--parts screen))))
        (concat (mapconcat (lambda (line) (concat line "\n")) (butlast texts) "")
                (and (cdr texts) "\n")
                (car (last texts))))
    (pcase-let ((`((,their-label . ,theirs) (,label . ,mine) . ,base)
                 (nreverse (cl-loop for field across (todo-server--in screen :body :fields)
                                    collect (cons (plist-get field :label)
                                                  (concat (plist-get field :value) "\n"))))))
      (concat "<<<<<<< " label "\n" mine
              (and base (concat "||||||| " (caar base) "\n" (cdar base)))
              "=======\n" theirs ">>>>>>> " their-label "\n"))))

(defun todo-server--unmerged-p ()
  "Whether this buffer still has both sides of a conflict."
  (and smerge-mode (string-match-p smerge-begin-re (buffer-string))))

(defun todo-server--values (screen)
  "What is different in this buffer from the fields of SCREEN, to send it.
What was not touched is not sent, so that it stays as it is, byte for byte."
  (let* ((text (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))
         (parts (todo-server--parts screen))
         (count (1- (length parts)))
         (lines (split-string text "\n"))
         (rest (nthcdr count lines)))
    (when (and (> count 0) (equal (car rest) "")) (pop rest))
    (unless (todo-server--unmerged-p)
      (cl-loop for text in (if (eq (todo-server--shape screen) 'text)
                               (append (seq-take lines count) (list (string-join rest "\n")))
                             ;; Each side got a line end of its own above.
                             (list (string-remove-suffix "\n" text)))
               for (name . shown) in parts
               for (_ . base) in todo-server--base
               unless (and (string= text shown) (string= text base))
               nconc (todo-server--value name text)))))

;;;; Text buffers

(defvar todo-server-text-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'todo-server-finish)
    (define-key map (kbd "C-c C-k") #'todo-server-discard)
    (define-key map (kbd "C-c C-a") #'todo-server-act-on-text)
    map)
  "Keymap of `todo-server-text-mode'.")

(define-derived-mode todo-server-text-mode text-mode "Todo-Text"
  "Edits a text of todo-server; \\[save-buffer] saves it.

\\{todo-server-text-mode-map}"
  (setq-local require-final-newline nil
              buffer-offer-save t
              mode-line-process '(:eval (todo-server--status))
              revert-buffer-function #'todo-server--revert)
  (add-hook 'write-contents-functions #'todo-server--save nil t)
  (add-hook 'kill-buffer-query-functions #'todo-server--may-drop nil t)
  (add-hook 'kill-buffer-hook #'todo-server--killed nil t)
  (add-hook 'after-change-functions #'todo-server--typed nil t))

(defun todo-server--text-buffer (screen)
  "The buffer for the text of SCREEN, which has just come to the front."
  (cond ((and (eq (todo-server--shape screen) 'conflict) (buffer-live-p todo-server--attached))
         todo-server--attached)
        ((and todo-server--origin
              (cl-find todo-server--origin (buffer-list) :test #'equal
                       :key (lambda (buffer) (buffer-local-value 'todo-server--opened-by buffer)))))
        (t (with-current-buffer (generate-new-buffer
                                 (format "*todo: %s*" (plist-get screen :title)))
             (todo-server-text-mode)
             (setq todo-server--opened-by todo-server--origin)
             (current-buffer)))))

(defun todo-server--draw-text (screen new)
  "Show SCREEN, a text; NEW if it was not in front before."
  (when new (setq todo-server--attached (todo-server--text-buffer screen)))
  (with-current-buffer todo-server--attached
    (let* ((parts (todo-server--parts screen))
           (text (todo-server--text screen))
           (conflict (eq (todo-server--shape screen) 'conflict))
           (known (equal parts todo-server--base))
           (said (delq nil (list (todo-server--problem screen)
                                 (todo-server--in screen :message :text)))))
      (setq header-line-format
            (string-replace "%" "%%" (string-join
                                      `(,(propertize (plist-get screen :title) 'face 'bold)
                                        ,@(todo-server--labels screen)
                                        ,@(and conflict '("C-c ^ E Side by side"))
                                        ,@said)
                                      "  ")))
      (when new
        (smerge-mode (if conflict 1 -1))
        ;; Else the next conflict would be read as the last one was written.
        (kill-local-variable 'smerge-conflict-style))
      (cond ((or (and new conflict)
                 (not (or known (buffer-modified-p) (string= text (buffer-string)))))
             ;; This keeps point where it was.
             (save-restriction
               (widen)
               (replace-region-contents (point-min) (point-max) (lambda () text) 0.5))
             (unless todo-server--base (goto-char (point-min)))
             (setq buffer-undo-list nil)
             (set-buffer-modified-p conflict))
            ((and new (not known) (buffer-modified-p))
             (message todo-server--changed)))
      ;; Text that is not saved stays, and was made from what was shown before.
      ;; Where that matters, the server knows it by the revision.
      (when (or new known (not (buffer-modified-p)))
        (setq todo-server--base parts
              todo-server--seen todo-server-rpc-revision)))))

(defun todo-server--typed (&rest _)
  "Let the server check the text when the user pauses."
  (cancel-function-timers #'todo-server--send)
  (run-with-timer 0.2 nil #'todo-server--send (current-buffer) #'todo-server-rpc-call))

(defun todo-server--send (buffer request)
  "Send the text of BUFFER with REQUEST, if its screen is in front."
  (when (and (buffer-live-p buffer) (eq buffer todo-server--attached))
    (with-current-buffer buffer
      (when-let ((values (todo-server--values (todo-server--front))))
        (funcall request :screen/change
                 (list :screen (plist-get (todo-server--front) :name) :values values
                       :revision todo-server--seen))))))

;;;; Saving, leaving

(defun todo-server--attach ()
  "Bring the screen of this text to the front again, if it is not."
  (todo-server-rpc-live)
  (unless (eq todo-server--attached (current-buffer))
    (pcase-let ((`(,screen ,action ,item) todo-server--opened-by)
                (base todo-server--base)
                (todo-server--quiet t))
      (todo-server--do (todo-server--surface screen) action #'todo-server-rpc-call-now item)
      (unless (eq todo-server--attached (current-buffer))
        (user-error "Todo: the screen of this text cannot be opened again"))
      (unless (or (not (buffer-modified-p)) (equal base todo-server--base))
        (user-error todo-server--changed)))))

(defun todo-server--act-text (&optional name)
  "Do the action NAME, or else the right one of the bar, with this text.
If its screen is still there then, show what came, and signal an error."
  (todo-server--attach)
  (let ((depth (length (todo-server-rpc-screens))))
    (let ((todo-server--quiet t))
      (todo-server--send (current-buffer) #'todo-server-rpc-call-now)
      (todo-server--do (todo-server--front)
                       (or name (todo-server--in (todo-server--front) :bar :right))
                       #'todo-server-rpc-call-now))
    (unless (< (length (todo-server-rpc-screens)) depth)
      (todo-server--show t)
      (user-error "Todo: not done yet: %s" (plist-get (todo-server--front) :title)))
    (set-buffer-modified-p nil)))

(defun todo-server--save ()
  "Save this text, as `save-buffer' wants it done."
  (when (todo-server--unmerged-p)
    (user-error "Todo: choose between the sides first, with the keys of `smerge-mode'"))
  (todo-server--act-text)
  ;; Else an undo would come to text that counts as saved.
  (setq buffer-undo-list (cl-delete t buffer-undo-list :key #'car-safe))
  ;; The text stays with its user, and so does its screen.  If it cannot be
  ;; opened now, the next save will say why.
  (ignore-errors (todo-server--attach))
  (message "Todo: saved")
  t)

(defun todo-server-finish ()
  "Save this text, and go back."
  (interactive)
  (when (buffer-modified-p) (save-buffer))
  (todo-server-discard))

(defun todo-server-discard ()
  "Go back without this text."
  (interactive)
  (kill-buffer))

(defun todo-server-act-on-text (name)
  "Do the action NAME, read with completion, with this text."
  (interactive (progn (todo-server--attach)
                      (list (todo-server--read-action (todo-server--front)))))
  (todo-server--act-text name)
  (todo-server-discard))

(defun todo-server--revert (_auto noconfirm)
  "Take the text of the server, unless NOCONFIRM is nil and the user declines."
  (when (or noconfirm (todo-server--may-drop))
    (todo-server-rpc-live)
    (let ((todo-server--quiet t))
      ;; The screen may hold what was typed: the text that is stored comes anew.
      (when (eq todo-server--attached (current-buffer))
        (todo-server--leave #'todo-server-rpc-call-now))
      (set-buffer-modified-p nil)
      (setq todo-server--base nil)
      (todo-server--attach))))

(defun todo-server--may-drop ()
  "Whether the text of this buffer may be lost."
  ;; A buffer of Ediff is made in the mode of ours, and asks for itself.
  (or (not todo-server--opened-by) (not (buffer-modified-p))
      (yes-or-no-p (format "The text in %s is not saved; drop it? " (buffer-name)))))

(defun todo-server--killed ()
  "Go back in the server when the text in front is killed here."
  (when (eq todo-server--attached (current-buffer))
    (setq todo-server--attached nil)
    (let ((todo-server--quiet t))
      (ignore-errors (todo-server--leave #'todo-server-rpc-call-now))))
  (when (eq (window-buffer) (current-buffer)) (todo-server--show t)))

(provide 'todo-server-text)
;;; todo-server-text.el ends here
