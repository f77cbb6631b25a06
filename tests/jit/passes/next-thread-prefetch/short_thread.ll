; Half of each structure is read, but the thread has fewer than 1,000 instructions: the next one begins soon.
; RUN: %opt --simd=32 --passes=next-thread-prefetch %s | FileCheck %s
; RUN: %opt --simd=32 --passes=next-thread-prefetch --eager %s | FileCheck %s --check-prefix=EAGER

; CHECK-LABEL: define <4 x i32> @f(
; CHECK-NOT: llvm.prefetch
; CHECK: ret <4 x i32> %s2
; EAGER-LABEL: define <4 x i32> @f(
; EAGER-COUNT-2: call void @llvm.prefetch.p0(
; EAGER: ret <4 x i32> %s2
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
  ret <4 x i32> %s2
}
