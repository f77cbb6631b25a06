; Bytes in a row, as is known at run time: CPUs without masks of bytes load them as a whole where all lanes are active.
; RUN: %opt --cpu avx2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu avx2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <16 x i8> @f(
; CHECK: [[P:%.*]] = call ptr @checked.flat.row(ptr {{%.*}}, i64 0, i64 16)
; CHECK-NEXT: load <16 x i8>, ptr [[P]], align 1
; CHECK-NOT: llvm.masked.load
; CHECK: }
declare i1 @visor.range_check(<16 x i64>, <16 x i1>, i32, i64, i64, i32, i32)
declare <16 x i8> @visor.load.flat(<16 x i64>, <16 x i1>, i32, i32)
define <16 x i8> @f(ptr %state, <16 x i64> %p, <16 x i1> %on, i64 %low, i64 %last) {
  %in = call i1 @visor.range_check(<16 x i64> %p, <16 x i1> %on, i32 0, i64 %low, i64 %last, i32 0, i32 1)
  br i1 %in, label %inside, label %outside
inside:
  %v = call <16 x i8> @visor.load.flat(<16 x i64> %p, <16 x i1> %on, i32 0, i32 0)
  %kept = select <16 x i1> %on, <16 x i8> %v, <16 x i8> zeroinitializer
  ret <16 x i8> %kept
outside:
  ret <16 x i8> splat (i8 -1)
}

@data = constant [17 x i8] c"abcdefghijklmnopq"

; By hand: the second to the seventeenth; without the last lane, from the third on, for the last would be outside; and
; outside.
define i32 @main() {
  %low = ptrtoint ptr @data to i64
  %last = add i64 %low, 16
  %one = insertelement <16 x i64> poison, i64 %low, i64 0
  %all = shufflevector <16 x i64> %one, <16 x i64> poison, <16 x i32> zeroinitializer
  %p = add <16 x i64> %all, <i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16>
  %a = call <16 x i8> @f(ptr null, <16 x i64> %p, <16 x i1> splat (i1 true), i64 %low, i64 %last)
  %wrong.a = icmp ne <16 x i8> %a, <i8 98, i8 99, i8 100, i8 101, i8 102, i8 103, i8 104, i8 105, i8 106, i8 107, i8 108, i8 109, i8 110, i8 111, i8 112, i8 113>
  %q = add <16 x i64> %p, splat (i64 1)
  %b = call <16 x i8> @f(ptr null, <16 x i64> %q, <16 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 0>, i64 %low, i64 %last)
  %wrong.b = icmp ne <16 x i8> %b, <i8 99, i8 100, i8 101, i8 102, i8 103, i8 104, i8 105, i8 106, i8 107, i8 108, i8 109, i8 110, i8 111, i8 112, i8 113, i8 0>
  %c = call <16 x i8> @f(ptr null, <16 x i64> %q, <16 x i1> splat (i1 true), i64 %low, i64 %last)
  %wrong.c = icmp ne <16 x i8> %c, splat (i8 -1)
  %ab = or <16 x i1> %wrong.a, %wrong.b
  %wrong = or <16 x i1> %ab, %wrong.c
  %bits = bitcast <16 x i1> %wrong to i16
  %none = icmp eq i16 %bits, 0
  %code = select i1 %none, i32 0, i32 1
  ret i32 %code
}
