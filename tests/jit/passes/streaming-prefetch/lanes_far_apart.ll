; Lanes at distances of 32 bytes read no row: consecutive threads' lines do not follow each other so.
; RUN: %opt --eager --passes=streaming-prefetch %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: llvm.prefetch
; CHECK: ret void
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
declare void @visor.store.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)
define void @f(ptr %state, i32 %x, ptr %data, ptr %to, i64 %bytes, <8 x i1> %on) {
  %first = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %p = add <8 x i32> %all, <i32 0, i32 32, i32 64, i32 96, i32 128, i32 160, i32 192, i32 224>
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  call void @visor.store.surface(<8 x i32> %p, <8 x i1> %on, i32 0, ptr %to, i64 %bytes, i64 -1, <8 x i32> %v)
  ret void
}
