; Pointers of lanes that a loop carries, and that were saved in registers of dwords before a barrier: whether they are a row
; is asked where the loop begins, on each way into it, and not in each iteration.
; RUN: %opt --cpu avx2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu avx2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: start:
; CHECK: icmp eq <4 x i64> %p0,
; CHECK: again:
; CHECK: icmp eq <4 x i64> %q,
; CHECK: [[HOLDS:%.*]] = phi i1 [ {{%.*}}, %start ], [ {{%.*}}, %again ], [ [[HOLDS]], %body ]
; CHECK-NOT: icmp eq <4 x i64> %p,
; CHECK: checked.flat.row
; CHECK: ret
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
declare <4 x i32> @visor.load.flat(<4 x i64>, <4 x i1>, i32, i32)
define <4 x i32> @f(ptr %state, i1 %resume, i32 %n, i64 %base, i64 %first, i64 %last, i32 %count) {
entry:
  br i1 %resume, label %again, label %start
start:
  %one = insertelement <4 x i32> poison, i32 %n, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %i = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %row = sext <4 x i32> %i to <4 x i64>
  %bytes = shl <4 x i64> %row, splat (i64 2)
  %begin = insertelement <4 x i64> poison, i64 %base, i64 0
  %begins = shufflevector <4 x i64> %begin, <4 x i64> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i64> %bytes, %begins
  br label %loop
again:
  %x = load <4 x i32>, ptr @low, align 4, !visor.kept !0
  %y = load <4 x i32>, ptr @high, align 4, !visor.kept !1
  %z = shufflevector <4 x i32> %x, <4 x i32> %y, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %q = bitcast <8 x i32> %z to <4 x i64>
  br label %loop
loop:
  %p = phi <4 x i64> [ %p0, %start ], [ %q, %again ], [ %next, %body ]
  %sum = phi <4 x i32> [ zeroinitializer, %start ], [ zeroinitializer, %again ], [ %added, %body ]
  %k = phi i32 [ 0, %start ], [ 0, %again ], [ %k.next, %body ]
  %in = call i1 @visor.range_check(<4 x i64> %p, <4 x i1> splat (i1 true), i32 0, i64 %first, i64 %last, i32 0, i32 4)
  br i1 %in, label %body, label %outside
body:
  %v = call <4 x i32> @visor.load.flat(<4 x i64> %p, <4 x i1> splat (i1 true), i32 0, i32 0)
  %added = add <4 x i32> %sum, %v
  %next = add <4 x i64> %p, splat (i64 16)
  %parts = bitcast <4 x i64> %next to <8 x i32>
  %save.low = shufflevector <8 x i32> %parts, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %save.high = shufflevector <8 x i32> %parts, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x i32> %save.low, ptr @low, align 4, !visor.kept !0
  store <4 x i32> %save.high, ptr @high, align 4, !visor.kept !1
  %k.next = add i32 %k, 1
  %ends = icmp eq i32 %k.next, %count
  br i1 %ends, label %done, label %loop
done:
  ret <4 x i32> %added
outside:
  ret <4 x i32> splat (i32 -1)
}
!0 = !{i64 1, i64 2, i64 0}
!1 = !{i64 1, i64 2, i64 1}

@data = constant [13 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13]
@low = global [4 x i32] zeroinitializer
@high = global [4 x i32] zeroinitializer

; By hand: dwords 1 to 4 and 5 to 8 from the second on; then from where that ended, 9 to 12; then from pointers that are no
; row, dwords 12, 0, 3 and 3; then beyond the thirteenth.
define i32 @main() {
  %first = ptrtoint ptr @data to i64
  %last = add i64 %first, 48
  %a = call <4 x i32> @f(ptr null, i1 false, i32 1, i64 %first, i64 %first, i64 %last, i32 2)
  %wrong.a = icmp ne <4 x i32> %a, <i32 8, i32 10, i32 12, i32 14>
  %b = call <4 x i32> @f(ptr null, i1 true, i32 0, i64 %first, i64 %first, i64 %last, i32 1)
  %wrong.b = icmp ne <4 x i32> %b, <i32 10, i32 11, i32 12, i32 13>
  %one = insertelement <4 x i64> poison, i64 %first, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %apart = add <4 x i64> %all, <i64 48, i64 0, i64 12, i64 12>
  %parts = bitcast <4 x i64> %apart to <8 x i32>
  %low = shufflevector <8 x i32> %parts, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high = shufflevector <8 x i32> %parts, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x i32> %low, ptr @low, align 4
  store <4 x i32> %high, ptr @high, align 4
  %c = call <4 x i32> @f(ptr null, i1 true, i32 0, i64 %first, i64 %first, i64 %last, i32 1)
  %wrong.c = icmp ne <4 x i32> %c, <i32 13, i32 1, i32 4, i32 4>
  %d = call <4 x i32> @f(ptr null, i1 true, i32 0, i64 %first, i64 %first, i64 %last, i32 1)
  %wrong.d = icmp ne <4 x i32> %d, splat (i32 -1)
  %ab = or <4 x i1> %wrong.a, %wrong.b
  %cd = or <4 x i1> %wrong.c, %wrong.d
  %wrong = or <4 x i1> %ab, %cd
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
