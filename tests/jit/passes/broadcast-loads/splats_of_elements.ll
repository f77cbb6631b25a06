; Only two elements of a loaded vector are splat: each is loaded by itself, at offsets 4 and 12.
; RUN: %opt --passes=broadcast-loads %s | FileCheck %s
; RUN: %opt --passes=broadcast-loads %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NOT: load <
; CHECK-DAG: [[AT4:%.*]] = getelementptr inbounds i8, ptr %numbers, i64 4
; CHECK-DAG: [[B:%.*]] = load i32, ptr [[AT4]], align 4
; CHECK-DAG: [[AT12:%.*]] = getelementptr inbounds i8, ptr %numbers, i64 12
; CHECK-DAG: [[D:%.*]] = load i32, ptr [[AT12]], align 4
; CHECK-DAG: [[B0:%.*]] = insertelement <8 x i32> poison, i32 [[B]], i64 0
; CHECK-DAG: [[BS:%.*]] = shufflevector <8 x i32> [[B0]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK-DAG: [[D0:%.*]] = insertelement <8 x i32> poison, i32 [[D]], i64 0
; CHECK-DAG: [[DS:%.*]] = shufflevector <8 x i32> [[D0]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK-NOT: load <
; CHECK: %sum = add <8 x i32> [[BS]], [[DS]]
define void @f(ptr %out, ptr %numbers) {
  %all = load <4 x i32>, ptr %numbers, align 8
  %a = shufflevector <4 x i32> %all, <4 x i32> poison, <8 x i32> splat (i32 1)
  %b = shufflevector <4 x i32> %all, <4 x i32> poison, <8 x i32> <i32 3, i32 3, i32 3, i32 poison, i32 3, i32 3, i32 3, i32 3>
  %sum = add <8 x i32> %a, %b
  store <8 x i32> %sum, ptr %out, align 4
  ret void
}

@numbers = constant [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 8
@out = global [8 x i32] zeroinitializer

; By hand: 20 + 40; the fourth lane is unspecified.
define i32 @main() {
  call void @f(ptr @out, ptr @numbers)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, splat (i32 60)
  %bits = bitcast <8 x i1> %wrong to i8
  %known = and i8 %bits, 247
  %code = zext i8 %known to i32
  ret i32 %code
}
