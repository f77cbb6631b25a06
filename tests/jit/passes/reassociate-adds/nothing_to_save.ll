; Sums without two common terms keep their order. So do 64-bit sums, for which ADD3 has no form.
; RUN: %opt --passes=reassociate-adds %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %x = add <4 x i32> %d, %a
; CHECK-NEXT: %y = add <4 x i32> %x, %c
; CHECK-NEXT: store <4 x i32> %y, ptr %out, align 4
; CHECK-NEXT: %u = add <4 x i32> %d, %b
; CHECK-NEXT: store volatile <4 x i32> %u, ptr %out, align 4
; CHECK-NEXT: %x64 = add <2 x i64> %k, %l
; CHECK-NEXT: %y64 = add <2 x i64> %x64, %m
; CHECK-NEXT: store volatile <2 x i64> %y64, ptr %out, align 4
; CHECK-NEXT: %u64 = add <2 x i64> %m, %l
; CHECK-NEXT: %v64 = add <2 x i64> %u64, %k
; CHECK-NEXT: store volatile <2 x i64> %v64, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, <4 x i32> %a, <4 x i32> %b, <4 x i32> %c, <4 x i32> %d, <2 x i64> %k, <2 x i64> %l, <2 x i64> %m) {
  %x = add <4 x i32> %d, %a
  %y = add <4 x i32> %x, %c
  store <4 x i32> %y, ptr %out, align 4
  %u = add <4 x i32> %d, %b
  store volatile <4 x i32> %u, ptr %out, align 4
  %x64 = add <2 x i64> %k, %l
  %y64 = add <2 x i64> %x64, %m
  store volatile <2 x i64> %y64, ptr %out, align 4
  %u64 = add <2 x i64> %m, %l
  %v64 = add <2 x i64> %u64, %k
  store volatile <2 x i64> %v64, ptr %out, align 4
  ret void
}
