; Flat messages: the line 2 KiB after the row of eight lanes is prefetched before the row's range check.
; RUN: %opt --eager --passes=streaming-prefetch %s | FileCheck %s
; RUN: %opt --eager --passes=streaming-prefetch,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <8 x i32> @f(
; CHECK: [[ROW:%.*]] = inttoptr i64 {{%.*}} to ptr
; CHECK-NEXT: [[LINE:%.*]] = getelementptr i8, ptr [[ROW]], i64 2048
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[LINE]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %in = call i1 @visor.range_check(
; CHECK-NOT: llvm.prefetch
; CHECK: ret <8 x i32> %v
declare i1 @visor.range_check(<8 x i64>, <8 x i1>, i32, i64, i64, i32, i32)
declare <8 x i32> @visor.load.flat(<8 x i64>, <8 x i1>, i32, i32)
define <8 x i32> @f(ptr %state, i64 %x, i64 %low, i64 %last) {
  %first = insertelement <8 x i64> poison, i64 %x, i64 0
  %all = shufflevector <8 x i64> %first, <8 x i64> poison, <8 x i32> zeroinitializer
  %p = add <8 x i64> %all, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28>
  %in = call i1 @visor.range_check(<8 x i64> %p, <8 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 0, i32 4)
  br i1 %in, label %inside, label %outside
inside:
  %v = call <8 x i32> @visor.load.flat(<8 x i64> %p, <8 x i1> splat (i1 true), i32 0, i32 0)
  ret <8 x i32> %v
outside:
  ret <8 x i32> splat (i32 -1)
}

@data = global [9 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18]

; By hand: words 1 to 8 are inside; from word 2 on the last lane is word 9, outside.
define i32 @main() {
  %low = ptrtoint ptr @data to i64
  %last = add i64 %low, 32
  %one = add i64 %low, 4
  %two = add i64 %low, 8
  %inside = call <8 x i32> @f(ptr null, i64 %one, i64 %low, i64 %last)
  %wrong.inside = icmp ne <8 x i32> %inside, <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %outside = call <8 x i32> @f(ptr null, i64 %two, i64 %low, i64 %last)
  %wrong.outside = icmp ne <8 x i32> %outside, splat (i32 -1)
  %wrong = or <8 x i1> %wrong.inside, %wrong.outside
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
