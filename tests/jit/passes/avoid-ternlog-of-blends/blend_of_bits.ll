; LLVM 19 permutes the inputs of a masked VPTERNLOG, but not its table. The pass blends the same bits as floats.
; RUN: %opt --passes=avoid-ternlog-of-blends %s | FileCheck %s
; RUN: %opt --passes=avoid-ternlog-of-blends %s | lli
; RUN: %opt --passes=avoid-ternlog-of-blends %s | llc -mcpu=x86-64-v4 | FileCheck --check-prefix=ASM %s
; RUN: llc -mcpu=x86-64-v4 < %s | FileCheck --check-prefix=BUG %s

; BUG-LABEL: f:
; BUG: vpternlogd {{.*}} {%k1}
; ASM-LABEL: f:
; ASM-NOT: vpternlogd {{.*}} {%k1}
; ASM: vpternlogd
; ASM-NOT: vpternlogd {{.*}} {%k1}
; ASM-LABEL: main:

; CHECK-LABEL: define <16 x i32> @f(
; CHECK: %both = or <16 x i32> %low, %high
; CHECK-DAG: [[BOTH:%.*]] = bitcast <16 x i32> %both to <16 x float>
; CHECK-DAG: [[A:%.*]] = bitcast <16 x i32> %a to <16 x float>
; CHECK: [[BLEND:%.*]] = select <16 x i1> %on, <16 x float> [[BOTH]], <16 x float> [[A]]
; CHECK-NEXT: [[BITS:%.*]] = bitcast <16 x float> [[BLEND]] to <16 x i32>
; CHECK-NEXT: ret <16 x i32> [[BITS]]
define <16 x i32> @f(<16 x i32> %a, <16 x i32> %b, <16 x i1> %on) {
  %low = and <16 x i32> %a, splat (i32 7)
  %high = and <16 x i32> %b, splat (i32 -8)
  %both = or <16 x i32> %low, %high
  %blend = select <16 x i1> %on, <16 x i32> %both, <16 x i32> %a
  ret <16 x i32> %blend
}

; By hand: 13 is 1101 and 50 is 110010; the low three bits of the one (101) with the others of the second (110000) are 53
; in lanes 1 and 8 to 15, which are on; others keep 13, and lane 0 the bits of a signalling NaN.
define i32 @main() {
  %a = insertelement <16 x i32> splat (i32 13), i32 u0x7f800001, i64 0
  %on = bitcast i16 u0xff02 to <16 x i1>
  %got = call <16 x i32> @f(<16 x i32> %a, <16 x i32> splat (i32 50), <16 x i1> %on)
  %off = insertelement <16 x i32> splat (i32 53), i32 u0x7f800001, i64 0
  %want = shufflevector <16 x i32> %off, <16 x i32> splat (i32 13), <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %wrong = icmp ne <16 x i32> %got, %want
  %bits = bitcast <16 x i1> %wrong to i16
  %any = icmp ne i16 %bits, 0
  %code = zext i1 %any to i32
  ret i32 %code
}
