; Offsets have eight bits: all eight leave the vector as bytes of one 64-bit number, not as four pairs.
; RUN: %opt --passes=pack-extracts %s | FileCheck %s
; RUN: %opt --passes=pack-extracts %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[DOWN:%.*]] = lshr <8 x i32> %offsets, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
; CHECK-NEXT: [[BYTES:%.*]] = trunc <8 x i32> [[DOWN]] to <8 x i8>
; CHECK-NEXT: [[PACKED:%.*]] = bitcast <8 x i8> [[BYTES]] to <1 x i64>
; CHECK: [[FIRST:%.*]] = extractelement <1 x i64> [[PACKED]], i64 0
; CHECK-NEXT: lshr i64 [[FIRST]], 0
; CHECK: [[M1:%.*]] = lshr i64 {{%.*}}, 8
; CHECK-NEXT: [[B1:%.*]] = and i64 [[M1]], 255
; CHECK-NEXT: [[N1:%.*]] = shl i64 [[B1]], 2
; CHECK: [[M7:%.*]] = lshr i64 {{%.*}}, 56
; CHECK-NEXT: [[B7:%.*]] = and i64 [[M7]], 255
; CHECK-NEXT: [[N7:%.*]] = shl i64 [[B7]], 2
; CHECK: store i64 [[N1]], ptr %at1, align 8
; CHECK: store i64 [[N7]], ptr %at7, align 8
define void @f(ptr %out, ptr %in) {
  %all = load <8 x i32>, ptr %in, align 4
  %low = and <8 x i32> %all, splat (i32 255)
  %offsets = shl <8 x i32> %low, splat (i32 2)
  %pairs = bitcast <8 x i32> %offsets to <4 x i64>
  %pair0 = extractelement <4 x i64> %pairs, i64 0
  %n0 = and i64 %pair0, 4294967295
  %n1 = lshr i64 %pair0, 32
  %pair1 = extractelement <4 x i64> %pairs, i64 1
  %n2 = and i64 %pair1, 4294967295
  %n3 = lshr i64 %pair1, 32
  %pair2 = extractelement <4 x i64> %pairs, i64 2
  %n4 = and i64 %pair2, 4294967295
  %n5 = lshr i64 %pair2, 32
  %pair3 = extractelement <4 x i64> %pairs, i64 3
  %n6 = and i64 %pair3, 4294967295
  %n7 = lshr i64 %pair3, 32
  %at0 = getelementptr i64, ptr %out, i64 0
  store i64 %n0, ptr %at0, align 8
  %at1 = getelementptr i64, ptr %out, i64 1
  store i64 %n1, ptr %at1, align 8
  %at2 = getelementptr i64, ptr %out, i64 2
  store i64 %n2, ptr %at2, align 8
  %at3 = getelementptr i64, ptr %out, i64 3
  store i64 %n3, ptr %at3, align 8
  %at4 = getelementptr i64, ptr %out, i64 4
  store i64 %n4, ptr %at4, align 8
  %at5 = getelementptr i64, ptr %out, i64 5
  store i64 %n5, ptr %at5, align 8
  %at6 = getelementptr i64, ptr %out, i64 6
  store i64 %n6, ptr %at6, align 8
  %at7 = getelementptr i64, ptr %out, i64 7
  store i64 %n7, ptr %at7, align 8
  ret void
}

@in = constant [8 x i32] [i32 0, i32 255, i32 263, i32 128, i32 1, i32 254, i32 -128, i32 511]
@out = global [8 x i64] zeroinitializer

; By hand: the low eight bits of each, times four.
define i32 @main() {
  call void @f(ptr @out, ptr @in)
  %got = load <8 x i64>, ptr @out, align 8
  %wrong = icmp ne <8 x i64> %got, <i64 0, i64 1020, i64 28, i64 512, i64 4, i64 1016, i64 512, i64 1020>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
