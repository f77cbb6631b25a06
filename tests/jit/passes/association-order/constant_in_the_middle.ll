; In a block of 1000 instructions, a sum's constant is loaded, so that LLVM does not add it last. 999 are too few.
; RUN: %python %S/../repeat.py 991 %s | %opt --passes=association-order - | FileCheck %s
; RUN: %python %S/../repeat.py 991 %s | %opt --passes=association-order - | lli
; RUN: %python %S/../repeat.py 990 %s | %opt --passes=association-order - | FileCheck --check-prefix=SHORT %s

; CHECK: @visor_addend.32.100 = private global i32 100
; CHECK-NOT: @visor_addend
; CHECK-LABEL: define void @f(
; CHECK: [[NUMBER:%.*]] = load i32, ptr @visor_addend.32.100
; CHECK-NEXT: [[ONE:%.*]] = insertelement <4 x i32> poison, i32 [[NUMBER]], i64 0
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <4 x i32> [[ONE]], <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: %x = add <4 x i32> %a, [[ALL]]
; CHECK-NEXT: %y = add <4 x i32> %x, %b
; CHECK-NEXT: [[NUMBER2:%.*]] = load i32, ptr @visor_addend.32.100
; CHECK-NEXT: [[ONE2:%.*]] = insertelement <4 x i32> poison, i32 [[NUMBER2]], i64 0
; CHECK-NEXT: [[ALL2:%.*]] = shufflevector <4 x i32> [[ONE2]], <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: %x2 = add <4 x i32> %y, [[ALL2]]
; CHECK-NEXT: %y2 = add <4 x i32> %x2, %b

; SHORT-NOT: visor_addend
; SHORT: %x = add <4 x i32> %a, <i32 100, i32 100, i32 100, i32 100>
; SHORT-NEXT: %y = add <4 x i32> %x, %b
; SHORT-NEXT: %x2 = add <4 x i32> %y, <i32 100, i32 100, i32 100, i32 100>
define void @f(ptr %out, ptr %in) {
  %in1 = getelementptr i8, ptr %in, i64 16
  %a = load <4 x i32>, ptr %in, align 4
  %b = load <4 x i32>, ptr %in1, align 4
; REPEAT
  %unused{k} = xor <4 x i32> %a, %b
; END
  %x = add <4 x i32> %a, splat (i32 100)
  %y = add <4 x i32> %x, %b
  %x2 = add <4 x i32> %y, splat (i32 100)
  %y2 = add <4 x i32> %x2, %b
  store <4 x i32> %y2, ptr %out, align 4
  ret void
}

@in = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 10, i32 20, i32 30, i32 40]
@out = global [4 x i32] zeroinitializer

; By hand: 1 + 100 + 10 + 100 + 10 and so on.
define i32 @main() {
  call void @f(ptr @out, ptr @in)
  %got = load <4 x i32>, ptr @out, align 4
  %wrong = icmp ne <4 x i32> %got, <i32 221, i32 242, i32 263, i32 284>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
