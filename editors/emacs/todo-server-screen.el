;;; todo-server-screen.el --- Screens of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a screen of a rendering says, how its actions are done, and in which
;; window it is shown.

;;; Code:

(require 'todo-server-rpc)

(defvar todo-server--origin nil "What was done last: the names of screen and action, and an item.")
(defvar todo-server--attached nil "The buffer of the text in front.")
(defvar todo-server--quiet nil "Non-nil while no window may change.")
(defvar-local todo-server--screen nil "The screen that this buffer shows.")
(defvar-local todo-server--seen nil "The base of the form that the text in this buffer was made from.")

;;;; What a screen says

(defun todo-server--in (object &rest path)
  "What is at PATH, a list of keywords, in OBJECT."
  (seq-reduce #'plist-get path object))

(defun todo-server--find (member value things)
  "The first of THINGS (screens, fields, actions) whose MEMBER is VALUE."
  (seq-find (lambda (thing) (equal (plist-get thing member) value)) things))

(defun todo-server--front ()
  "The screen in front."
  (car (last (todo-server-rpc-screens))))

(defun todo-server--fields (screen)
  "The fields of SCREEN, as a list."
  (append (todo-server--in screen :body :fields) nil))

(defun todo-server--has (flag field)
  "Whether FIELD has FLAG."
  (eq (plist-get field flag) t))

(defun todo-server--shape (screen)
  "How SCREEN is shown: as a `text', as a `conflict', or nil in the main buffer."
  (let ((long (seq-filter (apply-partially #'todo-server--has :multiline)
                          (todo-server--fields screen))))
    (when (= 1 (seq-count (lambda (field) (not (todo-server--has :readOnly field))) long))
      (if (cdr long) 'conflict 'text))))

(defun todo-server--keys (screen)
  "The keys of the actions of SCREEN: (KEY . ACTION) pairs.
In the main buffer a key is a letter of the title or name that is free."
  (let ((taken (list "q" "g" "n" "p" "h")) (case-fold-search nil))
    (seq-map (lambda (action)
               (let* ((name (plist-get action :name))
                      (words (concat (plist-get action :title) name))
                      (first (substring words 0 1))
                      (key (cond ((not (todo-server--shape screen))
                                  (seq-find (lambda (key) (and (string-match-p "[a-zA-Z]" key)
                                                               (not (member key taken))))
                                            (split-string (concat (downcase first) (upcase first)
                                                                  (downcase words) (upcase words))
                                                          "" t)))
                                 ((equal name (todo-server--in screen :bar :right)) "C-c C-c")
                                 ((equal name (todo-server--in screen :bar :left)) "C-c C-k")
                                 ("C-c C-a"))))
                 (push key taken)
                 (cons key action)))
             (plist-get screen :actions))))

(defun todo-server--labels (screen)
  "The actions of SCREEN as they are shown, each with its key."
  (mapcar (pcase-lambda (`(,key . ,action))
            (propertize (concat key " " (plist-get action :title))
                        'face (unless (eq (plist-get action :enabled) t) 'shadow)
                        'todo-server-action (plist-get action :name)))
          (todo-server--keys screen)))

;;;; What the user does

(defun todo-server--value (name value)
  "The list that gives the field NAME its VALUE."
  (list (intern (concat ":" name)) value))

(defun todo-server--read (field)
  "Ask the user for the value of FIELD."
  (let ((prompt (concat (plist-get field :label) ": ")))
    (if (todo-server--has :secret field)
        (read-passwd prompt)
      (read-string prompt (plist-get field :value)))))

(defun todo-server--do (name action request &optional item agreed)
  "Do ACTION of the screen NAME on ITEM with REQUEST, asking what it asks.
AGREED says that the user has agreed to it already."
  (let* ((base (and (eq todo-server--attached (current-buffer)) todo-server--seen))
         (screen (todo-server--find :name name (todo-server-rpc-screens)))
         (described (todo-server--find :name action (plist-get screen :actions)))
         (confirm (plist-get described :confirm)))
    (when (or agreed (not confirm) (y-or-n-p (concat confirm " ")))
      (let ((values (seq-mapcat (lambda (field)
                                  (todo-server--value (plist-get field :name)
                                                      (todo-server--read field)))
                                (plist-get described :input))))
        (setq todo-server--origin (list name action item))
        (funcall request :screen/act (list :screen name :action action :item item
                                           :values values :base base))))))

(defun todo-server--leave ()
  "Leave the screen in front by the way back.
What was typed is in its buffer, which stays or was given up by the user."
  (let ((front (todo-server--front)))
    (todo-server--do (plist-get front :name) (todo-server--in front :bar :left)
                     #'todo-server-rpc-call-now nil t)))

(defun todo-server--surface (name)
  "Make the screen NAME the one in front by leaving a text."
  (todo-server-rpc-live)
  (let ((todo-server--quiet t))
    (when (and (eq (todo-server--shape (todo-server--front)) 'text)
               (todo-server--find :name name (butlast (todo-server-rpc-screens))))
      (todo-server--leave))
    (unless (equal (plist-get (todo-server--front) :name) name)
      (user-error "Todo: “%s” is in front now; M-x todo-server shows it"
                  (plist-get (todo-server--front) :title)))))

;;;; Windows

(defun todo-server--show (&optional force)
  "Show what is in front if the user is in a window of ours, or by FORCE."
  (when (and (not todo-server--quiet)
             (or force (memq (buffer-local-value 'major-mode (window-buffer))
                             '(todo-server-mode todo-server-text-mode))))
    (pop-to-buffer (if (buffer-live-p todo-server--attached) todo-server--attached "*todo*")
                   '((display-buffer-reuse-window display-buffer-same-window)))))

(provide 'todo-server-screen)
;;; todo-server-screen.el ends here
