; Halves that the same operation computes become one whole vector: one addition instead of two.
; RUN: %opt --passes=combine-shuffles %s | FileCheck %s
; RUN: %opt --passes=combine-shuffles %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[V:%.*]] = add <8 x i32> %a, <i32 10, i32 20, i32 30, i32 40, i32 1, i32 2, i32 3, i32 4>
; CHECK: store <8 x i32> [[V]], ptr %out
define void @f(ptr %out, ptr %from) {
  %a = load <8 x i32>, ptr %from, align 4
  %low = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %first = add <4 x i32> %low, <i32 10, i32 20, i32 30, i32 40>
  %second = add <4 x i32> %high, <i32 1, i32 2, i32 3, i32 4>
  %v = shufflevector <4 x i32> %first, <4 x i32> %second, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x i32> %v, ptr %out, align 4
  ret void
}

@from = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@out = global [8 x i32] zeroinitializer

; By hand: 1 + 10, 2 + 20, 3 + 30, 4 + 40, 5 + 1, 6 + 2, 7 + 3, 8 + 4.
define i32 @main() {
  call void @f(ptr @out, ptr @from)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 11, i32 22, i32 33, i32 44, i32 6, i32 8, i32 10, i32 12>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
