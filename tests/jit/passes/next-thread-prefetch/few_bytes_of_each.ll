; Three of eight words of each structure are less than half: most of the next thread's lines may go unread.
; RUN: %opt --eager --simd=32 --passes=next-thread-prefetch %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @f(
; CHECK-NOT: llvm.prefetch
; CHECK: ret <4 x i32> %s1
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %first = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 32, i32 64, i32 96>
  %v0 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v1 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 4, ptr %data, i64 %bytes, i64 -1)
  %v2 = call <4 x i32> @visor.load.surface(<4 x i32> %lanes, <4 x i1> splat (i1 true), i32 8, ptr %data, i64 %bytes, i64 -1)
  %s0 = add <4 x i32> %v0, %v1
  %s1 = add <4 x i32> %s0, %v2
  ret <4 x i32> %s1
}
