; Lanes that begin side by side, as is known at run time, stay together where most are active; others run by themselves.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops %s | FileCheck %s
; The original loop notes that it ran.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops,lower-memory,verify-accesses %s > %t.ll
; RUN: sed -e "s/^lanes.original:.*/&\n  store i32 1, ptr @original/" %t.ll | lli

; CHECK-LABEL: define void @f()
; CHECK: lanes:
; CHECK: [[FIRST:%.*]] = extractelement <4 x i32> [[PLACES:%.*]], i64 0
; CHECK: sub <4 x i32> [[PLACES]],
; CHECK: call i32 @llvm.ctpop.i32
; CHECK: br i1 %{{.*}}, label %lanes.original, label %lane, !prof
define void @f() {
entry:
  %begins = load <4 x i32>, ptr @begins, align 4
  %ends = load <4 x i32>, ptr @ends, align 4
  br label %head

head:
  %k = phi <4 x i32> [ %begins, %entry ], [ %next, %again ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %kept, %again ]
  %running = phi i32 [ 7, %entry ], [ %taken, %again ]
  %bits = trunc i32 %running to i4
  %on = bitcast i4 %bits to <4 x i1>
  %places = shl <4 x i32> %k, splat (i32 2)
  %value = call <4 x i32> @visor.load.surface(<4 x i32> %places, <4 x i1> %on, i32 0, ptr @data, i64 40, i64 -1)
  %added = add <4 x i32> %sum, %value
  %kept = select <4 x i1> %on, <4 x i32> %added, <4 x i32> %sum
  %next = add <4 x i32> %k, splat (i32 1)
  %less = icmp slt <4 x i32> %next, %ends
  %goes = bitcast <4 x i1> %less to i4
  %both = and i4 %goes, %bits
  %taken = zext i4 %both to i32
  %none = icmp eq i32 %taken, 0
  br i1 %none, label %out, label %again

again:
  br label %head

out:
  store <4 x i32> %kept, ptr @sums, align 4
  ret void
}
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)

@data = constant [10 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10]
@begins = global [4 x i32] zeroinitializer
@ends = global [4 x i32] zeroinitializer
@sums = global [4 x i32] zeroinitializer
@original = global i32 0

define i1 @right(<4 x i32> %begins, <4 x i32> %ends, <4 x i32> %expected, i32 %together) {
  store i32 0, ptr @original, align 4
  store <4 x i32> %begins, ptr @begins, align 4
  store <4 x i32> %ends, ptr @ends, align 4
  call void @f()
  %got = load <4 x i32>, ptr @sums, align 4
  %ran = load i32, ptr @original, align 4
  %wrong = icmp ne <4 x i32> %got, %expected
  %bits = bitcast <4 x i1> %wrong to i4
  %same = icmp eq i4 %bits, 0
  %as_meant = icmp eq i32 %ran, %together
  %right = and i1 %same, %as_meant
  ret i1 %right
}

; By hand, lanes 0 to 2 active: from 1, 2 and 3 on, with ends of their own; all from 4 on, as in a search; and lane 2 one
; further than in a row.
define i32 @main() {
  %a = call i1 @right(<4 x i32> <i32 1, i32 2, i32 3, i32 0>, <4 x i32> <i32 3, i32 3, i32 7, i32 9>, <4 x i32> <i32 5, i32 3, i32 22, i32 0>, i32 1)
  %b = call i1 @right(<4 x i32> <i32 4, i32 4, i32 4, i32 1>, <4 x i32> <i32 5, i32 6, i32 8, i32 9>, <4 x i32> <i32 5, i32 11, i32 26, i32 0>, i32 1)
  %c = call i1 @right(<4 x i32> <i32 1, i32 2, i32 4, i32 0>, <4 x i32> <i32 3, i32 3, i32 7, i32 9>, <4 x i32> <i32 5, i32 3, i32 18, i32 0>, i32 0)
  %ab = and i1 %a, %b
  %all = and i1 %ab, %c
  %code = select i1 %all, i32 0, i32 1
  ret i32 %code
}
