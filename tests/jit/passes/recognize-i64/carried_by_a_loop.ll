; A loop carries 64-bit addresses in a register of 32-bit elements: a phi of 64-bit elements. Who wants the parts gets them.
; RUN: %opt --passes=recognize-i64 %s | FileCheck %s
; RUN: %opt --passes=recognize-i64 %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: loop:
; CHECK: [[WHOLE:%.*]] = phi <2 x i64> [ %first, %entry ], [ %next, %loop ]
; CHECK-NOT: phi <4 x i32>
; CHECK: [[PARTS:%.*]] = bitcast <2 x i64> [[WHOLE]] to <4 x i32>
; CHECK: %next = add <2 x i64> [[WHOLE]],
; CHECK: ret <4 x i32> [[PARTS]]
define <4 x i32> @f(<2 x i64> %first, i32 %times) {
entry:
  %first.parts = bitcast <2 x i64> %first to <4 x i32>
  br label %loop
loop:
  %parts = phi <4 x i32> [ %first.parts, %entry ], [ %next.parts, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %whole = bitcast <4 x i32> %parts to <2 x i64>
  %next = add <2 x i64> %whole, splat (i64 3)
  %next.parts = bitcast <2 x i64> %next to <4 x i32>
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %times
  br i1 %more, label %loop, label %end
end:
  ret <4 x i32> %parts
}

; By hand: 5 and 2^32 - 3, each after two of three iterations with 6 more: 11 and 2^32 + 3.
define i32 @main() {
  %got = call <4 x i32> @f(<2 x i64> <i64 5, i64 4294967293>, i32 3)
  %wrong = icmp ne <4 x i32> %got, <i32 11, i32 0, i32 3, i32 1>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
