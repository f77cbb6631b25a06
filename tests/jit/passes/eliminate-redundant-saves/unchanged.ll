; What a thread reloaded after one barrier and did not change is not saved again at the next one, also where paths
; merge. What it changed is.
; RUN: %opt --passes=eliminate-redundant-saves %s | FileCheck %s
; RUN: %opt --passes=eliminate-redundant-saves %s | lli

; CHECK-LABEL: define void @f(
; CHECK: begin:
; CHECK: store <4 x i32> %x, ptr @a
; CHECK: store <4 x i32> %x, ptr @b
; CHECK: second:
; CHECK-NOT: store <4 x i32> %a1, ptr @a
; CHECK: store <4 x i32> %sum, ptr @b
; CHECK-NEXT: ret void
define void @f(i32 %pc, <4 x i32> %x) {
entry:
  switch i32 %pc, label %begin [ i32 1, label %again1
                                 i32 2, label %again2 ]

begin:
  store <4 x i32> %x, ptr @a, align 4, !visor.kept !0
  store <4 x i32> %x, ptr @b, align 4, !visor.kept !1
  ret void

again1:
  %a1 = load <4 x i32>, ptr @a, align 4, !visor.kept !0
  %b1 = load <4 x i32>, ptr @b, align 4, !visor.kept !1
  %first = extractelement <4 x i32> %x, i64 0
  %some = icmp eq i32 %first, 0
  br i1 %some, label %second, label %adds

adds:
  %more = add <4 x i32> %b1, %a1
  br label %second

second:
  %same = phi <4 x i32> [ %a1, %again1 ], [ %a1, %adds ]
  %sum = phi <4 x i32> [ %b1, %again1 ], [ %more, %adds ]
  store <4 x i32> %same, ptr @a, align 4, !visor.kept !2
  store <4 x i32> %sum, ptr @b, align 4, !visor.kept !3
  ret void

again2:
  %a2 = load <4 x i32>, ptr @a, align 4, !visor.kept !2
  %b2 = load <4 x i32>, ptr @b, align 4, !visor.kept !3
  %all = add <4 x i32> %a2, %b2
  store <4 x i32> %all, ptr @out
  ret void
}
; Entry, variable, piece.
!0 = !{i64 1, i64 5, i64 0}
!1 = !{i64 1, i64 6, i64 0}
!2 = !{i64 2, i64 5, i64 0}
!3 = !{i64 2, i64 6, i64 0}

@a = global <4 x i32> zeroinitializer
@b = global <4 x i32> zeroinitializer
@out = global <4 x i32> zeroinitializer

; By hand: a = b = 1 2 3 4, b + a = 2 4 6 8, and a more: 3 6 9 12.
define i32 @main() {
  call void @f(i32 0, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  call void @f(i32 1, <4 x i32> <i32 1, i32 0, i32 0, i32 0>)
  call void @f(i32 2, <4 x i32> zeroinitializer)
  %got = load <4 x i32>, ptr @out
  %wrong = icmp ne <4 x i32> %got, <i32 3, i32 6, i32 9, i32 12>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
