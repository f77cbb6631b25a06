; A row number that all lanes share is computed once as a scalar; only the lanes' own part stays a vector.
; RUN: %opt --passes=scalarize-uniform %s | FileCheck %s
; RUN: %opt --passes=scalarize-uniform %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: [[WIDE:%.*]] = zext i16 %a to i32
; CHECK: [[NEXT:%.*]] = add i32 [[WIDE]], 1
; CHECK: [[LAST:%.*]] = sub i32 %b, 1
; CHECK: [[ROW:%.*]] = call i32 @llvm.umin.i32(i32 [[NEXT]], i32 [[LAST]])
; CHECK: [[PLACE:%.*]] = mul i32 [[ROW]], %b
; CHECK: [[ONE:%.*]] = insertelement <4 x i32> poison, i32 [[PLACE]], i64 0
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <4 x i32> [[ONE]], <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: %v = add <4 x i32> [[ALL]], %own
; CHECK-NEXT: ret <4 x i32> %v
define <4 x i32> @f(i16 %a, i32 %b, <4 x i32> %own) {
  %a1 = insertelement <4 x i16> poison, i16 %a, i64 0
  %as = shufflevector <4 x i16> %a1, <4 x i16> poison, <4 x i32> zeroinitializer
  %b1 = insertelement <4 x i32> poison, i32 %b, i64 0
  %bs = shufflevector <4 x i32> %b1, <4 x i32> poison, <4 x i32> zeroinitializer
  %wide = zext <4 x i16> %as to <4 x i32>
  %next = add <4 x i32> %wide, splat (i32 1)
  %last = sub <4 x i32> %bs, splat (i32 1)
  %row = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %next, <4 x i32> %last)
  %place = mul <4 x i32> %row, %bs
  %v = add <4 x i32> %place, %own
  ret <4 x i32> %v
}
declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)

; By hand: min(6 + 1, 10 - 1) * 10 = 70, and min(9 + 1, 10 - 1) * 10 = 90, plus what lanes have of their own.
define i32 @main() {
  %inside = call <4 x i32> @f(i16 6, i32 10, <4 x i32> <i32 0, i32 1, i32 2, i32 500>)
  %beyond = call <4 x i32> @f(i16 9, i32 10, <4 x i32> <i32 3, i32 2, i32 1, i32 0>)
  %a = icmp ne <4 x i32> %inside, <i32 70, i32 71, i32 72, i32 570>
  %b = icmp ne <4 x i32> %beyond, <i32 93, i32 92, i32 91, i32 90>
  %wrong = or <4 x i1> %a, %b
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
