; 32 lanes need two VPTERNLOGs, 64-bit elements bitcasts. Constant ones are no input: ~(a & ~b) ^ c has three inputs.
; RUN: %opt --cpu avx512 --passes=ternary-logic %s | FileCheck %s

; Inputs come in the order of their use: b, a, c. ~(a & ~b) is 0 for b = 0, a = 1 alone. Where it is 1, the result is c's
; complement (000, 100, 110 give 1), else c (011 gives 1): bits 0, 3, 4, 6 are 89.
; CHECK-LABEL: define void @f(
; CHECK: [[B0:%.*]] = shufflevector <32 x i32> %b, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK-NEXT: [[A0:%.*]] = shufflevector <32 x i32> %a, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK-NEXT: [[C0:%.*]] = shufflevector <32 x i32> %c, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK-NEXT: [[R0:%.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> [[B0]], <16 x i32> [[A0]], <16 x i32> [[C0]], i32 89)
; CHECK-NEXT: [[B1:%.*]] = shufflevector <32 x i32> %b, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
; CHECK-NEXT: [[A1:%.*]] = shufflevector <32 x i32> %a, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
; CHECK-NEXT: [[C1:%.*]] = shufflevector <32 x i32> %c, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
; CHECK-NEXT: [[R1:%.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> [[B1]], <16 x i32> [[A1]], <16 x i32> [[C1]], i32 89)
; CHECK-NEXT: [[WIDE:%.*]] = shufflevector <16 x i32> [[R0]], <16 x i32> [[R1]], <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
; CHECK: store volatile <32 x i32> [[WIDE]], ptr %out
; CHECK: [[K:%.*]] = bitcast <8 x i64> %k to <16 x i32>
; CHECK: [[J:%.*]] = bitcast <8 x i64> %j to <16 x i32>
; CHECK: [[L:%.*]] = bitcast <8 x i64> %l to <16 x i32>
; CHECK: [[R:%.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> [[K]], <16 x i32> [[J]], <16 x i32> [[L]], i32 89)
; CHECK: [[R64:%.*]] = bitcast <16 x i32> [[R]] to <8 x i64>
; CHECK: store volatile <8 x i64> [[R64]], ptr %out
define void @f(ptr %out, <32 x i32> %a, <32 x i32> %b, <32 x i32> %c, <8 x i64> %j, <8 x i64> %k, <8 x i64> %l) {
  %not = xor <32 x i32> %b, splat (i32 -1)
  %but = and <32 x i32> %a, %not
  %or = xor <32 x i32> %but, splat (i32 -1)
  %r = xor <32 x i32> %or, %c
  store volatile <32 x i32> %r, ptr %out, align 64
  %not64 = xor <8 x i64> %k, splat (i64 -1)
  %but64 = and <8 x i64> %j, %not64
  %or64 = xor <8 x i64> %but64, splat (i64 -1)
  %r64 = xor <8 x i64> %or64, %l
  store volatile <8 x i64> %r64, ptr %out, align 64
  ret void
}
