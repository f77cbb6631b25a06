; What a loop computes in each iteration from values outside moves in front of it, and equal loads become one.
; RUN: %opt --passes=llvm-o1 %s | FileCheck %s
; RUN: %opt --passes=llvm-o1 %s | lli

; CHECK-LABEL: define {{.*}}@f(
; CHECK: mul <4 x i32>
; CHECK: {{^}}loop:
; CHECK-NOT: mul
; CHECK: load <4 x i32>, ptr %at
; CHECK-NOT: load
; CHECK: br i1
; CHECK: ret void
define void @f(ptr %out, ptr %from, <4 x i32> %x, i64 %count) noinline {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k2, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum2, %loop ]
  %square = mul <4 x i32> %x, %x
  %at = getelementptr <4 x i32>, ptr %from, i64 %k
  %a = load <4 x i32>, ptr %at, align 4
  %again = load <4 x i32>, ptr %at, align 4
  %both = add <4 x i32> %a, %again
  %scaled = add <4 x i32> %both, %square
  %sum2 = add <4 x i32> %sum, %scaled
  %k2 = add i64 %k, 1
  %more = icmp ult i64 %k2, %count
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  store <4 x i32> %sum2, ptr %out, align 4
  ret void
}

@from = global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 10, i32 20, i32 30, i32 40]
@out = global [4 x i32] zeroinitializer

; By hand: twice 11, 22, 33, 44, and twice the squares of 1, 2, 3, 4.
define i32 @main() {
  call void @f(ptr @out, ptr @from, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 2)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 24, i32 52, i32 84, i32 120>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
