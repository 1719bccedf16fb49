;;; todo-server-draw.el --- Lists and forms of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Draws a screen that is no text into the current buffer.  Of a list only the
;; lines that changed are touched, and point stays on its item.

;;; Code:

(require 'button)
(require 'cl-lib)
(require 'todo-server-screen)

(declare-function todo-server-act "todo-server")
(declare-function todo-server-answer "todo-server")

(defconst todo-server--reserved "qgnph"
  "Letters that are no keys of actions, for they mean something in any list.")

(defconst todo-server--window 400
  "How many rows of a long list to ask for at a time.")

(defvar-local todo-server--screen nil
  "The screen that this buffer shows.")

(defvar-local todo-server--head nil
  "The message and the keys above the rows of a list, as they were drawn.")

(defvar-local todo-server--above 0
  "How many lines are above the rows.")

(defvar-local todo-server--rows nil
  "The items that were drawn, one a line; nil for one that is not here yet.")

(defvar-local todo-server--asked nil
  "Where the part of the list begins that was asked for last.")

(defvar-local todo-server--secrets nil
  "The names of the secret fields that were answered.")

;;;; Keys

(defun todo-server--keys (screen)
  "The keys of the actions of SCREEN: (CHARACTER . ACTION) pairs.
A key is a letter of the title, or else of the name, that is still free."
  (let (keys)
    (seq-doseq (action (plist-get screen :actions))
      (let* ((title (plist-get action :title))
             (words (concat title (plist-get action :name)))
             (first (substring words 0 (min 1 (length words))))
             (free (lambda (char)
                     (and (string-match-p "[[:ascii:]]" (string char))
                          (string-match-p "[[:alnum:]]" (string char))
                          (not (seq-contains-p todo-server--reserved char))
                          (not (assq char keys))))))
        (push (cons (seq-find free (concat (downcase first) (upcase first)
                                           (downcase words) (upcase words) "123456789"))
                    action)
              keys)))
    (nreverse keys)))

(defun todo-server--bind (keys)
  "Bind the KEYS of actions in this buffer."
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (symbol-value (intern (format "%s-map" major-mode))))
    (pcase-dolist (`(,key . ,action) keys)
      (when key
        ;; A list, so that it has a docstring of its own for `describe-key'.
        (define-key map (string key)
          `(lambda ()
             ,(format "Do “%s”." (plist-get action :title))
             (interactive)
             (todo-server-act ,(plist-get action :name))))))
    (use-local-map map)))

(defun todo-server--insert-head (screen keys)
  "Insert the message and the actions of SCREEN, with their KEYS."
  (when-let ((message (plist-get screen :message)))
    (insert (propertize (plist-get message :text) 'face
                        (pcase (plist-get message :level)
                          ("error" 'error) ("warning" 'warning) (_ 'success)))
            "\n"))
  (pcase-dolist (`(,key . ,action) keys)
    (let* ((name (plist-get action :name))
           (text (concat (and key (propertize (string key) 'face 'help-key-binding))
                         " " (plist-get action :title))))
      (when (> (+ (current-column) (string-width text)) (max 40 (1- (window-width))))
        (insert "\n"))
      (if (eq (plist-get action :enabled) t)
          (insert-text-button text 'face nil 'follow-link t
                              'action (lambda (_) (todo-server-act name)))
        (insert (propertize text 'face 'shadow)))
      (insert "  ")))
  (insert "\n\n"))

;;;; Forms and progress

(defun todo-server--insert-field (field)
  "Insert FIELD, as a button that asks for its value, and what is wrong with it."
  (let ((name (plist-get field :name)))
    (insert (plist-get field :label) ": ")
    (insert-text-button
     (if (eq (plist-get field :secret) t)
         (if (member name todo-server--secrets) "***" "     ")
       (concat (plist-get field :value) " "))
     'face 'widget-field 'follow-link t
     'action (lambda (_) (todo-server-answer name)))
    (insert "\n")
    (when-let ((problem (plist-get field :error)))
      (insert (propertize (concat "  " problem) 'face 'error) "\n"))))

(defun todo-server--draw-form (screen keys)
  "Draw SCREEN, a form or progress, with the KEYS of its actions."
  (let ((body (plist-get screen :body))
        ;; Errors come and go between the lines: the place is the button.
        (place (cl-loop for button = (next-button (point-min) t)
                        then (next-button (button-end button))
                        while (and button (<= (button-start button) (point)))
                        count t)))
    (erase-buffer)
    (pcase (plist-get body :kind)
      ("form" (seq-do #'todo-server--insert-field (plist-get body :fields)))
      ("progress"
       (insert (plist-get body :text))
       (when-let ((done (plist-get body :done)))
         (insert (format "  %s" done)
                 (if-let ((total (plist-get body :total))) (format "/%s" total) "")))
       (insert "\n"))
      (kind (insert (format "This front-end cannot draw “%s”.\n" kind))))
    (insert "\n")
    (todo-server--insert-head screen keys)
    (goto-char (point-min))
    (ignore-errors
      (forward-button (- (max place 1) (if (button-at (point)) 1 0))))
    ;; A window that is not selected, as during a question, has its own point.
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-point window (point)))))

;;;; Lists

(defun todo-server--rows-of (body)
  "The items of the list BODY, as a vector for `todo-server--rows'."
  (let* ((items (plist-get body :items))
         (offset (or (plist-get body :offset) 0))
         (total (max (or (plist-get body :total) 0) (+ offset (length items))))
         (end (progn
                ;; Of a long list that came whole, a part will do: more comes
                ;; when it is scrolled to.
                (when (and todo-server-rpc-windows
                           (> (length items) (* 2 todo-server--window)))
                  (setq items (substring items 0 todo-server--window)))
                (+ offset (length items)))))
    (if (= total 0) (vector (list :title (plist-get body :empty)))
      (vconcat (make-vector offset nil) items (make-vector (- total end) nil)))))

(defun todo-server--insert-row (item)
  "Insert the line of ITEM."
  (insert
   (propertize
    (concat
     (pcase (plist-get item :checked) ('t "[x] ") (:json-false "[ ] "))
     (replace-regexp-in-string "[[:cntrl:]]+" " " (plist-get item :title))
     (when-let ((detail (plist-get item :detail)))
       (concat " · " (propertize detail 'face 'shadow)))
     (when-let ((badge (plist-get item :badge)))
       (concat " · " (propertize badge 'face 'warning)))
     "\n")
    'todo-server-item item)))

(defun todo-server--row-at (position)
  "The number of the row at POSITION; negative above the rows."
  (- (line-number-at-pos position) 1 todo-server--above))

(defun todo-server--goto-row (row)
  "Go to the line of ROW."
  (goto-char (point-min))
  (forward-line (+ row todo-server--above)))

(defun todo-server--draw-rows (new)
  "Draw the rows NEW, touching only lines that are different."
  (let* ((old todo-server--rows)
         (common (min (length old) (length new)))
         (same (or (cl-loop for i below common
                            unless (equal (aref old i) (aref new i)) return i)
                   common))
         (tail (or (cl-loop for i from 1 to (- common same)
                            unless (equal (aref old (- (length old) i))
                                          (aref new (- (length new) i)))
                            return (1- i))
                   (- common same))))
    (todo-server--goto-row same)
    (let ((begin (point)))
      (forward-line (- (length old) same tail))
      (delete-region begin (point)))
    (let ((row same) (end (- (length new) tail)))
      (while (< row end)
        (if (aref new row) (todo-server--insert-row (aref new row))
          ;; There can be 100,000 of these: all at once is much faster.
          (let ((first row))
            (while (and (< (1+ row) end) (not (aref new (1+ row)))) (cl-incf row))
            (insert (string-join (make-list (- (1+ row) first) "…\n")))))
        (cl-incf row)))
    (setq todo-server--rows new)))

(defun todo-server--draw-list (screen keys)
  "Draw SCREEN, a list, with the KEYS of its actions; point stays on its item."
  (let* ((windows (get-buffer-window-list nil nil t))
         (old (or todo-server--rows []))
         (places (mapcar (lambda (window)
                           (let ((row (todo-server--row-at (window-point window))))
                             (list row window
                                   (and (> (window-start window) 1)
                                        (- row (todo-server--row-at (window-start window)))))))
                         windows))
         (here (todo-server--row-at (point)))
         (new (todo-server--rows-of (plist-get screen :body)))
         (moved (lambda (row)
                  (let ((id (and (< -1 row (length old)) (plist-get (aref old row) :id))))
                    (max 0 (min (1- (length new))
                                (if (or (null id)
                                        (and (< row (length new))
                                             (equal id (plist-get (aref new row) :id))))
                                    row
                                  (or (cl-position id new :test #'equal
                                                   :key (lambda (item) (plist-get item :id)))
                                      row)))))))
         (head (list (plist-get screen :message) keys)))
    (unless (equal head todo-server--head)
      ;; First the new one, so that no place in the rows moves.
      (goto-char (point-min))
      (todo-server--insert-head screen keys)
      (let ((lines (1- (line-number-at-pos))) (begin (point)))
        (forward-line todo-server--above)
        (delete-region begin (point))
        (setq todo-server--head head todo-server--above lines)))
    (todo-server--draw-rows new)
    (pcase-dolist (`(,row ,window ,above) places)
      (if above (todo-server--goto-row (- (funcall moved row) above))
        (goto-char (point-min)))
      (set-window-start window (point) t)
      (todo-server--goto-row (funcall moved row))
      (set-window-point window (point)))
    (todo-server--goto-row (funcall moved here))
    (todo-server--want-rows (funcall moved here))))

(defun todo-server--want-rows (row)
  "Ask for the part of the list around ROW, if it is not here."
  (let* ((half (/ todo-server--window 2))
         (begin (max 0 (- row half)))
         (last (1- (length todo-server--rows)))
         (part (cl-loop for near in (list (- row 100) row (+ row 100))
                        always (aref todo-server--rows (max 0 (min last near)))))
         (sent (length (plist-get (plist-get todo-server--screen :body) :items))))
    (cond ((and part (<= sent (* 2 todo-server--window))) (setq todo-server--asked nil))
          ((and todo-server-rpc-windows (eq todo-server-rpc-state 'run)
                (not (eql begin todo-server--asked)))
           (setq todo-server--asked begin)
           (todo-server-rpc-call
            :screen/window (list :screen (plist-get todo-server--screen :name)
                                 :offset begin :limit todo-server--window)
            #'ignore)))))

(defun todo-server--scrolled (window start)
  "Ask for the rows of WINDOW, from START on."
  (with-current-buffer (window-buffer window)
    (when todo-server--rows
      (todo-server--want-rows (max 0 (todo-server--row-at start))))))

(provide 'todo-server-draw)
;;; todo-server-draw.el ends here
