;;; todo-server-text.el --- Texts of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form with a field of several lines is edited as a text: its other fields
;; are the first lines, then comes a blank line, then that field.  With more
;; such fields, which are read-only, it is a conflict for `smerge-mode': the
;; last of them is the other side, and one before it the base.
;;
;; A text lives in its buffer, not in the server: when its screen is gone, a
;; save repeats what opened it, and makes a conflict if the server has another
;; text by now.  While its screen is in front, the server tells by the base of
;; the form what the text was made from, and makes a conflict where it has to.

;;; Code:

(require 'smerge-mode)
(require 'todo-server-screen)

(declare-function todo-server--status "todo-server")
(declare-function todo-server-act "todo-server")

(defvar-local todo-server--opened-by nil "The `todo-server--origin' that brought this text.")
(defvar-local todo-server--base nil "The parts of the screen that this text was made from.")
(defvar-local todo-server--merged nil "Whether this text began as the sides of a conflict.")

;;;; What a text says

(defun todo-server--parts (screen)
  "What can be typed into on SCREEN, several lines last: (NAME . TEXT) pairs."
  (let (lines text)
    (dolist (field (todo-server--fields screen))
      (let ((name (plist-get field :name)) (value (or (plist-get field :value) "")))
        (cond ((todo-server--has :readOnly field))
              ((todo-server--has :multiline field) (push (cons name value) text))
              (t (push (cons name (replace-regexp-in-string "[\n\r]+" " " value)) lines)))))
    (nconc (nreverse lines) text)))

(defun todo-server--join (parts)
  "The text that PARTS make."
  (let ((texts (mapcar #'cdr parts)))
    (string-join `(,@(butlast texts) ,@(and (cdr texts) '("")) ,@(last texts)) "\n")))

(defun todo-server--conflict (mine base theirs)
  "The text for `smerge-mode' of the fields MINE, BASE (or nil) and THEIRS."
  (concat "<<<<<<< " (plist-get mine :label) "\n" (plist-get mine :value) "\n"
          (unless (string-blank-p (or (plist-get base :value) ""))
            (concat "||||||| " (plist-get base :label) "\n" (plist-get base :value) "\n"))
          "=======\n" (plist-get theirs :value) "\n>>>>>>> " (plist-get theirs :label) "\n"))

(defun todo-server--text (screen)
  "The whole text of SCREEN."
  (pcase-let* ((fields (reverse (todo-server--fields screen)))
               (mine (seq-find (lambda (field) (not (todo-server--has :readOnly field))) fields))
               (`(,theirs ,base) (remq mine fields)))
    (if (eq (todo-server--shape screen) 'conflict) (todo-server--conflict mine base theirs)
      (todo-server--join (todo-server--parts screen)))))

(defun todo-server--unmerged-p ()
  "Whether this buffer still has both sides of a conflict."
  (and smerge-mode (string-match-p smerge-begin-re (buffer-string))))

(defun todo-server--check-merged ()
  "Signal an error for the user if there are still both sides of a conflict."
  (when (todo-server--unmerged-p)
    (user-error "Todo: changed elsewhere; choose between the sides, such as with C-c ^ RET")))

(defun todo-server--values (screen)
  "What is different in this buffer from the fields of SCREEN, to send it.
What was not touched is not sent, so that it stays as it is, byte for byte."
  (let* ((text (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))
         (parts (todo-server--parts screen))
         (count (1- (length parts)))
         ;; Each side of a conflict got a line end of its own above.
         (lines (split-string (string-remove-suffix (if todo-server--merged "\n" "") text) "\n"))
         (rest (nthcdr count lines)))
    (when (and (> count 0) (equal (car rest) "")) (pop rest))
    (unless (todo-server--unmerged-p)
      (cl-loop for text in (append (seq-take lines count) (list (string-join rest "\n")))
               for (name . shown) in parts
               for (_ . base) in todo-server--base
               unless (and (string= text shown) (string= text base))
               nconc (todo-server--value name text)))))

;;;; Text buffers

(defvar todo-server-text-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'todo-server-finish)
    (define-key map (kbd "C-c C-k") #'kill-current-buffer)
    (define-key map (kbd "C-c C-a") #'todo-server-act)
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
    (let ((parts (todo-server--parts screen))
          (text (todo-server--text screen))
          (mine (save-restriction (widen) (buffer-string)))
          (conflict (eq (todo-server--shape screen) 'conflict)))
      ;; Changed while its screen was away: the server cannot know what this was
      ;; made from any more, and would take it for made from what it shows now.
      (when (and new (not conflict) (buffer-modified-p)
                 (not (equal parts todo-server--base)) (not (string= text mine)))
        (setq text (todo-server--conflict
                    (list :label "Mine" :value mine)
                    (list :label "Before" :value (todo-server--join todo-server--base))
                    (list :label "Theirs" :value text))
              conflict t))
      (setq todo-server--screen screen
            header-line-format
            (string-replace
             "%" "%%"
             (string-join `(,(propertize (plist-get screen :title) 'face 'bold)
                            ,@(todo-server--labels screen)
                            ,@(and (or conflict (todo-server--unmerged-p)) '("C-c ^ E Side by side"))
                            ,@(delq nil (cons (todo-server--in screen :message :text)
                                              (mapcar (lambda (field) (plist-get field :error))
                                                      (todo-server--fields screen)))))
                          "  ")))
      (when new
        (smerge-mode (if conflict 1 -1))
        ;; Else the next conflict would be read as the last one was written.
        (kill-local-variable 'smerge-conflict-style))
      ;; Text that is not saved stays, and so does the base it was made from.
      (if (or (and new conflict) (not (buffer-modified-p)))
          (progn
            (unless (string= text mine)
              ;; This keeps point where it was.
              (save-restriction
                (widen)
                (replace-region-contents (point-min) (point-max) (lambda () text) 0.5))
              (unless todo-server--base (goto-char (point-min)))
              (setq buffer-undo-list nil))
            (set-buffer-modified-p conflict)
            (setq todo-server--merged conflict
                  todo-server--base parts
                  todo-server--seen (todo-server--in screen :body :base)))
        (when (equal parts todo-server--base)
          (setq todo-server--seen (todo-server--in screen :body :base)))))))

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
                       :base todo-server--seen))))))

;;;; Saving, leaving

(defun todo-server--attach ()
  "Bring the screen of this text to the front again, if it is not."
  (unless (eq todo-server--attached (current-buffer))
    (todo-server--check-merged)
    (pcase-let ((`(,screen ,action ,item) todo-server--opened-by)
                (todo-server--quiet t))
      (todo-server--surface screen)
      (todo-server--do screen action #'todo-server-rpc-call-now item)
      (unless (eq todo-server--attached (current-buffer))
        (user-error "Todo: the screen of this text cannot be opened again")))))

(defun todo-server--act-text (&optional name)
  "Do the action NAME, or else the right one of the bar, with this text.
If its screen is still there then, show what came, and signal an error."
  (todo-server--attach)
  (let ((depth (length (todo-server-rpc-screens)))
        (front (todo-server--front)))
    (unless (eq (todo-server--shape front) 'conflict) (todo-server--check-merged))
    (let ((todo-server--quiet t))
      (todo-server--send (current-buffer) #'todo-server-rpc-call-now)
      (todo-server--do (plist-get front :name) (or name (todo-server--in front :bar :right))
                       #'todo-server-rpc-call-now))
    (unless (< (length (todo-server-rpc-screens)) depth)
      (todo-server--show t)
      (user-error "Todo: not done yet: %s" (plist-get (todo-server--front) :title)))
    (set-buffer-modified-p nil)))

(defun todo-server--save ()
  "Save this text, as `save-buffer' wants it done."
  (todo-server--check-merged)
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
  (save-buffer)
  (kill-buffer))

(defun todo-server--revert (_auto noconfirm)
  "Take the text of the server, unless NOCONFIRM is nil and the user declines."
  (when (or noconfirm (todo-server--may-drop))
    (todo-server-rpc-live)
    (let ((todo-server--quiet t))
      ;; The screen may hold what was typed: the text that is stored comes anew.
      (when (eq todo-server--attached (current-buffer)) (todo-server--leave))
      (set-buffer-modified-p nil)
      (smerge-mode -1)
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
    (let ((todo-server--quiet t)) (ignore-errors (todo-server--leave))))
  (when (eq (window-buffer) (current-buffer)) (todo-server--show t)))

(provide 'todo-server-text)
;;; todo-server-text.el ends here
