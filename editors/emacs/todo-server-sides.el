;;; todo-server-sides.el --- Sides of todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Of compared sides one can be edited; the others are shown in buffers beside
;; it, as is the note of a row.

;;; Code:

(require 'todo-server-screen)

(defvar-local todo-server--id nil "The identity of the item in this buffer.")

(define-derived-mode todo-server-side-mode special-mode "Todo-Side"
  "Shows a side that a text is compared with, or the note of a row.

\\{todo-server--map}"
  (todo-server--prepare))

(defun todo-server--buffer (id)
  "The buffer of ID, the identity of a screen or the name of a side."
  (and id (seq-find (lambda (buffer) (equal (buffer-local-value 'todo-server--id buffer) id))
                    (buffer-list))))

(defun todo-server--make-sides (screen)
  "Fill the buffers of the sides of SCREEN, and colour their differences."
  (seq-doseq (field (todo-server--in screen :body :fields))
    (when (todo-server--has :readOnly field)
      (with-current-buffer (todo-server--fill-side (plist-get field :side) (plist-get field :label)
                                                   (plist-get field :value))
        (setq todo-server--screen screen)
        (todo-server--bind todo-server-side-mode-map))))
  (let ((bounds (mapcan (lambda (buffer)
                          (with-current-buffer buffer (list (point-min-marker) (point-max-marker))))
                        (list (or (todo-server--buffer "mine") (current-buffer))
                              (todo-server--buffer "theirs")))))
    (ignore-errors                      ; without the program diff it is not coloured
      (apply #'smerge-refine-regions `(,@bounds nil nil ((face . smerge-refined-removed))
                                                ((face . smerge-refined-added)))))))

(defun todo-server--fill-side (id title text)
  "Fill the buffer of the side ID, which is called TITLE, with TEXT; return it."
  (with-current-buffer (get-buffer-create (format "*todo %s*" id))
    (todo-server-side-mode)
    (setq todo-server--id id
          todo-server--title (todo-server-rpc-plain title))
    (with-silent-modifications
      (erase-buffer)
      (save-excursion (insert (or text ""))))
    (current-buffer)))

(defun todo-server--show-side (id direction &optional force)
  "Show the side ID, if there is one, in DIRECTION, or by FORCE in this window."
  (when-let ((side (todo-server--buffer id)))
    ;; Three windows beside each other have one parent.  A new window begins with
    ;; the list, but does not show it.
    (let ((here (window-buffer)) window-combination-limit window-scroll-functions)
      ;; A window that is dedicated goes with its buffer; softly, it may show others.
      (display-buffer side `((display-buffer-reuse-window display-buffer-in-direction)
                             (direction . ,direction) (dedicated . soft)))
      ;; The user's rule may show all todo buffers in one window.
      (unless force (set-window-buffer nil here t)))))

(defun todo-server--close (&rest ids)
  "Close the sides IDS, and the windows that were made for them."
  (mapc #'kill-buffer (delq nil (mapcar #'todo-server--buffer ids))))

(provide 'todo-server-sides)
;;; todo-server-sides.el ends here
