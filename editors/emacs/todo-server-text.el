;;; todo-server-text.el --- Texts of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form with a field of several lines is edited as a text: its other fields
;; are the first lines, then comes a blank line, then that field.  A form with
;; two or three such fields is a conflict for `smerge-mode': the base (if there
;; are three), yours, the other side.  Yours is the one that is sent.
;;
;; A text lives in its buffer, not in the server: when its screen is gone, a
;; save repeats what opened it, and says so if the server's text is another one
;; by now.

;;; Code:

(require 'cl-lib)
(require 'smerge-mode)
(require 'todo-server-screen)

(defvar todo-server--taking nil
  "Non-nil while the text of the server replaces unsaved text.")

(defvar todo-server--typing-timer nil
  "Sends what was typed when the user pauses.")

(defvar-local todo-server--key nil
  "The name of the screen of this text, and the item that was opened.")

(defvar-local todo-server--opened-by nil
  "The `todo-server--origin' that brought this text.")

(defvar-local todo-server--known nil
  "Texts of fields that are no news when the server shows them.
The last are what the unsaved text was made from, the others were sent lately.")

(defvar-local todo-server--warned nil
  "Non-nil if the user knows that the server has another text.")

(defvar-local todo-server--parent nil
  "The buffer whose save led to this conflict.")

;;;; What a text says

(defun todo-server--unmerged-p ()
  "Whether this buffer still has both sides of a conflict."
  (save-excursion
    (goto-char (point-min))
    (re-search-forward smerge-begin-re nil t)))

(defun todo-server--parse (screen)
  "The texts of the fields of SCREEN as they are in this buffer."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let* ((lines (1- (length (todo-server--text-fields screen))))
             (texts (cl-loop repeat lines
                             collect (buffer-substring-no-properties
                                      (point) (line-end-position))
                             do (forward-line))))
        (when (and texts (eolp) (not (eobp))) (forward-char))
        (append texts (list (buffer-substring-no-properties (point) (point-max))))))))

(defun todo-server--values (screen)
  "What is different in this buffer from the fields of SCREEN, to send it.
What was not touched is not sent, so that it stays as it is, byte for byte."
  (if (eq (todo-server--shape screen) 'text)
      (cl-loop for field in (todo-server--text-fields screen)
               for text in (todo-server--parse screen)
               unless (string= text (todo-server--field-text field))
               nconc (list (todo-server--member field) text))
    (unless (todo-server--unmerged-p)
      ;; Each side got a line end of its own above.
      (list (todo-server--member (nth 1 (todo-server--sides screen)))
            (string-remove-suffix "\n" (buffer-substring-no-properties
                                        (point-min) (point-max)))))))

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
              mode-line-process '(:eval (todo-server--status))
              revert-buffer-function #'todo-server--revert)
  (add-hook 'write-contents-functions #'todo-server--save nil t)
  (add-hook 'kill-buffer-query-functions #'todo-server--may-kill nil t)
  (add-hook 'kill-buffer-hook #'todo-server--killed nil t)
  (add-hook 'after-change-functions #'todo-server--typed nil t))

(defun todo-server--text-header (screen)
  "The header line for the text of SCREEN."
  (let ((said (or (todo-server--problem screen)
                  (plist-get (plist-get screen :message) :text))))
    (concat
     (propertize (plist-get screen :title) 'face 'bold) "  "
     (substitute-command-keys
      (format "\\<todo-server-text-mode-map>\\[todo-server-finish] %s  \\[todo-server-discard] %s  \\[todo-server-act-on-text] more%s"
              (todo-server--title screen (todo-server--end screen :right))
              (todo-server--title screen (todo-server--end screen :left))
              (if (eq (todo-server--shape screen) 'conflict)
                  "  \\<smerge-mode-map>\\[smerge-ediff] side by side" "")))
     (and said (concat "  " (propertize said 'face 'warning))))))

(defun todo-server--text-buffer (screen)
  "The buffer for the text of SCREEN, which has just come to the front."
  (let ((key (cons (plist-get screen :name) (nth 2 todo-server--origin)))
        (conflict (eq (todo-server--shape screen) 'conflict)))
    (or (and (not conflict)
             (cl-find key (buffer-list) :test #'equal
                      :key (lambda (buffer) (buffer-local-value 'todo-server--key buffer))))
        (with-current-buffer (generate-new-buffer
                              (format "*todo: %s*" (plist-get screen :title)))
          (todo-server-text-mode)
          (setq todo-server--key key
                todo-server--opened-by todo-server--origin
                todo-server--parent (and conflict todo-server--attached)
                buffer-offer-save t)
          (todo-server--fill screen)
          (goto-char (point-min))
          (current-buffer)))))

(defun todo-server--fill (screen)
  "Put the text of SCREEN into this buffer; that is not an edit to undo."
  (let ((text (todo-server--text screen))
        (here (current-buffer)))
    (with-temp-buffer
      (insert text)
      (let ((source (current-buffer)))
        (with-current-buffer here
          ;; This keeps point where it was.
          (save-restriction (widen) (replace-buffer-contents source 0.5)))))
    (setq todo-server--known (list (todo-server--texts screen))
          todo-server--warned nil
          buffer-undo-list nil)
    (set-buffer-modified-p (eq (todo-server--shape screen) 'conflict))
    (when (buffer-modified-p) (smerge-mode))))

(defun todo-server--draw-text (screen new)
  "Show SCREEN, a text; NEW if it was not in front before."
  (when (or new (not (buffer-live-p todo-server--attached)))
    (setq todo-server--attached (todo-server--text-buffer screen)))
  (with-current-buffer todo-server--attached
    (setq header-line-format
          (string-replace "%" "%%" (todo-server--text-header screen)))
    (when (and (eq (todo-server--shape screen) 'text) (todo-server--values screen))
      (cond ((or todo-server--taking (not (buffer-modified-p)))
             (todo-server--fill screen))
            ((or todo-server--warned
                 (member (todo-server--texts screen) todo-server--known)))
            (t (setq todo-server--warned t)
               (message "Todo: changed on the server; M-x revert-buffer shows its text"))))))

(defun todo-server--typed (&rest _)
  "Let the server check the text when the user pauses."
  (when (timerp todo-server--typing-timer) (cancel-timer todo-server--typing-timer))
  (setq todo-server--typing-timer
        (and (eq todo-server--attached (current-buffer))
             (run-with-timer 0.2 nil #'todo-server--send-typed (current-buffer)))))

(defun todo-server--remember (screen)
  "Know the texts of this buffer when SCREEN comes back with them."
  (setq todo-server--known (cons (todo-server--parse screen)
                                 (append (seq-take (butlast todo-server--known) 3)
                                         (last todo-server--known)))))

(defun todo-server--send-typed (buffer)
  "Send the text of BUFFER, if it still is in front."
  (when (and (buffer-live-p buffer) (eq buffer todo-server--attached)
             (eq todo-server-rpc-state 'run))
    (with-current-buffer buffer
      (let* ((screen (todo-server--front)) (values (todo-server--values screen)))
        (when (and values (buffer-modified-p))
          (todo-server--remember screen)
          (todo-server-rpc-call
           :screen/change (list :screen (plist-get screen :name) :values values)
           #'ignore))))))

;;;; Saving, leaving

(defun todo-server--attach ()
  "Bring the screen of this text to the front again, if it is not."
  (let ((buffer (current-buffer)) (warned todo-server--warned))
    (todo-server-rpc--live)
    (unless (eq todo-server--attached buffer)
      (pcase-let ((`(,screen ,action ,item) todo-server--opened-by))
        (todo-server--do (todo-server--surface screen) action :item item :now t))
      (unless (eq todo-server--attached buffer)
        (user-error "Todo: the screen of this text cannot be opened again"))
      (when (and todo-server--warned (not warned))
        (user-error "Todo: changed on the server; save again to overwrite it, or M-x revert-buffer")))))

(defun todo-server--act-text (name)
  "Do the action NAME with this text; return non-nil if its screen is left then."
  (let ((todo-server--quiet t))
    (todo-server--attach)
    (let* ((depth (length (todo-server-rpc-screens)))
           (screen (todo-server--front)))
      (todo-server--remember screen)
      (condition-case problem
          (todo-server--do screen name :values (todo-server--values screen) :now t)
        (user-error
         (let ((text (todo-server--problem (todo-server--front))))
           (user-error "%s" (if text (concat "Todo: " text) (cadr problem))))))
      (< (length (todo-server-rpc-screens)) depth))))

(defun todo-server--save ()
  "Save this text, as `save-buffer' wants it done."
  (todo-server--attach)
  (let* ((screen (todo-server--front))
         (conflict (eq (todo-server--shape screen) 'conflict)))
    (when (and conflict (todo-server--unmerged-p))
      (user-error "Todo: choose between the sides first, with the keys of `smerge-mode'"))
    (unless (todo-server--act-text (todo-server--end screen :right))
      (todo-server--show t)
      (user-error "Todo: not saved yet: %s" (plist-get (todo-server--front) :title)))
    (setq todo-server--known (list (todo-server--parse screen))
          todo-server--warned nil
          ;; Else an undo would come to text that counts as saved.
          buffer-undo-list (cl-delete t buffer-undo-list :key #'car-safe))
    (set-buffer-modified-p nil)
    ;; A conflict is over now, but `save-buffer' still needs its buffer.
    (when conflict (run-at-time 0 nil #'todo-server--close (current-buffer)))
    (message "Todo: saved")
    t))

(defun todo-server--close (buffer)
  "Kill BUFFER, and the one whose save led to it, and show the screen in front."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when (buffer-live-p todo-server--parent) (todo-server--close todo-server--parent))
      (set-buffer-modified-p nil)
      (kill-buffer)))
  (todo-server--show t))

(defun todo-server-finish ()
  "Save this text, and go back."
  (interactive)
  (when (buffer-modified-p) (save-buffer))
  (todo-server--close (current-buffer)))

(defun todo-server-discard ()
  "Go back without this text."
  (interactive)
  (when (or (not (buffer-modified-p)) (y-or-n-p "Discard this text? "))
    (todo-server--close (current-buffer))))

(defun todo-server-act-on-text (name)
  "Do the action NAME, read with completion, with this text."
  (interactive (progn (todo-server--attach)
                      (list (todo-server--read-action (todo-server--front)))))
  (if (todo-server--act-text name)
      (todo-server--close (current-buffer))
    (todo-server--show t)))

(defun todo-server--revert (_auto noconfirm)
  "Take the text of the server, unless NOCONFIRM is nil and the user declines."
  (when (or noconfirm (not (buffer-modified-p))
            (yes-or-no-p "Discard this text and take the server's? "))
    (let ((todo-server--quiet t) (todo-server--taking t) (front (todo-server--front)))
      (if (and (eq todo-server--attached (current-buffer))
               (not (and todo-server--opened-by (eq (todo-server--shape front) 'text))))
          (todo-server--fill front)
        ;; The screen may hold what was typed: the store's text comes anew.
        (when (eq todo-server--attached (current-buffer))
          (setq todo-server--attached nil)
          (todo-server--leave front))
        (todo-server--attach)))))

(defun todo-server--may-kill ()
  "Whether this buffer may be killed."
  (or (not todo-server--key) (not (buffer-modified-p))
      (yes-or-no-p (format "The text in %s is not saved; kill it anyway? " (buffer-name)))))

(defun todo-server--killed ()
  "Go back in the server when the text in front is killed here."
  (when (eq todo-server--attached (current-buffer))
    (setq todo-server--attached nil)
    (let ((screen (todo-server--front)))
      (when (eq todo-server-rpc-state 'run)
        (todo-server-rpc-call :screen/act (list :screen (plist-get screen :name)
                                                :action (todo-server--end screen :left)))))))

(provide 'todo-server-text)
;;; todo-server-text.el ends here
