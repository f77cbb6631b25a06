; A constant step of a page is added as it is; hardware prefetchers follow one of 512 bytes.
; RUN: %opt --eager --passes=loop-data-prefetch %s | FileCheck %s
; RUN: sed 's/i32 %at, 4096/i32 %at, 512/' %s | %opt --eager --passes=loop-data-prefetch - | FileCheck %s --check-prefix=NEAR
; RUN: %opt --eager --passes=loop-data-prefetch,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <8 x i32> @f(
; CHECK-NOT: alloca
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr {{%.*}}, i64 4096
; CHECK-NEXT: [[LINE:%.*]] = getelementptr i8, ptr [[NEXT]], i64 0
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[LINE]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %v = call <8 x i32> @visor.load.surface(
; NEAR-LABEL: define <8 x i32> @f(
; NEAR-NOT: llvm.prefetch
; NEAR: ret <8 x i32>
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
  %at.next = add i32 %at, 4096
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

@data = global [3072 x i32] zeroinitializer

; By hand: rows at bytes 0, 4096 and 8192 begin with 1, 20 and 300 in lane 0, and 5 is in lane 7 of the second: 321 and 5.
define i32 @main() {
  store i32 1, ptr @data
  store i32 20, ptr getelementptr (i8, ptr @data, i64 4096)
  store i32 5, ptr getelementptr (i8, ptr @data, i64 4124)
  store i32 300, ptr getelementptr (i8, ptr @data, i64 8192)
  %sum = call <8 x i32> @f(ptr @data, i64 12288, i32 0, i32 4096, i32 12288)
  %wrong = icmp ne <8 x i32> %sum, <i32 321, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
