; Elements of three vectors stay a chain: a shuffle has two operands, and no two of the three are halves.
; RUN: %opt --passes=combine-shuffles %s | FileCheck %s
; RUN: %opt --passes=combine-shuffles %s | lli

; CHECK-LABEL: define void @f(
; CHECK: %two = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK-NEXT: %v = shufflevector <4 x i32> %two, <4 x i32> %c, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
; CHECK-NEXT: store <4 x i32> %v, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <4 x i32>, ptr %from, align 4
  %at_b = getelementptr i8, ptr %from, i64 16
  %b = load <4 x i32>, ptr %at_b, align 4
  %at_c = getelementptr i8, ptr %from, i64 32
  %c = load <4 x i32>, ptr %at_c, align 4
  %two = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %v = shufflevector <4 x i32> %two, <4 x i32> %c, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  store <4 x i32> %v, ptr %out, align 4
  ret void
}

@from = constant [12 x i32] [i32 1, i32 2, i32 3, i32 4, i32 11, i32 12, i32 13, i32 14, i32 21, i32 22, i32 23, i32 24]
@out = global [4 x i32] zeroinitializer

; By hand: the first elements of %a and %b, then the third and the fourth of %c.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 1, i32 11, i32 23, i32 24>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
