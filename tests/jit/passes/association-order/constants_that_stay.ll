; Constants stay even in a long block: at a sum's end, in a sum with two uses, and different by lane.
; RUN: %python %S/../repeat.py 1000 %s | %opt --passes=association-order - | FileCheck %s

; CHECK-NOT: visor_addend
; CHECK-LABEL: define void @f(
; CHECK: %last = add <4 x i32> %a, <i32 100, i32 100, i32 100, i32 100>
; CHECK-NEXT: %other = xor <4 x i32> %last, %b
; CHECK-NEXT: store volatile <4 x i32> %other, ptr %out, align 4
; CHECK-NEXT: %twice = add <4 x i32> %a, <i32 200, i32 200, i32 200, i32 200>
; CHECK-NEXT: %sum = add <4 x i32> %twice, %b
; CHECK-NEXT: %again = add <4 x i32> %sum, %twice
; CHECK-NEXT: store volatile <4 x i32> %again, ptr %out, align 4
; CHECK-NEXT: %lanes = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>
; CHECK-NEXT: %more = add <4 x i32> %lanes, %b
; CHECK-NEXT: store volatile <4 x i32> %more, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, <4 x i32> %a, <4 x i32> %b) {
; REPEAT
  %unused{k} = xor <4 x i32> %a, %b
; END
  %last = add <4 x i32> %a, splat (i32 100)
  %other = xor <4 x i32> %last, %b
  store volatile <4 x i32> %other, ptr %out, align 4
  %twice = add <4 x i32> %a, splat (i32 200)
  %sum = add <4 x i32> %twice, %b
  %again = add <4 x i32> %sum, %twice
  store volatile <4 x i32> %again, ptr %out, align 4
  %lanes = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>
  %more = add <4 x i32> %lanes, %b
  store volatile <4 x i32> %more, ptr %out, align 4
  ret void
}
