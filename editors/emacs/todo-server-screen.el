;;; todo-server-screen.el --- Screens of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a screen of a rendering says, how its actions are done, and in which
;; window it is shown.

;;; Code:

(require 'cl-lib)
(require 'todo-server-rpc)

(defconst todo-server-buffer "*todo*"
  "The name of the buffer that shows everything but texts.")

(defvar todo-server--history nil
  "What was answered in the minibuffer; never a secret.")

(defvar todo-server--origin nil
  "What was done last: the names of the screen and the action, and an item.")

(defvar todo-server--attached nil
  "The buffer of the text in front.")

(defvar todo-server--left nil
  "The buffer of the text that was in front before.")

(defvar todo-server--quiet nil
  "Non-nil while no window may change.")

;;;; What a screen says

(defun todo-server--front ()
  "The screen in front."
  (car (last (todo-server-rpc-screens))))

(defun todo-server--end (screen side)
  "The name of the action at SIDE of the bar of SCREEN: `:left' or `:right'."
  (plist-get (plist-get screen :bar) side))

(defun todo-server--action (screen name)
  "The action NAME of SCREEN."
  (seq-find (lambda (action) (equal (plist-get action :name) name))
            (plist-get screen :actions)))

(defun todo-server--title (screen name)
  "The title of the action NAME of SCREEN."
  (or (plist-get (todo-server--action screen name) :title) name))

(defun todo-server--fields (screen)
  "The fields of SCREEN."
  (plist-get (plist-get screen :body) :fields))

(defun todo-server--member (field)
  "The key for the value of FIELD."
  (intern (concat ":" (plist-get field :name))))

(defun todo-server--problem (screen)
  "What is wrong with a field of SCREEN."
  (when-let ((field (seq-find (lambda (field) (plist-get field :error))
                              (todo-server--fields screen))))
    (format "%s: %s" (plist-get field :label) (plist-get field :error))))

(defun todo-server--lines-p (field)
  "Whether FIELD has several lines."
  (eq (plist-get field :multiline) t))

(defun todo-server--shape (screen)
  "How SCREEN is shown: as a `text', as a `conflict', or nil in the main buffer."
  (pcase (cl-count-if #'todo-server--lines-p (todo-server--fields screen))
    (0 nil)
    (1 'text)
    (_ 'conflict)))

(defun todo-server--text-fields (screen)
  "The fields of SCREEN in the order of its text: lines first."
  (let ((fields (seq-remove (lambda (field) (eq (plist-get field :secret) t))
                            (todo-server--fields screen))))
    (append (seq-remove #'todo-server--lines-p fields)
            (seq-filter #'todo-server--lines-p fields))))

(defun todo-server--field-text (field)
  "The text of FIELD as it is shown: a field of one line on one line."
  (let ((value (or (plist-get field :value) "")))
    (if (todo-server--lines-p field) value
      (replace-regexp-in-string "[\n\r]+" " " value))))

(defun todo-server--sides (screen)
  "The base (or nil), yours and the other side of the conflict SCREEN."
  (let ((fields (seq-filter #'todo-server--lines-p (todo-server--fields screen))))
    (if (cddr fields) (seq-take fields 3) (cons nil fields))))

(defun todo-server--texts (screen)
  "The texts of the fields of SCREEN."
  (mapcar #'todo-server--field-text (todo-server--text-fields screen)))

(defun todo-server--text (screen)
  "The whole text of SCREEN."
  (if (eq (todo-server--shape screen) 'text)
      (let ((texts (todo-server--texts screen)))
        (concat (mapconcat (lambda (line) (concat line "\n")) (butlast texts) "")
                (and (cdr texts) "\n")
                (car (last texts))))
    (pcase-let ((`((,base-label . ,base) (,label . ,mine) (,their-label . ,theirs))
                 (mapcar (lambda (field)
                           (cons (plist-get field :label) (or (plist-get field :value) "")))
                         (todo-server--sides screen))))
      (concat "<<<<<<< " label "\n" mine "\n"
              (and base-label (concat "||||||| " base-label "\n" base "\n"))
              "=======\n" theirs "\n>>>>>>> " their-label "\n"))))

;;;; What the user does

(defun todo-server--read (field)
  "Ask the user for the value of FIELD."
  (let ((prompt (concat (plist-get field :label) ": ")))
    (if (eq (plist-get field :secret) t)
        (read-passwd prompt)
      (read-string prompt (plist-get field :value) 'todo-server--history))))

(defun todo-server--read-action (screen)
  "Ask for an action of SCREEN that is possible, and return its name."
  (let ((titles (cl-loop for action across (plist-get screen :actions)
                         when (eq (plist-get action :enabled) t)
                         collect (cons (plist-get action :title) (plist-get action :name)))))
    (cdr (assoc (completing-read "Action: " titles nil t) titles))))

(cl-defun todo-server--do (screen name &key item values now)
  "Do the action NAME of SCREEN, on ITEM and with VALUES, asking what it asks.
With NOW, wait for the answer."
  (let* ((action (todo-server--action screen name))
         (confirm (plist-get action :confirm))
         (asked (plist-get action :input)))
    ;; Values can make an action possible: then it is the server that knows.
    (unless (or values (eq (plist-get action :enabled) t))
      (user-error "Todo: not possible now: %s" (or (plist-get action :title) name)))
    (when (or (not confirm) (y-or-n-p (concat confirm " ")))
      (let* ((answers (cl-loop for field across (or asked [])
                               nconc (list (todo-server--member field)
                                           (todo-server--read field))))
             (params (list :screen (plist-get screen :name) :action name :item item
                           :values (append values answers)
                           :revision todo-server-rpc-revision)))
        (setq todo-server--origin (list (plist-get screen :name) name item))
        (if now (todo-server-rpc-call-now :screen/act params)
          (todo-server-rpc-call :screen/act params))))))

(defun todo-server--leave (screen)
  "Go back from SCREEN, and forget where that came from."
  (let ((todo-server--origin nil))
    (todo-server--do screen (todo-server--end screen :left) :now t)))

(defun todo-server--surface (name)
  "Make the screen NAME the one in front by leaving a text; return it."
  (let ((front (todo-server--front)) (todo-server--quiet t))
    (when (and (not (equal (plist-get front :name) name))
               (eq (todo-server--shape front) 'text)
               (cl-find name (todo-server-rpc-screens) :test #'equal
                        :key (lambda (screen) (plist-get screen :name))))
      (todo-server--leave front)
      (setq front (todo-server--front)))
    (unless (equal (plist-get front :name) name)
      (user-error "Todo: “%s” is in front now; M-x todo-server shows it"
                  (plist-get front :title)))
    front))

;;;; Windows

(defun todo-server--show (&optional force)
  "Show what is in front, in the window that showed what was.
With FORCE, any window will do.  While the user is asked something, wait."
  (unless todo-server--quiet
    (if (active-minibuffer-window)
        (run-with-timer 0.2 nil #'todo-server--show force)
      (let* ((buffer (if (buffer-live-p todo-server--attached) todo-server--attached
                       (get-buffer-create todo-server-buffer)))
             (ours (lambda (window)
                     (memq (window-buffer window)
                           (list (get-buffer todo-server-buffer) todo-server--left))))
             (window (if (funcall ours (selected-window)) (selected-window)
                       (get-window-with-predicate ours nil 'visible))))
        (cond ((get-buffer-window buffer))
              (window (let ((point (with-current-buffer buffer (point))))
                        (with-selected-window window
                          (switch-to-buffer buffer nil t)
                          (goto-char point))))
              (force (pop-to-buffer-same-window buffer)))))))

(provide 'todo-server-screen)
;;; todo-server-screen.el ends here
