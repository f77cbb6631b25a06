; Three flat messages 1 KiB apart: the first one's range check covers the bytes of all. The others check their
; own sites, which hold nothing here, only where it failed.
; RUN: %opt --passes=widen-range-checks %s | FileCheck %s
; RUN: %opt --passes=widen-range-checks,lower-memory,verify-accesses %s | lli
; RUN: %opt --passes=widen-range-checks --report-outside %s | FileCheck --check-prefix=REPORTED %s
; Where accesses outside are reported each message keeps a check of its own.
; REPORTED-NOT: icmp uge i64

; By hand: from the first lane's begin to the last one's end 2 * 1,024 + 16 = 2,064 bytes; a unit has 4.
; CHECK-LABEL: define i3 @f(
; CHECK: [[END:%.*]] = add i64 %last, 4
; CHECK: [[LEFT:%.*]] = sub i64 [[END]], {{%.*}}
; CHECK: [[ROOM:%.*]] = icmp uge i64 [[LEFT]], 2064
; CHECK: [[ALL:%.*]] = and i1 {{%.*}}, [[ROOM]]
; CHECK: br i1 [[ALL]], label %[[A1:.*]], label %[[A0:.*]], !prof
; CHECK: [[A0]]:
; CHECK: %in0 = call i1 @visor.range_check(
; CHECK: [[A1]]:
; CHECK: phi i1 [ true, %0 ], [ %in0, %[[A0]] ]
; CHECK: br i1 [[ALL]], label %{{.*}}, label %[[B0:.*]], !prof
; CHECK: [[B0]]:
; CHECK: %in1 = call i1 @visor.range_check(
; CHECK: br i1 [[ALL]], label %{{.*}}, label %[[C0:.*]], !prof
; CHECK: [[C0]]:
; CHECK: %in2 = call i1 @visor.range_check(
declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
define i3 @f(ptr %state, i64 %x, i64 %low, i64 %last) {
  %one = insertelement <4 x i64> poison, i64 %x, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i64> %all, <i64 0, i64 4, i64 8, i64 12>
  %in0 = call i1 @visor.range_check(<4 x i64> %p0, <4 x i1> splat (i1 true), i32 0, i64 %low, i64 %last, i32 0, i32 4)
  %p1 = add <4 x i64> %p0, splat (i64 1024)
  %in1 = call i1 @visor.range_check(<4 x i64> %p1, <4 x i1> splat (i1 true), i32 0, i64 1, i64 0, i32 1, i32 4)
  %p2 = add <4 x i64> %p0, splat (i64 2048)
  %in2 = call i1 @visor.range_check(<4 x i64> %p2, <4 x i1> splat (i1 true), i32 0, i64 1, i64 0, i32 2, i32 4)
  %b0 = insertelement <3 x i1> poison, i1 %in0, i64 0
  %b1 = insertelement <3 x i1> %b0, i1 %in1, i64 1
  %b2 = insertelement <3 x i1> %b1, i1 %in2, i64 2
  %bits = bitcast <3 x i1> %b2 to i3
  ret i3 %bits
}

; By hand: from 4,096 on, 2,064 bytes end at 6,160, where the last unit begins at 6,156. One byte less at either
; end, and each message checks its own site: of the last begin 6,155 the first alone is inside, of the lowest
; address 4,097 none.
define i32 @main() {
  %fits = call i3 @f(ptr null, i64 4096, i64 4096, i64 6156)
  %wrong.1 = icmp ne i3 %fits, 7
  %ends = call i3 @f(ptr null, i64 4096, i64 4096, i64 6155)
  %wrong.2 = icmp ne i3 %ends, 1
  %begins = call i3 @f(ptr null, i64 4096, i64 4097, i64 8192)
  %wrong.3 = icmp ne i3 %begins, 0
  %wrong.4 = or i1 %wrong.1, %wrong.2
  %wrong = or i1 %wrong.3, %wrong.4
  %code = zext i1 %wrong to i32
  ret i32 %code
}
