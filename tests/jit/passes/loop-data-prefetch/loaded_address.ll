; Where the next row is depends on what this one holds: nothing is known of it.
; RUN: %opt --eager --passes=loop-data-prefetch %s | FileCheck %s

; CHECK-LABEL: define <8 x i32> @f(
; CHECK-NOT: llvm.prefetch
; CHECK: ret <8 x i32>
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %data, i64 %bytes, i32 %begin, i32 %step, i32 %end) {
entry:
  br label %groups
groups:
  %group = phi i32 [ 0, %entry ], [ %group.next, %groups.next ]
  br label %threads
threads:
  %thread = phi i32 [ 0, %groups ], [ %thread.next, %threads.next ]
  br label %loop
loop:
  %at = phi i32 [ %begin, %threads ], [ %at.next, %loop ]
  %sum = phi <8 x i32> [ zeroinitializer, %threads ], [ %sum.next, %loop ]
  %first = insertelement <8 x i32> poison, i32 %at, i64 0
  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %sum.next = add <8 x i32> %sum, %v
  %link = extractelement <8 x i32> %v, i64 0
  %at.next = add i32 %at, %link
  %more = icmp ult i32 %at.next, %end
  br i1 %more, label %loop, label %threads.next
threads.next:
  %thread.next = add i32 %thread, 1
  %threads.done = icmp eq i32 %thread.next, 2
  br i1 %threads.done, label %groups.next, label %threads
groups.next:
  %group.next = add i32 %group, 1
  %groups.done = icmp eq i32 %group.next, 1
  br i1 %groups.done, label %end.all, label %groups
end.all:
  ret <8 x i32> %sum.next
}
