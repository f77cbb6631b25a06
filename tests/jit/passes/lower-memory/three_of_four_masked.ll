; Three words of each lane's structure of four, whose numbers are masked: together where the lanes follow each other;
; else two words of each lane, then one.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: call ptr @checked.surface.row(ptr {{%.*}}, i64 0, i64 60)
; CHECK-COUNT-4: load <4 x i32>, ptr {{%.*}}, align 1
; CHECK-COUNT-4: load <2 x i32>, ptr {{%.*}}, align 1
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %n = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %low = and <4 x i32> %n, splat (i32 3)
  %p = shl <4 x i32> %low, splat (i32 4)
  %a = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %b = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 4, ptr %data, i64 %bytes, i64 -1)
  %c = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 8, ptr %data, i64 %bytes, i64 -1)
  %ab = mul <4 x i32> %a, %b
  %v = add <4 x i32> %ab, %c
  ret <4 x i32> %v
}

@data = constant [15 x i32] [i32 2, i32 3, i32 50, i32 -1, i32 4, i32 5, i32 60, i32 -1, i32 6, i32 7, i32 70, i32 -1, i32 8, i32 9, i32 80]

; By hand, a * b + c: 6 + 50, 20 + 60, 42 + 70, 72 + 80; from lane 2 on the last two come first. In a surface without the
; last word c is 0 in the last lane.
define i32 @main() {
  %inside = call <4 x i32> @f(ptr null, i32 0, ptr @data, i64 60)
  %wrong.1 = icmp ne <4 x i32> %inside, <i32 56, i32 80, i32 112, i32 152>
  %around = call <4 x i32> @f(ptr null, i32 2, ptr @data, i64 60)
  %wrong.2 = icmp ne <4 x i32> %around, <i32 112, i32 152, i32 56, i32 80>
  %short = call <4 x i32> @f(ptr null, i32 2, ptr @data, i64 56)
  %wrong.3 = icmp ne <4 x i32> %short, <i32 112, i32 72, i32 56, i32 80>
  %wrong.12 = or <4 x i1> %wrong.1, %wrong.2
  %wrong = or <4 x i1> %wrong.12, %wrong.3
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
