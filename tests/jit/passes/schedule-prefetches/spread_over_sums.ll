; Sixteen prefetches in front of a long sum: two at a time, at eight places of the sum.
; RUN: opt -S -passes='function(loop(loop-unroll-full),simplifycfg)' %s | %opt --passes=schedule-prefetches - | FileCheck %s
; RUN: opt -S -passes='function(loop(loop-unroll-full),simplifycfg)' %s | %opt --passes=schedule-prefetches - | lli

; By hand: after the first prefetch follow 15 addresses and 993 sums, 1,008 = 9 * 112 instructions. The first
; two prefetches go after number 112 (from 0 on), which leaves 113 - 15 = 98 sums before them, the next two
; after number 224, and so on to number 896, with 111 sums after it. A label after each two holds them there.
; CHECK-LABEL: define i32 @f(
; CHECK-NOT: prefetch
; CHECK-COUNT-98: add i32 {{.*}}, %y
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %data, i32 0, i32 3, i32 1)
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.codeview.annotation(
; CHECK-COUNT-112: add i32 {{.*}}, %y
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.codeview.annotation(
; CHECK-COUNT-112: add i32 {{.*}}, %y
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.codeview.annotation(
; CHECK-COUNT-560: add i32 {{.*}}, %y
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.prefetch.p0(
; CHECK-NEXT: call void @llvm.codeview.annotation(
; CHECK-COUNT-111: add i32 {{.*}}, %y
; CHECK-NEXT: ret i32
define i32 @f(i32 %x, i32 %y, ptr %data) {
entry:
  br label %fetch
fetch:
  %k = phi i64 [ 0, %entry ], [ %k1, %fetch ]
  %at = shl i64 %k, 6
  %line = getelementptr i8, ptr %data, i64 %at
  call void @llvm.prefetch.p0(ptr %line, i32 0, i32 3, i32 1)
  %k1 = add i64 %k, 1
  %fetches = icmp ult i64 %k1, 16
  br i1 %fetches, label %fetch, label %sum, !llvm.loop !0
sum:
  %n = phi i64 [ 0, %fetch ], [ %n1, %sum ]
  %s = phi i32 [ %x, %fetch ], [ %s1, %sum ]
  %s1 = add i32 %s, %y
  %n1 = add i64 %n, 1
  %more = icmp ult i64 %n1, 993
  br i1 %more, label %sum, label %done, !llvm.loop !1
done:
  ret i32 %s1
}

@data = global [1024 x i8] zeroinitializer

; By hand: 5 + 993 * 3 = 2,984.
define i32 @main() {
  %got = call i32 @f(i32 5, i32 3, ptr @data)
  %wrong = icmp ne i32 %got, 2984
  %code = zext i1 %wrong to i32
  ret i32 %code
}

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.full"}
