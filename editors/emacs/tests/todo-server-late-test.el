;;; todo-server-late-test.el --- Responses that come late  -*- lexical-binding: t; -*-

;;; Commentary:

;; The states of a text with a save in flight, as Protocol.md names them.

;;; Code:

(require 'todo-server-test-helper)

(todo-server-test todo-server-fake-late
    "Never lose typed text: a late answer to a save says so, and the text stays."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (todo-server-fake-retitle "tart")
     (should (string-match-p "no answer within 0.3 s" (todo-server-test-fails #'save-buffer)))
     (should (buffer-modified-p))
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "Todo: saved"))
     (should-not (buffer-modified-p))
     (should (equal todo-server--base "taste/2"))
     (should (equal (buffer-string) "tart\n\nsoft")))))

(todo-server-test todo-server-fake-late-typed
    "Never lose typed text: edits made while a save waits are kept, and can be saved."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (todo-server-fake-retitle "tart")
     (todo-server-test-fails #'save-buffer)
     (insert " and ripe")
     (should (string-match-p "last save has no answer" (todo-server-test-fails #'save-buffer)))
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "Todo: saved"))
     (should (buffer-modified-p))
     (should (equal (buffer-string) "tart and ripe\n\nsoft"))
     (save-buffer)
     (should (equal todo-server--base "taste/3")))))

(todo-server-test todo-server-fake-late-restarted
    "Never lose typed text: what a server never answered is saved by the next one."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (todo-server-fake-retitle "tart")
     (should (string-match-p "no answer" (todo-server-test-fails #'save-buffer)))
     (save-current-buffer (todo-server-restart))
     (todo-server-test-wait (todo-server--front))
     (todo-server-fake-release)
     (save-buffer)
     (should-not (buffer-modified-p))
     (should (equal (buffer-string) "tart\n\nsoft")))))

(todo-server-test todo-server-fake-late-conflict
    "Never lose typed text: a late conflict is not drawn over later edits."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (let ((text (current-buffer)))
       (switch-to-buffer text)
       (goto-char (point-max))
       (delete-region (line-beginning-position) (point-max))
       (insert "clash")
       (todo-server-test-fails #'todo-server-enter)
       (insert " more")
       (todo-server-fake-release)
       (todo-server-test-wait (eq 'compare (todo-server--layout (todo-server--front))))
       (todo-server-test-wait (not todo-server--saving))
       (should (equal (buffer-string) "sweet\n\nclash more"))
       (should-not (eq (todo-server--attached) text))
       (should (eq (window-buffer) text))
       (todo-server-test-answering '(nil nil)
         (should (string-match-p "Plum.*<2> is not saved" (todo-server-test-fails #'save-buffer))))))))

;; Writing to a process fails in this way, whatever its state is.
(todo-server-test todo-server-fake-unsent
    "Never lose typed text: a save that could not be sent does not prevent the next one."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "tart")
    (cl-letf (((symbol-function 'process-send-string) (lambda (&rest _) (error "Not written"))))
      (should-error (save-buffer)))
    (should (buffer-modified-p))
    (save-buffer)
    (should-not (buffer-modified-p))
    (should (equal todo-server--base "taste/2"))))

(todo-server-test todo-server-fake-stopped
    "A server that was stopped continues with the next request."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "tart")
    (signal-process (todo-server-test-process) 'STOP)
    (todo-server-test-wait (eq 'stop (process-status (todo-server-test-process))))
    (save-buffer)
    (should-not (buffer-modified-p))))

(defun todo-server-pane-late (notes)
  "Begin to save NOTES in this buffer, without a response."
  (todo-server-fake-retitle "tart")
  (goto-char (point-max))
  (delete-region (line-beginning-position) (point-max))
  (insert notes)
  (should (string-match-p "no answer within" (todo-server-test-fails #'save-buffer))))

(todo-server-test todo-server-pane-just-in-time
    "A save whose response comes in the same wait as the end of its time is complete."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "tart")
    (let ((todo-server-timeout 0.8) (until-due (lambda (&rest _) (sleep-for 0.85))))
      (advice-add 'accept-process-output :after until-due)
      (unwind-protect (save-buffer)
        (advice-remove 'accept-process-output until-due)))
    (should-not (buffer-modified-p))))

(todo-server-test todo-server-pane-late-request
    "A save whose first request takes too long is sent when the response comes, once."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (write-region "all" nil hold nil 'silent)
     (todo-server-pane-late "sent")
     (insert " later")
     (should (string-match-p "last save has no answer" (todo-server-test-fails #'save-buffer)))
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "Todo: saved"))
     (should (= 1 (cl-count "Todo: saved" todo-server-test-said :test #'equal)))
     (should (equal (buffer-string) "tart\n\nsent later"))
     (should (buffer-modified-p))
     (should (equal todo-server--base "taste/2"))
     (should (equal (plist-get (todo-server--params) :values) '(:notes "sent later"))))))

(todo-server-test todo-server-pane-late-question
    "A question that comes too late is reported: it is asked by the next save."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (let ((todo-server-timeout todo-server-test-patience)) (todo-server-fake-act "clash"))
     (write-region "all" nil hold nil 'silent)
     (should (string-match-p "no answer within" (todo-server-test-fails #'save-buffer)))
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "there is a question; save again"))
     (should (equal (buffer-string) "b or c\n"))
     (todo-server-test-answering '(t) (save-buffer))
     (should (todo-server-test-said-p "Todo: swallow: a")))))

(todo-server-test todo-server-pane-late-comparison
    "A comparison that comes late is shown in the buffer of the text, if that was not changed."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (todo-server-pane-late "clash")
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "not done yet"))
     (should (equal (buffer-string) "b or c\n"))
     (should (buffer-modified-p))
     (should (eq (todo-server--attached) (current-buffer))))))

(todo-server-test todo-server-pane-late-newer
    "Edits made while a save is in flight have its version as their base, not a newer one."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (todo-server-pane-late "ripe")
     (insert "!")
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "Todo: saved"))
     (should (equal (buffer-string) "tart\n\nripe!"))
     (should (equal todo-server--base "taste/2"))
     (todo-server-test-fails #'save-buffer)
     (should (eq 'compare (todo-server--layout (todo-server--front)))))))

(todo-server-test todo-server-pane-late-newer-elsewhere
    "Edits of another field get that base, too, and the field that was changed again is shown."
  (todo-server-fake-holding
   (with-current-buffer (todo-server-fake-open)
     (todo-server-pane-late "ripe")
     (todo-server-fake-retitle "tarter")
     (todo-server-fake-release)
     (todo-server-test-wait (todo-server-test-said-p "Todo: saved"))
     (should (equal (buffer-string) "tarter\n\nriper"))
     (should (buffer-modified-p))
     (should (equal todo-server--base "taste/2")))))

(provide 'todo-server-late-test)
;;; todo-server-late-test.el ends here
