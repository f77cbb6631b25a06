; Vectors stay: one is also read whole, one has no splat element, one is volatile, one has 16-bit elements.
; RUN: %opt --passes=broadcast-loads %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %used = load <4 x i32>, ptr %numbers, align 4
; CHECK-NEXT: %a = shufflevector <4 x i32> %used, <4 x i32> poison, <4 x i32> <i32 1, i32 1, i32 1, i32 1>
; CHECK-NEXT: %sum = add <4 x i32> %used, %a
; CHECK-NEXT: store volatile <4 x i32> %sum, ptr %out, align 4
; CHECK-NEXT: %extracted = load <4 x i32>, ptr %numbers, align 4
; CHECK-NEXT: %third = extractelement <4 x i32> %extracted, i64 2
; CHECK-NEXT: store volatile i32 %third, ptr %out, align 4
; CHECK-NEXT: %twice = load volatile <4 x i32>, ptr %numbers, align 4
; CHECK-NEXT: %b = shufflevector <4 x i32> %twice, <4 x i32> poison, <4 x i32> <i32 1, i32 1, i32 1, i32 1>
; CHECK-NEXT: store volatile <4 x i32> %b, ptr %out, align 4
; CHECK-NEXT: %halves = load <4 x i16>, ptr %numbers, align 4
; CHECK-NEXT: %c = shufflevector <4 x i16> %halves, <4 x i16> poison, <4 x i32> <i32 1, i32 1, i32 1, i32 1>
; CHECK-NEXT: store volatile <4 x i16> %c, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %numbers) {
  %used = load <4 x i32>, ptr %numbers, align 4
  %a = shufflevector <4 x i32> %used, <4 x i32> poison, <4 x i32> splat (i32 1)
  %sum = add <4 x i32> %used, %a
  store volatile <4 x i32> %sum, ptr %out, align 4
  %extracted = load <4 x i32>, ptr %numbers, align 4
  %third = extractelement <4 x i32> %extracted, i64 2
  store volatile i32 %third, ptr %out, align 4
  %twice = load volatile <4 x i32>, ptr %numbers, align 4
  %b = shufflevector <4 x i32> %twice, <4 x i32> poison, <4 x i32> splat (i32 1)
  store volatile <4 x i32> %b, ptr %out, align 4
  %halves = load <4 x i16>, ptr %numbers, align 4
  %c = shufflevector <4 x i16> %halves, <4 x i16> poison, <4 x i32> splat (i32 1)
  store volatile <4 x i16> %c, ptr %out, align 4
  ret void
}
