;;; lsp-mode.el --- A list in Emacs by lsp-mode  -*- lexical-binding: t -*-

;; Run by test_clients.py, after what the README has for lsp-mode.

(require 'lsp-mode)

;; Otherwise it asks which folder is the project.
(setq lsp-auto-guess-root t
      lsp-session-file (expand-file-name "lsp-session" (getenv "HOME"))
      make-backup-files nil)
(find-file (getenv "TODO_FILE"))
;; What `lsp-deferred' waits for, which does not happen in a batch.
(lsp)

(todo-wait "the list" "\\] Of somebody else \\^")
(goto-char (point-max))
(forward-line -1)
(insert "- [ ] Typed in lsp-mode 😀\n  A note\n")
(save-buffer)
;; Behind a character that is two in utf-16.
(todo-wait "the mark" "\\] Typed in lsp-mode 😀 \\^")
(goto-char (point-min))
(search-forward "😀")
(insert " and more")
(beginning-of-line)
(search-forward "[ ]")
(replace-match "[x]")
(save-buffer)
(todo-wait "the second version" "\\[x\\] Typed in lsp-mode 😀 and more \\^[^ \n]+\\.2")
(let ((action (seq-find
               (lambda (action)
                 (equal (lsp:code-action-title action) "Mark as not done at once"))
               (lsp-code-actions-at-point))))
  (lsp-execute-code-action action))
(todo-wait "the third version" "\\[ \\] Typed in lsp-mode 😀 and more \\^[^ \n]+\\.3")
(shell-command (getenv "TODO_ADD"))
(todo-wait "what somebody else has added" "\\] Added meanwhile \\^")
(message "ok")
(set-buffer-modified-p nil)
(kill-emacs 0)
;;; lsp-mode.el ends here
