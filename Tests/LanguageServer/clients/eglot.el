;;; eglot.el --- A list in Emacs by eglot  -*- lexical-binding: t -*-

;; Run by test_clients.py.

(require 'eglot)

;; eglot sends changes when Emacs is idle, which it never is in a batch.
(setq todo-wait-step #'eglot--signal-textDocument/didChange)
(setq eglot-sync-connect t
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)
(define-derived-mode todo-list-mode text-mode "Todos")
(add-to-list 'eglot-server-programs
             `(todo-list-mode ,@(split-string (getenv "TODO_LSP") "\n")
                              ;; Eglot sends no name before version 1.10.
                              :initializationOptions (:checksVersions t)))
(find-file (getenv "TODO_FILE"))
(todo-list-mode)
(apply #'eglot--connect (eglot--guess-contact))

(todo-wait "the list" "\\] From another client \\^")
(goto-char (point-max))
(forward-line -1)
(insert "- [ ] Typed in Emacs 😀\n  A note\n")
(save-buffer)
(todo-wait "the anchor" "\\] Typed in Emacs 😀 \\^")
(goto-char (point-min))
(search-forward "Typed in Emacs")
(beginning-of-line)
(search-forward "[ ]")
(replace-match "[x]")
(save-buffer)
(todo-wait "the second version" "\\[x\\] Typed in Emacs 😀 \\^")
(goto-char (point-max))
(forward-line -1)
(insert "- [ ] Completed 😀 #shop\n- [ ] Plan 😀\n")
(forward-char -1)
(insert " due:wed")
(completion-at-point)
(todo-wait "the completed date" "\\] Plan 😀 due:wednesday\n")
(save-buffer)
(todo-wait "the date" "\\] Plan 😀 due:[0-9-]+ \\^")
(goto-char (point-min))
(re-search-forward "Plan 😀 due:[0-9-]+")
(insert " #s")
(completion-at-point)
(todo-wait "the completed label" "\\] Plan 😀 due:[0-9-]+ #shop \\^")
;; The buffer gets edits once it is saved.
(save-buffer)
(shell-command (getenv "TODO_ADD"))
(todo-wait "the todo added by another client" "\\] Added meanwhile \\^")
(message "ok")
(set-buffer-modified-p nil)
(kill-emacs 0)
;;; eglot.el ends here
