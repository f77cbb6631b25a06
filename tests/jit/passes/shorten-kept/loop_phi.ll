; A loop's vector with constant steps between lanes is carried as lane 0 alone, from which each iteration rebuilds it.
; RUN: %opt --passes=shorten-kept %s | FileCheck %s
; RUN: %opt --passes=shorten-kept %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: loop:
; CHECK-NOT: phi <4 x i32>
; CHECK: [[LANE:%.*]] = phi i32
; CHECK-NOT: phi <4 x i32>
; CHECK: [[ONE:%.*]] = insertelement <4 x i32> poison, i32 [[LANE]], i64 0
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <4 x i32> [[ONE]], <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: [[V:%.*]] = add <4 x i32> [[ALL]], <i32 0, i32 1, i32 2, i32 3>
; CHECK: out:
; CHECK-NEXT: ret <4 x i32> [[V]]
define <4 x i32> @f(i32 %x) {
entry:
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %begin = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  br label %loop

loop:
  %v = phi <4 x i32> [ %begin, %entry ], [ %next, %loop ]
  %k = phi i32 [ 1, %entry ], [ %more, %loop ]
  %next = add <4 x i32> %v, splat (i32 8)
  %more = add i32 %k, 1
  %last = icmp eq i32 %k, 3
  br i1 %last, label %out, label %loop

out:
  ret <4 x i32> %v
}

; By hand: the third iteration has 5 + 2 * 8 = 21 in lane 0.
define i32 @main() {
  %got = call <4 x i32> @f(i32 5)
  %wrong = icmp ne <4 x i32> %got, <i32 21, i32 22, i32 23, i32 24>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
