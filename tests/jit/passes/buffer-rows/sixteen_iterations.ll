; Sixteen iterations over rows of 64 bytes are fully unrolled where all rows are inside: block loads, a transpose.
; RUN: %opt --cpu avx512 --passes=buffer-rows %s | FileCheck %s
; RUN: %opt --cpu avx512 --passes=buffer-rows,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <16 x i32> @f(
; CHECK: br i1 {{%.*}}, label %attention, label %loop
; CHECK: unroll.check:
; CHECK: br i1 {{%.*}}, label %loop, label %unrolled
; CHECK: unrolled:
; CHECK-NOT: @visor.range_check
; CHECK: call ptr @checked.flat.ahead(ptr {{%.*}}, i64 0, i64 1024)
; CHECK-COUNT-16: load <16 x i32>, ptr {{%.*}}, align 1
; CHECK-COUNT-16: mul <16 x i32>
; CHECK-NOT: mul <16 x i32>
; CHECK: br label %done
declare i1 @visor.range_check(<16 x i64>, <16 x i1>, i32, i64, i64, i32, i32)
declare <16 x i32> @visor.load.flat(<16 x i64>, <16 x i1>, i32, i32)
define <16 x i32> @f(ptr %state, i64 %base, i64 %last, i64 %fuel) {
  %stop = alloca i8
  store i8 0, ptr %stop
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %again ], [ %k1, %attention ]
  %count = phi i64 [ 0, %0 ], [ %count1, %again ], [ %count1, %attention ]
  %acc = phi <16 x i32> [ zeroinitializer, %0 ], [ %acc1, %again ], [ %acc1, %attention ]
  %k.one = insertelement <16 x i32> poison, i32 %k, i64 0
  %k.all = shufflevector <16 x i32> %k.one, <16 x i32> poison, <16 x i32> zeroinitializer
  %k.bytes = shl <16 x i32> %k.all, splat (i32 2)
  %p = add <16 x i32> %k.bytes, <i32 0, i32 64, i32 128, i32 192, i32 256, i32 320, i32 384, i32 448, i32 512, i32 576, i32 640, i32 704, i32 768, i32 832, i32 896, i32 960>
  %far = zext <16 x i32> %p to <16 x i64>
  %base.one = insertelement <16 x i64> poison, i64 %base, i64 0
  %base.all = shufflevector <16 x i64> %base.one, <16 x i64> poison, <16 x i32> zeroinitializer
  %at = add <16 x i64> %far, %base.all
  %in = call i1 @visor.range_check(<16 x i64> %at, <16 x i1> splat (i1 true), i32 0, i64 %base, i64 %last, i32 0, i32 4)
  br i1 %in, label %known, label %outside, !prof !0
outside:
  ret <16 x i32> %k.all
known:
  %v = call <16 x i32> @visor.load.flat(<16 x i64> %at, <16 x i1> splat (i1 true), i32 0, i32 0)
  %product = mul <16 x i32> %v, %k.bytes
  %acc1 = add <16 x i32> %acc, %product
  %k1 = add i32 %k, 1
  %count1 = add i64 %count, 1
  %leaves = icmp uge i32 %k1, 16
  br i1 %leaves, label %done, label %again
again:
  %flag = load volatile i8, ptr %stop, align 1
  %stopped = icmp ne i8 %flag, 0
  %spent = icmp uge i64 %count1, %fuel
  %stops = or i1 %stopped, %spent
  br i1 %stops, label %attention, label %loop, !prof !1, !visor.poll !0
attention:
  br label %loop
done:
  ret <16 x i32> %acc1
}
!0 = !{!"branch_weights", i32 1000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1000}
@data = global [256 x i32] zeroinitializer
; Word i is i, and row l begins at word 16 * l. By hand: the sum of (16 * l + k) * 4 * k for k from 0 to 15 is
; 64 * l * 120 + 4 * 15 * 16 * 31 / 6 = 7,680 * l + 4,960. Without the last word, iteration 15 is outside. With
; fuel for four iterations the original loop runs.
define i32 @main() {
  %words = call <256 x i32> @llvm.experimental.stepvector.v256i32()
  store <256 x i32> %words, ptr @data, align 4
  %got = call <16 x i32> @f(ptr null, i64 ptrtoint (ptr @data to i64), i64 ptrtoint (ptr getelementptr (i8, ptr @data, i64 1020) to i64), i64 100)
  %short = call <16 x i32> @f(ptr null, i64 ptrtoint (ptr @data to i64), i64 ptrtoint (ptr getelementptr (i8, ptr @data, i64 1016) to i64), i64 100)
  %spent = call <16 x i32> @f(ptr null, i64 ptrtoint (ptr @data to i64), i64 ptrtoint (ptr getelementptr (i8, ptr @data, i64 1020) to i64), i64 4)
  %wrong.1 = icmp ne <16 x i32> %got, <i32 4960, i32 12640, i32 20320, i32 28000, i32 35680, i32 43360, i32 51040, i32 58720, i32 66400, i32 74080, i32 81760, i32 89440, i32 97120, i32 104800, i32 112480, i32 120160>
  %wrong.2 = icmp ne <16 x i32> %spent, %got
  %wrong.3 = icmp ne <16 x i32> %short, splat (i32 15)
  %wrong.4 = or <16 x i1> %wrong.1, %wrong.2
  %wrong = or <16 x i1> %wrong.3, %wrong.4
  %any = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %wrong)
  %code = zext i1 %any to i32
  ret i32 %code
}
declare <256 x i32> @llvm.experimental.stepvector.v256i32()
declare i1 @llvm.vector.reduce.or.v16i1(<16 x i1>)
