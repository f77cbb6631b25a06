; Sixteen lanes read a row of 128 bytes, and the same further on by 8 bytes: two lines 2 KiB ahead are
; prefetched, once for both.
; RUN: %opt --eager --passes=streaming-prefetch %s | FileCheck %s
; RUN: %opt --eager --passes=streaming-prefetch,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <16 x i64> @f(
; CHECK: [[ROW:%.*]] = getelementptr i8, ptr %data, i64 {{%.*}}
; CHECK-NEXT: [[A:%.*]] = getelementptr i8, ptr [[ROW]], i64 2048
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[A]], i32 0, i32 3, i32 1)
; CHECK-NEXT: [[B:%.*]] = getelementptr i8, ptr [[ROW]], i64 2112
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[B]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %v =
; CHECK-NOT: llvm.prefetch
; CHECK: ret <16 x i64>
declare <16 x i64> @visor.load.surface(<16 x i32>, <16 x i1>, i32, ptr, i64, i64)
define <16 x i64> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %first = insertelement <16 x i32> poison, i32 %x, i64 0
  %all = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %p = add <16 x i32> %all, <i32 0, i32 8, i32 16, i32 24, i32 32, i32 40, i32 48, i32 56, i32 64, i32 72, i32 80, i32 88, i32 96, i32 104, i32 112, i32 120>
  %v = call <16 x i64> @visor.load.surface(<16 x i32> %p, <16 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %q = add <16 x i32> %p, splat (i32 8)
  %w = call <16 x i64> @visor.load.surface(<16 x i32> %q, <16 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %sum = add <16 x i64> %v, %w
  ret <16 x i64> %sum
}

@data = global [18 x i64] [i64 9, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 20]

; By hand, from the second number on: 1 + 2, 2 + 3 ... 15 + 16, and 16 + 20.
define i32 @main() {
  %got = call <16 x i64> @f(ptr null, i32 8, ptr @data, i64 144)
  %wrong = icmp ne <16 x i64> %got, <i64 3, i64 5, i64 7, i64 9, i64 11, i64 13, i64 15, i64 17, i64 19, i64 21, i64 23, i64 25, i64 27, i64 29, i64 31, i64 36>
  %bits = bitcast <16 x i1> %wrong to i16
  %any = icmp ne i16 %bits, 0
  %code = zext i1 %any to i32
  ret i32 %code
}
