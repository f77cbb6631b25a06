; A vector constant, which FastISel does not select, is loaded from memory; then FastISel selects all of the block.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | lli
; RUN: llc -O0 -pass-remarks-missed=sdagisel %s -o %t.before 2>&1 | FileCheck --check-prefix=BEFORE %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | llc -O0 -pass-remarks-missed=sdagisel -o %t.after 2>&1 | FileCheck --check-prefix=AFTER %s

; BEFORE: FastISel missed:{{ *}}%sum = add {{.*}}(in function: f)
; AFTER-NOT: FastISel missed: {{.*}}(in function: f)
; AFTER: (in function: main)
; AFTER-NOT: FastISel missed: {{.*}}(in function: f)
; CHECK: [[CONSTANT:@.*]] = private constant <4 x i32> <i32 10, i32 20, i32 30, i32 40>, align 16
; CHECK-LABEL: define void @f(
; CHECK-NEXT: %a = load <4 x i32>, ptr %from, align 4
; CHECK-NEXT: [[LOADED:%.*]] = load <4 x i32>, ptr [[CONSTANT]], align 16
; CHECK-NEXT: %sum = add <4 x i32> %a, [[LOADED]]
; CHECK-NEXT: store <4 x i32> %sum, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from, i32 %number) {
  %a = load <4 x i32>, ptr %from, align 4
  %sum = add <4 x i32> %a, <i32 10, i32 20, i32 30, i32 40>
  store <4 x i32> %sum, ptr %out, align 4
  ret void
}

@from = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@out = global [4 x i32] zeroinitializer

; By hand: each number and its tenfold.
define i32 @main() {
  call void @f(ptr @out, ptr @from, i32 7)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 11, i32 22, i32 33, i32 44>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
