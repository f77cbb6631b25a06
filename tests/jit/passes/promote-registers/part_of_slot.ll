; A register in a stack slot, read in part, becomes a value; what is computed twice or never used goes away.
; RUN: %opt --passes=promote-registers %s | FileCheck %s
; RUN: %opt --passes=promote-registers %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NOT: alloca
; CHECK: %a = load <4 x i32>, ptr %from
; CHECK-NEXT: [[PART:%.*]] = extractelement <4 x i32> %a, i32 2
; CHECK-NEXT: %sum = add i32 [[PART]], 5
; CHECK-NEXT: %square = mul i32 %sum, %sum
; CHECK-NEXT: store i32 %square, ptr %out
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %register = alloca [32 x i8], align 32
  %a = load <4 x i32>, ptr %from, align 4
  store <4 x i32> %a, ptr %register, align 4
  %third = getelementptr i8, ptr %register, i64 8
  %part = load i32, ptr %third, align 4
  %sum = add i32 %part, 5
  %again = load i32, ptr %third, align 4
  %same = add i32 %again, 5
  %unused = mul i32 %part, 3
  %square = mul i32 %sum, %same
  store i32 %square, ptr %out, align 4
  ret void
}

@from = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@out = global i32 0

; By hand: the third element is 3, and (3 + 5) * (3 + 5) = 64.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load i32, ptr @out, align 4
  %wrong = icmp ne i32 %got, 64
  %code = zext i1 %wrong to i32
  ret i32 %code
}
