; Stay: two operations, which LLVM matches; short vectors; parts with other users; everything on a CPU without AVX-512.
; RUN: %opt --cpu avx512 --passes=ternary-logic %s | FileCheck --check-prefixes=CHECK,AVX512 %s
; RUN: %opt --cpu avx2 --passes=ternary-logic %s | FileCheck --check-prefixes=CHECK,AVX2 %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %two = xor <16 x i32> %a, %b
; CHECK-NEXT: %three = xor <16 x i32> %two, %c
; CHECK-NEXT: store volatile <16 x i32> %three, ptr %out, align 64
; CHECK-NEXT: %short1 = xor <8 x i32> %x, %y
; CHECK-NEXT: %short2 = and <8 x i32> %short1, %z
; CHECK-NEXT: %short3 = xor <8 x i32> %short2, %y
; CHECK-NEXT: store volatile <8 x i32> %short3, ptr %out, align 32
; CHECK-NEXT: %used1 = xor <16 x i32> %a, %b
; CHECK-NEXT: %used2 = and <16 x i32> %used1, %c
; CHECK-NEXT: %used3 = or <16 x i32> %used2, %b
; CHECK-NEXT: store volatile <16 x i32> %used1, ptr %out, align 64
; CHECK-NEXT: store volatile <16 x i32> %used2, ptr %out, align 64
; CHECK-NEXT: store volatile <16 x i32> %used3, ptr %out, align 64
; AVX512-NEXT: call <16 x i32> @llvm.x86.avx512.pternlog.d.512
; AVX2-NEXT: %choice1 = xor <16 x i32> %a, %b
; AVX2-NEXT: %choice2 = and <16 x i32> %choice1, %c
; AVX2-NEXT: %choice3 = xor <16 x i32> %choice2, %b
; AVX2-NEXT: store volatile <16 x i32> %choice3, ptr %out, align 64
; AVX2-NEXT: ret void
define void @f(ptr %out, <16 x i32> %a, <16 x i32> %b, <16 x i32> %c, <8 x i32> %x, <8 x i32> %y, <8 x i32> %z) {
  %two = xor <16 x i32> %a, %b
  %three = xor <16 x i32> %two, %c
  store volatile <16 x i32> %three, ptr %out, align 64
  %short1 = xor <8 x i32> %x, %y
  %short2 = and <8 x i32> %short1, %z
  %short3 = xor <8 x i32> %short2, %y
  store volatile <8 x i32> %short3, ptr %out, align 32
  %used1 = xor <16 x i32> %a, %b
  %used2 = and <16 x i32> %used1, %c
  %used3 = or <16 x i32> %used2, %b
  store volatile <16 x i32> %used1, ptr %out, align 64
  store volatile <16 x i32> %used2, ptr %out, align 64
  store volatile <16 x i32> %used3, ptr %out, align 64
  %choice1 = xor <16 x i32> %a, %b
  %choice2 = and <16 x i32> %choice1, %c
  %choice3 = xor <16 x i32> %choice2, %b
  store volatile <16 x i32> %choice3, ptr %out, align 64
  ret void
}
