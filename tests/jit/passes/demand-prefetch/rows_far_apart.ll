; A thread reads eight rows of 16 bytes, each 1 KiB after the other: the group's first thread loads all lines
; between, in address order, where the group reads about half of them.
; RUN: %opt --passes=demand-prefetch %s | FileCheck %s

; By hand: the rows extend over 7 * 1,024 + 16 = 7,184 bytes, of which a thread reads 128. Three eighths of
; the extent, 2,694 bytes, are those of 22 threads.
; CHECK-LABEL: define <4 x i32> @f(
; CHECK: [[LAST:%.*]] = icmp ule i64 [[X:%.*]], %bytes
; CHECK: [[LEFT:%.*]] = sub i64 %bytes, [[X]]
; CHECK: [[ROOM:%.*]] = icmp uge i64 [[LEFT]], 7184
; CHECK: [[INSIDE:%.*]] = and i1 [[LAST]], [[ROOM]]
; CHECK: [[BEGIN:%.*]] = getelementptr i8, ptr %data, i64 [[X]]
; CHECK: [[ENOUGH:%.*]] = icmp uge i64 {{%.*}}, 22
; CHECK: [[BOTH:%.*]] = and i1 [[ENOUGH]], [[INSIDE]]
; CHECK: br i1 [[BOTH]], label
; CHECK: prefetch:
; CHECK: [[AT:%.*]] = phi i64 [ 0, {{%.*}} ], [ [[NEXT:%.*]], %prefetch ]
; CHECK: [[LINE:%.*]] = getelementptr i8, ptr [[BEGIN]], i64 [[AT]]
; CHECK: [[MARKED:%.*]] = call ptr @checked.surface.ahead(ptr [[LINE]], i64 0, i64 1)
; CHECK: load volatile i8, ptr [[MARKED]], align 1
; CHECK: [[NEXT]] = add i64 [[AT]], 64
; CHECK: icmp ult i64 [[NEXT]], 7184
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
  %v0 = call <4 x i32> @visor.load.surface(<4 x i32> %p0, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v1 = call <4 x i32> @visor.load.surface(<4 x i32> %p1, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v2 = call <4 x i32> @visor.load.surface(<4 x i32> %p2, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v3 = call <4 x i32> @visor.load.surface(<4 x i32> %p3, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v4 = call <4 x i32> @visor.load.surface(<4 x i32> %p4, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v5 = call <4 x i32> @visor.load.surface(<4 x i32> %p5, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v6 = call <4 x i32> @visor.load.surface(<4 x i32> %p6, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v7 = call <4 x i32> @visor.load.surface(<4 x i32> %p7, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
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
