; A lane of a computed vector goes through the stack. A lane of a loaded vector is loaded directly.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | FileCheck %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | lli
; RUN: llc -O0 -pass-remarks-missed=sdagisel %s -o %t.before 2>&1 | FileCheck --check-prefix=BEFORE %s
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | llc -O0 -pass-remarks-missed=sdagisel -o %t.after 2>&1 | FileCheck --check-prefix=AFTER %s

; BEFORE: FastISel missed:{{ *}}%third = extractelement {{.*}}(in function: f)
; AFTER-NOT: FastISel missed: {{.*}}(in function: f)
; AFTER: (in function: main)
; AFTER-NOT: FastISel missed: {{.*}}(in function: f)
; CHECK-LABEL: define void @f(
; CHECK-NEXT: [[SLOT:%.*]] = alloca [8 x i64], align 64
; CHECK-NEXT: [[AT12:%.*]] = getelementptr i8, ptr %from, i64 12
; CHECK-NEXT: [[FOURTH:%.*]] = load i32, ptr [[AT12]], align 4
; CHECK-NEXT: %b = load <4 x i32>, ptr %from, align 4
; CHECK-NEXT: %sum = add <4 x i32> %b, %b
; CHECK-NEXT: store <4 x i32> %sum, ptr [[SLOT]], align 64
; CHECK-NEXT: [[LANE2:%.*]] = getelementptr i32, ptr [[SLOT]], i64 2
; CHECK-NEXT: [[THIRD:%.*]] = load i32, ptr [[LANE2]], align 4
; CHECK-NEXT: store i32 [[FOURTH]], ptr %out, align 4
; CHECK-NEXT: %second = getelementptr i8, ptr %out, i64 4
; CHECK-NEXT: store i32 [[THIRD]], ptr %second, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from, i32 %number) {
  %a = load <4 x i32>, ptr %from, align 4
  %fourth = extractelement <4 x i32> %a, i64 3
  %b = load <4 x i32>, ptr %from, align 4
  %sum = add <4 x i32> %b, %b
  %third = extractelement <4 x i32> %sum, i64 2
  store i32 %fourth, ptr %out, align 4
  %second = getelementptr i8, ptr %out, i64 4
  store i32 %third, ptr %second, align 4
  ret void
}

@from = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@out = global [4 x i32] zeroinitializer

; By hand: the fourth number, and twice the third.
define i32 @main() {
  call void @f(ptr @out, ptr @from, i32 7)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 4, i32 6, i32 0, i32 0>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
