; A left shift by three becomes three additions.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | lli
; RUN: llc -O0 -pass-remarks-missed=sdagisel %s -o %t.before 2>&1 | FileCheck --check-prefix=BEFORE %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | llc -O0 -pass-remarks-missed=sdagisel -o %t.after 2>&1 | FileCheck --check-prefix=AFTER %s

; BEFORE: FastISel missed:{{ *}}%far = shl {{.*}}(in function: f)
; AFTER-NOT: FastISel missed: {{.*}}(in function: f)
; AFTER: (in function: main)
; AFTER-NOT: FastISel missed: {{.*}}(in function: f)
; CHECK-LABEL: define void @f(
; CHECK-NEXT: %a = load <4 x i32>, ptr %from, align 4
; CHECK-NEXT: [[TWO:%.*]] = add <4 x i32> %a, %a
; CHECK-NEXT: [[FOUR:%.*]] = add <4 x i32> [[TWO]], [[TWO]]
; CHECK-NEXT: [[EIGHT:%.*]] = add <4 x i32> [[FOUR]], [[FOUR]]
; CHECK-NEXT: store <4 x i32> [[EIGHT]], ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from, i32 %number) {
  %a = load <4 x i32>, ptr %from, align 4
  %far = shl <4 x i32> %a, splat (i32 3)
  store <4 x i32> %far, ptr %out, align 4
  ret void
}

@from = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@out = global [4 x i32] zeroinitializer

; By hand: eight times each number.
define i32 @main() {
  call void @f(ptr @out, ptr @from, i32 7)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 8, i32 16, i32 24, i32 32>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
