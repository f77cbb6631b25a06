; A phi with one loaded vector: that path loads the element, and the other extracts it. Both splat it.
; RUN: %opt --passes=broadcast-loads %s | FileCheck %s
; RUN: %opt --passes=broadcast-loads %s | lli

; CHECK-LABEL: define void @f(
; CHECK: entry:
; CHECK: [[THIRD:%.*]] = extractelement <4 x i32> %given, i64 2
; CHECK: [[THIRD0:%.*]] = insertelement <8 x i32> poison, i32 [[THIRD]], i64 0
; CHECK: [[GIVEN:%.*]] = shufflevector <8 x i32> [[THIRD0]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: whole:
; CHECK-NOT: load <
; CHECK: [[AT8:%.*]] = getelementptr inbounds i8, ptr %numbers, i64 8
; CHECK: [[ONE:%.*]] = load i32, ptr [[AT8]], align 4
; CHECK-NOT: load <
; CHECK: [[ONE0:%.*]] = insertelement <8 x i32> poison, i32 [[ONE]], i64 0
; CHECK: [[LOADED:%.*]] = shufflevector <8 x i32> [[ONE0]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: join:
; CHECK-NEXT: [[A:%.*]] = phi <8 x i32> [ [[GIVEN]], %entry ], [ [[LOADED]], %whole ]
; CHECK-NEXT: store <8 x i32> [[A]], ptr %out, align 4
define void @f(ptr %out, ptr %numbers, <4 x i32> %given, i1 %loads) {
entry:
  br i1 %loads, label %whole, label %join
whole:
  %all = load <4 x i32>, ptr %numbers, align 4
  br label %join
join:
  %both = phi <4 x i32> [ %given, %entry ], [ %all, %whole ]
  %a = shufflevector <4 x i32> %both, <4 x i32> poison, <8 x i32> splat (i32 2)
  store <8 x i32> %a, ptr %out, align 4
  ret void
}

@numbers = constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@out = global [16 x i32] zeroinitializer

; By hand: the third number that is loaded, then the third that is given.
define i32 @main() {
  call void @f(ptr @out, ptr @numbers, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i1 true)
  call void @f(ptr getelementptr (i8, ptr @out, i64 32), ptr @numbers, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i1 false)
  %got = load <16 x i32>, ptr @out, align 4
  %wrong = icmp ne <16 x i32> %got, <i32 30, i32 30, i32 30, i32 30, i32 30, i32 30, i32 30, i32 30, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %bits = bitcast <16 x i1> %wrong to i16
  %any = icmp ne i16 %bits, 0
  %code = zext i1 %any to i32
  ret i32 %code
}
