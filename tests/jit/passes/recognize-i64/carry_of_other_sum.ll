; The bit added to the high halves compares the low sum with a number that is no addend: that is no carry.
; RUN: %opt --passes=recognize-i64 %s | FileCheck %s
; RUN: %opt --passes=recognize-i64 %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NOT: <2 x i64>
; CHECK: %lo = add <2 x i32> %x_lo, %y
; CHECK-NEXT: %less = icmp ult <2 x i32> %lo, %other
; CHECK-NEXT: %bit = zext <2 x i1> %less to <2 x i32>
; CHECK-NEXT: %hi = add <2 x i32> %bit, %x_hi
; CHECK-NEXT: %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
; CHECK-NEXT: store <4 x i32> %v, ptr %out
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %xs, <2 x i32> %y, <2 x i32> %other) {
  %x = load <4 x i32>, ptr %xs, align 4
  %x_lo = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %x_hi = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %lo = add <2 x i32> %x_lo, %y
  %less = icmp ult <2 x i32> %lo, %other
  %bit = zext <2 x i1> %less to <2 x i32>
  %hi = add <2 x i32> %bit, %x_hi
  %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x i32> %v, ptr %out, align 4
  ret void
}

@xs = constant [2 x i64] [i64 4294967295, i64 5]
@out = global [2 x i64] zeroinitializer

; By hand: 2^32 - 1 + 1 is 0 in 32 bits, not below 0: no bit. 5 + 1 = 6 is below 9: a bit, 2^32 + 6.
define i32 @main() {
  call void @f(ptr @out, ptr @xs, <2 x i32> <i32 1, i32 1>, <2 x i32> <i32 0, i32 9>)
  %got = load <2 x i64>, ptr @out, align 8
  %wrong = icmp ne <2 x i64> %got, <i64 0, i64 4294967302>
  %bits = bitcast <2 x i1> %wrong to i2
  %code = zext i2 %bits to i32
  ret i32 %code
}
