; A copy of another variable, another piece, a value that only one path reloads, and predicates, which the interpreter
; can write in the same memory, are saved.
; RUN: %opt --passes=eliminate-redundant-saves %s | FileCheck %s
; RUN: %opt --passes=eliminate-redundant-saves %s | lli

; CHECK-LABEL: define void @f(
; CHECK: again1:
; CHECK: store <4 x i32> %a1, ptr @b
; CHECK-NEXT: store <4 x i32> %a1, ptr @c
; CHECK-NEXT: store <4 x i32> %one, ptr @a
; CHECK-NEXT: store i32 %p1, ptr @p
define void @f(i32 %pc, <4 x i32> %x) {
entry:
  %is_first = icmp eq i32 %pc, 0
  br i1 %is_first, label %begin, label %again1

begin:
  store <4 x i32> %x, ptr @a, align 4, !visor.kept !0
  store i32 7, ptr @p, align 4, !visor.kept !4
  ret void

again1:
  %a1 = load <4 x i32>, ptr @a, align 4, !visor.kept !0
  %p1 = load i32, ptr @p, align 4, !visor.kept !4
  store i32 8, ptr @p
  %is_one = icmp eq i32 %pc, 1
  br i1 %is_one, label %other, label %saves

other:
  br label %saves

saves:
  %one = phi <4 x i32> [ %a1, %again1 ], [ %x, %other ]
  store <4 x i32> %a1, ptr @b, align 4, !visor.kept !1
  store <4 x i32> %a1, ptr @c, align 4, !visor.kept !2
  store <4 x i32> %one, ptr @a, align 4, !visor.kept !3
  store i32 %p1, ptr @p, align 4, !visor.kept !5
  ret void
}
; Entry, variable, piece.
!0 = !{i64 1, i64 5, i64 0}
!1 = !{i64 2, i64 6, i64 0}
!2 = !{i64 2, i64 5, i64 1}
!3 = !{i64 2, i64 5, i64 0}
!4 = !{i64 1, i64 9, i64 0}
!5 = !{i64 2, i64 9, i64 0}

@a = global <4 x i32> zeroinitializer
@b = global <4 x i32> zeroinitializer
@c = global <4 x i32> zeroinitializer
@p = global i32 0

; By hand: b and c are the first vector, a the second, p what was reloaded.
define i32 @main() {
  call void @f(i32 0, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  call void @f(i32 1, <4 x i32> <i32 5, i32 6, i32 7, i32 8>)
  %a = load <4 x i32>, ptr @a
  %b = load <4 x i32>, ptr @b
  %c = load <4 x i32>, ptr @c
  %p = load i32, ptr @p
  %no_a = icmp ne <4 x i32> %a, <i32 5, i32 6, i32 7, i32 8>
  %no_b = icmp ne <4 x i32> %b, <i32 1, i32 2, i32 3, i32 4>
  %no_c = icmp ne <4 x i32> %c, <i32 1, i32 2, i32 3, i32 4>
  %no_p = icmp ne i32 %p, 7
  %bc = or <4 x i1> %no_b, %no_c
  %abc = or <4 x i1> %bc, %no_a
  %bits = bitcast <4 x i1> %abc to i4
  %vectors = zext i4 %bits to i32
  %code = select i1 %no_p, i32 16, i32 %vectors
  ret i32 %code
}
