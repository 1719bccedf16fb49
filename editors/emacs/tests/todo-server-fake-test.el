;;; todo-server-fake-test.el --- With a server that is about fruit  -*- lexical-binding: t; -*-

;;; Commentary:

;; Cases that the real server does not produce on demand: see fake_server.py.

;;; Code:

(require 'todo-server-test-helper)

(todo-server-test todo-server-fake-compare
    "Conflict: a buffer for each side with its name, colours, and the ways out by letter."
  (with-current-buffer (todo-server-fake-open)
    (let ((text (current-buffer)))
      (todo-server-fake-retitle "tart")
      (todo-server-fake-act "clash")
      (should (equal (buffer-string) "b or c\n"))
      (should (string-prefix-p " Both  C-c C-c Swallow" (todo-server--header)))
      ;; Mine is above theirs, and the proposal below.
      (should (string-prefix-p "b\nc\nb or c\n" (todo-server-test-shown)))
      (pcase-dolist (`(,side ,value) '(("mine" "b\n") ("theirs" "c\n") ("base" "a\n")))
        (with-current-buffer (todo-server--buffer side)
          (should (equal (buffer-string) value))
          (should buffer-read-only)
          (should (eq (key-binding "m") 'todo-server-keep))
          (should (string-match-p "^m[[:space:]]+todo-server-keep$" (documentation major-mode)))
          (should (eq (key-binding "e") 'todo-server-take))))
      (should (seq-some (lambda (overlay) (eq (overlay-get overlay 'face) 'smerge-refined-added))
                        (with-current-buffer (todo-server--buffer "theirs")
                          (overlays-in (point-min) (point-max)))))
      (should-error (undo) :type 'user-error)
      (erase-buffer)
      (insert "d\n")
      (save-buffer)
      (should-not (buffer-modified-p))
      (should-not (seq-some #'todo-server--buffer '("mine" "theirs" "base")))
      (should (todo-server-test-said-p "Todo: swallow: a  b  c  d"))
      (should (buffer-live-p text)))))

(todo-server-test todo-server-fake-compare-mine
    "Conflict: without a merged side it is mine that is typed into; a letter takes theirs."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-act "pair")
    (should (equal (buffer-string) "b"))
    (should-not (todo-server--buffer "mine"))
    (with-current-buffer (todo-server--buffer "theirs")
      (todo-server-test-answering '(t) (call-interactively (key-binding "s"))))
    (todo-server-test-wait (todo-server-test-said-p "swallow: b c"))))

(todo-server-test todo-server-fake-compare-theirs
    "Conflict: taking theirs reports no save."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-act "clash")
    (with-current-buffer (todo-server--buffer "theirs")
      (call-interactively (key-binding "e")))
    (todo-server-test-wait (todo-server-test-said-p "theirs: a"))
    (should-not (todo-server-test-said-p "Todo: saved"))))

(todo-server-test todo-server-fake-compare-twice
    "Never lose typed text: saving twice settles no conflict by accident."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "tart")
    (goto-char (point-max))
    (delete-region (line-beginning-position) (point-max))
    (insert "clash")
    (todo-server-test-fails #'save-buffer)
    (should (equal (buffer-string) "b or c\n"))
    (todo-server-test-answering '(nil)
      (should (string-match-p "nothing was done" (todo-server-test-fails #'save-buffer))))
    (should (eq 'compare (todo-server--layout (todo-server--front))))
    (should (buffer-modified-p))
    (todo-server-test-answering '(t) (save-buffer))
    (should (todo-server-test-said-p "Todo: swallow: a"))
    ;; The user continues in the same text, which is now the chosen one.
    (should (eq 'text (todo-server--layout (todo-server--front))))))

(todo-server-test todo-server-fake-refused
    "A refused save has not saved; the message of the server says why."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "stone")
    (should (string-match-p "A stone cannot be swallowed" (todo-server-test-fails #'save-buffer)))
    (should (buffer-modified-p))
    (should (equal (buffer-string) "stone\n\nsoft"))))

(todo-server-test todo-server-fake-offered
    "Never lose typed text: C-x s and the end of Emacs offer a text, also an empty one."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "tart")
    (save-some-buffers t)
    (should-not (buffer-modified-p))
    (should (equal todo-server--base "taste/2"))
    (erase-buffer)
    (todo-server-test-answering '(t) (save-some-buffers nil t))
    (should (equal todo-server--base "taste/3"))))

(todo-server-test todo-server-fake-undo-saved
    "Never lose typed text: what a save has made of a text can be undone, and the edit before."
  (with-current-buffer (todo-server-fake-open)
    (buffer-enable-undo)
    (goto-char (point-min))
    (search-forward "\n")
    (delete-char 1)
    (undo-boundary)
    (goto-char (point-max))
    (insert "er")
    (undo-boundary)
    (save-buffer)
    (should (equal (buffer-string) "sweet\n\nsofter"))
    (should-not (buffer-modified-p))
    (undo-boundary)
    (undo)
    (should (equal (buffer-string) "sweet\nsofter"))
    (should (buffer-modified-p))
    (undo-boundary)
    (let ((last-command 'undo)) (undo))
    (should (equal (buffer-string) "sweet\nsoft"))
    (save-buffer)
    (should (equal (buffer-string) "sweet\n\nsoft"))))

(todo-server-test todo-server-fake-other-mode
    "Never lose typed text: a text whose buffer got another mode stays, and its row opens it again."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "tart")
    (fundamental-mode)
    (save-current-buffer (switch-to-buffer "*todo*"))
    (todo-server-test-press "v")
    (should (equal (buffer-string) "tart\n\nsoft"))
    (should-not (eq (todo-server-fake-text) (current-buffer)))
    (should (eq (window-buffer) (todo-server--attached)))))

(todo-server-test todo-server-fake-late-list
    "Never lose typed text: letters are text also when the form is gone, and the server dead."
  (with-current-buffer (todo-server-fake-open)
    (switch-to-buffer (current-buffer))
    (todo-server-fake-retitle "tartq")
    (todo-server-rpc-call :screen/act '(:screen "taste" :action "spit"))
    (todo-server-test-wait (not (todo-server--layout (todo-server--front))))
    (should (eq (window-buffer) (current-buffer)))
    (should (eq (key-binding "q") 'self-insert-command))
    (signal-process (todo-server-test-process) 'KILL)
    (todo-server-test-wait todo-server-rpc-reason)
    (should (string-match-p "server exited" (todo-server--header)))
    (should (eq (key-binding "q") 'self-insert-command))
    (should (equal (buffer-string) "tartq\n\nsoft"))))

(todo-server-test todo-server-fake-opened-unsent
    "A text that was opened is not sent back to the server, as if it had been typed."
  (with-current-buffer (todo-server-fake-open)
    (should-not (memq todo-server--timer timer-list))
    (insert "x")
    (should (memq todo-server--timer timer-list))))

(todo-server-test todo-server-fake-headings
    "Looks: the names of fields are headings, what is wrong stands once below its field."
  (with-current-buffer (todo-server-fake-open)
    (should (equal (todo-server-test-shown) "Kind\nsweet\n\nNotes\nsoft"))
    (todo-server-fake-retitle "vinegar")
    (todo-server-test-wait (string-search "sour" (todo-server-test-shown)))
    (should (equal (todo-server-test-shown) "Kind\nvinegar\nToo sour.\n\nNotes\nsoft"))
    (goto-char (point-max))
    (delete-region (line-beginning-position) (point-max))
    (insert "vinegar")
    (todo-server-test-wait (string-suffix-p "Notes\nToo sour.\nvinegar" (todo-server-test-shown)))
    (delete-region (line-beginning-position) (point-max))
    (insert "soft")
    (todo-server-test-wait (string-suffix-p "Notes\nsoft" (todo-server-test-shown)))
    (should-not (string-search "sour" (todo-server--header)))
    (should (equal (buffer-string) "vinegar\n\nsoft"))))

(todo-server-test todo-server-fake-row
    "Looks: the row of the cursor is shown as one, also when no key was pressed, and its box plainly."
  (require 'paren)
  (todo-server-fake-start 3)
  (dolist (_ '(started toggled))
    (with-current-buffer "*todo*"
      (should (= (overlay-start hl-line-overlay) (line-beginning-position)))
      (should (> (overlay-end hl-line-overlay) (line-end-position)))
      (should-not (funcall show-paren-data-function)))
    (todo-server-test-press "x")))

(todo-server-test todo-server-fake-bidi
    "Text from outside is data: control characters and what turns text are shown as such."
  (todo-server-fake-start 3)
  (todo-server-test-press "f")
  (todo-server-test-wait (todo-server-test-said-p "a \\u202edlrow\\u202c  [31m"))
  (should (todo-server-test-sees "a \\u202edlrow\\u202c  [31m"))
  (todo-server-test-press "v")
  (with-current-buffer (todo-server-fake-text)
    (should (eq 'hex-code (aref glyphless-char-display ?\u202e)))))

(todo-server-test todo-server-fake-status
    "Looks: the state of the list is in the mode line, and a load has a bar."
  (todo-server-fake-start 3)
  (todo-server-test-press "y")
  (todo-server-test-wait
   (string-match-p "\\`3 open, 3 pending, 1 conflict, synced [0-9]+ min ago, next try in [0-9]+ min\\'"
                   (or (todo-server--status) "")))
  (todo-server-test-press "w")
  (todo-server-test-wait (todo-server-test-sees "Peeling 3/4"))
  (should (todo-server-test-sees "███░")))

(todo-server-test todo-server-fake-menu
    "A good guest: the menu has every action with its key, and says what is not possible."
  (todo-server-fake-start 3)
  (save-window-excursion
    (switch-to-buffer "*todo*")
    (call-interactively #'todo-server-menu)
    (should-not (featurep 'transient))
    (should (equal (buffer-name (window-buffer)) "*todo menu*"))
    (should (string-match-p "\\`This row\\(.*\n\\)* x +Ripen *v +Taste" (buffer-string)))
    (should-not (commandp (lookup-key (current-local-map) "N")))
    (should (text-property-any (point-min) (point-max) 'face 'todo-server-meta))
    (call-interactively (key-binding "x"))
    (should (equal (buffer-name (window-buffer)) "*todo*"))
    (should (todo-server-test-sees "[x] Fruit 0")))
  (with-current-buffer "*todo*"
    (should (equal (documentation 'todo-server-do-crash) "Crash"))
    (should (eq (key-binding "c") 'todo-server-do-crash))
    ;; As C-h m shows it.
    (should (string-match-p "^c[[:space:]]+todo-server-do-crash$" (documentation major-mode)))
    (should (eq (key-binding "n") 'next-line))
    ;; An unknown role has no effect, whatever its name; and an action may have
    ;; no key.
    (should (eq (key-binding (kbd "M-r")) 'todo-server-do-restart))))

(todo-server-test todo-server-fake-read-only
    "A row that can only be read takes no action of rows, alone or among others."
  (todo-server-fake-start 5)
  (todo-server-test-press "e")
  (todo-server-test-wait (todo-server-test-sees "▾ Overdue"))
  (with-current-buffer "*todo*"
    (cl-flet ((possible () (seq-some (lambda (entry) (equal (seq-elt entry 1) "Ripen"))
                                     (seq-filter (lambda (entry) (nth 3 entry))
                                                 (cdar (todo-server--menu-groups))))))
      (goto-char (point-min))
      (search-forward "Fruit 1")
      (should (possible))
      (let ((current-prefix-arg 2)) (todo-server-test-press "P" t))
      (search-forward "Fruit 2")
      (should-not (possible))
      (todo-server-test-press "x")))
  (should (equal (seq-take todo-server-test-said 2)
                 (make-list 2 "Todo: “Fruit 2” can only be read")))
  (should (todo-server-test-sees "[ ] Fruit 2")))

(todo-server-test todo-server-fake-no-note
    "Looks: a line stands for the note of a row without one."
  (todo-server-test-script "addTodo" '(:title "Bare"))
  (todo-server-test-login)
  (let ((todo-server-preview-width 10))
    (with-current-buffer "*todo*"
      (todo-server-test-wait (todo-server-test-sees "[ ] Bare"))
      (setq todo-server--noted 'none)
      (todo-server--preview)))
  (should (equal "No note" (with-current-buffer "*todo preview*" (buffer-string)))))

(todo-server-test todo-server-fake-no-page
    "A row without a page is named as the reason why none is opened."
  (todo-server-fake-start 1)
  (todo-server-test-press "b")
  (should (equal (car todo-server-test-said) "Todo: this row has no page in the browser")))

(todo-server-test todo-server-fake-sections
    "Looks: sections have headings that fold, labels and the tone of a date are seen."
  (todo-server-fake-start 5)
  (todo-server-test-press "e")
  (todo-server-test-wait (todo-server-test-sees "▾ Overdue"))
  (cl-flet ((rows () (with-current-buffer "*todo*"
                       (mapcar (lambda (line) (car (split-string line " ·")))
                               (split-string (filter-buffer-substring (point-min) (point-max)) "\n" t))))
            (at (text) (goto-char (point-min)) (search-forward text) (forward-line 0)))
    (should (equal (rows) '("▾ Overdue" "[ ] Fruit 0" "[ ] Fruit 1" "▾ Later" "[ ] Fruit 2"
                            "▾ Overdue" "[ ] Fruit 3" "[ ] Fruit 4")))
    (with-current-buffer "*todo*"
      (at "Fruit 0")
      (should (looking-at-p "\\[ \\] Fruit 0 · sour green · 1 Dec$"))
      (cl-flet ((face (text) (get-text-property (+ (point) (string-search text (thing-at-point 'line))) 'face)))
        (should (eq (face "sour") 'todo-server-label))
        (should (eq (face "1 Dec") 'todo-server-alert)))
      ;; Rows are found below headings, by their ids and by their numbers.
      (dotimes (row 5)
        (at (format "Fruit %d" row))
        (should (= (todo-server--row (point)) row))
        (should (= (todo-server--place (format "i%d" row) 0) (todo-server--place nil row)
                   (+ (point) (length "[ ] ")))))
      (at "Fruit 2")
      (todo-server-test-press "TAB")
      (should (looking-at-p "▸ Later (1)$"))
      (should (invisible-p (line-beginning-position 2)))
      (should-not (invisible-p (line-beginning-position 3)))
      (should (string-match-p "no row here" (todo-server-test-fails #'todo-server-toggle)))
      (at "Fruit 4")
      (todo-server-test-press "x")
      (todo-server-test-wait (todo-server-test-sees "[x] Fruit 4"))
      (should (and (looking-at-p "Fruit 4") (looking-back "\\[x\\] " (line-beginning-position))))
      (at "▸ Later")
      (todo-server-test-press "RET")
      (should-not (invisible-p (line-beginning-position 2))))))

(todo-server-test todo-server-fake-many
    "A good guest: an action is for the region, or for as many rows as the prefix argument says."
  (todo-server-fake-start 5)
  (with-current-buffer "*todo*"
    (cl-flet ((at (text) (goto-char (point-min)) (search-forward text)))
      (let ((transient-mark-mode t))
        (at "Fruit 1")
        (push-mark (point) t t)
        (at "Fruit 3")
        (forward-line 0)
        (todo-server-test-press "x")
        (should deactivate-mark)
        (deactivate-mark))
      (todo-server-test-wait (todo-server-test-sees "[x] Fruit 1\n[x] Fruit 2\n[ ] Fruit 3"))
      (at "Fruit 0")
      (let ((current-prefix-arg 3)) (todo-server-test-press "P" t))
      (should (equal todo-server-test-asked "Pick 3 fruits? "))
      (todo-server-test-wait (todo-server-test-said-p "picked i0 i1 i2"))
      (at "Fruit 4")
      (let ((current-prefix-arg 3)) (todo-server-test-press "P" nil))
      (should (equal todo-server-test-asked "Pick this fruit? “Fruit 4” "))
      (at "Fruit 0")
      (let ((current-prefix-arg 2))
        (should (string-match-p "is for one row" (todo-server-test-fails
                                                  (lambda () (todo-server--act :name "rot")))))))))

(todo-server-test todo-server-fake-message-row
    "A key on the message above the rows is for the first one, also below a heading."
  (todo-server-fake-start 5)
  (todo-server-test-press "l")
  (dolist (sections '(nil t))
    (when sections
      (todo-server-test-press "e")
      (todo-server-test-press "l")
      (todo-server-test-wait (todo-server-test-sees "▾ Overdue")))
    (with-current-buffer "*todo*"
      (goto-char (point-min))
      (should (looking-at-p "A message"))
      (todo-server-test-press "P" t))
    (todo-server-test-wait (equal "picked i0" (todo-server--in (todo-server--front) :message :text)))
    (todo-server-test-press "l")))

(todo-server-test todo-server-fake-boxes
    "Looks: the user may have other boxes."
  (let ((todo-server-boxes '("☐ " "☑ ")))
    (todo-server-fake-start 3)
    (todo-server-test-press "x")
    (todo-server-test-wait (todo-server-test-sees "☑ Fruit 0\n☐ Fruit 1"))))

(todo-server-test todo-server-fake-fold-done
    "Looks: done rows may be below the others, folded; the cursor is on a title."
  (let ((todo-server-fold-done t))
    (todo-server-fake-start 3)
    (with-current-buffer "*todo*"
      (should (looking-at "Fruit 0")))
    (todo-server-test-press "x")
    (todo-server-test-wait (todo-server-test-sees "[ ] Fruit 1\n[ ] Fruit 2\n▸ Done (1)\n[x] Fruit 0"))
    (with-current-buffer "*todo*"
      (should (looking-at "Fruit 1"))
      (search-forward "[x]")
      (should (invisible-p (point)))
      (todo-server-fold)
      (search-forward "[x]")
      (should-not (invisible-p (point))))))

(todo-server-test todo-server-fake-unknown
    "A body of an unknown kind is reported, and its actions work."
  (todo-server-fake-start 3)
  (todo-server-test-press "o")
  (todo-server-test-wait (todo-server-test-sees "cannot draw “hologram”"))
  (todo-server-test-press "s")
  (todo-server-test-wait (todo-server-test-sees "Fruit 0")))

(todo-server-test todo-server-test-23-crash
    "Check 23: a crash is one line, with the last words of the server."
  (todo-server-fake-start 3)
  (todo-server-test-press "c")
  (todo-server-test-wait todo-server-rpc-reason)
  (should (todo-server-test-said-exited-p "code 3" "worm found")))

(todo-server-test todo-server-pane-unconfirmed
    "A save with a question that was not asked stores nothing, and the text stays."
  (with-current-buffer (todo-server-fake-open)
    (todo-server-fake-retitle "pit")
    (should (string-match-p "a question first" (todo-server-test-fails #'save-buffer)))
    (should (buffer-modified-p))
    (should (equal (buffer-string) "pit\n\nsoft"))
    (should (equal todo-server--base "taste/1"))))

(provide 'todo-server-fake-test)
;;; todo-server-fake-test.el ends here
