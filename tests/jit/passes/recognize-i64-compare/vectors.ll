; The smaller of two signed numbers of 64 bits in each lane, and of that and -5 the larger, by halves as GPUs without such
; comparisons have them: a comparison and a choice of whole vectors each.
; RUN: %opt --passes=recognize-i64-compare %s | FileCheck %s
; RUN: %opt --passes=recognize-i64-compare %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[LESS:%.*]] = icmp slt <4 x i64> %a, %b
; CHECK: [[SMALLER:%.*]] = select <4 x i1> [[LESS]], <4 x i64> %a, <4 x i64> %b
; CHECK: [[ABOVE:%.*]] = icmp sgt <4 x i64> [[SMALLER]], <i64 -5, i64 -5, i64 -5, i64 -5>
; CHECK: [[LARGER:%.*]] = select <4 x i1> [[ABOVE]], <4 x i64> [[SMALLER]], <4 x i64> <i64 -5, i64 -5, i64 -5, i64 -5>
; CHECK: [[PARTS:%.*]] = bitcast <4 x i64> [[LARGER]] to <8 x i32>
; CHECK: store <8 x i32> [[PARTS]], ptr %out
; CHECK: [[BELOW:%.*]] = icmp ult <4 x i64> %a, %b
; CHECK: [[SAME:%.*]] = icmp eq <4 x i64> %a, %b
; CHECK: zext <4 x i1> [[BELOW]]
; CHECK: zext <4 x i1> [[SAME]]
; Not the halves of one number.
; CHECK: zext <4 x i1> %mixed
define void @f(ptr %out, ptr %less, <4 x i64> %a, <4 x i64> %b) {
  %a.low = trunc <4 x i64> %a to <4 x i32>
  %a.parts = bitcast <4 x i64> %a to <8 x i32>
  %a.high = shufflevector <8 x i32> %a.parts, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %b.parts = bitcast <4 x i64> %b to <8 x i32>
  %b.low = shufflevector <8 x i32> %b.parts, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %b.up = lshr <4 x i64> %b, splat (i64 32)
  %b.high = trunc <4 x i64> %b.up to <4 x i32>
  %lower = icmp ult <4 x i32> %a.low, %b.low
  %equal = icmp eq <4 x i32> %a.high, %b.high
  %tie = and <4 x i1> %equal, %lower
  %upper = icmp slt <4 x i32> %a.high, %b.high
  %smaller = or <4 x i1> %tie, %upper
  %low = select <4 x i1> %smaller, <4 x i32> %a.low, <4 x i32> %b.low
  %high = select <4 x i1> %smaller, <4 x i32> %a.high, <4 x i32> %b.high
  %above.low = icmp ugt <4 x i32> %low, splat (i32 -5)
  %above.equal = icmp eq <4 x i32> %high, splat (i32 -1)
  %above.tie = and <4 x i1> %above.equal, %above.low
  %above.high = icmp sgt <4 x i32> %high, splat (i32 -1)
  %above = or <4 x i1> %above.tie, %above.high
  %larger.low = select <4 x i1> %above, <4 x i32> %low, <4 x i32> splat (i32 -5)
  %larger.high = select <4 x i1> %above, <4 x i32> %high, <4 x i32> splat (i32 -1)
  %pairs = shufflevector <4 x i32> %larger.low, <4 x i32> %larger.high, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i32> %pairs, ptr %out, align 4
  %below.high = icmp ult <4 x i32> %a.high, %b.high
  %below = or <4 x i1> %tie, %below.high
  %same.low = icmp eq <4 x i32> %a.low, %b.low
  %same = and <4 x i1> %same.low, %equal
  %mixed.high = icmp ult <4 x i32> %b.high, %a.high
  %mixed = or <4 x i1> %tie, %mixed.high
  %one = zext <4 x i1> %below to <4 x i32>
  %two = zext <4 x i1> %same to <4 x i32>
  %three = zext <4 x i1> %mixed to <4 x i32>
  %two.shifted = shl <4 x i32> %two, splat (i32 1)
  %three.shifted = shl <4 x i32> %three, splat (i32 2)
  %some = or <4 x i32> %one, %two.shifted
  %all = or <4 x i32> %some, %three.shifted
  store <4 x i32> %all, ptr %less, align 4
  ret void
}

@out = global [4 x i64] zeroinitializer
@less = global [4 x i32] zeroinitializer

; By hand: 1 and 2^32: 1, below; -1 and 3: -1, not below as unsigned numbers, the high half of 3 is below; -2^40 and
; -2^40 + 1: -5, below; 7 and 7: equal.
define i32 @main() {
  call void @f(ptr @out, ptr @less, <4 x i64> <i64 1, i64 -1, i64 -1099511627776, i64 7>, <4 x i64> <i64 4294967296, i64 3, i64 -1099511627775, i64 7>)
  %got = load <4 x i64>, ptr @out, align 8
  %a = icmp ne <4 x i64> %got, <i64 1, i64 -1, i64 -5, i64 7>
  %below = load <4 x i32>, ptr @less, align 4
  %b = icmp ne <4 x i32> %below, <i32 1, i32 4, i32 5, i32 2>
  %wrong = or <4 x i1> %a, %b
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
