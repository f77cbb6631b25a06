;;; visa-mode.el --- Major mode for vISA text -*- lexical-binding: t -*-

;;; Commentary:
;; Colours, an index of kernels and labels, and `visor check' as the compile command, with its messages as places.
;; The names of instructions are generated (visa-instructions.el).

;;; Code:

(require 'compile)
(require 'visa-instructions)

(defgroup visa nil
  "VISA text, Intel's virtual instruction set."
  :group 'languages)

(defcustom visa-visor-program "visor"
  "The program `visor'."
  :type 'string)

(defvar visa-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?% "_" table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?@ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    table)
  "Syntax of vISA text.")

(defconst visa-font-lock-keywords
  `(("^//! visor:.*$" 0 font-lock-doc-face t)
    (,(concat "^\\s-*\\(\\.\\(?:version\\|kernel\\|global_function\\|kernel_attr\\|decl\\|input\\|function\\|funcdecl"
              "\\|file\\|loc\\|implicit_[A-Za-z0-9_]+\\)\\)\\_>")
     1 font-lock-preprocessor-face)
    ("^\\s-*\\.\\(?:kernel\\|global_function\\|function\\)\\s-+\"?\\([A-Za-z0-9_$@?]+\\)" 1 font-lock-function-name-face t)
    ("\\(?:^\\|[{}]\\)\\s-*\\([A-Za-z_$@?][A-Za-z0-9_$@?-]*\\):" 1 font-lock-constant-face)
    (,(concat "\\(?:^\\|[{}:]\\)\\s-*\\(?:([^)\n]*)\\s-*\\)?\\("
              (regexp-opt (append '("FILE" "LOC") visa-instructions)) "\\)\\_>\\(\\(?:\\.[A-Za-z0-9_<>-]+\\)*\\)")
     (1 font-lock-keyword-face) (2 font-lock-type-face))
    ("\\_<\\(v_type\\|type\\|num_elts\\|align\\|alias\\|v_name\\|offset\\|size\\|attrs\\)\\s-*=" 1 font-lock-variable-name-face)
    ("(\\s-*\\(M[1-8]\\(?:_NM\\)?\\|NoMask\\)\\s-*," 1 font-lock-builtin-face)
    ("[:=]\\s-*\\(u?[bwdq]\\|hf\\|bf\\|d?f\\|u?v\\|vf\\|bool\\|[ad][0-9]+[A-Za-z0-9_.]*\\)\\_>" 1 font-lock-type-face)
    ("%[A-Za-z_][A-Za-z0-9_]*" . font-lock-builtin-face))
  "What `visa-mode' colours.")

;; FILE:LINE:COLUMN: error: MESSAGE [rule]
(add-to-list 'compilation-error-regexp-alist-alist
             '(visor "^\\([^\n]+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\|unsupported by Visor\\)\\|\\(note\\)\\): "
                     1 2 3 (4 . 5)))
(add-to-list 'compilation-error-regexp-alist 'visor)

;;;###autoload
(define-derived-mode visa-mode prog-mode "vISA"
  "Major mode for vISA text; `compile' checks the file."
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "//+\\s-*"
              font-lock-defaults '(visa-font-lock-keywords)
              imenu-generic-expression '(("Kernels" "^\\s-*\\.\\(?:kernel\\|global_function\\)\\s-+\"?\\([^\"\n ]+\\)" 1)
                                         ("Labels" "^\\s-*\\([A-Za-z_$@?][A-Za-z0-9_$@?-]*\\):" 1)))
  (when buffer-file-name
    (setq-local compile-command
                (format "%s check -- %s" (shell-quote-argument visa-visor-program) (shell-quote-argument buffer-file-name)))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.visaasm\\'" . visa-mode))

(provide 'visa-mode)
;;; visa-mode.el ends here
