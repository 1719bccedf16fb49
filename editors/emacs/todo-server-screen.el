;;; todo-server-screen.el --- Screens of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a screen of a rendering says, how its actions are done, and in which
;; window it is shown.

;;; Code:

(require 'todo-server-rpc)

(defvar todo-server--history nil "What was answered in the minibuffer; never a secret.")
(defvar todo-server--origin nil "What was done last: the names of screen and action, and an item.")
(defvar todo-server--attached nil "The buffer of the text in front.")
(defvar todo-server--quiet nil "Non-nil while no window may change.")
(defvar-local todo-server--seen nil "The revision that the text in this buffer was made from.")

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

(defun todo-server--problem (screen)
  "What is wrong with a field of SCREEN."
  (when-let ((field (seq-find (lambda (field) (plist-get field :error))
                              (todo-server--in screen :body :fields))))
    (format "%s: %s" (plist-get field :label) (plist-get field :error))))

(defun todo-server--multiline-p (field)
  "Whether FIELD has several lines."
  (eq (plist-get field :multiline) t))

(defun todo-server--shape (screen)
  "How SCREEN is shown: as a `text', as a `conflict', or nil in the main buffer."
  (pcase (seq-count #'todo-server--multiline-p (todo-server--in screen :body :fields))
    (0 nil)
    (1 'text)
    (_ 'conflict)))

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
    (if (eq (plist-get field :secret) t)
        (read-passwd prompt)
      (read-string prompt (plist-get field :value) 'todo-server--history))))

(defun todo-server--read-action (screen)
  "Ask for the name of an action of SCREEN."
  (completing-read "Action: " (mapcar (lambda (pair) (plist-get (cdr pair) :name))
                                      (todo-server--keys screen))
                   nil t))

(defun todo-server--do (screen name request &optional item)
  "Do the action NAME of SCREEN on ITEM with REQUEST, asking what it asks."
  (let* ((revision (or todo-server--seen todo-server-rpc-revision))
         (action (todo-server--find :name name (plist-get screen :actions)))
         (confirm (plist-get action :confirm)))
    (unless (eq (plist-get action :enabled) t)
      (user-error "Todo: %s" (or (todo-server--problem screen)
                                 (format "not possible now: %s" (plist-get action :title)))))
    (when (or (not confirm) (y-or-n-p (concat confirm " ")))
      (let ((values (seq-mapcat (lambda (field)
                                  (todo-server--value (plist-get field :name)
                                                      (todo-server--read field)))
                                (plist-get action :input))))
        (setq todo-server--origin (list (plist-get screen :name) name item))
        (funcall request :screen/act
                 (list :screen (plist-get screen :name) :action name :item item
                       :values values :revision revision))))))

(defun todo-server--leave (request)
  "Leave the screen in front by the way back, with REQUEST."
  (let ((front (todo-server--front)))
    (todo-server--do front (todo-server--in front :bar :left) request)))

(defun todo-server--surface (name)
  "Make the screen NAME the one in front by leaving a text; return it."
  (let ((todo-server--quiet t))
    (when (and (eq (todo-server--shape (todo-server--front)) 'text)
               (todo-server--find :name name (butlast (todo-server-rpc-screens))))
      (todo-server--leave #'todo-server-rpc-call-now))
    (unless (equal (plist-get (todo-server--front) :name) name)
      (user-error "Todo: “%s” is in front now; M-x todo-server shows it"
                  (plist-get (todo-server--front) :title)))
    (todo-server--front)))

;;;; Windows

(defun todo-server--show (&optional force)
  "Show what is in front where a window has something of ours, or by FORCE.
A window is selected only if the user is in one of ours already."
  (let ((buffer (if (buffer-live-p todo-server--attached) todo-server--attached
                  (get-buffer-create "*todo*")))
        (ours '(todo-server-mode todo-server-text-mode)))
    (cond (todo-server--quiet)
          ;; After a question the windows become what they were before it.
          ((active-minibuffer-window) (run-with-timer 0.2 nil #'todo-server--show force))
          ((or force (memq (buffer-local-value 'major-mode (window-buffer)) ours))
           (pop-to-buffer buffer '((display-buffer-reuse-window display-buffer-same-window))))
          (t (display-buffer buffer `((display-buffer-reuse-window
                                       display-buffer-reuse-mode-window display-buffer-no-window)
                                      (mode . ,ours) (allow-no-window . t)))))))

(provide 'todo-server-screen)
;;; todo-server-screen.el ends here
