; A choice (three operations) and a majority (four) become one VPTERNLOG each.
; RUN: %opt --cpu avx512 --passes=ternary-logic %s | FileCheck %s

; Bit k of a table is the result where the three inputs, in order, are the bits of k; inputs come in the order of their use.
; Choice of a, b, m: a where m is on, 101 and 111; b where it is off, 010 and 110: bits 2, 5, 6, 7 are 228.
; Majority of a, b, c: two ones or more, 011, 101, 110, 111: bits 3, 5, 6, 7 are 232.
; CHECK-LABEL: define void @f(
; CHECK-NEXT: [[CHOICE:%.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %a, <16 x i32> %b, <16 x i32> %m, i32 228)
; CHECK-NEXT: store volatile <16 x i32> [[CHOICE]], ptr %out, align 64
; CHECK-NEXT: [[MAJORITY:%.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, i32 232)
; CHECK-NEXT: store volatile <16 x i32> [[MAJORITY]], ptr %out, align 64
; CHECK-NEXT: ret void
define void @f(ptr %out, <16 x i32> %a, <16 x i32> %b, <16 x i32> %c, <16 x i32> %m) {
  %differ = xor <16 x i32> %a, %b
  %masked = and <16 x i32> %differ, %m
  %choice = xor <16 x i32> %masked, %b
  store volatile <16 x i32> %choice, ptr %out, align 64
  %both = and <16 x i32> %a, %b
  %any = or <16 x i32> %a, %b
  %with = and <16 x i32> %any, %c
  %majority = or <16 x i32> %both, %with
  store volatile <16 x i32> %majority, ptr %out, align 64
  ret void
}
