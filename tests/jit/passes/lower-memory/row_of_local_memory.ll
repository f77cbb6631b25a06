; A row of shared local memory (the mask clears bit 28 of offsets) is stored at once, but is no candidate for a
; non-temporal store: its group reads it soon.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: store <8 x i32> %v, ptr {{%.*}}, align 1{{$}}
; CHECK-NOT: !nontemporal
declare void @visor.store.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)
define void @f(ptr %state, i32 %x, ptr %data, i64 %bytes, <8 x i32> %v) {
  %one = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  call void @visor.store.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -268435457, <8 x i32> %v)
  ret void
}
