; One path alone computes a + b + c: it does not dominate the later sum, which adds all its terms.
; RUN: %opt --passes=reassociate-adds %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: one:
; CHECK-NEXT: %x = add <4 x i32> %a, %b
; CHECK-NEXT: %y = add <4 x i32> %x, %c
; CHECK-NEXT: store volatile <4 x i32> %y, ptr %out, align 4
; CHECK: join:
; CHECK-NEXT: %u = add <4 x i32> %b, %c
; CHECK-NEXT: %v = add <4 x i32> %a, %u
; CHECK-NEXT: %w = add <4 x i32> %v, %d
; CHECK-NEXT: store <4 x i32> %w, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, i1 %path, <4 x i32> %a, <4 x i32> %b, <4 x i32> %c, <4 x i32> %d) {
entry:
  br i1 %path, label %one, label %join
one:
  %x = add <4 x i32> %a, %b
  %y = add <4 x i32> %x, %c
  store volatile <4 x i32> %y, ptr %out, align 4
  br label %join
join:
  %u = add <4 x i32> %b, %c
  %v = add <4 x i32> %a, %u
  %w = add <4 x i32> %v, %d
  store <4 x i32> %w, ptr %out, align 4
  ret void
}
