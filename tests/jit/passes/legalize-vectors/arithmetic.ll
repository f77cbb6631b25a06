; Eight lanes, where a register holds four: each load, operation and store becomes two, the second 16 bytes behind.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=legalize-vectors %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NEXT: [[FROM0:%.*]] = getelementptr i8, ptr %from, i64 0
; CHECK-NEXT: [[A0:%.*]] = load <4 x i32>, ptr [[FROM0]], align 32
; CHECK-NEXT: [[FROM1:%.*]] = getelementptr i8, ptr %from, i64 16
; CHECK-NEXT: [[A1:%.*]] = load <4 x i32>, ptr [[FROM1]], align 16
; CHECK-NEXT: [[SUM0:%.*]] = add <4 x i32> [[A0]], <i32 10, i32 20, i32 30, i32 40>
; CHECK-NEXT: [[SUM1:%.*]] = add <4 x i32> [[A1]], <i32 50, i32 60, i32 70, i32 80>
; CHECK-NEXT: [[LEAST0:%.*]] = call <4 x i32> @llvm.umin.v4i32(<4 x i32> [[SUM0]], <4 x i32> <i32 55, i32 55, i32 55, i32 55>)
; CHECK-NEXT: [[LEAST1:%.*]] = call <4 x i32> @llvm.umin.v4i32(<4 x i32> [[SUM1]], <4 x i32> <i32 55, i32 55, i32 55, i32 55>)
; CHECK-NEXT: [[OUT0:%.*]] = getelementptr i8, ptr %out, i64 0
; CHECK-NEXT: store <4 x i32> [[LEAST0]], ptr [[OUT0]], align 4
; CHECK-NEXT: [[OUT1:%.*]] = getelementptr i8, ptr %out, i64 16
; CHECK-NEXT: store <4 x i32> [[LEAST1]], ptr [[OUT1]], align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <8 x i32>, ptr %from, align 32
  %sum = add <8 x i32> %a, <i32 10, i32 20, i32 30, i32 40, i32 50, i32 60, i32 70, i32 80>
  %least = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %sum, <8 x i32> splat (i32 55))
  store <8 x i32> %least, ptr %out, align 4
  ret void
}

declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)

@from = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], align 32
@out = global [8 x i32] zeroinitializer

; By hand: 11, 22, 33, 44 and four sums of 55 or more, of which 55 is the least.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 11, i32 22, i32 33, i32 44, i32 55, i32 55, i32 55, i32 55>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
