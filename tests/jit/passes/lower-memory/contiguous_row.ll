; Eight lanes 4 bytes apart in a surface: one load after one range check; lanes outside read zero on a cold path.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <8 x i32> @f(
; CHECK-NOT: @visor.load
; CHECK: [[END:%.*]] = add i64 {{%.*}}, 32
; CHECK: [[IN:%.*]] = icmp sle i64 [[END]], %bytes
; CHECK-NEXT: [[ALL:%.*]] = and i1 true, [[IN]]
; CHECK-NEXT: br i1 [[ALL]], label %[[ROW:.*]], label %[[LANES:.*]], !prof
; CHECK: [[ROW]]:
; CHECK: [[P:%.*]] = call ptr @checked.surface.row(ptr {{%.*}}, i64 0, i64 32)
; CHECK: [[V:%.*]] = load <8 x i32>, ptr [[P]], align 1
; CHECK: [[LANES]]:
; CHECK: call preserve_allcc void @visor_load_surface_8_by_32(
; CHECK: [[W:%.*]] = load <8 x i32>, ptr
; CHECK: [[R:%.*]] = phi <8 x i32> [ [[V]], %[[ROW]] ], [ [[W]], %[[LANES]] ]
; CHECK: ret <8 x i32> [[R]]
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %one = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  ret <8 x i32> %v
}

@data = constant [12 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21]

; By hand, of a surface of nine words: from byte 4 on words 1 to 8; from byte 12 on words 3 to 8, and two zeros.
define i32 @main() {
  %inside = call <8 x i32> @f(ptr null, i32 4, ptr @data, i64 36)
  %wrong.1 = icmp ne <8 x i32> %inside, <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %crosses = call <8 x i32> @f(ptr null, i32 12, ptr @data, i64 36)
  %wrong.2 = icmp ne <8 x i32> %crosses, <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 0, i32 0>
  %wrong = or <8 x i1> %wrong.1, %wrong.2
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
