; Stays even with --eager: a reversal moves lanes across parts, divisions may trap, and eight lanes fit a register.
; RUN: %opt --cpu avx2 --eager --passes=strip-mine-lanes %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %quotient = udiv <16 x i32> %a, %b
; CHECK-NEXT: %reversed = shufflevector <16 x i32> %quotient, <16 x i32> poison,
; CHECK-NEXT: store <16 x i32> %reversed, ptr %out, align 4
; CHECK-NEXT: %sum = add <8 x i32> %c, %c
; CHECK-NEXT: store volatile <8 x i32> %sum, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, <16 x i32> %a, <16 x i32> %b, <8 x i32> %c) {
  %quotient = udiv <16 x i32> %a, %b
  %reversed = shufflevector <16 x i32> %quotient, <16 x i32> poison, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  store <16 x i32> %reversed, ptr %out, align 4
  %sum = add <8 x i32> %c, %c
  store volatile <8 x i32> %sum, ptr %out, align 4
  ret void
}
