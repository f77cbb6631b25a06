; Lanes that all have one offset in a surface, as is known at run time: one load for them, with a check. Not asked of
; offsets that come from loaded data, as in a gather.
; RUN: %opt --cpu avx512 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx2 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: [[P:%.*]] = call ptr @checked.surface.unit(ptr {{%.*}}, i64 0, i64 4)
; CHECK-NEXT: [[FROM:%.*]] = select i1 {{%.*}}, ptr [[P]], ptr @
; CHECK-NEXT: load i32, ptr [[FROM]], align 1
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: checked.surface.row
; CHECK-NOT: load i32, ptr
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: }
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, <4 x i32> %p, <4 x i1> %on, ptr %data, i64 %bytes) {
  %v = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> %on, i32 4, ptr %data, i64 %bytes, i64 -1)
  %scaled = shl <4 x i32> %v, splat (i32 2)
  %w = call <4 x i32> @visor.load.surface(<4 x i32> %scaled, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  ret <4 x i32> %w
}

@data = constant [6 x i32] [i32 1, i32 3, i32 0, i32 2, i32 14, i32 15]

; By hand, 4 bytes behind the offsets: word 3 for all, of six words, which is 2, so that word 2 is loaded; word 4 of four
; words, which is outside, so that word 0 is loaded; and lane 2 apart.
define i32 @main() {
  %a = call <4 x i32> @f(ptr null, <4 x i32> splat (i32 8), <4 x i1> splat (i1 true), ptr @data, i64 24)
  %wrong.a = icmp ne <4 x i32> %a, zeroinitializer
  %b = call <4 x i32> @f(ptr null, <4 x i32> splat (i32 12), <4 x i1> splat (i1 true), ptr @data, i64 16)
  %wrong.b = icmp ne <4 x i32> %b, splat (i32 1)
  %c = call <4 x i32> @f(ptr null, <4 x i32> <i32 8, i32 8, i32 0, i32 8>, <4 x i1> splat (i1 true), ptr @data, i64 24)
  %wrong.c = icmp ne <4 x i32> %c, <i32 0, i32 0, i32 2, i32 0>
  %ab = or <4 x i1> %wrong.a, %wrong.b
  %wrong = or <4 x i1> %ab, %wrong.c
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
