; Quadwords that a compiler computes for sixteen lanes at a time, the low dwords apart from the high ones, as products of
; size_t by dword are: each half is one operation of 32 lanes, and one shuffle joins them.
; RUN: %opt --passes=combine-shuffles %s | FileCheck %s
; RUN: %opt --passes=combine-shuffles %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[LOW:%.*]] = mul <32 x i32> {{%.*}}, <i32 3, i32 3,
; CHECK: [[HIGH:%.*]] = add <32 x i32> {{%.*}}, <i32 5, i32 5,
; CHECK-NEXT: [[V:%.*]] = shufflevector <32 x i32> [[LOW]], <32 x i32> [[HIGH]], <64 x i32> <i32 0, i32 32, i32 1, i32 33,
; CHECK-NEXT: store <64 x i32> [[V]], ptr %out
define void @f(ptr %out, ptr %from) {
  %a = load <32 x i64>, ptr %from, align 4
  %parts = bitcast <32 x i64> %a to <64 x i32>
  %same.parts = bitcast <32 x i64> %a to <64 x i32>
  %low = shufflevector <64 x i32> %parts, <64 x i32> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %low.product = mul <16 x i32> %low, splat (i32 3)
  %high = shufflevector <64 x i32> %same.parts, <64 x i32> poison, <16 x i32> <i32 32, i32 34, i32 36, i32 38, i32 40, i32 42, i32 44, i32 46, i32 48, i32 50, i32 52, i32 54, i32 56, i32 58, i32 60, i32 62>
  %high.product = mul <16 x i32> %high, splat (i32 3)
  %low.odd = shufflevector <64 x i32> %parts, <64 x i32> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  %low.sum = add <16 x i32> %low.odd, splat (i32 5)
  %high.odd = shufflevector <64 x i32> %same.parts, <64 x i32> poison, <16 x i32> <i32 33, i32 35, i32 37, i32 39, i32 41, i32 43, i32 45, i32 47, i32 49, i32 51, i32 53, i32 55, i32 57, i32 59, i32 61, i32 63>
  %high.sum = add <16 x i32> %high.odd, splat (i32 5)
  %first = shufflevector <16 x i32> %low.product, <16 x i32> %low.sum, <32 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23, i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %second = shufflevector <16 x i32> %high.product, <16 x i32> %high.sum, <32 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23, i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %v = shufflevector <32 x i32> %first, <32 x i32> %second, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  store <64 x i32> %v, ptr %out, align 4
  ret void
}

@from = global [64 x i32] zeroinitializer
@out = global [64 x i32] zeroinitializer

; By hand, of dwords 0 to 63: dword 2k becomes 3 * 2k, dword 2k + 1 becomes 2k + 6.
define i32 @main() {
  br label %fill
fill:
  %k = phi i32 [ 0, %0 ], [ %k.next, %fill ]
  %p = getelementptr i32, ptr @from, i32 %k
  store i32 %k, ptr %p, align 4
  %k.next = add i32 %k, 1
  %filled = icmp eq i32 %k.next, 64
  br i1 %filled, label %run, label %fill
run:
  call void @f(ptr @out, ptr @from)
  br label %check
check:
  %j = phi i32 [ 0, %run ], [ %j.next, %check ]
  %wrong = phi i32 [ 0, %run ], [ %wrong.next, %check ]
  %q = getelementptr i32, ptr @out, i32 %j
  %got = load i32, ptr %q, align 4
  %odd = and i32 %j, 1
  %is.odd = icmp eq i32 %odd, 1
  %product = mul i32 %j, 3
  %sum = add i32 %j, 5
  %expected = select i1 %is.odd, i32 %sum, i32 %product
  %differs = icmp ne i32 %got, %expected
  %one = zext i1 %differs to i32
  %wrong.next = or i32 %wrong, %one
  %j.next = add i32 %j, 1
  %checked = icmp eq i32 %j.next, 64
  br i1 %checked, label %end, label %check
end:
  ret i32 %wrong.next
}
