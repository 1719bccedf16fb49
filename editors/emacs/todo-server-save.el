;;; todo-server-save.el --- Saves of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Saves a text, leaves it, and sees that no unsaved text is lost on the way.

;;; Code:

(require 'todo-server-text)

(defun todo-server--act-text (&optional name)
  "Do the action NAME with this text, or what Enter does; return t."
  (when (and (todo-server-rpc-live) (todo-server--in-flight))
    (user-error "Todo: the last save has no answer yet"))
  (unless (eq (todo-server--attached) (current-buffer)) (todo-server--make-way nil))
  (let ((todo-server--taker (current-buffer)) (text (todo-server--text)))
    (todo-server--cancel-send)
    ;; The form may be gone, and the questions depend on the last edits.
    (todo-server--save text :screen/change `(:open t ,@(todo-server--params))
                       (lambda (result late)
                         (let (todo-server-timeout)
                           (when (and result late) (todo-server--act-sent name text)))))
    (todo-server--act-sent name text)
    (when (buffer-modified-p)
      ;; Later, since `save-some-buffers' restores the windows.
      (run-with-timer 0 nil #'todo-server--show t)
      (user-error "Todo: not done yet: %s" (todo-server--say :title (todo-server--front))))
    t))

(defun todo-server--save (text method params then)
  "Request METHOD with PARAMS to save TEXT; then call THEN in this buffer."
  (let ((buffer (current-buffer)))
    (setq todo-server--saving `(,(todo-server-rpc-live) ,buffer . ,text))
    (todo-server-rpc-call method params
                          (lambda (&rest response)
                            (setq todo-server--saving nil)
                            (when (buffer-live-p buffer)
                              (with-current-buffer buffer
                                (apply then response)
                                (unless (equal text (todo-server--text)) (todo-server--typed))))))))

(defun todo-server--act-sent (name text)
  "Do the action NAME with TEXT, which the server has."
  (let* ((action (or (todo-server--find :name name todo-server--screen)
                     (todo-server--find :primary t todo-server--screen)))
         ;; A question of a comparison is about the newest sides.
         (base (if (and (plist-get action :confirm)
                        (eq (todo-server--layout todo-server--screen) 'compare))
                   (todo-server--in todo-server--screen :body :base)
                 todo-server--base)))
    (if (and (plist-get action :confirm) (not todo-server-timeout))
        (message "Todo: not saved, as there is a question; save again")
      (todo-server--save
       text :screen/act
       (or (todo-server--request todo-server--screen action
                                 (todo-server--values (todo-server--edits text))
                                 :base base :stay t)
           (user-error "Todo: nothing was done"))
       (lambda (result _)
         (when result (todo-server--acted (plist-get action :role) result text)))))))

(defun todo-server--acted (role result sent)
  "Adopt the newest screen after an action of ROLE with RESULT; SENT was its text."
  (let* ((asks (equal (plist-get result :outcome) "asks"))
         (same (equal (todo-server--text) sent))
         (edits (progn (unless asks (setq todo-server--texts (todo-server--split sent)))
                       (todo-server--edits)))
         (base (or (plist-get result :base) todo-server--base)))
    (when (and same (not asks)) (set-buffer-modified-p nil))
    (when (and (eq (todo-server--attached) (current-buffer)) (or same (not asks)))
      (todo-server--adopt edits)
      ;; Edits of the stored text are not based on one that is newer still.
      (when (and edits (not asks)) (setq todo-server--base base)))
    (todo-server--decorate)
    (if asks (message "Todo: not done yet: %s" (todo-server--say :title (todo-server--front)))
      ;; Else an undo would come to text that counts as saved.
      (setq buffer-undo-list (cl-delete t buffer-undo-list :key #'car-safe))
      (message (unless (equal role "take") "Todo: saved")))))

(defun todo-server--revert (_auto noconfirm)
  "Take the text of the server, unless NOCONFIRM is nil and the user declines."
  (when (or noconfirm (todo-server--may-drop))
    (todo-server-rpc-live)
    ;; The screen may contain the user's edits: request the stored text again.
    (when (eq (todo-server--attached) (current-buffer)) (todo-server--leave))
    (set-buffer-modified-p nil)
    (setq todo-server--texts (todo-server--split))
    (let ((todo-server--taker (current-buffer)))
      (todo-server-rpc-call :screen/act todo-server--opened-by))))

(defun todo-server--leave ()
  "Leave the text in front by the way back; the edits stay in its buffer."
  (let* ((front (todo-server--front))
         (back (or (todo-server--find :role "back" front) (todo-server--find :role "take" front)))
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
                             (remq (current-buffer) (buffer-list)))))
    ;; With its answer "!", `save-some-buffers' saves all without further questions.
    (save-some-buffers (eq last-input-event ?!) (lambda () (eq (current-buffer) text)))
    (unless (or (not (buffer-modified-p text)) (kill-buffer text))
      (user-error "Todo: %s is not saved" (buffer-name text)))))

(defun todo-server--opened-p (opening)
  "Whether the action with the params OPENING is what opened the text in front."
  (and opening (when-let ((text (todo-server--attached)))
                 (equal opening (buffer-local-value 'todo-server--opened-by text)))))

(defun todo-server--may-drop ()
  "Whether the text of this buffer may be lost."
  (or (not (buffer-modified-p))
      (yes-or-no-p (format "The text in %s is not saved; drop it? " (buffer-name)))))

(defun todo-server--killed ()
  "Go back in the server when the text in front is killed here."
  (delete-auto-save-file-if-necessary t)
  (when (eq (todo-server--attached) (current-buffer))
    (setq todo-server--id nil)
    (ignore-errors (todo-server--leave)))
  ;; `find-alternate-file' continues with the current buffer.
  (when (eq (window-buffer) (current-buffer)) (save-current-buffer (todo-server--show t))))

(provide 'todo-server-save)
;;; todo-server-save.el ends here
