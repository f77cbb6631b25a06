; Half of one vector, widened, blended with half of another: one shuffle of both.
; RUN: %opt --passes=combine-shuffles %s | FileCheck %s
; RUN: %opt --passes=combine-shuffles %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[A:%.*]] = load <8 x i32>, ptr %from
; CHECK: [[B:%.*]] = load <8 x i32>, ptr %behind
; CHECK: [[V:%.*]] = shufflevector <8 x i32> [[A]], <8 x i32> [[B]], <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 12, i32 13, i32 14, i32 15>
; CHECK: store <8 x i32> [[V]], ptr %out
define void @f(ptr %out, ptr %from) {
  %a = load <8 x i32>, ptr %from, align 4
  %behind = getelementptr i8, ptr %from, i64 32
  %b = load <8 x i32>, ptr %behind, align 4
  %low = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %wide = shufflevector <4 x i32> %low, <4 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  %v = select <8 x i1> <i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>, <8 x i32> %wide, <8 x i32> %b
  store <8 x i32> %v, ptr %out, align 4
  ret void
}

@from = constant [16 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18]
@out = global [8 x i32] zeroinitializer

; By hand: elements 0, 2, 4, 6 of the first, 4 to 7 of the second.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 1, i32 3, i32 5, i32 7, i32 15, i32 16, i32 17, i32 18>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
