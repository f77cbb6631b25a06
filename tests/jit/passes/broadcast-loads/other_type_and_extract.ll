; An element is splat as a float and extracted as an integer: one load for each type, none of the vector.
; RUN: %opt --passes=broadcast-loads %s | FileCheck %s
; RUN: %opt --passes=broadcast-loads %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NOT: load <
; CHECK-DAG: [[BITS:%.*]] = load i32, ptr {{%.*}}, align 4
; CHECK-DAG: [[FLOAT:%.*]] = load float, ptr {{%.*}}, align 4
; CHECK: [[ONE:%.*]] = insertelement <4 x float> poison, float [[FLOAT]], i64 0
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <4 x float> [[ONE]], <4 x float> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: %twice = fadd <4 x float> [[ALL]], [[ALL]]
; CHECK-NEXT: store <4 x float> %twice, ptr %out, align 4
; CHECK: store i32 [[BITS]], ptr %last, align 4
define void @f(ptr %out, ptr %numbers) {
  %all = load <4 x i32>, ptr %numbers, align 4
  %floats = bitcast <4 x i32> %all to <4 x float>
  %a = shufflevector <4 x float> %floats, <4 x float> poison, <4 x i32> splat (i32 2)
  %twice = fadd <4 x float> %a, %a
  %bits = extractelement <4 x i32> %all, i64 2
  store <4 x float> %twice, ptr %out, align 4
  %last = getelementptr i8, ptr %out, i64 12
  store i32 %bits, ptr %last, align 4
  ret void
}

; 1069547520 is 1.5 as bits, 1077936128 is 3.
@numbers = constant [4 x i32] [i32 0, i32 0, i32 1069547520, i32 0]
@out = global [4 x i32] zeroinitializer

; By hand: twice 1.5 in three lanes, the bits of 1.5 in the last.
define i32 @main() {
  call void @f(ptr @out, ptr @numbers)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 1077936128, i32 1077936128, i32 1077936128, i32 1069547520>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
