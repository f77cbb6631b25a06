; Each iteration writes memory of the kernel by other means than a message: lines from before could be stale.
; RUN: %opt --cpu avx512 --passes=buffer-rows %s | FileCheck %s

; CHECK-LABEL: define <8 x i32> @f(
; CHECK-NOT: alloca
; CHECK-NOT: br i1 {{.*}}, label %hit
; CHECK: %v = call <8 x i32> @visor.load.surface(
; CHECK-NOT: br i1 {{.*}}, label %hit
; CHECK: ret <8 x i32> %acc1
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %state, <8 x i32> %begins, ptr %data, i64 %bytes) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %acc = phi <8 x i32> [ zeroinitializer, %entry ], [ %acc1, %loop ]
  %k1 = add i32 %k, 1
  %k.one = insertelement <8 x i32> poison, i32 %k, i64 0
  %k.all = shufflevector <8 x i32> %k.one, <8 x i32> poison, <8 x i32> zeroinitializer
  %k.bytes = shl <8 x i32> %k.all, splat (i32 2)
  %p = add <8 x i32> %begins, %k.bytes
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  store i32 %k, ptr %data, align 4
  %k1.all = add <8 x i32> %k.all, splat (i32 1)
  %product = mul <8 x i32> %v, %k1.all
  %acc1 = add <8 x i32> %acc, %product
  %more = icmp ult i32 %k1, 20
  br i1 %more, label %loop, label %done
done:
  ret <8 x i32> %acc1
}
