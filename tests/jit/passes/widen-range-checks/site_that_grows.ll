; The first message's check fails and widens its site, as the engine does: the second one loads the site's limits
; again and checks for itself and all after it.
; RUN: %opt --passes=widen-range-checks %s | FileCheck %s
; RUN: %opt --passes=widen-range-checks,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define i1 @f(
; CHECK-COUNT-2: load i64, ptr {{.*}}@site
; CHECK: %in0 = call i1 @visor.range_check(
; CHECK: store i64
; CHECK-COUNT-2: load i64, ptr {{.*}}@site
; CHECK: phi i1 [ true, %{{.*}} ], [ [[AGAIN:%.*]], %{{.*}} ]
; CHECK: %in1 = call i1 @visor.range_check(
; CHECK: %in2 = call i1 @visor.range_check(
; CHECK-NOT: load i64, ptr {{.*}}@site
; CHECK: ret i1
@site = global [2 x i64] [i64 1, i64 0]
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
define i1 @f(ptr %state, i64 %x, i64 %begin, i64 %last) {
  %one = insertelement <4 x i64> poison, i64 %x, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i64> %all, <i64 0, i64 4, i64 8, i64 12>
  %low0 = load i64, ptr @site
  %last0 = load i64, ptr getelementptr (i64, ptr @site, i64 1)
  %in0 = call i1 @visor.range_check(<4 x i64> %p0, <4 x i1> splat (i1 true), i32 0, i64 %low0, i64 %last0, i32 0, i32 4)
  br i1 %in0, label %inside, label %grows
grows:
  store i64 %begin, ptr @site
  store i64 %last, ptr getelementptr (i64, ptr @site, i64 1)
  br label %inside
inside:
  %p1 = add <4 x i64> %p0, splat (i64 1024)
  %in1 = call i1 @visor.range_check(<4 x i64> %p1, <4 x i1> splat (i1 true), i32 0, i64 1, i64 0, i32 1, i32 4)
  %p2 = add <4 x i64> %p0, splat (i64 2048)
  %in2 = call i1 @visor.range_check(<4 x i64> %p2, <4 x i1> splat (i1 true), i32 0, i64 1, i64 0, i32 2, i32 4)
  %both = and i1 %in1, %in2
  ret i1 %both
}

; By hand: 4,096 + 2,064 - 4 = 6,156 is the last unit's begin. The first call grows the site to 6,155, one byte
; too short for all; the second one to 6,156; the third one finds that.
define i32 @main() {
  %short = call i1 @f(ptr null, i64 4096, i64 4096, i64 6155)
  store <2 x i64> <i64 1, i64 0>, ptr @site
  %grown = call i1 @f(ptr null, i64 4096, i64 4096, i64 6156)
  %known = call i1 @f(ptr null, i64 4096, i64 0, i64 0)
  %both = and i1 %grown, %known
  %not = xor i1 %both, true
  %wrong = or i1 %not, %short
  %code = zext i1 %wrong to i32
  ret i32 %code
}
