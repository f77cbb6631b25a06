; A function of the C calling convention stays as it is, also a cold one: its callers expect vzeroupper.
; RUN: %opt --cpu avx2 --passes=preserve-vector-registers %s | FileCheck %s
; RUN: %opt --cpu avx2 --passes=preserve-vector-registers --assembly %s | FileCheck %s --check-prefix=CODE

; CHECK: define void @f(ptr %p) [[OWN:#[0-9]+]] {
; CHECK: attributes [[OWN]] = { cold noinline }
; CODE-LABEL: {{^}}f:
; CODE: vpsubd %ymm
; CODE: vzeroupper
; CODE: retq
define void @f(ptr %p) noinline cold {
  %a = load <8 x i32>, ptr %p, align 4
  %b = add <8 x i32> %a, splat (i32 1)
  store <8 x i32> %b, ptr %p, align 4
  ret void
}
