; Fewer than 150 instructions: such a thread keeps enough loads in flight by itself.
; RUN: %opt --passes=streaming-prefetch %s | FileCheck %s
; RUN: %opt --eager --passes=streaming-prefetch %s | FileCheck %s --check-prefix=FIRES

; CHECK-LABEL: define void @f(
; CHECK-NOT: llvm.prefetch
; CHECK: ret void
; Where cost models are ignored:
; FIRES: call void @llvm.prefetch.p0(
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
declare void @visor.store.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)
define void @f(ptr %state, i32 %x, ptr %data, ptr %to, i64 %bytes, <8 x i1> %on) {
  %first = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  call void @visor.store.surface(<8 x i32> %p, <8 x i1> %on, i32 0, ptr %to, i64 %bytes, i64 -1, <8 x i32> %v)
  ret void
}
