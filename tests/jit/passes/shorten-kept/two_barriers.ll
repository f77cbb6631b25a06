; A vector whose steps hold under a condition is kept over two barriers: behind the first one the condition cannot be
; checked, so that the second save stays whole as well, and nothing refers to what was computed before.
; RUN: %opt --passes=shorten-kept %s | FileCheck %s
; RUN: %opt --passes=shorten-kept %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: again:
; CHECK-NEXT: %v1 = load <4 x i32>, ptr @kept, align 4, !visor.kept
; CHECK-NEXT: store <4 x i32> %v1, ptr @later, align 4, !visor.kept
; CHECK-NEXT: ret
; CHECK: last:
; CHECK-NEXT: %v2 = load <4 x i32>, ptr @later, align 4, !visor.kept
; CHECK-NEXT: ret <4 x i32> %v2
define <4 x i32> @f(i32 %pc, i32 %x) {
entry:
  switch i32 %pc, label %begin [
    i32 1, label %again
    i32 2, label %last
  ]

begin:
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %steps = add <4 x i32> %all, <i32 0, i32 22, i32 44, i32 66>
  %v = or <4 x i32> %steps, splat (i32 64)
  store <4 x i32> %v, ptr @kept, align 4, !visor.kept !0
  ret <4 x i32> zeroinitializer

again:
  %v1 = load <4 x i32>, ptr @kept, align 4, !visor.kept !0
  store <4 x i32> %v1, ptr @later, align 4, !visor.kept !1
  ret <4 x i32> zeroinitializer

last:
  %v2 = load <4 x i32>, ptr @later, align 4, !visor.kept !1
  ret <4 x i32> %v2
}
!0 = !{i64 1, i64 0}
!1 = !{i64 2, i64 0}

@kept = global [4 x i32] zeroinitializer
@later = global [4 x i32] zeroinitializer

; By hand: 1, 23, 45 and 67, each with the bit of 64 set; the last one has it already.
define i32 @main() {
  call <4 x i32> @f(i32 0, i32 1)
  call <4 x i32> @f(i32 1, i32 0)
  %got = call <4 x i32> @f(i32 2, i32 0)
  %wrong = icmp ne <4 x i32> %got, <i32 65, i32 87, i32 109, i32 67>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
