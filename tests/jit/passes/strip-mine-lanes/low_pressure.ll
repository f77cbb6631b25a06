; Many operations, but each product is used at once: three live values fit the registers, and the block stays.
; RUN: %python %S/../repeat.py 200 %s | %opt --cpu avx2 --passes=strip-mine-lanes - | FileCheck %s
; RUN: %python %S/../repeat.py 200 %s | %opt --cpu avx2 --eager --passes=strip-mine-lanes - | FileCheck --check-prefix=EAGER %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: <8 x i32>
; CHECK: %product199 = mul <16 x i32> %a,
; CHECK-NEXT: %sum200 = add <16 x i32> %sum199, %product199
; CHECK-NEXT: store <16 x i32> %sum200, ptr %out, align 4
; CHECK-NEXT: ret void

; EAGER-LABEL: define void @f(
; EAGER-NOT: mul <16 x i32>
; EAGER: mul <8 x i32>
; EAGER: ret void
define void @f(ptr %out, ptr %in) {
  %a = load <16 x i32>, ptr %in, align 4
  %sum0 = load <16 x i32>, ptr %in, align 4
; REPEAT
  %product{k} = mul <16 x i32> %a, splat (i32 {k})
  %sum{k+1} = add <16 x i32> %sum{k}, %product{k}
; END
  store <16 x i32> %sum{count}, ptr %out, align 4
  ret void
}
