; Lanes widened to 64 bits are saved whole: where a 32-bit sum wraps, the distance of lanes is not the step.
; RUN: %opt --passes=shorten-kept %s | FileCheck %s
; RUN: %opt --passes=shorten-kept %s | lli

; CHECK-LABEL: define <4 x i64> @f(
; CHECK: store <4 x i64> %wide, ptr @kept, align 8, !visor.kept [[MARK:!.*]]
; CHECK: again:
; CHECK-NEXT: %wide1 = load <4 x i64>, ptr @kept, align 8, !visor.kept [[MARK]]
; CHECK-NEXT: ret <4 x i64> %wide1
define <4 x i64> @f(i32 %pc, i32 %x) {
entry:
  %first = icmp eq i32 %pc, 0
  br i1 %first, label %begin, label %again

begin:
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %v = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %wide = zext <4 x i32> %v to <4 x i64>
  store <4 x i64> %wide, ptr @kept, align 8, !visor.kept !0
  ret <4 x i64> zeroinitializer

again:
  %wide1 = load <4 x i64>, ptr @kept, align 8, !visor.kept !0
  ret <4 x i64> %wide1
}
!0 = !{i64 1, i64 0, i64 0}

@kept = global [4 x i64] zeroinitializer

; By hand: 2^32 - 2 and 2^32 - 1, then 0 and 1 after the wrap.
define i32 @main() {
  call <4 x i64> @f(i32 0, i32 -2)
  %got = call <4 x i64> @f(i32 1, i32 0)
  %wrong = icmp ne <4 x i64> %got, <i64 4294967294, i64 4294967295, i64 0, i64 1>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
