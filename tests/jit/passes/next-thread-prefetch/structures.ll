; Each of four lanes reads half of a structure of 32 bytes: the next thread's structures are prefetched.
; RUN: %opt --eager --simd=32 --passes=next-thread-prefetch %s | FileCheck %s
; RUN: %opt --eager --simd=32 --passes=next-thread-prefetch,lower-memory,verify-accesses %s | lli

; By hand: a thread of 32 lanes has 32 * 32 = 1,024 bytes of them. Four lanes read 128 bytes, two lines, of
; which the second one waits until half of the computation is over.
; CHECK-LABEL: define <4 x i32> @f(
; CHECK: [[OWN:%.*]] = getelementptr i8, ptr %data, i64 {{%.*}}
; CHECK-COUNT-4: call <4 x i32> @visor.load.surface
; CHECK-NEXT: [[FIRST:%.*]] = getelementptr i8, ptr [[OWN]], i64 1024
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[FIRST]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %s0 =
; CHECK-NEXT: %s1 =
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr [[OWN]], i64 1088
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[SECOND]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %s2 =
; CHECK-NEXT: %s3 =
; CHECK-NEXT: ret
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %first = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 32, i32 64, i32 96>
  %v0 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v1 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 4, ptr %data, i64 %bytes, i64 -1)
  %v2 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 8, ptr %data, i64 %bytes, i64 -1)
  %v3 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 12, ptr %data, i64 %bytes, i64 -1)
  %s0 = add <4 x i32> %v0, %v1
  %s1 = add <4 x i32> %s0, %v2
  %s2 = add <4 x i32> %s1, %v3
  %s3 = mul <4 x i32> %s2, splat (i32 10)
  ret <4 x i32> %s3
}

@data = global [32 x i32] [i32 1, i32 2, i32 3, i32 4, i32 91, i32 92, i32 93, i32 94,
                           i32 5, i32 6, i32 7, i32 8, i32 95, i32 96, i32 97, i32 98,
                           i32 9, i32 10, i32 11, i32 12, i32 91, i32 92, i32 93, i32 94,
                           i32 13, i32 14, i32 15, i32 16, i32 95, i32 96, i32 97, i32 98]

; By hand: ten times 1 + 2 + 3 + 4, 5 + 6 + 7 + 8, 9 + 10 + 11 + 12 and 13 + 14 + 15 + 16.
define i32 @main() {
  %got = call <4 x i32> @f(ptr null, i32 0, ptr @data, i64 128)
  %wrong = icmp ne <4 x i32> %got, <i32 100, i32 260, i32 420, i32 580>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
