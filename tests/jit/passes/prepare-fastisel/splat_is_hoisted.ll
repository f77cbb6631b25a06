; A splat, which FastISel does not select, moves up to its operand, above the code that FastISel selects.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %one = insertelement <4 x i32> poison, i32 %number, i64 0
; CHECK-NEXT: %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: %a = load <4 x i32>, ptr %from, align 4
; CHECK-NEXT: %twice = add <4 x i32> %a, %a
; CHECK-NEXT: %sum = add <4 x i32> %all, %twice
; CHECK-NEXT: store <4 x i32> %sum, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from, i32 %number) {
  %a = load <4 x i32>, ptr %from, align 4
  %twice = add <4 x i32> %a, %a
  %one = insertelement <4 x i32> poison, i32 %number, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %sum = add <4 x i32> %all, %twice
  store <4 x i32> %sum, ptr %out, align 4
  ret void
}

@from = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@out = global [4 x i32] zeroinitializer

; By hand: twice each number, and 7.
define i32 @main() {
  call void @f(ptr @out, ptr @from, i32 7)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 9, i32 11, i32 13, i32 15>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
