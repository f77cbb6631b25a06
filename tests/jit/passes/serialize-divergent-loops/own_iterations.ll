; Each lane sums data[begin] to data[end - 1] in scalar iterations of its own; the original loop is the fallback.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops %s | FileCheck %s
; The original loop notes that it ran.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops,lower-memory,verify-accesses %s > %t.ll
; RUN: sed -e "s/^lanes.original:.*/&\n  store i32 1, ptr @original/" %t.ll | lli

; CHECK-LABEL: define void @f()
; CHECK: lanes:
; CHECK: br i1 %{{.*}}, label %lanes.original, label %lane, !prof
; CHECK: lane.iteration:
; CHECK: lane.on:
; CHECK: [[VALUE:%.*]] = load i32, ptr
; CHECK-NEXT: add i32 %{{.*}}, [[VALUE]]
; CHECK: lanes.original:
; CHECK-NEXT: br label %head
; CHECK: head:
; CHECK-NEXT: %k = phi <4 x i32> [ %begins, %lanes.original ], [ %next, %again ]
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
@begins = global [4 x i32] [i32 0, i32 1, i32 9, i32 0]
@ends = global [4 x i32] [i32 5, i32 3, i32 10, i32 9]
@sums = global [4 x i32] zeroinitializer
@original = global i32 0

; By hand: 1 + 2 + 3 + 4 + 5, 2 + 3, 10; the fourth lane is off. Then lane 1 leaves the surface, where all
; lanes start over together and read zero: 9 + 10 + 0 + 0.
define i32 @main() {
  call void @f()
  %got = load <4 x i32>, ptr @sums, align 4
  %ran = load i32, ptr @original, align 4
  store <4 x i32> <i32 0, i32 8, i32 9, i32 0>, ptr @begins, align 4
  store <4 x i32> <i32 5, i32 12, i32 10, i32 9>, ptr @ends, align 4
  call void @f()
  %last = load <4 x i32>, ptr @sums, align 4
  %ran_last = load i32, ptr @original, align 4
  %a = icmp ne <4 x i32> %got, <i32 15, i32 5, i32 10, i32 0>
  %b = icmp ne <4 x i32> %last, <i32 15, i32 19, i32 10, i32 0>
  %wrong = or <4 x i1> %a, %b
  %bits = bitcast <4 x i1> %wrong to i4
  %lanes = zext i4 %bits to i32
  %fell_back = sub i32 1, %ran_last
  %either = or i32 %ran, %fell_back
  %code = or i32 %lanes, %either
  ret i32 %code
}
