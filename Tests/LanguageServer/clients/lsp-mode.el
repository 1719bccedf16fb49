;;; lsp-mode.el --- A list in Emacs by lsp-mode  -*- lexical-binding: t -*-

;; Run by test_clients.py, after the configuration in the README.

(require 'lsp-mode)

;; Otherwise it asks which folder is the project.
(setq lsp-auto-guess-root t
      lsp-session-file (expand-file-name "lsp-session" (getenv "HOME"))
      make-backup-files nil)
(find-file (getenv "TODO_FILE"))
;; Not `lsp-deferred': the hooks that it waits for do not run in a batch.
(lsp)
(while (not (seq-some (lambda (workspace) (eq (lsp--workspace-status workspace) 'initialized))
                      (lsp-workspaces)))
  (accept-process-output nil 0.05))

(goto-char (point-max))
(forward-line -1)
(insert "- [ ] Typed in lsp-mode 😀\n  A note\n")
(save-buffer)
;; After a character of two UTF-16 units.
(todo-wait "the anchor" "\\] Typed in lsp-mode 😀 \\^")
;; The buffer gets no edit before its first change.
(todo-wait "the list" "\\] From another client \\^")
(goto-char (point-min))
(search-forward "😀")
(insert " and more")
(beginning-of-line)
(search-forward "[ ]")
(replace-match "[x]")
;; Rule 16: it requests marks before a save, so the buffer is not modified after it.
(save-buffer)
(todo-wait-for-save "[x] Typed in lsp-mode 😀 and more")
(let ((action (seq-find
               (lambda (action)
                 (equal (lsp:code-action-title action) "Mark as not done at once"))
               (lsp-code-actions-at-point))))
  (lsp-execute-code-action action))
(todo-wait "the third version" "\\[ \\] Typed in lsp-mode 😀 and more \\^")
(shell-command (getenv "TODO_ADD"))
(todo-wait "the todo added by another client" "\\] Added meanwhile \\^")
(message "ok")
(set-buffer-modified-p nil)
(kill-emacs 0)
;;; lsp-mode.el ends here
