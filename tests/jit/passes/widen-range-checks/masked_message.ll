; One of three checks is of the lanes of %on alone: partly masked loads depend on the outcome of their own check.
; RUN: %opt --passes=widen-range-checks %s | FileCheck %s

; CHECK-LABEL: define i1 @f(
; CHECK-NOT: br i1
; CHECK: ret i1 %and2
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
define i1 @f(ptr %state, i64 %x, i32 %y, i64 %low, i64 %last, <4 x i1> %on) {
  %one = insertelement <4 x i64> poison, i64 %x, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i64> %all, <i64 0, i64 4, i64 8, i64 12>
  %in0 = call i1 @visor.range_check(<4 x i64> %p0, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 0, i32 4)
  %p1 = add <4 x i64> %p0, splat (i64 1024)
  %in1 = call i1 @visor.range_check(<4 x i64> %p1, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 1, i32 4)
  %and1 = and i1 %in0, %in1
  %p2 = add <4 x i64> %p0, splat (i64 2048)
  %in2 = call i1 @visor.range_check(<4 x i64> %p2, <4 x i1> %on, i32 0, i64 %low, i64 %last, i32 2, i32 4)
  %and2 = and i1 %and1, %in2
  ret i1 %and2
}
