; FastISel goes backwards and stops at %byte, which cannot be hoisted: SelectionDAG takes the code before, which stays.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | FileCheck %s

; CHECK-NOT: private constant
; CHECK-LABEL: define void @f(
; CHECK-NEXT: %a = load <4 x i32>, ptr %from, align 4
; CHECK-NEXT: %far = shl <4 x i32> %a, <i32 3, i32 3, i32 3, i32 3>
; CHECK-NEXT: %less = icmp ult <4 x i32> %far, %a
; CHECK-NEXT: %bits = bitcast <4 x i1> %less to i4
; CHECK-NEXT: %byte = zext i4 %bits to i8
; CHECK-NEXT: store i8 %byte, ptr %out, align 1
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <4 x i32>, ptr %from, align 4
  %far = shl <4 x i32> %a, splat (i32 3)
  %less = icmp ult <4 x i32> %far, %a
  %bits = bitcast <4 x i1> %less to i4
  %byte = zext i4 %bits to i8
  store i8 %byte, ptr %out, align 1
  ret void
}
