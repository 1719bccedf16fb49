;;; todo-server-rows-test.el --- Long lists  -*- lexical-binding: t; -*-

;;; Commentary:

;; Lists of thousands of rows, from the server that is about fruit: see fake_server.py.

;;; Code:

(require 'todo-server-test-helper)

(todo-server-test todo-server-test-28-many
    "Check 28: 5,000 rows that come whole are drawn once."
  (should (= (todo-server-fake-start 5000 "whole") 5000))
  (with-current-buffer "*todo*"
    (goto-char (point-max))
    (forward-line -1)
    (should (looking-at-p "\\[ \\] Fruit 4999$"))))

(todo-server-test todo-server-test-28-window
    "Check 28: 100,000 rows come in parts; the cursor stays where it was."
  (should (= (todo-server-fake-start 100000) todo-server-rpc-window))
  (should (= (length (todo-server--in (todo-server--front) :body :items)) todo-server-rpc-window))
  (with-current-buffer "*todo*"
    (should (= (count-lines (point-min) (point-max)) 100000))
    (goto-char (todo-server--place nil 70000))
    (should (looking-at-p "…"))
    (should-error (todo-server-enter) :type 'user-error)
    (should (= (* 2 todo-server-rpc-window)
               (todo-server-fake-counting
                ;; The work of a redisplay, which does not happen in a batch.
                (set-window-point (selected-window) (point))
                (set-window-start (selected-window) (point))
                (run-hook-with-args 'window-scroll-functions (selected-window) (point))
                (todo-server-test-wait (and (looking-at-p "Fruit 70000") (looking-back "\\[ \\] " (line-beginning-position))))
                (should (= (line-number-at-pos (window-start)) (line-number-at-pos)))
                (call-interactively #'todo-server-enter)
                (todo-server-test-wait (and (looking-at-p "Fruit 70000") (looking-back "\\[x\\] " (line-beginning-position)))))))
    (should (= (count-lines (point-min) (point-max)) 100000))))

(todo-server-test todo-server-test-28-scrolling
    "Check 28: rows that are passed while others are on their way are not requested."
  (todo-server-fake-start 100000)
  (with-current-buffer "*todo*"
    (should (= (* 2 todo-server-rpc-window)
               (todo-server-fake-counting
                (dolist (row '(10000 20000 30000 40000 50000))
                  (goto-char (todo-server--place nil row))
                  (set-window-point (selected-window) (point))
                  (set-window-start (selected-window) (point))
                  (run-hook-with-args 'window-scroll-functions (selected-window) (point)))
                (todo-server-test-wait (looking-at-p "Fruit 50000")))))))

(provide 'todo-server-rows-test)
;;; todo-server-rows-test.el ends here
