; Masks pass through memory as bytes. A store follows the load, so the loop reads a copy of the loaded vector.
; RUN: %opt --cpu avx2 --eager --passes=strip-mine-lanes %s | FileCheck %s
; RUN: %opt --cpu avx2 --eager --passes=strip-mine-lanes %s | lli

; CHECK-LABEL: define i16 @f(
; CHECK: store i32 1000, ptr %memory, align 4
; CHECK: store <16 x i32> %a, ptr [[COPY:%.*]], align 64
; CHECK-NEXT: [[ON:%.*]] = zext <16 x i1> %mask to <16 x i8>
; CHECK-NEXT: store <16 x i8> [[ON]], ptr [[MASK:%.*]], align 64
; CHECK: [[LANE:%.*]] = mul i64 {{%.*}}, 8
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i32, ptr [[COPY]], i64 [[LANE]]
; CHECK-NEXT: [[A:%.*]] = load <8 x i32>, ptr [[AT]], align 32
; CHECK-NEXT: [[ODD:%.*]] = trunc <8 x i32> [[A]] to <8 x i1>
; CHECK-NEXT: [[FROM:%.*]] = getelementptr inbounds i8, ptr [[MASK]], i64 [[LANE]]
; CHECK-NEXT: [[BYTES:%.*]] = load <8 x i8>, ptr [[FROM]], align 8
; CHECK-NEXT: [[PART:%.*]] = trunc <8 x i8> [[BYTES]] to <8 x i1>
; CHECK-NEXT: [[BOTH:%.*]] = and <8 x i1> [[PART]], [[ODD]]
; CHECK: [[OUT:%.*]] = zext <8 x i1> [[BOTH]] to <8 x i8>
; CHECK-NEXT: store <8 x i8> [[OUT]], ptr {{%.*}}, align 8
; CHECK: [[ALL:%.*]] = load <16 x i8>, ptr {{%.*}}, align 64
; CHECK-NEXT: [[WHOLE:%.*]] = trunc <16 x i8> [[ALL]] to <16 x i1>
; CHECK-NEXT: %bits = bitcast <16 x i1> [[WHOLE]] to i16
define i16 @f(ptr %memory, i16 %on) {
  %a = load <16 x i32>, ptr %memory, align 4
  store i32 1000, ptr %memory, align 4
  %mask = bitcast i16 %on to <16 x i1>
  %odd = trunc <16 x i32> %a to <16 x i1>
  %both = and <16 x i1> %mask, %odd
  %bits = bitcast <16 x i1> %both to i16
  ret i16 %bits
}

@memory = global [16 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 17]

; By hand: of the lanes that are on (0 to 7 and 15), 0, 2, 4, 6 and 15 held odd numbers: 1 + 4 + 16 + 64 + 32768.
define i32 @main() {
  %got = call i16 @f(ptr @memory, i16 u0x80ff)
  %wrong = icmp ne i16 %got, u0x8055
  %code = zext i1 %wrong to i32
  ret i32 %code
}
