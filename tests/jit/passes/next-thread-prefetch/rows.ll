; Four messages with addresses of their own read half of a row of 64 bytes of each lane: one line of the next
; thread's rows is prefetched before each message, in code of any length.
; RUN: %opt --simd=16 --passes=next-thread-prefetch %s | FileCheck %s
; RUN: %opt --simd=16 --passes=next-thread-prefetch,lower-memory,verify-accesses %s | lli

; By hand: sixteen lanes have 16 * 64 = 1,024 bytes. Four lanes' rows are four lines.
; CHECK-LABEL: define <4 x i64> @f(
; CHECK: [[OWN:%.*]] = getelementptr i8, ptr %data, i64 {{%.*}}
; CHECK-NEXT: [[A:%.*]] = getelementptr i8, ptr [[OWN]], i64 1024
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[A]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %v0 =
; CHECK: %p1 =
; CHECK: [[B:%.*]] = getelementptr i8, ptr [[OWN]], i64 1088
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[B]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %v1 =
; CHECK: %p2 =
; CHECK: [[C:%.*]] = getelementptr i8, ptr [[OWN]], i64 1152
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[C]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %v2 =
; CHECK: %p3 =
; CHECK: [[D:%.*]] = getelementptr i8, ptr [[OWN]], i64 1216
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[D]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %v3 =
declare <4 x i64> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i64> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %first = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i32> %all, <i32 0, i32 64, i32 128, i32 192>
  %v0 = call <4 x i64> @visor.load.surface(<4 x i32> %p0, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %p1 = add <4 x i32> %p0, splat (i32 8)
  %v1 = call <4 x i64> @visor.load.surface(<4 x i32> %p1, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %p2 = add <4 x i32> %p0, splat (i32 16)
  %v2 = call <4 x i64> @visor.load.surface(<4 x i32> %p2, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %p3 = add <4 x i32> %p0, splat (i32 24)
  %v3 = call <4 x i64> @visor.load.surface(<4 x i32> %p3, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s0 = sub <4 x i64> %v0, %v1
  %s1 = sub <4 x i64> %v2, %v3
  %s2 = mul <4 x i64> %s0, %s1
  ret <4 x i64> %s2
}

@data = global [4 x [8 x i64]] [[8 x i64] [i64 9, i64 4, i64 7, i64 1, i64 99, i64 99, i64 99, i64 99],
                                [8 x i64] [i64 8, i64 6, i64 9, i64 2, i64 99, i64 99, i64 99, i64 99],
                                [8 x i64] [i64 5, i64 4, i64 8, i64 3, i64 99, i64 99, i64 99, i64 99],
                                [8 x i64] [i64 7, i64 3, i64 6, i64 5, i64 99, i64 99, i64 99, i64 99]]

; By hand: 5 * 6, 2 * 7, 1 * 5, 4 * 1.
define i32 @main() {
  %got = call <4 x i64> @f(ptr null, i32 0, ptr @data, i64 256)
  %wrong = icmp ne <4 x i64> %got, <i64 30, i64 14, i64 5, i64 4>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
