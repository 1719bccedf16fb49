;;; todo-server-screen.el --- Screens of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a screen of a rendering says, how it is put into words, keys and a
;; menu, and in which window it is shown.

;;; Code:

(require 'todo-server-rpc)

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
  (let* ((message (plist-get screen :message))
         (level (assoc (plist-get message :level)
                       '(("error" . todo-server-alert) ("warning" . todo-server-notice)))))
    (if (not message) ""
      (propertize (concat (todo-server--say :text message) "\n")
                  'face (or (cdr level) 'todo-server-info)))))

;;;; Roles, keys and commands

(defun todo-server--define (member value documentation)
  "The new command with DOCUMENTATION for the action whose MEMBER is VALUE."
  (let ((command (intern (format (if (eq member :role) "todo-server-%s" "todo-server-do-%s") value))))
    ;; Not `defalias', which keeps a list of all that was ever defined.
    (fset command (lambda () (interactive) (todo-server--act member value)))
    (put command 'function-documentation documentation)
    command))

(defconst todo-server--roles
  (split-string "open toggle create remove save back search undo redo refresh retry sync login
logout register keep take merge link")
  "The roles of actions: each has a command, which you can bind to a key.")

(dolist (role todo-server--roles)
  (todo-server--define :role role (format "Do the action that is a “%s” here." role)))

(defun todo-server--command (action)
  "The command that does ACTION; what it is called here is its documentation."
  (let ((role (car (member (plist-get action :role) todo-server--roles))))
    (todo-server--define (if role :role :name) (or role (plist-get action :name))
                         (plist-get action :title))))

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
         (shown (cond ((not (derived-mode-p 'todo-server-text-mode))
                       (if (and primary (equal (plist-get action :scope) "item")) "RET" key))
                      (primary "C-c C-c")
                      ((equal (plist-get action :role) "back") "C-c C-k")
                      ((concat "C-c C-a " key))))
         (off (unless (todo-server--has :enabled action) 'todo-server-meta)))
    (propertize (concat (propertize shown 'face (or off 'todo-server-key))
                        (propertize (concat " " (todo-server--say :title action)) 'face off))
                'todo-server-action (plist-get action :name))))

(defun todo-server--header ()
  "The header line: the title, what is the matter, and the hints that fit."
  (let ((help (if (derived-mode-p 'todo-server-text-mode) "C-c C-a Menu" "? Help"))
        (line (propertize (or todo-server--title (todo-server--say :title todo-server--screen))
                          'face 'todo-server-title)))
    (if todo-server-rpc-reason
        (setq line (concat line " " (propertize todo-server-rpc-reason 'face 'todo-server-alert)))
      ;; Three are enough, first what Enter does.
      (dolist (action (seq-take (seq-sort-by (lambda (action) (if (plist-get action :primary) 0 1)) #'<
                                             (append (plist-get todo-server--screen :actions) nil))
                                3))
        (let ((longer (concat line "  " (todo-server--hint action))))
          (when (< (+ (string-width longer) (string-width help) 3) (window-width))
            (setq line longer)))))
    (string-replace "%" "%%" (concat " " line "  " help))))

(defun todo-server-menu ()
  "Show all that can be done here, and do what is chosen."
  (interactive)
  (require 'transient)
  (cl-flet ((group (title scope)
              (when-let ((actions (todo-server--actions scope)))
                `([,title ,@(mapcar (lambda (action)
                                      `(,(todo-server--key action) ,(todo-server--say :title action)
                                        ,(todo-server--command action)
                                        ,@(unless (todo-server--has :enabled action)
                                            '(:inapt-if always))))
                                    actions)]))))
    (eval `(transient-define-prefix todo-server--menu ()
             "What can be done here." :transient-non-suffix 'transient--do-quit-one
             [,@(group "This row" "item")
              ,@(group "This screen" "screen")
              ["This buffer"
               ("C-s" "Save, and stay" save-buffer :if-derived todo-server-text-mode)
               ("C-k" "Close" kill-current-buffer :if-derived todo-server-text-mode)
               ("C-b" "What was before" todo-server-show-base :if-not-derived todo-server-mode)
               ("C-r" "Restart the server" todo-server-restart)
               ("C-d" "Check the server" todo-server-doctor)]])
          t))
  (call-interactively 'todo-server--menu))

;;;; What the user does

(defun todo-server--value (field value)
  "The list that gives FIELD its VALUE."
  (list (intern (concat ":" (plist-get field :name))) value))

(defun todo-server--read (screen field)
  "Ask the user for the value of FIELD, and check it on SCREEN meanwhile."
  (let ((prompt (concat (todo-server--say :label field) ": "))
        (check (lambda (&rest _)
                 (todo-server-rpc-call :screen/change
                                       (list :screen (plist-get screen :name)
                                             :values (todo-server--value field (minibuffer-contents)))
                                       #'ignore #'ignore))))
    (if (todo-server--has :secret field) (read-passwd prompt)
      (minibuffer-with-setup-hook
          (lambda ()
            (when (seq-contains-p (todo-server--in screen :body :fields) field)
              (add-hook 'after-change-functions check nil t)))
        (read-string prompt (plist-get field :value))))))

(defun todo-server--request (action values &rest more)
  "The params that do ACTION of this screen with VALUES and MORE.
Its questions are asked first; the params are nil if the user declines."
  (when (or (not (plist-get action :confirm))
            (y-or-n-p (concat (todo-server--say :confirm action) " ")))
    (let ((screen todo-server--screen))
      `( :screen ,(plist-get screen :name) :action ,(plist-get action :name) ,@more
         :values ,(append (seq-mapcat (lambda (field)
                                        (todo-server--value field (todo-server--read screen field)))
                                      (or (plist-get action :input)
                                          (and (todo-server--has :primary action) (not values)
                                               (todo-server--in screen :body :fields))))
                          values)))))

(provide 'todo-server-screen)
;;; todo-server-screen.el ends here
