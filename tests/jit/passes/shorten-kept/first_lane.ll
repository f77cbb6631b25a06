; Of a vector with constant steps between lanes, kept across a barrier, only lane 0 is saved; others stay whole.
; RUN: %opt --passes=shorten-kept %s | FileCheck %s
; RUN: %opt --passes=shorten-kept %s | lli

; CHECK-LABEL: define void @f(
; CHECK: begin:
; CHECK: [[BASE:%.*]] = add i32 %x, 0
; CHECK: store i32 [[BASE]], ptr @kept,
; CHECK: store <4 x i32> %u, ptr @whole, align 4, !visor.kept
; CHECK: again:
; CHECK-NEXT: [[FIRST:%.*]] = load i32, ptr @kept,
; CHECK-NEXT: [[ONE:%.*]] = insertelement <4 x i32> poison, i32 [[FIRST]], i64 0
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <4 x i32> [[ONE]], <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: [[V:%.*]] = add <4 x i32> [[ALL]], <i32 0, i32 5, i32 10, i32 15>
; CHECK-NEXT: %u1 = load <4 x i32>, ptr @whole, align 4, !visor.kept
; CHECK-NEXT: %sum = add <4 x i32> [[V]], %u1
define void @f(i32 %pc, i32 %x, ptr %memory) {
entry:
  %first = icmp eq i32 %pc, 0
  br i1 %first, label %begin, label %again

begin:
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %v = add <4 x i32> %all, <i32 0, i32 5, i32 10, i32 15>
  %u = load <4 x i32>, ptr %memory, align 4
  store <4 x i32> %v, ptr @kept, align 4, !visor.kept !0
  store <4 x i32> %u, ptr @whole, align 4, !visor.kept !1
  ret void

again:
  %v1 = load <4 x i32>, ptr @kept, align 4, !visor.kept !0
  %u1 = load <4 x i32>, ptr @whole, align 4, !visor.kept !1
  %sum = add <4 x i32> %v1, %u1
  store <4 x i32> %sum, ptr %memory, align 4
  ret void
}
!0 = !{i64 1, i64 0, i64 0}
!1 = !{i64 1, i64 1, i64 0}

@kept = global [4 x i32] zeroinitializer
@whole = global [4 x i32] zeroinitializer
@memory = global [4 x i32] [i32 100, i32 200, i32 300, i32 400]

; By hand: 7, 12, 17 and 22 more than before; the saved value is 7 alone.
define i32 @main() {
  call void @f(i32 0, i32 7, ptr @memory)
  call void @f(i32 1, i32 0, ptr @memory)
  %got = load <4 x i32>, ptr @memory, align 4
  %saved = load <4 x i32>, ptr @kept, align 4
  %a = icmp ne <4 x i32> %got, <i32 107, i32 212, i32 317, i32 422>
  %b = icmp ne <4 x i32> %saved, <i32 7, i32 0, i32 0, i32 0>
  %wrong = or <4 x i1> %a, %b
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
