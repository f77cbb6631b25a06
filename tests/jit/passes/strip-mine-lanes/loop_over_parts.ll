; Sixteen lanes, registers of eight: a loop computes one half after the other, and reads its operand from memory.
; RUN: %opt --cpu avx2 --eager --passes=strip-mine-lanes %s | FileCheck %s
; RUN: %opt --cpu avx2 --eager --passes=strip-mine-lanes %s | lli

; CHECK-LABEL: define void @f(
; CHECK-NEXT: [[RESULT:%.*]] = alloca <16 x i32>, align 64
; CHECK-NOT: store
; CHECK: br label %[[LOOP:.*]]
; CHECK: [[LOOP]]:
; CHECK-NEXT: [[PART:%.*]] = phi i64 [ 0, {{%.*}} ], [ [[NEXT:%.*]], %[[LOOP]] ]
; CHECK-NEXT: [[LANE:%.*]] = mul i64 [[PART]], 8
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i32, ptr %in, i64 [[LANE]]
; CHECK-NEXT: [[A:%.*]] = load <8 x i32>, ptr [[AT]], align 32
; CHECK-NEXT: [[B:%.*]] = mul <8 x i32> [[A]], <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
; CHECK-NEXT: [[LESS:%.*]] = icmp ult <8 x i32> [[B]],
; CHECK-NEXT: [[C:%.*]] = select <8 x i1> [[LESS]], <8 x i32> [[B]], <8 x i32> [[A]]
; CHECK-NEXT: [[TO:%.*]] = getelementptr inbounds i32, ptr [[RESULT]], i64 [[LANE]]
; CHECK-NEXT: store <8 x i32> [[C]], ptr [[TO]], align 32
; CHECK-NEXT: [[NEXT]] = add i64 [[PART]], 1
; CHECK-NEXT: [[ENDS:%.*]] = icmp eq i64 [[NEXT]], 2
; CHECK-NEXT: br i1 [[ENDS]], label %[[REST:.*]], label %[[LOOP]]
; CHECK: [[REST]]:
; CHECK-NEXT: [[ALL:%.*]] = load <16 x i32>, ptr [[RESULT]], align 64
; CHECK-NEXT: store <16 x i32> [[ALL]], ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %in) {
  %a = load <16 x i32>, ptr %in, align 64
  %b = mul <16 x i32> %a, splat (i32 3)
  %less = icmp ult <16 x i32> %b, splat (i32 25)
  %c = select <16 x i1> %less, <16 x i32> %b, <16 x i32> %a
  store <16 x i32> %c, ptr %out, align 4
  ret void
}

@in = constant [16 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 0, i32 -1, i32 16], align 64
@out = global [16 x i32] zeroinitializer

; By hand: three times the number where that is below 25, else the number; three times -1 is far above.
define i32 @main() {
  call void @f(ptr @out, ptr @in)
  %got = load <16 x i32>, ptr @out, align 4
  %wrong = icmp ne <16 x i32> %got, <i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21, i32 24, i32 9, i32 10, i32 11, i32 12, i32 13, i32 0, i32 -1, i32 16>
  %bits = bitcast <16 x i1> %wrong to i16
  %any = icmp ne i16 %bits, 0
  %code = zext i1 %any to i32
  ret i32 %code
}
