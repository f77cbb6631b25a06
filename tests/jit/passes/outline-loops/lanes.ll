; A marked loop over lanes, with each lane's iterations in it, becomes a function that LLVM may not inline.
; RUN: %opt --passes=outline-loops %s | FileCheck %s
; RUN: %opt --passes=outline-loops %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NOT: phi
; CHECK: call void @f.lane(
; CHECK-NOT: phi
; CHECK: ret void
; CHECK: define internal void @f.lane({{.*}}) [[ATTRIBUTES:#[0-9]+]]
; CHECK: %number = phi i32
; CHECK: %k = phi i32
; CHECK: attributes [[ATTRIBUTES]] = { {{.*}}noinline
define void @f(ptr %out, ptr %ends) {
entry:
  br label %lane

lane:
  %number = phi i32 [ 0, %entry ], [ %more, %done ]
  %at_end = getelementptr i32, ptr %ends, i32 %number
  %end = load i32, ptr %at_end, align 4
  br label %iteration

iteration:
  %k = phi i32 [ 1, %lane ], [ %next, %iteration ]
  %sum = phi i32 [ 0, %lane ], [ %added, %iteration ]
  %added = add i32 %sum, %k
  %next = add i32 %k, 1
  %last = icmp eq i32 %k, %end
  br i1 %last, label %done, label %iteration, !llvm.loop !2

done:
  %at = getelementptr i32, ptr %out, i32 %number
  store i32 %added, ptr %at, align 4
  %more = add i32 %number, 1
  %all = icmp eq i32 %more, 4
  br i1 %all, label %after, label %lane, !llvm.loop !0

after:
  ret void
}
!0 = distinct !{!0, !1, !3}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !1}
!3 = !{!"visor.lanes"}

@ends = constant [4 x i32] [i32 1, i32 2, i32 5, i32 10]
@out = global [4 x i32] zeroinitializer

; By hand: the sums of the numbers from 1 to 1, 2, 5 and 10.
define i32 @main() {
  call void @f(ptr @out, ptr @ends)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 1, i32 3, i32 15, i32 55>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
