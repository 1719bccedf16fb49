;;; todo-server-screen.el --- Screens of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a screen of a rendering says, how it is put into words, keys and a
;; menu, and in which window it is shown.

;;; Code:

(require 'todo-server-rpc)

(defvar todo-server--attached nil "The buffer of the text in front.")
(defvar todo-server--quiet nil "Non-nil while no window may change.")
(defvar-local todo-server--screen nil "The screen that this buffer shows.")
(defvar-local todo-server--title nil "What is shown here, where it is only a side of the screen.")

(declare-function todo-server--act "todo-server")

(defface todo-server-title '((t :inherit bold)) "The title of a screen." :group 'todo-server)
(defface todo-server-heading '((t :inherit shadow)) "What a field is called." :group 'todo-server)
(defface todo-server-value '((t :inherit widget-field)) "What a field has." :group 'todo-server)
(defface todo-server-key '((t :inherit help-key-binding)) "A key." :group 'todo-server)
(defface todo-server-meta '((t :inherit shadow)) "What is secondary." :group 'todo-server)
(defface todo-server-muted '((t :inherit shadow :strike-through t)) "A done row." :group 'todo-server)
(defface todo-server-info '((t :inherit success)) "What went well." :group 'todo-server)
(defface todo-server-notice '((t :inherit warning)) "What to notice." :group 'todo-server)
(defface todo-server-alert '((t :inherit error)) "What is wrong." :group 'todo-server)

;;;; What a screen says

(defun todo-server--in (object &rest path)
  "What is at PATH, a list of keywords, in OBJECT."
  (seq-reduce #'plist-get path object))

(defun todo-server--find (member value things)
  "The first of THINGS (screens, fields, actions) whose MEMBER is VALUE."
  (seq-find (lambda (thing) (equal (plist-get thing member) value)) things))

(defun todo-server--has (flag thing)
  "Whether THING has FLAG."
  (eq (plist-get thing flag) t))

(defun todo-server--say (member thing)
  "The text that MEMBER of THING has, as it may be shown."
  (todo-server-rpc-plain (plist-get thing member)))

(defun todo-server--front ()
  "The screen in front."
  (car (last todo-server-rpc-screens)))

(defun todo-server--main ()
  "The screen for the main buffer: the list below a text stays in sight."
  (cl-find-if (lambda (screen) (and (plist-get screen :body) (not (todo-server--layout screen))))
              todo-server-rpc-screens :from-end t))

(defun todo-server--layout (screen)
  "How SCREEN wants to be laid out as a text: `text', `compare' or nil."
  (pcase (todo-server--in screen :body :layout) ("text" 'text) ("compare" 'compare)))

(defun todo-server--actions (scope)
  "The actions of the screen of this buffer that are for SCOPE."
  (seq-filter (lambda (action) (equal (plist-get action :scope) scope))
              (plist-get todo-server--screen :actions)))

(defun todo-server--primary (scope)
  "What Enter does here for SCOPE."
  (todo-server--find :primary t (todo-server--actions scope)))

(defun todo-server--message (screen)
  "The message of SCREEN on a line, as it is shown; empty if there is none."
  (if-let ((message (plist-get screen :message)))
      (propertize (concat (todo-server--say :text message) "\n")
                  'face (pcase (plist-get message :level)
                          ("error" 'todo-server-alert)
                          ("warning" 'todo-server-notice)
                          (_ 'todo-server-info)))
    ""))

;;;; Roles, keys and commands

(defconst todo-server--roles
  '((open "Show what is at point.")
    (toggle "Tick the row at point off, or take the tick away." "t")
    (create "Add something, from any buffer." "+")
    (remove "Remove the row at point." "D")
    (save "Store what was typed.")
    (back "Leave this screen." "^")
    (search "Show only what has some words.")
    (undo "Take back the last change." [remap undo])
    (redo "Make again what was taken back." [remap undo-redo])
    (refresh "Bring what is shown up to date." "g")
    (retry "Try again what has failed.")
    (sync "Bring changes to the source and from it.")
    (login "Log in.")
    (logout "Log out.")
    (register "Make an account, or go where that is done.")
    (keep "Settle a conflict: mine stays.")
    (take "Settle a conflict: theirs is taken.")
    (merge "Settle a conflict: what was made of both is stored.")
    (link "Open the page of the row at point at its source." "b"))
  "The roles of actions: name, what the command does, Emacs's own key for it.")

(pcase-dolist (`(,role ,documentation) todo-server--roles)
  (defalias (intern (format "todo-server-%s" role))
    (lambda () (interactive) (todo-server--act :role (symbol-name role)))
    documentation))

(defun todo-server--command (action)
  "The command that does ACTION."
  (let ((role (plist-get action :role)) (name (plist-get action :name)))
    (if (assq (intern-soft (or role "")) todo-server--roles) (intern (concat "todo-server-" role))
      (defalias (intern (concat "todo-server-do-" name))
        (lambda () (interactive) (todo-server--act :name name))
        (plist-get action :title)))))

(defun todo-server--key (action)
  "The key that the screen suggests for ACTION, or one that is rarely used."
  (or (plist-get action :key) (concat "M-" (substring (plist-get action :name) 0 1))))

(defun todo-server--bind (map)
  "Use MAP in this buffer, and the keys that the screen suggests."
  (use-local-map (make-sparse-keymap))
  (set-keymap-parent (current-local-map) map)
  (seq-doseq (action (plist-get todo-server--screen :actions))
    (let* ((key (kbd (todo-server--key action))) (bound (lookup-key map key)))
      ;; What Emacs or its user has there stays, but for other keys of ours.
      (when (or (not bound) (string-prefix-p "todo-" (format "%s" bound)))
        (local-set-key key (todo-server--command action))))))

(defun todo-server--hint (action)
  "The key of ACTION in this buffer, and its title."
  (let* ((primary (todo-server--has :primary action))
         (key (todo-server--key action))
         (face (unless (todo-server--has :enabled action) 'todo-server-meta))
         (shown (cond ((not (derived-mode-p 'todo-server-text-mode))
                       (if (and primary (equal (plist-get action :scope) "item")) "RET" key))
                      (primary "C-c C-c")
                      ((equal (plist-get action :role) "back") "C-c C-k")
                      ((concat "C-c C-a " key)))))
    (propertize (concat (propertize shown 'face (or face 'todo-server-key))
                        (propertize (concat " " (todo-server--say :title action)) 'face face))
                'todo-server-action (plist-get action :name))))

(defun todo-server--header ()
  "The header line: the title, what is the matter, and the hints that fit."
  (let ((help (if (derived-mode-p 'todo-server-text-mode) "C-c C-a Menu" "? Help"))
        (line (concat " " (propertize (or todo-server--title (todo-server--say :title todo-server--screen))
                                      'face 'todo-server-title)))
        (actions (append (plist-get todo-server--screen :actions) nil)))
    (if todo-server-rpc-reason
        (setq line (concat line " " (propertize todo-server-rpc-reason 'face 'todo-server-alert)))
      ;; Three are enough, first what Enter does.
      (dolist (hint (mapcar #'todo-server--hint
                            (seq-take (seq-sort-by (lambda (action) (if (plist-get action :primary) 0 1))
                                                   #'< actions)
                                      3)))
        (when (< (+ (string-width line) (string-width hint) (string-width help) 4) (window-width))
          (setq line (concat line "  " hint)))))
    (string-replace "%" "%%" (concat line "  " help))))

(defun todo-server--menu-group (title scope)
  "The group TITLE of the menu, with the actions of SCOPE, if there are any."
  (when-let ((actions (todo-server--actions scope)))
    `([,title ,@(mapcar (lambda (action)
                          `(,(todo-server--key action) ,(todo-server--say :title action)
                            ,(todo-server--command action)
                            ,@(unless (todo-server--has :enabled action) '(:inapt-if always))))
                        actions)])))

(defun todo-server-menu ()
  "Show all that can be done here, and do what is chosen."
  (interactive)
  (require 'transient)
  (eval `(transient-define-prefix todo-server--menu ()
           "What can be done here." :transient-non-suffix 'transient--do-quit-one
           [,@(todo-server--menu-group "This row" "item")
            ,@(todo-server--menu-group "This screen" "screen")
            ["This buffer"
             ,@(unless (derived-mode-p 'todo-server-mode)
                 '(("C-s" "Save, and stay" save-buffer) ("C-k" "Close" kill-current-buffer)
                   ("C-b" "What was before" todo-server-show-base)))
             ("C-r" "Restart the server" todo-server-restart)
             ("C-d" "Check the server" todo-server-doctor)]])
        t)
  (call-interactively 'todo-server--menu))

;;;; What the user does

(defun todo-server--read (field)
  "Ask the user for the value of FIELD."
  (let ((prompt (concat (todo-server--say :label field) ": ")))
    (if (todo-server--has :secret field) (read-passwd prompt)
      (read-string prompt (plist-get field :value)))))

(defun todo-server--value (field value)
  "The list that gives FIELD its VALUE."
  (list (intern (concat ":" (plist-get field :name))) value))

(defun todo-server--request (action values &rest more)
  "The params that do ACTION of this screen with VALUES and MORE.
Its questions are asked first; the params are nil if the user declines."
  (when (or (not (plist-get action :confirm))
            (y-or-n-p (concat (todo-server--say :confirm action) " ")))
    `( :screen ,(plist-get todo-server--screen :name) :action ,(plist-get action :name) ,@more
       :values ,(append (seq-mapcat (lambda (field)
                                      (todo-server--value field (todo-server--read field)))
                                    (plist-get action :input))
                        values))))

(defun todo-server--show (&optional force)
  "Show what is in front if the user is in a window of ours, or by FORCE."
  (when (and (not todo-server--quiet)
             (or force (memq (buffer-local-value 'major-mode (window-buffer))
                             '(todo-server-mode todo-server-text-mode todo-server-side-mode))))
    (pop-to-buffer (if (buffer-live-p todo-server--attached) todo-server--attached "*todo*")
                   '((display-buffer-reuse-window display-buffer-same-window)))))

(provide 'todo-server-screen)
;;; todo-server-screen.el ends here
