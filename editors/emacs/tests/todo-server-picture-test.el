;;; todo-server-picture-test.el --- The recorded conversations  -*- lexical-binding: t; -*-

;;; Commentary:

;; The tests send the messages of a transcript to a real server over the
;; editor's connection, and compare what Emacs draws with the picture.

;;; Code:

(require 'todo-server-test-helper)

(defun todo-server-picture--file (file)
  "The steps of the transcript FILE: (MESSAGE . PICTURE), both as text.
The picture is the last one before the next message.  There are no
steps with an event from outside, a batch, which an editor never sends, or a
clock: the server has that of the system."
  (let (steps said)
    (with-temp-buffer
      (insert-file-contents file)
      (unless (re-search-forward "^\\(~~>\\|source:\\|clock:\\|--> \\[\\)" nil t)
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

(defun todo-server-picture--actions ()
  "The actions of this buffer, in the order of its screen, as a picture has them."
  (concat " " (mapconcat (lambda (action)
                           (let ((hint (todo-server--hint action)))
                             (format (if (text-property-any 0 (length hint)
                                                            'face 'todo-server-key hint)
                                         "[%s]"
                                       "(%s)")
                                     (plist-get action :name))))
                         (plist-get todo-server--screen :actions) " ")))

(defun todo-server-picture--faced (line face)
  "The part of LINE that has FACE, or nil."
  (when-let ((begin (text-property-any 0 (length line) 'face face line)))
    (substring line begin (or (text-property-not-all begin (length line) 'face face line)
                              (length line)))))

(defun todo-server-picture--body-line (line)
  "The picture of LINE of a form or a list."
  (let ((value (todo-server-picture--faced line 'todo-server-value)))
    (concat (cond ((get-text-property 0 'todo-server-section line) " # ")
                  ((and (get-text-property 0 'todo-server-field line) (not value)) " ! ")
                  (t " "))
            (string-remove-prefix "▾ " (string-trim-right (todo-server-picture--item line))))))

(defun todo-server-picture--item (line)
  "LINE with the labels of its item after the detail, as pictures have them."
  (let* ((item (get-text-property 0 'todo-server-item line))
         (labels (append (plist-get item :labels) nil))
         (chips (concat " · " (mapconcat #'identity labels " ")))
         (badge (and (plist-get item :badge) (concat " · " (plist-get item :badge)))))
    (if (null labels)
        line
      (should (string-search chips line))
      (let ((known (string-remove-suffix (or badge "") (string-replace chips "" line))))
        (concat known " · " (mapconcat (apply-partially #'concat "#") labels " ") badge)))))

(defun todo-server-picture--main ()
  "Return the main buffer as a picture."
  (with-current-buffer "*todo*"
    (let* ((screen todo-server--screen)
           (level (todo-server--in screen :message :level))
           (said (todo-server--in screen :message :text))
           (lines (split-string (buffer-string) "\n" t)))
      (append
       (list (concat " " (todo-server-picture--title)))
       (mapcar #'todo-server-picture--body-line
               (seq-remove (lambda (line) (or (equal line said) (string-match-p "\\`[█░]+\\'" line)))
                           lines))
       (when said
         (should (equal said (car lines)))
         (list (format " %s: %s" level said)))
       (list (todo-server-picture--actions))))))

(defun todo-server-picture--title ()
  "The title in the header line of this buffer."
  (todo-server-picture--faced (todo-server--header) 'todo-server-title))

(defun todo-server-picture--lines (text)
  "The picture of the lines of TEXT, a field of several lines."
  (mapcar (lambda (line) (string-trim-right (concat " | " line))) (split-string text "\r?\n")))

(defun todo-server-picture--value (field)
  "The value of FIELD as the text in front or the sides beside it have it."
  (if-let ((side (todo-server--buffer (plist-get field :side))))
      (with-current-buffer side (buffer-string))
    (cdr (assoc (plist-get field :name) (todo-server--split)))))

(defun todo-server-picture--text (screen)
  "The picture of the text buffer in front, which shows SCREEN."
  (with-current-buffer (todo-server--attached)
    (let* ((shown (split-string (todo-server-test-shown) "\n"))
           (said (todo-server--in screen :message :text))
           (compare (eq (todo-server--layout screen) 'compare)))
      (append
       (list (concat " " (if compare (plist-get screen :title) (todo-server-picture--title))))
       (seq-mapcat
        (lambda (field)
          (let ((label (plist-get field :label)) (value (todo-server-picture--value field)))
            (unless compare (should (member label shown)))
            (append (if (todo-server--has :multiline field)
                        (cons (format " %s:" label) (todo-server-picture--lines value))
                      (list (string-trim-right (format " %s: %s" label value))))
                    (when-let ((problem (plist-get field :error)))
                      (should (= 1 (seq-count (apply-partially #'equal problem) shown)))
                      (list (concat " ! " problem))))))
        (todo-server--in screen :body :fields))
       (when said
         (should (equal said (car shown)))
         (list (format " %s: %s" (todo-server--in screen :message :level) said)))
       (list (todo-server-picture--actions))))))

(defun todo-server-picture--drawn ()
  "The picture of what Emacs shows."
  (let ((front (todo-server--front)))
    (if (todo-server--layout front) (todo-server-picture--text front) (todo-server-picture--main))))

(defun todo-server-picture--untyped (picture)
  "PICTURE without the dots of a password, which the editor does not show."
  (mapcar (lambda (line) (string-trim-right (string-remove-suffix "***" line))) picture))

(defun todo-server-picture--say (text ids)
  "Say the message TEXT, and return IDS with those of new todos, in their order."
  (cl-loop for id in ids for number from 1
           do (dolist (end '("\"" "/"))      ; alone, or in the base of a form
                (setq text (string-replace (format "%st%d%s" end number end)
                                           (format "%s%s%s" end id end) text))))
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
          (setq ids (todo-server-picture--say text ids)))
        (when (and picture (not (equal method "exit")))
          (let ((end (time-add nil todo-server-test-patience)) drawn)
            (while (not (equal (setq drawn (todo-server-picture--drawn))
                               (todo-server-picture--untyped picture)))
              (unless (time-less-p nil end) (should (equal (cons text drawn) (cons text picture))))
              (accept-process-output nil 0.01)
              (todo-server-picture--clean)))
          (cl-incf count))))
    count))

(defun todo-server-picture--clean ()
  "Let the texts show the newest form: the transcript has the edits, not the user."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (derived-mode-p 'todo-server-text-mode)
        (setq todo-server--texts (todo-server--split))
        (set-buffer-modified-p nil))))
  (todo-server--update))

(ert-deftest todo-server-picture ()
  "The recorded conversations are drawn as their pictures have it."
  (let ((count 0))
    (dolist (file (file-expand-wildcards
                   (expand-file-name "../../../Fixtures/transcripts/*/*.txt" (getenv "TODO_TESTS"))))
      ;; Those about the protocol itself are not sessions of an editor.
      (unless (string-search "/protocol/" file)
        (when-let ((steps (todo-server-picture--file file)))
          (ert-info (file :prefix "file: ")
            ;; Text that is drawn in a buffer is sent after a pause, as if it were typed: on a busy
            ;; machine that comes between a message of the transcript and its rendering.
            (cl-letf (((symbol-function 'todo-server--send) #'ignore))
              (todo-server-test-call
               (lambda ()
                 ;; This store has no drafts, which appear by the clock: the transcript has its own.
                 (setq todo-server-command (append (todo-server-test-program)
                                                   '("--store" "memory")))
                 (cl-incf count (todo-server-picture--replay steps)))))))))
    (should (> count 60))))

(provide 'todo-server-picture-test)
;;; todo-server-picture-test.el ends here
