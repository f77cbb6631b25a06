; A thread adds eight rows of 32 bytes, and its neighbor adds the adjacent ones. The first thread computes the
; sums of all, several at a time, and a thread takes its own from the stack.
; RUN: %opt --cpu sse4.2 --passes=unroll-and-jam-threads %s | FileCheck %s

; By hand: a row takes two of sixteen registers of 128 bits, of which ten are used: four sums at a time, which
; read 7 * 1,024 + 4 * 32 = 7,296 bytes in 8 * 4 rows, each of them one line.
; CHECK-LABEL: define <8 x i32> @f(
; CHECK: [[SUMS:%.*]] = alloca [32 x <8 x i32>], align 64
; CHECK: [[WHOLE:%.*]] = and i64 {{%.*}}, -4
; CHECK: icmp ule i64 [[WHOLE]], 32
; CHECK: br i1 {{%.*}}, label %jam, label %lookup
; CHECK: chunk:
; CHECK-NEXT: [[FROM:%.*]] = phi i64 [ 0, %jam ], [ [[NEXT:%.*]], %chunk ]
; CHECK: getelementptr <8 x i32>, ptr [[SUMS]], i64 [[FROM]]
; CHECK: [[ROWS:%.*]] = call ptr @checked.surface.ahead(ptr {{%.*}}, i64 0, i64 7296)
; CHECK-COUNT-32: load <8 x i32>, ptr {{%.*}}, align 1
; CHECK-NOT: load <8 x i32>
; CHECK-COUNT-4: store <8 x i32>
; CHECK-NEXT: [[NEXT]] = add i64 [[FROM]], 4
; CHECK: lookup:
; CHECK: br i1 {{%.*}}, label %hit, label %direct
; CHECK: hit:
; CHECK: [[OWN:%.*]] = load <8 x i32>, ptr
; CHECK: direct:
; CHECK-COUNT-8: call <8 x i32> @visor.load.surface(
; CHECK: after:
; CHECK-NEXT: [[SUM:%.*]] = phi <8 x i32> [ %s7, %direct ], [ [[OWN]], %hit ]
; CHECK-NEXT: ret <8 x i32> [[SUM]]
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  store i32 0, ptr %state, !visor.thread_entry !0
  %first = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %p0 = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %v0 = call <8 x i32> @visor.load.surface(<8 x i32> %p0, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %p1 = add <8 x i32> %p0, splat (i32 1024)
  %v1 = call <8 x i32> @visor.load.surface(<8 x i32> %p1, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s1 = add <8 x i32> %v0, %v1
  %p2 = add <8 x i32> %p0, splat (i32 2048)
  %v2 = call <8 x i32> @visor.load.surface(<8 x i32> %p2, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s2 = add <8 x i32> %s1, %v2
  %p3 = add <8 x i32> %p0, splat (i32 3072)
  %v3 = call <8 x i32> @visor.load.surface(<8 x i32> %p3, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s3 = add <8 x i32> %s2, %v3
  %p4 = add <8 x i32> %p0, splat (i32 4096)
  %v4 = call <8 x i32> @visor.load.surface(<8 x i32> %p4, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s4 = add <8 x i32> %s3, %v4
  %p5 = add <8 x i32> %p0, splat (i32 5120)
  %v5 = call <8 x i32> @visor.load.surface(<8 x i32> %p5, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s5 = add <8 x i32> %s4, %v5
  %p6 = add <8 x i32> %p0, splat (i32 6144)
  %v6 = call <8 x i32> @visor.load.surface(<8 x i32> %p6, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s6 = add <8 x i32> %s5, %v6
  %p7 = add <8 x i32> %p0, splat (i32 7168)
  %v7 = call <8 x i32> @visor.load.surface(<8 x i32> %p7, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s7 = add <8 x i32> %s6, %v7
  ret <8 x i32> %s7
}
!0 = !{}
