; Each iteration stores a word to each row, four bytes behind what it loads, and a word to another surface: lines stay
; valid where neither can have written what is left of them. Rows are 256 bytes apart.
; RUN: %opt --cpu avx2 --passes=buffer-rows %s | FileCheck %s
; RUN: %opt --cpu avx2 --passes=buffer-rows,lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define void @f(
; CHECK: br i1 {{%.*}}, label %hit, label %miss
; CHECK: call void @visor.store.surface({{.*}}, ptr %data, i64 %bytes,
; CHECK: [[SAME:%.*]] = select i1 {{%.*}}, i64 {{%.*}}, i64 64
; CHECK-NEXT: store i64 [[SAME]], ptr
; CHECK: call void @visor.store.surface({{.*}}, ptr %other, i64 %other.bytes,
; CHECK: [[OTHER:%.*]] = select i1 {{%.*}}, i64 {{%.*}}, i64 64
; CHECK-NEXT: store i64 [[OTHER]], ptr
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
declare void @visor.store.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)
define void @f(ptr %state, ptr %data, i64 %bytes, ptr %other, i64 %other.bytes) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 1, %entry ], [ %k1, %loop ]
  %k1 = add i32 %k, 1
  %k.one = insertelement <8 x i32> poison, i32 %k, i64 0
  %k.all = shufflevector <8 x i32> %k.one, <8 x i32> poison, <8 x i32> zeroinitializer
  %k.bytes = shl <8 x i32> %k.all, splat (i32 2)
  %p = add <8 x i32> %k.bytes, <i32 0, i32 256, i32 512, i32 768, i32 1024, i32 1280, i32 1536, i32 1792>
  %v = call <8 x i32> @visor.load.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %behind = sub <8 x i32> %p, splat (i32 4)
  call void @visor.store.surface(<8 x i32> %behind, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1, <8 x i32> %v)
  call void @visor.store.surface(<8 x i32> %p, <8 x i1> splat (i1 true), i32 0, ptr %other, i64 %other.bytes, i64 -1, <8 x i32> %v)
  %more = icmp ult i32 %k1, 40
  br i1 %more, label %loop, label %done
done:
  ret void
}

@data = global [512 x i32] zeroinitializer
@other = global [512 x i32] zeroinitializer

; Word i is i. By hand: words 0 to 38 of row l, which begins at word 64 * l, become their right neighbours. `other`
; is a surface of its own; or it begins eight bytes into `data`, where each word that is stored is loaded twice more:
; words 1 and 2 of a row run through its odd and even words.
define i32 @main() {
  %words = call <512 x i32> @llvm.experimental.stepvector.v512i32()
  store <512 x i32> %words, ptr @data, align 4
  call void @f(ptr null, ptr @data, i64 2048, ptr @other, i64 2048)
  %p = getelementptr i32, ptr @data, i32 486
  %a = load i32, ptr %p
  %a.wrong = icmp ne i32 %a, 487
  %q = getelementptr i32, ptr @data, i32 487
  %b = load i32, ptr %q
  %b.wrong = icmp ne i32 %b, 487
  store <512 x i32> %words, ptr @data, align 4
  %inside = getelementptr i8, ptr @data, i64 8
  call void @f(ptr null, ptr @data, i64 2048, ptr %inside, i64 2040)
  %c = load i32, ptr %p
  %c.wrong = icmp ne i32 %c, 449
  %d = load i32, ptr %q
  %d.wrong = icmp ne i32 %d, 449
  %one = or i1 %a.wrong, %b.wrong
  %two = or i1 %c.wrong, %d.wrong
  %any = or i1 %one, %two
  %code = zext i1 %any to i32
  ret i32 %code
}
declare <512 x i32> @llvm.experimental.stepvector.v512i32()
