; Pairs stay: nine bits may be set, a user drops bits of its element, or the whole pair has a use.
; RUN: %opt --passes=pack-extracts %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: trunc
; CHECK: store volatile i64 %low9
; CHECK: store volatile i64 %high9
; CHECK: store volatile i64 %less
; CHECK: store volatile i64 %other
; CHECK: store volatile i64 %pair
; CHECK-NEXT: ret void
define void @f(ptr %out, <8 x i32> %all) {
  %nine = and <8 x i32> %all, splat (i32 511)
  %pairs9 = bitcast <8 x i32> %nine to <4 x i64>
  %pair9 = extractelement <4 x i64> %pairs9, i64 1
  %low9 = and i64 %pair9, 4294967295
  store volatile i64 %low9, ptr %out, align 8
  %high9 = lshr i64 %pair9, 32
  store volatile i64 %high9, ptr %out, align 8

  %eight = and <8 x i32> %all, splat (i32 1020)
  %pairs8 = bitcast <8 x i32> %eight to <4 x i64>
  %pair8 = extractelement <4 x i64> %pairs8, i64 1
  %less = and i64 %pair8, 508
  store volatile i64 %less, ptr %out, align 8

  %others = and <8 x i32> %all, splat (i32 255)
  %pairs = bitcast <8 x i32> %others to <4 x i64>
  %pair = extractelement <4 x i64> %pairs, i64 1
  %other = lshr i64 %pair, 32
  store volatile i64 %other, ptr %out, align 8
  store volatile i64 %pair, ptr %out, align 8
  ret void
}
