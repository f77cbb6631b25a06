; The mask of a condition that all lanes share is all bits or none: one scalar comparison, sign-extended.
; RUN: %opt --passes=scalarize-uniform %s | FileCheck %s
; RUN: %opt --passes=scalarize-uniform %s | lli

; CHECK-LABEL: define i4 @f(
; CHECK: [[LESS:%.*]] = icmp slt i32 %a, 3
; CHECK: [[MASK:%.*]] = sext i1 [[LESS]] to i4
; CHECK: ret i4 [[MASK]]
define i4 @f(i32 %a) {
  %one = insertelement <4 x i32> poison, i32 %a, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %less = icmp slt <4 x i32> %all, splat (i32 3)
  %mask = bitcast <4 x i1> %less to i4
  ret i4 %mask
}

; By hand: -1 < 3 in all four lanes, 3 < 3 in none.
define i32 @main() {
  %all = call i4 @f(i32 -1)
  %none = call i4 @f(i32 3)
  %a = icmp ne i4 %all, 15
  %b = icmp ne i4 %none, 0
  %wrong = or i1 %a, %b
  %code = zext i1 %wrong to i32
  ret i32 %code
}
