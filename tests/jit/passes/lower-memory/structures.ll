; Four lanes' structures of four words, word by word: one load for each structure, and a transpose.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: add i64 {{%.*}}, 64
; CHECK: [[P:%.*]] = call ptr @checked.surface.row(ptr {{%.*}}, i64 0, i64 64)
; CHECK: getelementptr i8, ptr [[P]], i64 0
; CHECK-NEXT: load <4 x i32>, ptr {{%.*}}, align 1
; CHECK-NEXT: getelementptr i8, ptr [[P]], i64 16
; CHECK-NEXT: load <4 x i32>, ptr {{%.*}}, align 1
; CHECK-NEXT: getelementptr i8, ptr [[P]], i64 32
; CHECK-NEXT: load <4 x i32>, ptr {{%.*}}, align 1
; CHECK-NEXT: getelementptr i8, ptr [[P]], i64 48
; CHECK-NEXT: load <4 x i32>, ptr {{%.*}}, align 1
; CHECK-NEXT: shufflevector
; CHECK-COUNT-4: call preserve_allcc void @visor_load_surface_4_by_32(
; CHECK-COUNT-4: phi <4 x i32>
; CHECK-NOT: @visor.load
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %p = add <4 x i32> %all, <i32 0, i32 16, i32 32, i32 48>
  %a = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %b = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 4, ptr %data, i64 %bytes, i64 -1)
  %c = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 8, ptr %data, i64 %bytes, i64 -1)
  %d = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 12, ptr %data, i64 %bytes, i64 -1)
  %ab = mul <4 x i32> %a, %b
  %cd = sub <4 x i32> %c, %d
  %v = add <4 x i32> %ab, %cd
  ret <4 x i32> %v
}

@data = constant [16 x i32] [i32 2, i32 3, i32 50, i32 1, i32 4, i32 5, i32 60, i32 2, i32 6, i32 7, i32 70, i32 3, i32 8, i32 9, i32 80, i32 4]

; By hand, a * b + c - d: 6 + 49, 20 + 58, 42 + 67, 72 + 76. In a surface without the last word d is 0 in the last
; lane: 72 + 80.
define i32 @main() {
  %inside = call <4 x i32> @f(ptr null, i32 0, ptr @data, i64 64)
  %wrong.1 = icmp ne <4 x i32> %inside, <i32 55, i32 78, i32 109, i32 148>
  %short = call <4 x i32> @f(ptr null, i32 0, ptr @data, i64 60)
  %wrong.2 = icmp ne <4 x i32> %short, <i32 55, i32 78, i32 109, i32 152>
  %wrong = or <4 x i1> %wrong.1, %wrong.2
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
