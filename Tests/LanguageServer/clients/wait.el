;;; wait.el --- Waiting for changes by a server  -*- lexical-binding: t -*-

(defvar todo-wait-step #'ignore
  "The function that is called before each check of the buffer.")

(defun todo-wait (what pattern)
  "Wait until PATTERN is in the buffer; WHAT names it in an error."
  (let ((end (+ (float-time) 60)))
    (while (not (save-excursion (goto-char (point-min)) (re-search-forward pattern nil t)))
      (when (> (float-time) end)
        (message "waited for %s\n%s" what (buffer-string))
        (kill-emacs 1))
      (funcall todo-wait-step)
      (accept-process-output nil 0.05))))

(defun todo-wait-for-save (todo)
  "Wait until TODO is in the list, and check that the buffer is not modified."
  (let ((end (+ (float-time) 60)))
    (while (not (string-search todo (shell-command-to-string (getenv "TODO_TITLES"))))
      (when (> (float-time) end)
        (message "waited for %s\n%s" todo (buffer-string))
        (kill-emacs 1))
      (accept-process-output nil 0.05)))
  (accept-process-output nil 0.3)
  (when (buffer-modified-p)
    (message "the buffer is modified after the save of %s\n%s" todo (buffer-string))
    (kill-emacs 1)))

;;; wait.el ends here
