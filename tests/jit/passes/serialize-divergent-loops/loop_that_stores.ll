; A loop that also stores stays: where lanes bail out it would start over, and store a second time.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @f(
; CHECK-NOT: lane
; CHECK: entry:
; CHECK-NEXT: br label %head
; CHECK: head:
; CHECK-NEXT: %k = phi <4 x i32> [ %begins, %entry ], [ %next, %head ]
; CHECK: call void @visor.store.surface(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, i64 40, i64 -1, <4 x i32> %added)
; CHECK: br i1 %none, label %out, label %head
; CHECK: out:
; CHECK-NEXT: ret <4 x i32> %kept
; CHECK-NOT: lane
define <4 x i32> @f(<4 x i32> %begins, <4 x i32> %ends, ptr %data) {
entry:
  br label %head

head:
  %k = phi <4 x i32> [ %begins, %entry ], [ %next, %head ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %kept, %head ]
  %running = phi i32 [ 15, %entry ], [ %taken, %head ]
  %bits = trunc i32 %running to i4
  %on = bitcast i4 %bits to <4 x i1>
  %places = shl <4 x i32> %k, splat (i32 2)
  %value = call <4 x i32> @visor.load.surface(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, i64 40, i64 -1)
  %added = add <4 x i32> %sum, %value
  %kept = select <4 x i1> %on, <4 x i32> %added, <4 x i32> %sum
  call void @visor.store.surface(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, i64 40, i64 -1, <4 x i32> %added)
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
declare void @visor.store.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64, <4 x i32>)
