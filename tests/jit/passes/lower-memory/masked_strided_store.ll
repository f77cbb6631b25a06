; Stores to lanes that lie apart under a mask: code for all lanes, and code that asks for each.
; RUN: %opt --cpu sse4.2 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define void @f(
; CHECK: icmp eq i4 {{%.*}}, -1
; CHECK-COUNT-4: store i32
; CHECK: extractelement <4 x i1> %on, i64 0
; CHECK-NEXT: select i1
declare void @visor.store.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64, <4 x i32>)
define void @f(ptr %state, i32 %x, <4 x i1> %on, ptr %data, i64 %bytes) {
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %p = add <4 x i32> %all, <i32 0, i32 8, i32 16, i32 24>
  call void @visor.store.surface(<4 x i32> %p, <4 x i1> %on, i32 0, ptr %data, i64 %bytes, i64 -1, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  ret void
}

@data = global [8 x i32] zeroinitializer

; By hand: all lanes to even words, then the first and the third to odd ones.
define i32 @main() {
  call void @f(ptr null, i32 0, <4 x i1> splat (i1 true), ptr @data, i64 32)
  call void @f(ptr null, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, ptr @data, i64 32)
  %got = load <8 x i32>, ptr @data, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 1, i32 1, i32 2, i32 0, i32 3, i32 3, i32 4, i32 0>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
