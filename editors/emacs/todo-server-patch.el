;;; todo-server-patch.el --- JSON Patch for todo-server.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Patches of RFC 6902 for documents as jsonrpc.el reads them: plists and
;; vectors, where null and {} are both nil.

;;; Code:

(require 'cl-lib)

(defun todo-server-patch--edit (node path operation &optional value)
  "A copy of NODE after OPERATION with VALUE at PATH, a list of tokens.
OPERATION is `add', `remove' or `replace'; what is off the path is shared."
  (pcase-let* ((`(,token . ,rest) path)
               (here (and path (not rest) operation))
               (key (and path (intern (concat ":" token))))
               (index (if (and (eq here 'add) (equal token "-")) (length node)
                        (string-to-number (or token "")))))
    (unless (cond ((null path) (not (eq operation 'remove)))
                  ((vectorp node)
                   (if (and (eq here 'add) (= index (length node))) t
                     (and (string-match-p "\\`\\(0\\|[1-9][0-9]*\\)\\'" token)
                          (< index (length node)))))
                  (t (or (eq here 'add) (plist-member node key))))
      (error "Nothing to %s at %s" operation path))
    (cond ((null path) value)
          ((and (vectorp node) (memq here '(add remove)))
           (vconcat (substring node 0 index) (and (eq here 'add) (vector value))
                    (substring node (if (eq here 'add) index (1+ index)))))
          ((vectorp node)
           (let ((copy (copy-sequence node)))
             (aset copy index
                   (todo-server-patch--edit (aref node index) rest operation value))
             copy))
          ((eq here 'remove)
           (cl-loop for (member old) on node by #'cddr
                    unless (eq member key) nconc (list member old)))
          (t (plist-put (copy-sequence node) key
                        (todo-server-patch--edit (plist-get node key) rest operation value))))))

(defun todo-server-patch--get (node path)
  "What is at PATH in NODE."
  (dolist (token path node)
    (setq node (if (vectorp node) (aref node (string-to-number token))
                 (cadr (or (plist-member node (intern (concat ":" token)))
                           (error "No member %s" token)))))))

(defun todo-server-patch--path (pointer)
  "The tokens of the JSON POINTER."
  (mapcar (lambda (token)
            (string-replace "~0" "~" (string-replace "~1" "/" token)))
          (cdr (split-string pointer "/"))))

(defun todo-server-patch--operate (document operation)
  "DOCUMENT after the one OPERATION of a patch."
  (let* ((path (todo-server-patch--path (plist-get operation :path)))
         (from (todo-server-patch--path (or (plist-get operation :from) "")))
         (value (plist-get operation :value)))
    (pcase (plist-get operation :op)
      ("add" (todo-server-patch--edit document path 'add value))
      ("remove" (todo-server-patch--edit document path 'remove))
      ("replace" (todo-server-patch--edit document path 'replace value))
      ("copy" (todo-server-patch--edit document path 'add
                                     (todo-server-patch--get document from)))
      ("move" (todo-server-patch--edit (todo-server-patch--edit document from 'remove) path
                                     'add (todo-server-patch--get document from)))
      ;; Stricter than JSON about the order of members: then the whole
      ;; rendering is fetched, and nothing is lost.
      ("test" (if (equal (todo-server-patch--get document path) value) document
                (error "A test failed")))
      (other (error "Unknown operation %s" other)))))

(defun todo-server-patch (document operations)
  "DOCUMENT after all OPERATIONS; the one given stays as it is."
  (cl-reduce #'todo-server-patch--operate operations :initial-value document))

(provide 'todo-server-patch)
;;; todo-server-patch.el ends here
