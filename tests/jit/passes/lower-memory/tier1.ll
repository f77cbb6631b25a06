; Lanes at offsets that are not known, in tier 1: a runtime call, which takes less time to compile than a load for
; each lane.
; RUN: %opt --tier 1 --passes=lower-memory %s | FileCheck %s

; By hand: all of eight lanes are 255, and eight lanes of 32 bits 8 + 32 * 256 = 8,200.
; CHECK-LABEL: define <8 x i32> @f(
; CHECK: store <8 x i32> %p, ptr [[OFFSETS:%.*]], align 64
; CHECK: [[CALL:%.*]] = load ptr, ptr {{%.*}}, align 8
; CHECK-NEXT: call void [[CALL]](ptr [[OFFSETS]], ptr [[VALUES:%.*]], i32 255, i32 8200, i64 0, ptr %data, i64 %bytes, i64 -1)
; CHECK-NEXT: [[V:%.*]] = load <8 x i32>, ptr [[VALUES]], align 64
; CHECK-NEXT: ret <8 x i32> [[V]]
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %state, <8 x i32> %p, ptr %data, i64 %bytes) {
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  ret <8 x i32> %v
}
