; Eight lanes each read a row, word by word: 64 bytes of each row at once, transposed for sixteen iterations.
; RUN: %opt --cpu avx512 --passes=buffer-rows %s | FileCheck %s
; RUN: %opt --cpu avx512 --passes=buffer-rows,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define <8 x i32> @f(
; CHECK: [[LINES:%.*]] = alloca [128 x i32], align 64
; CHECK: loop:
; CHECK: br i1 {{%.*}}, label %match, label %miss
; CHECK: match:
; CHECK: br i1 {{%.*}}, label %hit, label %miss
; CHECK: hit:
; CHECK-NEXT: [[USED:%.*]] = phi i64 [ {{%.*}}, %match ], [ 0, %refill ]
; CHECK: [[COLUMN:%.*]] = call ptr @checked.stack.unit(ptr {{%.*}}, i64 0, i64 32)
; CHECK-NEXT: [[V:%.*]] = load <8 x i32>, ptr [[COLUMN]], align 32
; CHECK: add i64 [[USED]], 4
; CHECK: miss:
; CHECK: br i1 {{%.*}}, label %look, label %bypass
; CHECK: look:
; CHECK: br i1 {{%.*}}, label %refill, label %give_up
; CHECK: refill:
; CHECK-COUNT-8: load <16 x i32>, ptr {{%.*}}, align 1
; CHECK-NOT: load <16 x i32>
; CHECK-COUNT-16: store <8 x i32> {{%.*}}, ptr {{%.*}}, align 32
; CHECK-NOT: store <8 x i32>
; CHECK: bypass:
; CHECK: %v = call <8 x i32> @visor.load.surface(
; CHECK: = phi <8 x i32> [ [[V]], %hit ], [ %v, %bypass ]
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
  %k1.all = add <8 x i32> %k.all, splat (i32 1)
  %product = mul <8 x i32> %v, %k1.all
  %acc1 = add <8 x i32> %acc, %product
  %more = icmp ult i32 %k1, 20
  br i1 %more, label %loop, label %done
done:
  ret <8 x i32> %acc1
}

@data = global [256 x i32] zeroinitializer

; Word i is i, and row l begins at word 32 * l. By hand: the sum of (32 * l + k) * (k + 1) for k from 0 to 19 is
; 32 * l * 210 + 19 * 20 * 21 / 3 = 6,720 * l + 2,660.
define i32 @main() {
  %words = call <256 x i32> @llvm.experimental.stepvector.v256i32()
  store <256 x i32> %words, ptr @data, align 4
  %got = call <8 x i32> @f(ptr null, <8 x i32> <i32 0, i32 128, i32 256, i32 384, i32 512, i32 640, i32 768, i32 896>, ptr @data, i64 1024)
  %wrong = icmp ne <8 x i32> %got, <i32 2660, i32 9380, i32 16100, i32 22820, i32 29540, i32 36260, i32 42980, i32 49700>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
declare <256 x i32> @llvm.experimental.stepvector.v256i32()
