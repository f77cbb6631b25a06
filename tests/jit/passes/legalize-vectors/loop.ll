; A wide value that a loop carries becomes one phi for each register, which adds its own part alone.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[A0:%.*]] = load <4 x i32>
; CHECK: [[A1:%.*]] = load <4 x i32>
; CHECK: loop:
; CHECK-NEXT: [[SUM0:%.*]] = phi <4 x i32> [ zeroinitializer, %entry ], [ [[NEXT0:%.*]], %loop ]
; CHECK-NEXT: [[SUM1:%.*]] = phi <4 x i32> [ zeroinitializer, %entry ], [ [[NEXT1:%.*]], %loop ]
; CHECK-NEXT: %k = phi i32
; CHECK-NEXT: [[NEXT0]] = add <4 x i32> [[SUM0]], [[A0]]
; CHECK-NEXT: [[NEXT1]] = add <4 x i32> [[SUM1]], [[A1]]
; CHECK: end:
; CHECK: store <4 x i32> [[NEXT0]]
; CHECK: store <4 x i32> [[NEXT1]]
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
entry:
  %a = load <8 x i32>, ptr %from, align 4
  br label %loop
loop:
  %sum = phi <8 x i32> [ zeroinitializer, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k2, %loop ]
  %next = add <8 x i32> %sum, %a
  %k2 = add i32 %k, 1
  %more = icmp ult i32 %k2, 3
  br i1 %more, label %loop, label %end
end:
  store <8 x i32> %next, ptr %out, align 4
  ret void
}

@from = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@out = global [8 x i32] zeroinitializer

; By hand: each number three times.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21, i32 24>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
