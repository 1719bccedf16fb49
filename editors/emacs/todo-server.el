;;; todo-server.el --- Todos, kept by todo-server  -*- lexical-binding: t; -*-

;; Author: The authors of todo-server
;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, processes, tools

;;; Commentary:

;; `M-x todo-server' starts the program of `todo-server-command' and shows
;; what it says: a form, a list or progress.  `?' is a menu of all that can be
;; done.  A text is edited in a buffer of its own, and saved with C-x C-s.
;;
;; The server describes every screen, so this package knows nothing about any
;; of them: it binds actions by their roles, and by the keys they come with.

;;; Code:

(require 'todo-server-list)

(defvar todo-server--news nil "The message of the server that was echoed last.")
(defvar todo-server--front-id nil "The identity of the screen that was in front last.")

;;;; The mode

(define-derived-mode todo-server-mode special-mode "Todo"
  "Shows a screen of todo-server: a form, a list or progress.

\\{todo-server--map}"
  (todo-server--prepare)
  (setq-local bidi-paragraph-direction 'left-to-right
              truncate-lines t
              show-paren-data-function #'ignore) ; a check box is not a pair of brackets to match
  (hl-line-mode)
  (display-line-numbers-mode -1) ; rows are drawn for the whole width
  (add-hook 'post-command-hook #'todo-server--preview nil t)
  (add-hook 'window-configuration-change-hook #'todo-server--fit nil t)
  (add-hook 'window-scroll-functions #'todo-server--want-rows nil t))

(pcase-dolist (`(,key . ,command) '(("?" . todo-server-menu) ("q" . todo-server-quit)
                                    ("n" . next-line) ("p" . previous-line)
                                    ("\r" . todo-server-enter) ("t" . todo-server-toggle)
                                    ("+" . todo-server-create) ("b" . todo-server-link)
                                    ("^" . todo-server-back) ("g" . todo-server-refresh) ("\t" . todo-server-fold)
                                    ([remap undo] . todo-server-undo)
                                    ([remap undo-redo] . todo-server-redo)))
  (define-key todo-server-mode-map key command))

;;;; Renderings

(defun todo-server--update ()
  "Show the newest rendering, or how the server ended."
  (let* ((front (todo-server--front))
         (text (todo-server--layout front))
         ;; A text is new if it has no buffer, unless that is just being killed.
         (new (and (not (and text (todo-server--attached)))
                   (not (and (equal (plist-get front :id) todo-server--front-id)
                             (or (not text) todo-server--taker))))))
    (setq todo-server--front-id (plist-get front :id))
    (with-current-buffer (get-buffer-create "*todo*")
      (unless (derived-mode-p 'todo-server-mode) (todo-server-mode))
      (when-let ((main (todo-server--main))) (todo-server--draw main)))
    (unless (eq text 'compare) (todo-server--close "base" "mine" "theirs"))
    (when (and text (or new (todo-server--attached))) (todo-server--draw-text front))
    (force-mode-line-update t)
    (todo-server--echo (plist-get front :message))
    (when (and new front) (todo-server--show))
    (when todo-server-rpc-reason (mapc #'todo-server--send (buffer-list)))))

(add-hook 'todo-server-rpc-hook #'todo-server--update)

(defun todo-server--echo (news)
  "Echo NEWS, a message of the server, once; clear the echo area when they are old."
  (cl-flet ((said (news) (and news (concat "Todo: " (todo-server--say :text news)))))
    (unless (equal news todo-server--news)
      (when (or news (equal (said todo-server--news) (current-message)))
        (message (and news "%s") (said news)))
      (setq todo-server--news news))))

;;;; Commands

;;;###autoload
(defun todo-server ()
  "Show the todos, starting the server if it is not running."
  (interactive)
  (unless todo-server-rpc-connection (todo-server-rpc-start))
  (todo-server--update)
  (todo-server--show t))

;;;###autoload (autoload 'todo-server-create "todo-server" "Add something, from any buffer." t)

(defun todo-server-restart ()
  "Stop the server, and start it again; texts that are not saved stay."
  (interactive)
  (todo-server-rpc-stop)
  (todo-server))

(defun todo-server-quit ()
  "Hide the list, and leave the server alone."
  (interactive)
  (todo-server--close "preview")
  (quit-window))

(defun todo-server--items ()
  "The items in the region, or from point on as many as the prefix argument."
  (save-excursion
    (let* ((region (use-region-p))
           (end (if region (region-end) (point-max)))
           (count (if region most-positive-fixnum (max 1 (prefix-numeric-value current-prefix-arg))))
           items)
      (when region (goto-char (region-beginning)))
      ;; The message above the rows stands for the first one.
      (when (< (todo-server--row (point)) 0) (goto-char (todo-server--place nil 0)))
      (forward-line 0)
      (when (or region (get-text-property (point) 'todo-server-item))
        ;; A region that ends before a title, as after \`n', is without that row.
        (while (and (< (todo-server--title-start) end) (< (length items) count))
          ;; Rows of a folded section are not seen.
          (when-let ((item (and (not (invisible-p (point)))
                                (get-text-property (point) 'todo-server-item))))
            (push item items))
          (forward-line)))
      (nreverse items))))

;; A buffer that is not ours stands for the main one.
(defun todo-server--act (member value)
  "Do the action whose MEMBER is VALUE, with the text or the screen of this buffer."
  (todo-server-rpc-live)
  (let* ((screen (or todo-server--screen (todo-server--main)
                     (user-error "Todo: the server has said nothing yet")))
         (items (todo-server--items))
         (url (plist-get (car items) :url))
         (action (todo-server--find member value screen))
         (which (and (equal (plist-get action :scope) "item")
                     (cond ((not items) (user-error "Todo: there is no row here for “%s”"
                                                    (todo-server--say :title action)))
                           ((when-let ((item (seq-find (apply-partially #'todo-server--locked action)
                                                       items)))
                              (user-error "Todo: “%s” can only be read"
                                          (todo-server--say :title item))))
                           ((not (cdr items)) (list :item (plist-get (car items) :id)))
                           ((todo-server--has :many action)
                            (list :items (vconcat (mapcar (lambda (item) (plist-get item :id)) items))))
                           (t (user-error "Todo: “%s” is for one row" (todo-server--say :title action)))))))
    (setq deactivate-mark t)
    (cond ((and (equal value "link") url (string-match-p "\\`https?://" url)) (browse-url url))
          ((and (equal value "link") (not action)) (user-error "Todo: this row has no page in the browser"))
          ((not action)
           (user-error "Todo: “%s” has nothing for that" (todo-server--say :title screen)))
          ((todo-server--layout screen)
           (unless (derived-mode-p 'todo-server-text-mode) (set-buffer (todo-server--attached)))
           (unless (equal (plist-get action :role) "back")
             (todo-server--act-text (plist-get action :name)))
           (kill-buffer))
          (t
           (when-let ((params (apply #'todo-server--request screen action nil which)))
             ;; The buffer of the text in front may have become that of a file.
             (when (and (todo-server--layout (todo-server--front)) (not (todo-server--attached)))
               (todo-server--update))
             (setq todo-server--opening (and (equal (plist-get action :role) "open") params))
             (unless (todo-server--opened-p todo-server--opening)
               (todo-server--make-way todo-server--opening)
               ;; Keys that were typed ahead, or come from a macro, are for what this leads to.
               (todo-server-rpc-call
                :screen/act params
                (lambda (result _)
                  ;; A refusal leaves the form unchanged: the errors of the values come with this.
                  (when (and (not result) (plist-get params :values) (not (plist-get action :input)))
                    (todo-server-rpc-notify :screen/change
                                            `( :screen ,(plist-get screen :name)
                                               :values ,(plist-get params :values)))))))
             ;; The text may have a buffer already.
             (when todo-server--opening (todo-server--show)))))))

;;;###autoload
(defun todo-server-doctor ()
  "Check the installation with the server's own doctor."
  (interactive)
  (async-shell-command (mapconcat #'shell-quote-argument `(,@todo-server-command "doctor") " ")
                       "*todo doctor*"))

(provide 'todo-server)
;;; todo-server.el ends here
