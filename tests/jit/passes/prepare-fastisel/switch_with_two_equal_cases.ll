; A predecessor that occurs twice in a phi has one value: one load of the constant.
; RUN: %opt --tier 1 --cpu avx2 --passes=prepare-fastisel %s | FileCheck %s
; RUN: %opt --tier 1 --cpu avx2 --passes=prepare-fastisel %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK: [[C:%.*]] = load <8 x i32>, ptr @{{.*}}, align 32
; CHECK-NEXT: switch i32 %x, label %done [
; CHECK: %v = phi <8 x i32> [ [[C]], %entry ], [ [[C]], %entry ], [ {{%.*}}, %other ]
define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %done [
    i32 7, label %done
    i32 8, label %other
  ]
other:
  br label %done
done:
  %v = phi <8 x i32> [ splat (i32 3), %entry ], [ splat (i32 3), %entry ], [ splat (i32 4), %other ]
  %stack = alloca <8 x i32>, align 32
  store <8 x i32> %v, ptr %stack, align 32
  %one = load i32, ptr %stack, align 32
  ret i32 %one
}

; By hand: 3, 3 and 4.
define i32 @main() {
  %a = call i32 @f(i32 1)
  %b = call i32 @f(i32 7)
  %c = call i32 @f(i32 8)
  %ab = shl i32 %a, 8
  %abc.1 = or i32 %ab, %b
  %abc.2 = shl i32 %abc.1, 8
  %abc = or i32 %abc.2, %c
  %wrong = icmp ne i32 %abc, 197380
  %code = zext i1 %wrong to i32
  ret i32 %code
}
