; Selection folds none of these into a masked VPTERNLOG: blends of sums, 16-bit elements, floats, or by a scalar.
; RUN: %opt --passes=avoid-ternlog-of-blends %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %sum = add <16 x i32> %a, %b
; CHECK-NEXT: %1 = select <16 x i1> %on, <16 x i32> %sum, <16 x i32> %a
; CHECK-NEXT: store volatile <16 x i32> %1, ptr %out, align 64
; CHECK-NEXT: %short = and <16 x i16> %c, %d
; CHECK-NEXT: %2 = select <16 x i1> %on, <16 x i16> %short, <16 x i16> %c
; CHECK-NEXT: store volatile <16 x i16> %2, ptr %out, align 32
; CHECK-NEXT: %bits = and <16 x i32> %a, %b
; CHECK-NEXT: %float = bitcast <16 x i32> %bits to <16 x float>
; CHECK-NEXT: %3 = select <16 x i1> %on, <16 x float> %float, <16 x float> zeroinitializer
; CHECK-NEXT: store volatile <16 x float> %3, ptr %out, align 64
; CHECK-NEXT: %4 = select i1 %all, <16 x i32> %bits, <16 x i32> %a
; CHECK-NEXT: store volatile <16 x i32> %4, ptr %out, align 64
; CHECK-NEXT: ret void
define void @f(ptr %out, <16 x i32> %a, <16 x i32> %b, <16 x i16> %c, <16 x i16> %d, <16 x i1> %on, i1 %all) {
  %sum = add <16 x i32> %a, %b
  %1 = select <16 x i1> %on, <16 x i32> %sum, <16 x i32> %a
  store volatile <16 x i32> %1, ptr %out, align 64
  %short = and <16 x i16> %c, %d
  %2 = select <16 x i1> %on, <16 x i16> %short, <16 x i16> %c
  store volatile <16 x i16> %2, ptr %out, align 32
  %bits = and <16 x i32> %a, %b
  %float = bitcast <16 x i32> %bits to <16 x float>
  %3 = select <16 x i1> %on, <16 x float> %float, <16 x float> zeroinitializer
  store volatile <16 x float> %3, ptr %out, align 64
  %4 = select i1 %all, <16 x i32> %bits, <16 x i32> %a
  store volatile <16 x i32> %4, ptr %out, align 64
  ret void
}
