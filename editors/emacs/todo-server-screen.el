;;; todo-server-screen.el --- Screens of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; The screen of a rendering: its texts, keys and menu, and the questions that
;; its actions ask the user.

;;; Code:

(require 'smerge-mode)
(require 'todo-server-rpc)

(defvar-local todo-server--screen nil "The screen that this buffer shows.")
(defvar-local todo-server--map special-mode-map "The keys of this buffer, for the help of its mode.")
(defvar-local todo-server--title nil "The title, if this buffer shows only a side of the screen.")

(declare-function todo-server--act "todo-server")

(defface todo-server-title '((t :inherit bold)) "The title of a screen." :group 'todo-server)
(defface todo-server-heading '((t :inherit shadow)) "The label of a field." :group 'todo-server)
(defface todo-server-value '((t :inherit widget-field)) "The value of a field." :group 'todo-server)
(defface todo-server-key '((t :inherit help-key-binding)) "A key." :group 'todo-server)
(defface todo-server-meta '((t :inherit shadow)) "Secondary text." :group 'todo-server)
(defface todo-server-muted '((t :inherit shadow :strike-through t)) "Done." :group 'todo-server)
(defface todo-server-section '((t :inherit bold)) "The heading of a section." :group 'todo-server)
(defface todo-server-label '((((type tty)) :inherit shadow :inverse-video t) (t :inherit shadow :box t))
  "A label; a terminal has no boxes." :group 'todo-server)
(defface todo-server-info '((t :inherit success)) "A message of success." :group 'todo-server)
(defface todo-server-notice '((t :inherit warning)) "A warning." :group 'todo-server)
(defface todo-server-alert '((t :inherit error)) "An error message." :group 'todo-server)

;;;; The parts of a screen

(defun todo-server--in (object &rest path)
  "Return the member at PATH, a list of keywords, of OBJECT."
  (seq-reduce #'plist-get path object))

(defun todo-server--find (member value screen)
  "The action of SCREEN whose MEMBER is VALUE."
  (seq-find (lambda (action) (equal (plist-get action member) value)) (plist-get screen :actions)))

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
  "The layout of SCREEN as a text: `text', `compare' or nil."
  (pcase (todo-server--in screen :body :layout) ("text" 'text) ("compare" 'compare)))

(defun todo-server--line (text face)
  "TEXT from outside as a line in FACE; empty if there is none."
  (if text (propertize (concat (todo-server-rpc-plain text) "\n") 'face face) ""))

(defun todo-server--face (tone other)
  "The face of TONE, of an item or a message; OTHER if that has none."
  (cond ((member tone '("alert" "error")) 'todo-server-alert)
        ((member tone '("notice" "warning")) 'todo-server-notice)
        (t other)))

(defun todo-server--message ()
  "The message of the screen of this buffer as a line; empty if there is none."
  (cl-destructuring-bind (&key text level &allow-other-keys)
      (plist-get todo-server--screen :message)
    (todo-server--line text (todo-server--face level 'todo-server-info))))

(defun todo-server--titles ()
  "The first lines of mine and of theirs, if they differ."
  (let ((lines (mapcar (lambda (side)
                         (let ((field (seq-find (lambda (field) (equal (plist-get field :side) (car side)))
                                                (todo-server--in todo-server--screen :body :fields))))
                           (todo-server--line (car (split-string (or (plist-get field :value) "") "\n"))
                                              (cdr side))))
                       '(("mine" . smerge-refined-removed) ("theirs" . smerge-refined-added)))))
    (unless (apply #'equal lines) lines)))

;;;; Roles, keys and commands

(defun todo-server--define (name member value documentation)
  "The new command NAME with DOCUMENTATION for the action whose MEMBER is VALUE."
  (let ((command (intern (concat "todo-server-" name))))
    ;; Not `defalias', which keeps a list of all that was ever defined.
    (fset command (lambda () (interactive) (todo-server--act member value)))
    (put command 'function-documentation documentation)
    command))

(defconst todo-server--roles
  (split-string "open toggle create remove save back search undo redo refresh retry sync login
logout register keep take merge link")
  "The roles of actions: each has a command, which you can bind to a key.")

(dolist (role todo-server--roles)
  (todo-server--define role :role role (format "Do the action that is a “%s” here." role)))
(todo-server--define "enter" :primary t "Do what Enter does here; save a text, and go back.")

(defun todo-server--command (action)
  "The command that does ACTION; what it is called here is its documentation."
  (cl-destructuring-bind (&key role name title &allow-other-keys) action
    (if (member role todo-server--roles) (todo-server--define role :role role title)
      (todo-server--define (concat "do-" name) :name name title))))

(defun todo-server--key (action)
  "The key that the screen suggests for ACTION, or one that is rarely used."
  (or (plist-get action :key) (concat "M-" (substring (plist-get action :name) 0 1))))

(defun todo-server--bind (map)
  "Use MAP in this buffer, and the keys that the screen suggests."
  (use-local-map (setq todo-server--map (make-sparse-keymap)))
  (set-keymap-parent todo-server--map map)
  (seq-doseq (action (plist-get todo-server--screen :actions))
    (let* ((key (kbd (todo-server--key action))) (bound (lookup-key map key)))
      ;; Bindings of Emacs or its user stay; other keys of this mode do not.
      (when (or (not bound) (string-prefix-p "todo-" (format "%s" bound)))
        (local-set-key key (todo-server--command action))))))

(defun todo-server--locked (action item)
  "Whether ACTION is one of rows, and ITEM a row that can only be read."
  (and (equal (plist-get action :scope) "item") (not (equal (plist-get action :role) "open"))
       (todo-server--has :readOnly item)))

(defun todo-server--possible (action)
  "Whether ACTION can be done now, with the row at point if it is one of rows."
  (and (todo-server--has :enabled action)
       (not (todo-server--locked action (get-text-property (point) 'todo-server-item)))))

(defun todo-server--hint (action)
  "The key of ACTION in this buffer, and its title; dim if it cannot be done now."
  (cl-destructuring-bind (&key primary role scope &allow-other-keys) action
    (let ((key (todo-server--key action))
          (dim (unless (todo-server--possible action) 'todo-server-meta)))
      (concat (propertize (cond ((not (derived-mode-p 'todo-server-text-mode))
                                 (if (and primary (equal scope "item")) "RET" key))
                                (primary "C-c C-c")
                                ((equal role "back") "C-c C-k")
                                (t (concat "C-c C-a " key)))
                          'face (or dim 'todo-server-key))
              (propertize (concat " " (todo-server--say :title action)) 'face dim)))))

(defun todo-server--header ()
  "The header line: the title, what is the matter, and the hints that fit.
The message of the screen is here while its own line is above the window."
  (let ((help (if (derived-mode-p 'todo-server-text-mode) "C-c C-a Menu" "? Help"))
        (line (propertize (or todo-server--title (todo-server--say :title todo-server--screen))
                          'face 'todo-server-title)))
    (if-let ((matter (cond (todo-server-rpc-reason (propertize todo-server-rpc-reason 'face 'todo-server-alert))
                           ((and (derived-mode-p 'todo-server-text-mode)
                                 (not (equal (plist-get todo-server--screen :id)
                                             (plist-get (todo-server--front) :id))))
                            (propertize "not current" 'face 'todo-server-notice))
                           ((and (not todo-server--title) (< 1 (window-start)))
                            (car (split-string (todo-server--message) "\n" t))))))
        (setq line (concat line " " matter))
      ;; Three are enough, first what Enter does.
      (seq-doseq (action (seq-take (seq-sort-by (lambda (it) (if (plist-get it :primary) 0 1)) #'<
                                                (plist-get todo-server--screen :actions))
                                   3))
        (let ((longer (concat line "  " (todo-server--hint action))))
          (when (< (+ (string-width longer) (string-width help) 3) (window-width))
            (setq line longer)))))
    (string-replace "%" "%%" (concat " " line "  " help))))

(define-derived-mode todo-server-menu-mode special-mode "Todo-Menu"
  "Shows all that can be done in another buffer; a key of it does that.

\\{todo-server-menu-mode-map}")

(define-key todo-server-menu-mode-map "?" #'quit-window)
(define-key todo-server-menu-mode-map "\C-g" #'quit-window)

(defun todo-server--menu-groups ()
  "Lists of a title, and (KEY TITLE COMMAND POSSIBLE) lists: what can be done here."
  (let ((text (derived-mode-p 'todo-server-text-mode)))
    (append
     (mapcar (lambda (group)
               (cons (if (equal (car group) "item") "This row" "This screen")
                     (mapcar (lambda (action)
                               (list (todo-server--key action) (todo-server--say :title action)
                                     (todo-server--command action) (todo-server--possible action)))
                             (cdr group))))
             (seq-group-by (lambda (action) (plist-get action :scope))
                           (plist-get todo-server--screen :actions)))
     `(("This buffer"
        ,@(when text '(("C-s" "Save, and stay" save-buffer t) ("C-k" "Close" kill-current-buffer t)))
        ,@(unless (derived-mode-p 'todo-server-mode)
            '(("C-b" "Another side" todo-server-next-side t)))
        ("C-r" "Restart the server" todo-server-restart t)
        ("C-d" "Check the server" todo-server-doctor t))))))

(defun todo-server--menu-lines (group map origin)
  "The lines of GROUP in the menu; MAP gets its keys, for the buffer ORIGIN."
  (cons (propertize (car group) 'face 'todo-server-heading)
        (mapcar (lambda (entry)
                  (cl-destructuring-bind (key title command possible) entry
                    (when possible
                      (define-key map (kbd key)
                        (lambda () (interactive) (todo-server--choose command origin))))
                    (concat " " (propertize key 'face (if possible 'todo-server-key 'todo-server-meta))
                            (make-string (max 1 (- 4 (length key))) ?\s)
                            (propertize title 'face (unless possible 'todo-server-meta)))))
                (cdr group))))

(defun todo-server--choose (command origin)
  "Close the menu, and do COMMAND in the buffer ORIGIN."
  (quit-window t)
  (unless (eq (window-buffer) origin) (pop-to-buffer origin))
  (call-interactively command))

(defun todo-server-menu ()
  "Show all that can be done here; a key of the menu does it."
  (interactive)
  (let* ((origin (current-buffer))
         (map (make-sparse-keymap))
         (groups (mapcar (lambda (group) (todo-server--menu-lines group map origin))
                         (todo-server--menu-groups)))
         cells)
    (pop-to-buffer (get-buffer-create "*todo menu*")
                   '((display-buffer-at-bottom) (window-height . fit-window-to-buffer)
                     (preserve-size . (nil . t))))
    (todo-server-menu-mode)
    (set-keymap-parent map todo-server-menu-mode-map)
    (use-local-map map)
    ;; In a terminal a line of the window's whole width would be continued.
    (setq cells (/ (window-max-chars-per-line) (length groups)))
    (with-silent-modifications
      (erase-buffer)
      (insert (if (< cells 26) (mapconcat (lambda (lines) (string-join lines "\n")) groups "\n")
                (mapconcat (lambda (row)
                             (mapconcat (lambda (lines)
                                          (truncate-string-to-width (or (nth row lines) "") cells 0 ?\s))
                                        groups ""))
                           (number-sequence 0 (1- (apply #'max (mapcar #'length groups)))) "\n"))))
    (goto-char (point-min))
    (fit-window-to-buffer)))

(defun todo-server--counts (body)
  "Count open and done items of BODY, if all are here, as a list of (COUNT WORD)."
  (cl-destructuring-bind (&key items (total 0) &allow-other-keys) body
    (when (eql total (length items))
      (mapcar (lambda (state)
                (list (seq-count (lambda (item) (eq (plist-get item :checked) (car state))) items)
                      (cdr state)))
              '((:json-false . "open") (t . "done"))))))

(defun todo-server--status ()
  "The state of the server and of the list, for the mode line."
  (cl-destructuring-bind (&key (pending 0) (conflicts 0) (failed 0) syncedAt retryAt
                               &allow-other-keys)
      (todo-server--in (todo-server--main) :body :status)
    (cl-flet ((told (count word &optional face)
                (unless (= count 0) (propertize (format "%d %s" count word) 'face face)))
              (minutes (time) (round (float-time (time-subtract nil (date-to-time time))) 60)))
      (cond (todo-server-rpc-reason (propertize ":ended" 'face 'todo-server-alert))
            ((equal (todo-server--in (todo-server--front) :body :kind) "progress")
             (format ":%c" (aref "|/-\\" (mod todo-server-rpc-revision 4))))
            (todo-server-rpc-connection
             (string-join
              (delq nil
                    `(,@(mapcar (apply-partially #'apply #'told)
                                (todo-server--counts (plist-get (todo-server--main) :body)))
                      ,(told pending "pending" 'todo-server-notice)
                      ,(told conflicts (if (= conflicts 1) "conflict" "conflicts") 'todo-server-alert)
                      ,(told failed "failed" 'todo-server-alert)
                      ,(and syncedAt (format "synced %s min ago" (minutes syncedAt)))
                      ,(and retryAt (time-less-p nil (date-to-time retryAt))
                            (format "next try in %s min" (- (minutes retryAt))))))
              ", "))))))

;; The state of the list is seen, however long the name of the buffer, and however narrow the window.
(defun todo-server--identification ()
  "The name of the buffer, shortened, and the state, for the mode line."
  (let ((name (truncate-string-to-width (buffer-name) (max 10 (/ (window-width) 4)) nil nil t)))
    (string-replace "%" "%%" (concat (propertize name 'face 'mode-line-buffer-id)
                                     (unless (derived-mode-p 'todo-server-side-mode)
                                       (concat " " (todo-server--status)))))))

(defun todo-server--prepare ()
  "Set up the header line and the local variables of all todo buffers."
  (setq-local todo-server--map (current-local-map)
              header-line-format '(:eval (todo-server--header))
              mode-line-buffer-identification '(:eval (todo-server--identification))
              truncate-partial-width-windows nil
              word-wrap t
              glyphless-char-display (copy-sequence glyphless-char-display))
  ;; Characters that change the direction of text are part of it, and visible.
  (dolist (marks '((?\u202a . ?\u202e) (?\u2066 . ?\u2069)))
    (set-char-table-range glyphless-char-display marks 'hex-code)))

;;;; Questions to the user

(defun todo-server--values (fields)
  "The params for FIELDS, (NAME . TEXT) pairs in Unicode."
  (seq-mapcat (pcase-lambda (`(,name . ,text))
                (when-let ((place (string-match "[^\0-\ud7ff\ue000-\U0010ffff]" text)))
                  (user-error "Todo: “%c” in line %d of “%s” is not Unicode and cannot be sent"
                              (aref text place) (1+ (cl-count ?\n text :end place)) name))
                (list (intern (concat ":" name)) text))
              fields))

(defun todo-server--complete-from (values)
  "Let TAB in this minibuffer complete VALUES, or the last word with a word of one."
  (when values
    (use-local-map (make-composed-keymap nil (current-local-map)))
    (local-set-key "\t" #'completion-at-point)
    (let ((find (lambda ()
                  (save-excursion
                    (goto-char (minibuffer-prompt-end))
                    (let ((completion-ignore-case t) found)
                      (while (and (not found)
                                  (let ((start (+ (point) (if (eq (char-after) ?-) 1 0))))
                                    (setq found (and (all-completions (buffer-substring start (point-max)) values)
                                                     (list start (point-max) values)))
                                    (or found (re-search-forward "[[:space:]]" nil t)))))
                      found)))))
      (setq-local completion-ignore-case t)
      (add-hook 'completion-at-point-functions find nil t))))

(defun todo-server--read (screen field)
  "Ask the user for the value of FIELD, and check it on SCREEN meanwhile.
In a form it is asked again while the server refuses it."
  (let* ((name (plist-get field :name))
         (form (seq-contains-p (todo-server--in screen :body :fields) field))
         (value (plist-get field :value))
         (params (lambda (text) (list :screen (plist-get screen :name)
                                      :values (todo-server--values `((,name . ,text))))))
         (check (lambda (&rest _)
                  (todo-server-rpc-notify :screen/change (funcall params (minibuffer-contents)))))
         (problem ""))
    (while problem
      (let ((prompt (concat problem (todo-server--say :label field)
                            ;; The action of the form is possible already.
                            (and form (todo-server--has :secret field)
                                 (todo-server--has :enabled (todo-server--find :primary t (todo-server--front)))
                                 " (may be empty)")
                            ": ")))
        (setq value (if (todo-server--has :secret field) (read-passwd prompt)
                      (minibuffer-with-setup-hook
                          (lambda ()
                            (todo-server--complete-from (append (plist-get field :suggest) nil))
                            (when form (add-hook 'after-change-functions check nil t)))
                        (read-string prompt value)))
              problem nil))
      (when form
        (todo-server-rpc-call :screen/change (funcall params value))
        (when-let ((error (plist-get (seq-find (lambda (other) (equal (plist-get other :name) name))
                                               (todo-server--in (todo-server--front) :body :fields))
                                     :error)))
          (setq problem (concat (todo-server-rpc-plain error) " ")))))
    value))

(defun todo-server--request (screen action values &rest more)
  "The params that do ACTION of SCREEN with VALUES and MORE.
Its questions are asked first; the params are nil if the user declines."
  (when (let* ((many (length (plist-get more :items)))
               (row (seq-find (lambda (item) (equal (plist-get item :id) (plist-get more :item)))
                              (todo-server--in screen :body :items)))
               (subject (or (plist-get row :title) (plist-get screen :subject)))
               (question (plist-get action (if (< 1 many) :confirmMany :confirm))))
          (or (not question)
              (y-or-n-p (string-replace "{count}" (number-to-string many)
                                        (concat (todo-server-rpc-plain question) " "
                                                (and subject (= many 0)
                                                     (format "“%s” " (todo-server-rpc-plain subject))))))))
    `( :screen ,(plist-get screen :name) :action ,(plist-get action :name) ,@more
       :values ,(append (todo-server--values
                         (seq-map (lambda (field)
                                    (cons (plist-get field :name) (todo-server--read screen field)))
                                  (or (plist-get action :input)
                                      (and (todo-server--has :primary action)
                                           (not (or values (todo-server--layout screen)))
                                           (todo-server--in screen :body :fields)))))
                        values))))

(provide 'todo-server-screen)
;;; todo-server-screen.el ends here
