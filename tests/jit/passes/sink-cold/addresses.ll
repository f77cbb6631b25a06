; Lane addresses that the cold path alone uses move there with the chain that computes them.
; RUN: %opt --passes=sink-cold %s | FileCheck %s
; RUN: %opt --passes=sink-cold %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: entry:
; CHECK-NEXT: br i1 %fits, label %hot, label %seldom
; CHECK: seldom:
; CHECK-NEXT: [[OFFSETS:%.*]] = shl <4 x i32> %k,
; CHECK-NEXT: [[PLACES:%.*]] = add <4 x i32> [[OFFSETS]],
; CHECK-NEXT: store <4 x i32> [[PLACES]], ptr @places
; CHECK: hot:
; CHECK-NEXT: ret <4 x i32> %k
define <4 x i32> @f(<4 x i32> %k, i1 %fits) {
entry:
  %offsets = shl <4 x i32> %k, splat (i32 2)
  %places = add <4 x i32> %offsets, splat (i32 100)
  br i1 %fits, label %hot, label %seldom, !prof !0

seldom:
  store <4 x i32> %places, ptr @places, align 4
  br label %hot

hot:
  ret <4 x i32> %k
}
; An edge is cold if the other one is more than a hundred times as likely.
!0 = !{!"branch_weights", i32 101, i32 1}

@places = global [4 x i32] zeroinitializer

; By hand: nothing is stored on the hot path; 4 * k + 100 on the cold one.
define i32 @main() {
  %hot = call <4 x i32> @f(<4 x i32> <i32 9, i32 9, i32 9, i32 9>, i1 true)
  %before = load <4 x i32>, ptr @places, align 4
  %cold = call <4 x i32> @f(<4 x i32> <i32 0, i32 1, i32 5, i32 7>, i1 false)
  %after = load <4 x i32>, ptr @places, align 4
  %a = icmp ne <4 x i32> %before, zeroinitializer
  %b = icmp ne <4 x i32> %after, <i32 100, i32 104, i32 120, i32 128>
  %wrong = or <4 x i1> %a, %b
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
