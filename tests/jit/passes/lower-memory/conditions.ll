; Conditions on lanes: whether they lie apart, whether known bits keep them in a surface, the lowest and the highest
; active one.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define i64 @f(
; CHECK-NOT: @visor.{{[a-z_]+}}(
; CHECK: ret i64
declare i1 @visor.disjoint(<4 x i32>, i32, i64)
declare i1 @visor.in_extent(<4 x i32>, i32, i64)
declare i64 @visor.smallest(<4 x i64>, <4 x i1>, i32)
declare i64 @visor.largest(<4 x i64>, <4 x i1>, i32)
define i64 @f(ptr %state, <4 x i32> %p, <4 x i64> %q, <4 x i1> %on, i64 %bytes) {
  %apart = call i1 @visor.disjoint(<4 x i32> %p, i32 8, i64 -1)
  %low = and <4 x i32> %p, splat (i32 60)
  %inside = call i1 @visor.in_extent(<4 x i32> %low, i32 4, i64 %bytes)
  %smallest = call i64 @visor.smallest(<4 x i64> %q, <4 x i1> %on, i32 3)
  %largest = call i64 @visor.largest(<4 x i64> %q, <4 x i1> %on, i32 3)
  %apart.100000 = select i1 %apart, i64 100000, i64 0
  %inside.10000 = select i1 %inside, i64 10000, i64 0
  %conditions = add i64 %apart.100000, %inside.10000
  %smallest.100 = mul i64 %smallest, 100
  %extremes = add i64 %smallest.100, %largest
  %all = add i64 %conditions, %extremes
  ret i64 %all
}

; By hand: lanes of 8 bytes at 0, 8, 20 and 28 lie apart, at 0, 8, 15 and 28 not. Offsets of at most 60 with 4 bytes
; lie in 64 bytes, not in 63. Of 20, 7, 5 and 40, each 3 more, the first three active: 8 and 23; the first two: 10
; and 23.
define i32 @main() {
  %a = call i64 @f(ptr null, <4 x i32> <i32 0, i32 8, i32 20, i32 28>, <4 x i64> <i64 20, i64 7, i64 5, i64 40>, <4 x i1> <i1 1, i1 1, i1 1, i1 0>, i64 64)
  %wrong.a = icmp ne i64 %a, 110823
  %b = call i64 @f(ptr null, <4 x i32> <i32 0, i32 8, i32 15, i32 28>, <4 x i64> <i64 20, i64 7, i64 5, i64 40>, <4 x i1> <i1 1, i1 1, i1 0, i1 0>, i64 63)
  %wrong.b = icmp ne i64 %b, 1023
  %wrong = or i1 %wrong.a, %wrong.b
  %code = zext i1 %wrong to i32
  ret i32 %code
}
