;;; todo-server-fake-test.el --- With a server that is about fruit  -*- lexical-binding: t; -*-

;;; Commentary:

;; What the real server does seldom, or not on demand: see fake_server.py.

;;; Code:

(require 'todo-server-test-helper)

(defun todo-server-fake-start (rows &rest arguments)
  "Start the fake server with ROWS and ARGUMENTS; return the seconds that Emacs worked."
  (setq todo-server-command
        `("python3" ,(expand-file-name "fake_server.py" (getenv "TODO_TESTS"))
          ,(number-to-string rows) ,@arguments))
  (let ((begin (todo-server-fake-worked)))
    (todo-server)
    (todo-server-test-wait (get-buffer "*todo*"))
    (todo-server-test-wait (todo-server-test-sees "Fruit 0"))
    (- (todo-server-fake-worked) begin)))

(defun todo-server-fake-worked ()
  "The seconds that this Emacs has worked, however busy the machine is."
  (float-time (get-internal-run-time)))

(defun todo-server-fake-text ()
  "The buffer of the text in front, once there is one."
  (todo-server-test-wait (and (todo-server--shape (todo-server--front)) todo-server--attached)))

(ert-deftest todo-server-fake-patch ()
  "Patches do what RFC 6902 says, and leave alone what they were given."
  (let ((document '(:a [1 2 (:b "x")] :c (:d/e 1) :m~n :json-false)))
    (pcase-dolist
        (`(,operation ,expected)
         '(((:op "add" :path "/a/1" :value 9) (:a [1 9 2 (:b "x")] :c (:d/e 1) :m~n :json-false))
           ((:op "add" :path "/a/-" :value 9) (:a [1 2 (:b "x") 9] :c (:d/e 1) :m~n :json-false))
           ((:op "add" :path "/c/f" :value 9) (:a [1 2 (:b "x")] :c (:d/e 1 :f 9) :m~n :json-false))
           ((:op "remove" :path "/a/0") (:a [2 (:b "x")] :c (:d/e 1) :m~n :json-false))
           ((:op "remove" :path "/c") (:a [1 2 (:b "x")] :m~n :json-false))
           ((:op "replace" :path "/a/2/b" :value "y") (:a [1 2 (:b "y")] :c (:d/e 1) :m~n :json-false))
           ((:op "replace" :path "/c/d~1e" :value 2) (:a [1 2 (:b "x")] :c (:d/e 2) :m~n :json-false))
           ((:op "replace" :path "/m~0n" :value t) (:a [1 2 (:b "x")] :c (:d/e 1) :m~n t))
           ((:op "replace" :path "" :value 1) 1)))
      (should (equal (todo-server-rpc--apply document (vector operation)) expected)))
    (dolist (bad '((:op "remove" :path "/a/3") (:op "replace" :path "/x" :value 1)
                   (:op "remove" :path "/a/-") (:op "add" :path "/a/4" :value 1)
                   (:op "add" :path "/a/x" :value 1) (:op "add" :path "/x/y" :value 1)
                   (:op "dance" :path "/a")))
      (should-error (todo-server-rpc--apply document (vector bad))))
    (should (equal document '(:a [1 2 (:b "x")] :c (:d/e 1) :m~n :json-false)))))

(todo-server-test todo-server-fake-resync
    "A patch of a rendering that we do not have: the whole one is fetched."
  (todo-server-fake-start 3)
  (todo-server-test-press "s")
  (todo-server-test-wait (todo-server-test-sees "[x] Fruit 1"))
  (with-current-buffer "*todo*" (goto-char (point-min)) (search-forward "Fruit 2"))
  (todo-server-test-press "RET")
  (todo-server-test-wait (todo-server-test-sees "[x] Fruit 2"))
  (with-current-buffer "*todo*" (should (string-match-p "Fruit 2" (thing-at-point 'line)))))

(todo-server-test todo-server-test-28-many
    "Check 28: 5,000 rows that come whole are drawn within a second."
  (should (< (todo-server-fake-start 5000 "whole") 1))
  (with-current-buffer "*todo*"
    (goto-char (point-max))
    (forward-line -1)
    (should (looking-at-p "\\[ \\] Fruit 4999$"))))

(todo-server-test todo-server-test-28-window
    "Check 28: 100,000 rows come in parts; the cursor stays where it was."
  (should (< (todo-server-fake-start 100000) 1))
  (should (= (length (todo-server--in (todo-server--front) :body :items)) todo-server-rpc-window))
  (with-current-buffer "*todo*"
    (should (= (count-lines todo-server--top (point-max)) 100000))
    (todo-server--goto nil 70000)
    (should (looking-at-p "…"))
    (should-error (todo-server-enter) :type 'user-error)
    (let ((begin (todo-server-fake-worked)))
      ;; What a redisplay does, which there is none of in a batch.
      (set-window-point (selected-window) (point))
      (set-window-start (selected-window) (point))
      (run-hook-with-args 'window-scroll-functions (selected-window) (point))
      (todo-server-test-wait (looking-at-p "\\[ \\] Fruit 70000"))
      (should (= (line-number-at-pos (window-start)) (line-number-at-pos)))
      (call-interactively #'todo-server-enter)
      (todo-server-test-wait (looking-at-p "\\[x\\] Fruit 70000"))
      (should (< (- (todo-server-fake-worked) begin) 1)))
    (should (= (count-lines todo-server--top (point-max)) 100000))))

(todo-server-test todo-server-fake-conflict
    "Three fields of several lines are merged, two as well; the line ends stay."
  (todo-server-fake-start 3)
  (todo-server-test-press "t")
  (with-current-buffer (todo-server-fake-text)
    (pcase-dolist
        (`(,action ,text ,sent)
         '(("clash"
            "<<<<<<< Yours\nb\n\n||||||| Before\na\n\n=======\nc\n\n>>>>>>> Others\n"
            "a\n b\n c\n")
           ("pair" "<<<<<<< Yours\nb\n=======\nc\n>>>>>>> Others\n" "b c")))
      (todo-server-fake-act action)
      (should (equal (buffer-string) text))
      (should (string-match-p "choose" (todo-server-test-fails #'save-buffer)))
      (goto-char (point-min))
      (smerge-keep-upper)
      (save-buffer)
      (should (todo-server-test-said-p (concat "Todo: " sent)))
      (should-not (buffer-modified-p))
      (should (equal (buffer-string) "sweet\n\nsoft")))))

(defun todo-server-fake-act (name)
  "Do the action NAME, after which the text is still open."
  (should (string-match-p "not done yet"
                          (todo-server-test-fails (lambda () (todo-server-act name))))))

(todo-server-test todo-server-fake-ediff
    "The sides of a conflict are shown beside each other, and come back merged."
  (todo-server-fake-start 3)
  (todo-server-test-press "t")
  (with-current-buffer (todo-server-fake-text)
    (todo-server-fake-act "clash")
    (let ((texts (catch 'asked
                   (cl-letf (((symbol-function 'ediff-merge-buffers-with-ancestor)
                              (lambda (&rest sides)
                                (throw 'asked (mapcar (lambda (side)
                                                        (with-current-buffer side (buffer-string)))
                                                      (seq-take sides 3))))))
                     (smerge-ediff)))))
      (should (equal texts '("b\n\n" "c\n\n" "a\n\n"))))))

(todo-server-test todo-server-test-20-clean
    "Check 20: new text of the server replaces text without edits, and undo does not bring it back."
  (let ((process-environment (cons "FOREIGN=1" process-environment)))
    (todo-server-fake-start 3))
  (todo-server-test-press "t")
  (with-current-buffer (todo-server-fake-text)
    (todo-server-test-wait (equal (buffer-string) "sour\n\nhard"))
    (should-not (buffer-modified-p))
    (should-not buffer-undo-list)))

(todo-server-test todo-server-test-21-warned
    "Check 21: new text of the server leaves edits alone."
  (todo-server-fake-start 3)
  (todo-server-test-press "t")
  (with-current-buffer (todo-server-fake-text)
    (goto-char (point-min))
    (insert "very ")
    (dotimes (_ 2)
      (todo-server-rpc-call-now :screen/act '(:screen "taste" :action "foreign")))
    (should (equal (buffer-string) "very sweet\n\nsoft"))
    (todo-server-fake-discard)))

(defun todo-server-fake-discard ()
  "Discard the text of this buffer, after declining once."
  (let ((buffer (current-buffer)))
    (todo-server-test-answering '(nil t)
      (kill-current-buffer)
      (should (buffer-live-p buffer))
      (kill-current-buffer))
    (should-not (buffer-live-p buffer))
    (todo-server-test-wait (= 1 (length (todo-server-rpc-screens))))))

(todo-server-test todo-server-fake-refused
    "A save after which the screen is still there has not saved."
  (todo-server-fake-start 3)
  (todo-server-test-press "t")
  (with-current-buffer (todo-server-fake-text)
    (delete-region (point-min) (line-end-position))
    (insert "stone")
    (todo-server-test-fails #'save-buffer)
    (should (buffer-modified-p))
    (should (todo-server-test-said-p "A stone cannot be swallowed"))))

(todo-server-test todo-server-fake-unknown
    "A body of a kind that is not known yet is said so, and its actions work."
  (todo-server-fake-start 3)
  (todo-server-test-press "o")
  (todo-server-test-wait (todo-server-test-sees "cannot draw “hologram”"))
  (todo-server-test-press "s")
  (todo-server-test-wait (todo-server-test-sees "Fruit 0")))

(todo-server-test todo-server-test-27-slow
    "Check 27: a server that does not answer leaves Emacs usable, and a save times out."
  (todo-server-fake-start 3)
  (todo-server-test-press "h")
  (todo-server-test-press "t")
  (with-current-buffer (todo-server-fake-text)
    (goto-char (point-max))
    (delete-region (line-beginning-position) (point-max))
    (insert "slow")
    (let ((todo-server-timeout 0.5))
      (should (string-match-p "no answer within 0.5 s" (todo-server-test-fails #'save-buffer))))
    (should (buffer-modified-p))
    (should (equal (buffer-string) "sweet\n\nslow"))))

(todo-server-test todo-server-test-23-crash
    "Check 23: a crash is one line, with the last words of the server."
  (todo-server-fake-start 3)
  (todo-server-test-press "c")
  (todo-server-test-wait todo-server-rpc-reason)
  (should (todo-server-test-said-p "server exited (code 3): worm found")))

(provide 'todo-server-fake-test)
;;; todo-server-fake-test.el ends here
