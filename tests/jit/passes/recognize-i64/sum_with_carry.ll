; The sum of 64-bit numbers, computed in 32-bit halves with a carry, becomes one 64-bit addition.
; RUN: %opt --passes=recognize-i64 %s | FileCheck %s
; RUN: %opt --passes=recognize-i64 %s | lli

; CHECK-LABEL: define void @f(
; CHECK-DAG: [[X:%.*]] = bitcast <4 x i32> %x to <2 x i64>
; CHECK-DAG: [[Y:%.*]] = bitcast <4 x i32> %y to <2 x i64>
; CHECK: [[SUM:%.*]] = add <2 x i64> [[X]], [[Y]]
; CHECK-NEXT: [[V:%.*]] = bitcast <2 x i64> [[SUM]] to <4 x i32>
; CHECK: store <4 x i32> [[V]], ptr %out
define void @f(ptr %out, ptr %xs, ptr %ys) {
  %x = load <4 x i32>, ptr %xs, align 4
  %x_lo = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %x_hi = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %y = load <4 x i32>, ptr %ys, align 4
  %y_lo = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %y_hi = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %lo = add <2 x i32> %x_lo, %y_lo
  %less = icmp ult <2 x i32> %lo, %y_lo
  %carry = zext <2 x i1> %less to <2 x i32>
  %some = add <2 x i32> %x_hi, %carry
  %hi = add <2 x i32> %some, %y_hi
  %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x i32> %v, ptr %out, align 4
  ret void
}

@xs = constant [2 x i64] [i64 4294967295, i64 5]
@ys = constant [2 x i64] [i64 1, i64 12884901895]
@out = global [2 x i64] zeroinitializer

; By hand: 2^32 - 1 + 1 = 2^32, with a carry; 5 + (3 * 2^32 + 7) = 3 * 2^32 + 12, without.
define i32 @main() {
  call void @f(ptr @out, ptr @xs, ptr @ys)
  %got = load <2 x i64>, ptr @out, align 8
  %wrong = icmp ne <2 x i64> %got, <i64 4294967296, i64 12884901900>
  %bits = bitcast <2 x i1> %wrong to i2
  %code = zext i2 %bits to i32
  ret i32 %code
}
