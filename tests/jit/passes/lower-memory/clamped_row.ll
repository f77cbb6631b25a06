; A row that is clamped at an edge: one comparison of scalars, then a whole row; else whatever lanes there are, in line.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: sext i32 {{%.*}} to i64
; CHECK: icmp sge i64
; CHECK: icmp sle i64
; CHECK: [[P:%.*]] = call ptr @checked.surface.row(ptr {{%.*}}, i64 0, i64 16)
; CHECK-NEXT: load <4 x i32>, ptr [[P]]
; CHECK-NOT: @visor_load_surface
; CHECK: ret <4 x i32>
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %inside = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %lanes, <4 x i32> zeroinitializer)
  %p = shl <4 x i32> %inside, splat (i32 2)
  %v = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  ret <4 x i32> %v
}

@data = constant [8 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17]

; By hand: from 2 on a row; from -2 on the first word three times, then the second; from 6 on two words, and zeros.
define i32 @main() {
  %a = call <4 x i32> @f(ptr null, i32 2, ptr @data, i64 32)
  %wrong.a = icmp ne <4 x i32> %a, <i32 12, i32 13, i32 14, i32 15>
  %b = call <4 x i32> @f(ptr null, i32 -2, ptr @data, i64 32)
  %wrong.b = icmp ne <4 x i32> %b, <i32 10, i32 10, i32 10, i32 11>
  %c = call <4 x i32> @f(ptr null, i32 6, ptr @data, i64 32)
  %wrong.c = icmp ne <4 x i32> %c, <i32 16, i32 17, i32 0, i32 0>
  %wrong.ab = or <4 x i1> %wrong.a, %wrong.b
  %wrong = or <4 x i1> %wrong.ab, %wrong.c
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
