; Values of VPTERNLOG: choice, majority and ~(a & ~b) ^ c, for all eight combinations of input bits.
; REQUIRES: avx512
; RUN: %opt --cpu avx512 --passes=ternary-logic %s | FileCheck %s
; RUN: %opt --cpu avx512 --passes=ternary-logic %s | lli

; CHECK-LABEL: define void @f(
; CHECK-COUNT-3: call <16 x i32> @llvm.x86.avx512.pternlog.d.512
; CHECK: define i32 @main
define void @f(ptr %out, <16 x i32> %a, <16 x i32> %b, <16 x i32> %c) "target-features"="+avx512f" {
  %differ = xor <16 x i32> %b, %c
  %masked = and <16 x i32> %differ, %a
  %choice = xor <16 x i32> %masked, %c
  store <16 x i32> %choice, ptr %out, align 4
  %both = and <16 x i32> %a, %b
  %any = or <16 x i32> %a, %b
  %with = and <16 x i32> %any, %c
  %majority = or <16 x i32> %both, %with
  %out1 = getelementptr i8, ptr %out, i64 64
  store <16 x i32> %majority, ptr %out1, align 4
  %not = xor <16 x i32> %b, splat (i32 -1)
  %but = and <16 x i32> %a, %not
  %or = xor <16 x i32> %but, splat (i32 -1)
  %third = xor <16 x i32> %or, %c
  %out2 = getelementptr i8, ptr %out, i64 128
  store <16 x i32> %third, ptr %out2, align 4
  ret void
}

@out = global [48 x i32] zeroinitializer

; By hand, with 11110000 for a, 11001100 for b, 10101010 for c in each byte, and the bytes' order turned around in lane 1:
; b where a, else c: 11001010 (ca); two of three: 11101000 (e8); ~(a & ~b) is 11001111, and with c 01100101 (65).
define i32 @main() "target-features"="+avx512f" {
  %a = insertelement <16 x i32> splat (i32 u0xf0f0f0f0), i32 u0x0f0f0f0f, i64 1
  %b = insertelement <16 x i32> splat (i32 u0xcccccccc), i32 u0x33333333, i64 1
  %c = insertelement <16 x i32> splat (i32 u0xaaaaaaaa), i32 u0x55555555, i64 1
  call void @f(ptr @out, <16 x i32> %a, <16 x i32> %b, <16 x i32> %c)
  %choice = load <16 x i32>, ptr @out, align 4
  %majority = load <16 x i32>, ptr getelementptr (i8, ptr @out, i64 64), align 4
  %third = load <16 x i32>, ptr getelementptr (i8, ptr @out, i64 128), align 4
  %choice0 = insertelement <16 x i32> splat (i32 u0xcacacaca), i32 u0x53535353, i64 1
  %majority0 = insertelement <16 x i32> splat (i32 u0xe8e8e8e8), i32 u0x17171717, i64 1
  %third0 = insertelement <16 x i32> splat (i32 u0x65656565), i32 u0xa6a6a6a6, i64 1
  %wrong0 = icmp ne <16 x i32> %choice, %choice0
  %wrong1 = icmp ne <16 x i32> %majority, %majority0
  %wrong2 = icmp ne <16 x i32> %third, %third0
  %wrong01 = or <16 x i1> %wrong0, %wrong1
  %wrong = or <16 x i1> %wrong01, %wrong2
  %bits = bitcast <16 x i1> %wrong to i16
  %any = icmp ne i16 %bits, 0
  %code = zext i1 %any to i32
  ret i32 %code
}
