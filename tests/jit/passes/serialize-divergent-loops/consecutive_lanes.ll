; A loop whose lanes load consecutive dwords stays: one vector load serves all lanes, so scalar ones cost more.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops %s | FileCheck %s
; The same loop from unrelated begins does not stay.
; RUN: sed -e "s/%own = add <4 x i32> %all, <i32 0/%own = mul <4 x i32> %ends, <i32 0/" %s > %t.ll
; RUN: %opt --simd=4 --passes=serialize-divergent-loops %t.ll | FileCheck %s --check-prefix=SCATTERED

; CHECK-LABEL: define <4 x i32> @f(
; CHECK-NOT: lanes
; CHECK: head:
; CHECK: %k = phi <4 x i32> [ %own, %entry ], [ %next, %head ]
; CHECK: %value = call <4 x i32> @visor.load.surface(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, i64 40, i64 -1)
; CHECK: br i1 %none, label %out, label %head
; CHECK-NOT: lanes
; SCATTERED: lanes.original:
define <4 x i32> @f(i32 %begin, <4 x i32> %ends, ptr %data) {
entry:
  %one = insertelement <4 x i32> poison, i32 %begin, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %own = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  br label %head

head:
  %k = phi <4 x i32> [ %own, %entry ], [ %next, %head ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %kept, %head ]
  %running = phi i32 [ 15, %entry ], [ %taken, %head ]
  %bits = trunc i32 %running to i4
  %on = bitcast i4 %bits to <4 x i1>
  %places = shl <4 x i32> %k, splat (i32 2)
  %value = call <4 x i32> @visor.load.surface(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, i64 40, i64 -1)
  %added = add <4 x i32> %sum, %value
  %kept = select <4 x i1> %on, <4 x i32> %added, <4 x i32> %sum
  %next = add <4 x i32> %k, splat (i32 1)
  %less = icmp slt <4 x i32> %next, %ends
  %goes = bitcast <4 x i1> %less to i4
  %both = and i4 %goes, %bits
  %taken = zext i4 %both to i32
  %none = icmp eq i32 %taken, 0
  br i1 %none, label %out, label %head

out:
  ret <4 x i32> %kept
}
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
