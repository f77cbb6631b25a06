; No change: AVX2 holds eight lanes, six lanes are no multiple of a register, and volatile accesses stay single.
; RUN: %opt --tier 1 --cpu avx2 --passes=legalize-vectors %s | FileCheck --check-prefixes=CHECK,AVX2 %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | FileCheck --check-prefixes=CHECK,SSE %s

; CHECK-LABEL: define void @f(
; AVX2-NEXT: %a = load <8 x i32>, ptr %from, align 4
; AVX2-NEXT: %sum = add <8 x i32> %a, %a
; AVX2-NEXT: store <8 x i32> %sum, ptr %out, align 4
; SSE: load <4 x i32>
; SSE: load <4 x i32>
; SSE: store <4 x i32>
; SSE: store <4 x i32>
; CHECK-NEXT: %six = load <6 x i32>, ptr %from, align 4
; CHECK-NEXT: %twice = add <6 x i32> %six, %six
; CHECK-NEXT: store <6 x i32> %twice, ptr %out, align 4
; CHECK-NEXT: %once = load volatile <8 x i32>, ptr %from, align 4
; CHECK-NEXT: store volatile <8 x i32> %once, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <8 x i32>, ptr %from, align 4
  %sum = add <8 x i32> %a, %a
  store <8 x i32> %sum, ptr %out, align 4
  %six = load <6 x i32>, ptr %from, align 4
  %twice = add <6 x i32> %six, %six
  store <6 x i32> %twice, ptr %out, align 4
  %once = load volatile <8 x i32>, ptr %from, align 4
  store volatile <8 x i32> %once, ptr %out, align 4
  ret void
}
