; Likewise with flat addresses: where lanes are not as assumed, their indices are checked.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: icmp sle i64 {{%.*}}, 7
; CHECK: [[P:%.*]] = call ptr @checked.flat.row(ptr {{%.*}}, i64 0, i64 16)
; CHECK-NEXT: load <4 x i32>, ptr [[P]]
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
declare <4 x i32> @visor.load.flat(<4 x i64>, <4 x i1>, i32, i32)
define <4 x i32> @f(ptr %state, i32 %x, i64 %data, i64 %low, i64 %last) {
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %inside = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %lanes, <4 x i32> splat (i32 7))
  %offset = shl <4 x i32> %inside, splat (i32 2)
  %wide = zext <4 x i32> %offset to <4 x i64>
  %two = insertelement <4 x i64> poison, i64 %data, i64 0
  %base = shufflevector <4 x i64> %two, <4 x i64> poison, <4 x i32> zeroinitializer
  %p = add <4 x i64> %base, %wide
  %in = call i1 @visor.range_check(<4 x i64> %p, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 0, i32 4)
  br i1 %in, label %within, label %outside
within:
  %v = call <4 x i32> @visor.load.flat(<4 x i64> %p, <4 x i1> splat (i1 true), i32 0, i32 0)
  ret <4 x i32> %v
outside:
  ret <4 x i32> splat (i32 -1)
}

@data = constant [8 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17]

; By hand: from 2 on a row; from 6 on two words, and the last one twice again; -1 is outside.
define i32 @main() {
  %low = ptrtoint ptr @data to i64
  %last = add i64 %low, 28
  %a = call <4 x i32> @f(ptr null, i32 2, i64 %low, i64 %low, i64 %last)
  %wrong.a = icmp ne <4 x i32> %a, <i32 12, i32 13, i32 14, i32 15>
  %b = call <4 x i32> @f(ptr null, i32 6, i64 %low, i64 %low, i64 %last)
  %wrong.b = icmp ne <4 x i32> %b, <i32 16, i32 17, i32 17, i32 17>
  %c = call <4 x i32> @f(ptr null, i32 -1, i64 %low, i64 %low, i64 %last)
  %wrong.c = icmp ne <4 x i32> %c, splat (i32 -1)
  %wrong.ab = or <4 x i1> %wrong.a, %wrong.b
  %wrong = or <4 x i1> %wrong.ab, %wrong.c
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
