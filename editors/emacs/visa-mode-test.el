;;; visa-mode-test.el --- Tests of visa-mode -*- lexical-binding: t -*-

;;; Code:

(require 'ert)
(require 'visa-mode)

(ert-deftest visa-mode-colours ()
  (with-temp-buffer
    (insert ".version 4.1\n.kernel \"k\"\nloop: (P1) add.sat (M1, 8) x(0,0)<1> %r0(0,0)<1;1,0> 0x1:ud // one\n")
    (visa-mode)
    (font-lock-ensure)
    (dolist (wanted '(("\\.version" . font-lock-preprocessor-face) ("loop" . font-lock-constant-face) ("add" . font-lock-keyword-face)
                      ("\\.sat" . font-lock-type-face) ("M1" . font-lock-builtin-face) ("%r0" . font-lock-builtin-face)
                      ("ud" . font-lock-type-face) ("one" . font-lock-comment-face)))
      (goto-char (point-min))
      (re-search-forward (car wanted))
      (should (eq (get-text-property (match-beginning 0) 'face) (cdr wanted))))))

(ert-deftest visa-mode-messages ()
  (let ((regexp (nth 1 (assq 'visor compilation-error-regexp-alist-alist))))
    (should (string-match regexp "a b.visaasm:7:14: error: `b` is not declared [undeclared-variable]"))
    (should (equal (match-string 1 "a b.visaasm:7:14: error: ") "a b.visaasm"))
    (should-not (match-string 4 "a b.visaasm:7:14: error: "))))

;;; visa-mode-test.el ends here
