; A row that all lanes store to a surface: one store, a candidate for a non-temporal one; lanes outside store
; nothing.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[P:%.*]] = call ptr @checked.surface.row(ptr {{%.*}}, i64 0, i64 32)
; CHECK-NEXT: store <8 x i32> %v, ptr [[P]], align 1, !nontemporal
; CHECK: call preserve_allcc void @visor_store_surface_8_by_32(
; CHECK-NEXT: br
; CHECK-NOT: @visor.store
declare void @visor.store.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)
define void @f(ptr %state, i32 %x, ptr %data, i64 %bytes, <8 x i32> %v) {
  %one = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  call void @visor.store.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1, <8 x i32> %v)
  ret void
}

@data = global [10 x i32] [i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99]

; By hand: 1 to 8 go to words 1 to 8; then, of a surface of nine words, 1 and 2 to words 7 and 8, no further.
define i32 @main() {
  call void @f(ptr null, i32 4, ptr @data, i64 36, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>)
  %one = load <10 x i32>, ptr @data, align 4
  %wrong.1 = icmp ne <10 x i32> %one, <i32 90, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 99>
  call void @f(ptr null, i32 28, ptr @data, i64 36, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>)
  %two = load <10 x i32>, ptr @data, align 4
  %wrong.2 = icmp ne <10 x i32> %two, <i32 90, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 1, i32 2, i32 99>
  %wrong = or <10 x i1> %wrong.1, %wrong.2
  %bits = bitcast <10 x i1> %wrong to i10
  %code = icmp ne i10 %bits, 0
  %result = zext i1 %code to i32
  ret i32 %result
}
