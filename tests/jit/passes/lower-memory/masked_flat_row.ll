; A flat message whose lanes may be inactive: a range check of the active ones; a masked store where they are
; contiguous, which inactive lanes' addresses do not matter to, else a scatter.
; RUN: %opt --cpu avx512 --passes=lower-memory %s | FileCheck %s
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu sse4.2 --passes=lower-memory,verify-accesses %s | lli

; CHECK-LABEL: define i1 @f(
; CHECK: [[P:%.*]] = call ptr @checked.flat.masked_row(ptr {{%.*}}, i64 0, i64 32)
; CHECK-NEXT: call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr [[P]], i32 1, <8 x i1> %on)
; CHECK: [[Q:%.*]] = call <8 x ptr> @checked.flat.lanes.8(<8 x ptr> {{%.*}}, i64 0, i64 4)
; CHECK-NEXT: call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v, <8 x ptr> [[Q]], i32 1, <8 x i1> %on)
declare i1 @visor.range_check(<8 x i64>, <8 x i1>, i32, i64, i64, i32, i32)
declare void @visor.store.flat(<8 x i64>, <8 x i1>, i32, i32, <8 x i32>)
define i1 @f(ptr %state, <8 x i64> %p, <8 x i1> %on, i64 %low, i64 %last, <8 x i32> %v) {
  %in = call i1 @visor.range_check(<8 x i64> %p, <8 x i1> %on, i32 0, i64 %low, i64 %last, i32 0, i32 4)
  br i1 %in, label %inside, label %outside
inside:
  call void @visor.store.flat(<8 x i64> %p, <8 x i1> %on, i32 0, i32 0, <8 x i32> %v)
  ret i1 true
outside:
  ret i1 false
}

@data = global [8 x i32] zeroinitializer

; By hand, of eight words: lanes 0, 1 and 4 store 1, 2 and 5 in a row, where lane 7's address is 0; then to words 7,
; 6 and 3; and not where an active lane's address is one byte too high.
define i32 @main() {
  %low = ptrtoint ptr @data to i64
  %last = add i64 %low, 28
  %one = insertelement <8 x i64> poison, i64 %low, i64 0
  %all = shufflevector <8 x i64> %one, <8 x i64> poison, <8 x i32> zeroinitializer
  %up.all = add <8 x i64> %all, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28>
  %up = insertelement <8 x i64> %up.all, i64 0, i64 7
  %down = add <8 x i64> %all, <i64 28, i64 24, i64 20, i64 16, i64 12, i64 8, i64 4, i64 0>
  %high = add <8 x i64> %down, splat (i64 1)
  %a = call i1 @f(ptr null, <8 x i64> %up, <8 x i1> <i1 1, i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 0>, i64 %low, i64 %last, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>)
  %b = call i1 @f(ptr null, <8 x i64> %down, <8 x i1> <i1 1, i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 0>, i64 %low, i64 %last, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>)
  %c = call i1 @f(ptr null, <8 x i64> %high, <8 x i1> <i1 1, i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 0>, i64 %low, i64 %last, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>)
  %got = load <8 x i32>, ptr @data, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 1, i32 2, i32 0, i32 5, i32 5, i32 0, i32 2, i32 1>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  %ab = and i1 %a, %b
  %good = icmp ugt i1 %ab, %c
  %result = select i1 %good, i32 %code, i32 1
  ret i32 %result
}
