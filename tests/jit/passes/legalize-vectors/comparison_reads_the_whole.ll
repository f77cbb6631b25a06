; Masks are not split: a comparison stays whole, and its operand's parts are concatenated for it.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[TWICE0:%.*]] = add <4 x i32>
; CHECK-NEXT: [[TWICE1:%.*]] = add <4 x i32>
; CHECK-NEXT: [[TWICE:%.*]] = shufflevector <4 x i32> [[TWICE0]], <4 x i32> [[TWICE1]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK-NEXT: %more = icmp ugt <8 x i32> [[TWICE]],
; CHECK-NEXT: [[MORE0:%.*]] = shufflevector <8 x i1> %more, <8 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: [[ONES0:%.*]] = zext <4 x i1> [[MORE0]] to <4 x i32>
; CHECK-NEXT: [[MORE1:%.*]] = shufflevector <8 x i1> %more, <8 x i1> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK-NEXT: [[ONES1:%.*]] = zext <4 x i1> [[MORE1]] to <4 x i32>
; CHECK: store <4 x i32> [[ONES0]]
; CHECK: store <4 x i32> [[ONES1]]
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <8 x i32>, ptr %from, align 4
  %twice = add <8 x i32> %a, %a
  %more = icmp ugt <8 x i32> %twice, splat (i32 9)
  %ones = zext <8 x i1> %more to <8 x i32>
  store <8 x i32> %ones, ptr %out, align 4
  ret void
}

@from = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@out = global [8 x i32] zeroinitializer

; By hand: twice 5 is the first above 9.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
