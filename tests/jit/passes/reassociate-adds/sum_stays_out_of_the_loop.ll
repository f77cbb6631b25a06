; The loop could share b + i, if it took a + b apart. But a + b stays before the loop: no addition runs more often.
; RUN: %opt --passes=reassociate-adds %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: entry:
; CHECK-NEXT: %x = add <4 x i32> %a, %b
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK: %u = add <4 x i32> %x, %i
; CHECK-NEXT: store volatile <4 x i32> %u, ptr %out, align 4
; CHECK-NEXT: %v = add <4 x i32> %b, %i
; CHECK-NEXT: store volatile <4 x i32> %v, ptr %out, align 4
; CHECK-NEXT: %k2 = add i32 %k, 1
define void @f(ptr %out, <4 x i32> %a, <4 x i32> %b) {
entry:
  %x = add <4 x i32> %a, %b
  br label %loop
loop:
  %i = phi <4 x i32> [ zeroinitializer, %entry ], [ %u, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k2, %loop ]
  %u = add <4 x i32> %x, %i
  store volatile <4 x i32> %u, ptr %out, align 4
  %v = add <4 x i32> %b, %i
  store volatile <4 x i32> %v, ptr %out, align 4
  %k2 = add i32 %k, 1
  %more = icmp ult i32 %k2, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
