;;; todo-server-picture-test.el --- The recorded conversations  -*- lexical-binding: t; -*-

;;; Commentary:

;; What is said in a transcript is said to a real server over the connection of
;; the editor, and what Emacs then draws has to be what the picture shows.

;;; Code:

(require 'todo-server-test-helper)

(defun todo-server-picture--file (file)
  "The steps of the transcript FILE: (MESSAGE . PICTURE), both as text.
The picture is the last one that stands before the next message.  There are no
steps where the world has its say, or a batch, which an editor never sends."
  (let (steps said)
    (with-temp-buffer
      (insert-file-contents file)
      (unless (re-search-forward "^\\(~~>\\|source:\\|--> \\[\\)" nil t)
        (while (not (eobp))
          (let ((line (buffer-substring (point) (line-end-position))))
            (cond ((string-prefix-p "--> " line)
                   (push (cons (substring line 4) nil) steps)
                   (setq said t))
                  ((and said (string-prefix-p "  " line))
                   (setcar (car steps) (concat (caar steps) line)))
                  ((string-prefix-p "==" line)
                   ;; A new picture begins after something else.
                   (save-excursion
                     (forward-line -1)
                     (unless (looking-at-p "==") (setcdr (car steps) nil)))
                   (setcdr (car steps) (append (cdar steps)
                                               (list (string-trim-right (substring line 2)))))))
            (unless (string-prefix-p "--> " line)
              (when (string-match-p "\\`[^ ]" line) (setq said nil))))
          (forward-line))))
    (nreverse steps)))

(defun todo-server-picture--actions (text)
  "The actions in TEXT as a picture has them."
  (let ((position 0) actions)
    (while (setq position (text-property-not-all position (length text) 'todo-server-action nil text))
      (let ((name (get-text-property position 'todo-server-action text)))
        (push (format (if (eq (get-text-property position 'face text) 'shadow) "(%s)" "[%s]") name)
              actions)
        (setq position (or (next-single-property-change position 'todo-server-action text)
                           (length text)))))
    (concat " " (string-join (nreverse actions) " "))))

(defun todo-server-picture--faced (line face)
  "The part of LINE that has FACE, or nil."
  (when-let ((begin (text-property-any 0 (length line) 'face face line)))
    (substring line begin (or (text-property-not-all begin (length line) 'face face line)
                              (length line)))))

(defun todo-server-picture--body-line (line)
  "The picture of LINE of a form or a list."
  (let ((value (todo-server-picture--faced line 'widget-field))
        (problem (todo-server-picture--faced line 'error)))
    (cons (string-trim-right
           (concat " " (if value (concat (substring line 0 (string-search value line)) value) line)))
          (and problem (list (concat " ! " problem))))))

(defun todo-server-picture--main ()
  "The picture of what the main buffer shows."
  (with-current-buffer "*todo*"
    (let* ((screen todo-server--screen)
           (level (todo-server--in screen :message :level))
           (said (todo-server--in screen :message :text))
           (lines (split-string (buffer-string) "\n" t)))
      (append
       (list (concat " " (string-trim header-line-format)))
       (mapcan #'todo-server-picture--body-line
               (seq-remove (lambda (line) (or (text-property-not-all 0 (length line)
                                                                     'todo-server-action nil line)
                                              (equal line said)))
                           lines))
       (when said
         (should (member said lines))
         (list (format " %s: %s" level said)))
       (list (todo-server-picture--actions (buffer-string)))))))

(defun todo-server-picture--lines (text)
  "The picture of the lines of TEXT, a field of several lines."
  (mapcar (lambda (line) (string-trim-right (concat " | " line))) (split-string text "\r?\n")))

(defun todo-server-picture--sides ()
  "The texts of the conflict in this buffer: base, if it is known, yours, the other side."
  (should (string-match (concat "\\`<<<<<<< .*\n\\(\\(?:.*\n\\)*?\\)"
                                "\\(?:||||||| .*\n\\(\\(?:.*\n\\)*\\)\\)?"
                                "=======\n\\(\\(?:.*\n\\)*\\)>>>>>>> .*\n\\'")
                        (buffer-string)))
  (mapcar (lambda (side) (substring (or (match-string side (buffer-string)) "\n") 0 -1)) '(2 1 3)))

(defun todo-server-picture--text (screen)
  "The picture of the text buffer in front, which shows SCREEN.
A text has no labels: these are from SCREEN, as is the level of the message."
  (with-current-buffer todo-server--attached
    (let* ((title (substring header-line-format 0 (string-search "  " header-line-format)))
           (fields (todo-server--in screen :body :fields))
           (values (if (eq (todo-server--shape screen) 'conflict) (todo-server-picture--sides)
                     (let ((lines (split-string (buffer-string) "\n")))
                       (append (seq-take lines (1- (length fields)))
                               (list (string-join (nthcdr (length fields) lines) "\n"))))))
           (said (todo-server--in screen :message :text)))
      (append
       (list (concat " " title))
       (seq-mapcat
        (lambda (field)
          (let ((label (concat " " (plist-get field :label) ":")) (value (pop values)))
            (append (if (todo-server--has :multiline field)
                        (cons label (todo-server-picture--lines value))
                      (list (string-trim-right (concat label " " value))))
                    (when-let ((problem (plist-get field :error)))
                      (should (string-search problem header-line-format))
                      (list (concat " ! " problem))))))
        fields)
       (when said
         (should (string-search said header-line-format))
         (list (format " %s: %s" (todo-server--in screen :message :level) said)))
       (list (todo-server-picture--actions header-line-format))))))

(defun todo-server-picture--drawn ()
  "The picture of what Emacs shows."
  (let ((front (todo-server--front)))
    (if (todo-server--shape front) (todo-server-picture--text front) (todo-server-picture--main))))

(defun todo-server-picture--say (text ids)
  "Say the message TEXT, and return IDS with those of new todos, in their order."
  (cl-loop for id in ids for number from 1
           do (dolist (end '("\"" "/"))      ; alone, or in the base of a form
                (setq text (string-replace (format "\"t%d%s" number end) (format "\"%s%s" id end)
                                           text))))
  (let* ((message (json-parse-string text :object-type 'plist :null-object nil
                                     :false-object :json-false))
         (answer 'none)
         result)
    (jsonrpc-async-request (todo-server-rpc-live) (intern (plist-get message :method))
                           (plist-get message :params)
                           :success-fn (lambda (it) (setq result it answer t))
                           :error-fn (lambda (_) (setq answer nil)))
    (todo-server-test-wait (not (eq answer 'none)))
    (seq-uniq (append ids (delq nil (cons (todo-server--in result :todo :id)
                                          (seq-map (lambda (item) (plist-get item :id))
                                                   (todo-server--in (todo-server--front)
                                                                    :body :items))))))))

(defun todo-server-picture--replay (steps)
  "Say the messages of STEPS, compare the pictures, and return how many there were."
  (let ((count 0) ids)
    (todo-server)
    (todo-server-test-wait (todo-server--front))
    (pcase-dolist (`(,text . ,picture) steps)
      (when-let ((method (and (string-match "\"method\":\"\\([^$\"]*\\)\"" text)
                              (match-string 1 text))))
        (unless (member method '("initialize" "initialized" "shutdown" "exit"))
          ;; The values come from the transcript, not from who types here.
          (when todo-server--attached
            (with-current-buffer todo-server--attached (set-buffer-modified-p nil)))
          (setq ids (todo-server-picture--say text ids)))
        (when (and picture (not (equal method "exit")))
          (let ((end (time-add nil todo-server-test-patience)) drawn)
            (while (not (equal (setq drawn (todo-server-picture--drawn)) picture))
              (unless (time-less-p nil end) (should (equal (cons text drawn) (cons text picture))))
              (accept-process-output nil 0.01)))
          (cl-incf count))))
    count))

(ert-deftest todo-server-picture ()
  "The recorded conversations are drawn as their pictures have it."
  (let ((count 0))
    (dolist (file (file-expand-wildcards
                   (expand-file-name "../../../Fixtures/transcripts/*/*.txt" (getenv "TODO_TESTS"))))
      ;; Those about the protocol itself are no conversation of an editor.
      (unless (string-search "/protocol/" file)
        (when-let ((steps (todo-server-picture--file file)))
          (ert-info (file :prefix "file: ")
            (todo-server-test-call
             (lambda () (cl-incf count (todo-server-picture--replay steps))))))))
    (should (> count 60))))

(provide 'todo-server-picture-test)
;;; todo-server-picture-test.el ends here
