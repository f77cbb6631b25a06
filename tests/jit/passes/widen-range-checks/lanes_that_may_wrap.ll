; Lanes are 32-bit offsets that may wrap: their distance in 64 bits is unknown, and each message checks for itself.
; RUN: %opt --passes=widen-range-checks %s | FileCheck %s

; CHECK-LABEL: define i1 @f(
; CHECK-NOT: br i1
; CHECK: ret i1 %and2
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
define i1 @f(ptr %state, i64 %x, i32 %y, i64 %low, i64 %last, <4 x i1> %on) {
  %one = insertelement <4 x i32> poison, i32 %y, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %p = add <4 x i32> %all, <i32 0, i32 4, i32 8, i32 12>
  %p0 = zext <4 x i32> %p to <4 x i64>
  %in0 = call i1 @visor.range_check(<4 x i64> %p0, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 0, i32 4)
  %p1 = add <4 x i64> %p0, splat (i64 1024)
  %in1 = call i1 @visor.range_check(<4 x i64> %p1, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 1, i32 4)
  %and1 = and i1 %in0, %in1
  %p2 = add <4 x i64> %p0, splat (i64 2048)
  %in2 = call i1 @visor.range_check(<4 x i64> %p2, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 2, i32 4)
  %and2 = and i1 %and1, %in2
  ret i1 %and2
}
