; Single lanes are read from and put into the register that holds them; swapping the halves takes no instruction.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[A0:%.*]] = load <4 x i32>
; CHECK: [[A1:%.*]] = load <4 x i32>
; CHECK-NEXT: [[SIXTH:%.*]] = extractelement <4 x i32> [[A1]], i64 1
; CHECK-NEXT: [[PUT:%.*]] = insertelement <4 x i32> [[A0]], i32 [[SIXTH]], i64 3
; CHECK-NEXT: [[OUT0:%.*]] = getelementptr i8, ptr %out, i64 0
; CHECK-NEXT: store <4 x i32> [[A1]], ptr [[OUT0]]
; CHECK-NEXT: [[OUT1:%.*]] = getelementptr i8, ptr %out, i64 16
; CHECK-NEXT: store <4 x i32> [[PUT]], ptr [[OUT1]]
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <8 x i32>, ptr %from, align 4
  %sixth = extractelement <8 x i32> %a, i64 5
  %put = insertelement <8 x i32> %a, i32 %sixth, i64 3
  %swapped = shufflevector <8 x i32> %put, <8 x i32> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
  store <8 x i32> %swapped, ptr %out, align 4
  ret void
}

@from = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@out = global [8 x i32] zeroinitializer

; By hand: 6 replaces the fourth, then the upper half comes first.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 5, i32 6, i32 7, i32 8, i32 1, i32 2, i32 3, i32 6>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
