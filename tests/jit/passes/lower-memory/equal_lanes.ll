; Lanes that all have one address, as is known at run time: one load for them.
; RUN: %opt --cpu avx512 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @flat(
; CHECK: [[P:%.*]] = call ptr @checked.flat.unit(ptr {{%.*}}, i64 0, i64 4)
; CHECK-NEXT: [[ONE:%.*]] = load i32, ptr [[P]], align 1
; CHECK-NEXT: insertelement <4 x i32> poison, i32 [[ONE]], i64 0
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
declare <4 x i32> @visor.load.flat(<4 x i64>, <4 x i1>, i32, i32)
define <4 x i32> @flat(ptr %state, <4 x i64> %p, <4 x i1> %on, i64 %low, i64 %last) {
  %in = call i1 @visor.range_check(<4 x i64> %p, <4 x i1> %on, i32 4, i64 %low, i64 %last, i32 0, i32 4)
  br i1 %in, label %inside, label %outside
inside:
  %v = call <4 x i32> @visor.load.flat(<4 x i64> %p, <4 x i1> %on, i32 4, i32 0)
  %kept = select <4 x i1> %on, <4 x i32> %v, <4 x i32> splat (i32 7)
  ret <4 x i32> %kept
outside:
  ret <4 x i32> splat (i32 -1)
}

@data = constant [6 x i32] [i32 1, i32 3, i32 0, i32 2, i32 14, i32 15]

; By hand, 4 bytes behind the addresses: word 4 for all, of six words; lanes 1 and 3 at word 2, the others anywhere;
; none; lane 1 apart; and one that is outside.
define i32 @main() {
  %low = ptrtoint ptr @data to i64
  %last = add i64 %low, 20
  %one = insertelement <4 x i64> poison, i64 %low, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %p.c = add <4 x i64> %all, splat (i64 12)
  %c = call <4 x i32> @flat(ptr null, <4 x i64> %p.c, <4 x i1> splat (i1 true), i64 %low, i64 %last)
  %wrong.c = icmp ne <4 x i32> %c, splat (i32 14)
  %p.d = add <4 x i64> %all, <i64 -4096, i64 4, i64 1, i64 4>
  %d = call <4 x i32> @flat(ptr null, <4 x i64> %p.d, <4 x i1> <i1 0, i1 1, i1 0, i1 1>, i64 %low, i64 %last)
  %wrong.d = icmp ne <4 x i32> %d, <i32 7, i32 0, i32 7, i32 0>
  %e = call <4 x i32> @flat(ptr null, <4 x i64> zeroinitializer, <4 x i1> zeroinitializer, i64 %low, i64 %last)
  %wrong.e = icmp ne <4 x i32> %e, splat (i32 7)
  %p.f = add <4 x i64> %all, <i64 0, i64 4, i64 0, i64 0>
  %f = call <4 x i32> @flat(ptr null, <4 x i64> %p.f, <4 x i1> splat (i1 true), i64 %low, i64 %last)
  %wrong.f = icmp ne <4 x i32> %f, <i32 3, i32 0, i32 3, i32 3>
  %p.g = add <4 x i64> %all, splat (i64 20)
  %g = call <4 x i32> @flat(ptr null, <4 x i64> %p.g, <4 x i1> splat (i1 true), i64 %low, i64 %last)
  %wrong.g = icmp ne <4 x i32> %g, splat (i32 -1)
  %cd = or <4 x i1> %wrong.c, %wrong.d
  %ef = or <4 x i1> %wrong.e, %wrong.f
  %cdef = or <4 x i1> %cd, %ef
  %wrong = or <4 x i1> %cdef, %wrong.g
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
