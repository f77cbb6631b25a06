; A mask that clears bits of offsets: shared local memory, which stays in the caches.
; RUN: %opt --passes=demand-prefetch %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @f(
; CHECK-NOT: br
; CHECK-NOT: load volatile
; CHECK: ret <4 x i32> %s7
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  store i32 0, ptr %state, !visor.thread_entry !0
  %first = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i32> %all, <i32 0, i32 4, i32 8, i32 12>
  %p1 = add <4 x i32> %p0, splat (i32 1024)
  %p2 = add <4 x i32> %p0, splat (i32 2048)
  %p3 = add <4 x i32> %p0, splat (i32 3072)
  %p4 = add <4 x i32> %p0, splat (i32 4096)
  %p5 = add <4 x i32> %p0, splat (i32 5120)
  %p6 = add <4 x i32> %p0, splat (i32 6144)
  %p7 = add <4 x i32> %p0, splat (i32 7168)
  %v0 = call <4 x i32> @visor.load.surface(<4 x i32> %p0, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v1 = call <4 x i32> @visor.load.surface(<4 x i32> %p1, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v2 = call <4 x i32> @visor.load.surface(<4 x i32> %p2, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v3 = call <4 x i32> @visor.load.surface(<4 x i32> %p3, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v4 = call <4 x i32> @visor.load.surface(<4 x i32> %p4, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v5 = call <4 x i32> @visor.load.surface(<4 x i32> %p5, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v6 = call <4 x i32> @visor.load.surface(<4 x i32> %p6, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %v7 = call <4 x i32> @visor.load.surface(<4 x i32> %p7, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457)
  %s1 = add <4 x i32> %v0, %v1
  %s2 = add <4 x i32> %s1, %v2
  %s3 = add <4 x i32> %s2, %v3
  %s4 = add <4 x i32> %s3, %v4
  %s5 = add <4 x i32> %s4, %v5
  %s6 = add <4 x i32> %s5, %v6
  %s7 = add <4 x i32> %s6, %v7
  ret <4 x i32> %s7
}
!0 = !{}
