; The loops over groups and threads are not the kernel's: streaming-prefetch serves their rows.
; RUN: %opt --eager --passes=loop-data-prefetch %s | FileCheck %s

; CHECK-LABEL: define <8 x i32> @f(
; CHECK-NOT: llvm.prefetch
; CHECK: ret <8 x i32>
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %data, i64 %bytes, i32 %begin) {
entry:
  br label %groups
groups:
  %group = phi i32 [ 0, %entry ], [ %group.next, %groups.next ]
  br label %threads
threads:
  %at = phi i32 [ %begin, %groups ], [ %at.next, %threads ]
  %first = insertelement <8 x i32> poison, i32 %at, i64 0
  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %at.next = add i32 %at, 4096
  %more = icmp ult i32 %at.next, 12288
  br i1 %more, label %threads, label %groups.next
groups.next:
  %group.next = add i32 %group, 1
  %done = icmp eq i32 %group.next, 1
  br i1 %done, label %end, label %groups
end:
  ret <8 x i32> %v
}
