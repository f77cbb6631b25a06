; A masked load and store, logic with another mask, and a part of a mask get a comparison of each lane's bit; a choice
; by the whole mask keeps the cast, which is one instruction for it. Without AVX masked accesses keep it, too.
; RUN: %opt --cpu avx2 --passes=expand-masks %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=expand-masks %s | FileCheck %s --check-prefix=SSE
; RUN: %opt --cpu avx2 --passes=expand-masks %s | lli
; RUN: %opt --cpu avx2 --passes=expand-masks --assembly %s | FileCheck %s --check-prefix=CODE

; CHECK-LABEL: define void @f(
; CHECK: %mask = bitcast i8 %bits to <8 x i1>
; CHECK-NEXT: [[BITS:%.*]] = zext i8 %bits to i32
; CHECK: [[OWN:%.*]] = and <8 x i32> {{%.*}}, <i32 1, i32 2, i32 4, i32 8, i32 16, i32 32, i32 64, i32 128>
; CHECK-NEXT: [[LANES:%.*]] = icmp ne <8 x i32> [[OWN]], zeroinitializer
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %from, i32 4, <8 x i1> [[LANES]],
; CHECK: %chosen = select <8 x i1> %mask,
; CHECK: and <8 x i1> [[LANES]], %less
; CHECK: shufflevector <8 x i1> [[LANES]],
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %chosen, ptr %to, i32 4, <8 x i1> [[LANES]])

; SSE: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %from, i32 4, <8 x i1> %mask,
; SSE-NOT: and <8 x i1> %mask, %less
; SSE: call void @llvm.masked.store.v8i32.p0(<8 x i32> %chosen, ptr %to, i32 4, <8 x i1> %mask)

; CODE-LABEL: f:
; CODE: vpmaskmovd
; CODE-NOT: shr
; CODE: ret
define void @f(ptr %from, ptr %to, ptr %counts, i8 %bits) {
  %mask = bitcast i8 %bits to <8 x i1>
  %a = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %from, i32 4, <8 x i1> %mask, <8 x i32> splat (i32 -1))
  %chosen = select <8 x i1> %mask, <8 x i32> %a, <8 x i32> splat (i32 7)
  %less = icmp slt <8 x i32> %a, <i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2>
  %both = and <8 x i1> %mask, %less
  %upper = shufflevector <8 x i1> %mask, <8 x i1> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %one = zext <8 x i1> %both to <8 x i32>
  %other = zext <4 x i1> %upper to <4 x i32>
  store <8 x i32> %one, ptr %counts, align 4
  %behind = getelementptr i8, ptr %counts, i64 32
  store <4 x i32> %other, ptr %behind, align 4
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %chosen, ptr %to, i32 4, <8 x i1> %mask)
  ret void
}
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)

@from = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@to = global [8 x i32] [i32 50, i32 50, i32 50, i32 50, i32 50, i32 50, i32 50, i32 50]
@counts = global [12 x i32] zeroinitializer

; By hand, lanes 0, 2, 3 and 7: they are stored, lanes 0, 2 and 3 are less than 9, 7 and 6, and lane 7 is of the upper
; half.
define i32 @main() {
  call void @f(ptr @from, ptr @to, ptr @counts, i8 141)
  %got = load <8 x i32>, ptr @to, align 4
  %wrong.a = icmp ne <8 x i32> %got, <i32 1, i32 50, i32 3, i32 4, i32 50, i32 50, i32 50, i32 8>
  %less = load <8 x i32>, ptr @counts, align 4
  %wrong.b = icmp ne <8 x i32> %less, <i32 1, i32 0, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0>
  %place = getelementptr i8, ptr @counts, i64 32
  %upper = load <4 x i32>, ptr %place, align 4
  %wrong.c = icmp ne <4 x i32> %upper, <i32 0, i32 0, i32 0, i32 1>
  %ab = or <8 x i1> %wrong.a, %wrong.b
  %first = bitcast <8 x i1> %ab to i8
  %second = bitcast <4 x i1> %wrong.c to i4
  %wide = zext i4 %second to i8
  %code = or i8 %first, %wide
  %result = zext i8 %code to i32
  ret i32 %result
}
