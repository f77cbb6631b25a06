; (b + d) + (c + a) reuses the sum a + b + c before it: one addition instead of three.
; RUN: %opt --passes=reassociate-adds %s | FileCheck %s
; RUN: %opt --passes=reassociate-adds %s | lli

; CHECK-LABEL: define void @f(
; CHECK: %x = add <4 x i32> %a, %b
; CHECK-NEXT: %y = add <4 x i32> %x, %c
; CHECK-NEXT: store <4 x i32> %y, ptr %out, align 4
; CHECK-NEXT: [[W:%.*]] = add <4 x i32> %d, %y
; CHECK-NEXT: store <4 x i32> [[W]], ptr %out1, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %in) {
  %in1 = getelementptr i8, ptr %in, i64 16
  %in2 = getelementptr i8, ptr %in, i64 32
  %in3 = getelementptr i8, ptr %in, i64 48
  %a = load <4 x i32>, ptr %in, align 4
  %b = load <4 x i32>, ptr %in1, align 4
  %c = load <4 x i32>, ptr %in2, align 4
  %d = load <4 x i32>, ptr %in3, align 4
  %out1 = getelementptr i8, ptr %out, i64 16
  %x = add <4 x i32> %a, %b
  %y = add <4 x i32> %x, %c
  store <4 x i32> %y, ptr %out, align 4
  %u = add <4 x i32> %b, %d
  %v = add <4 x i32> %c, %a
  %w = add <4 x i32> %u, %v
  store <4 x i32> %w, ptr %out1, align 4
  ret void
}

@in = constant [16 x i32] [i32 1, i32 2, i32 3, i32 4, i32 10, i32 20, i32 30, i32 40, i32 100, i32 200, i32 300, i32 -1, i32 1000, i32 2000, i32 3000, i32 4000]
@out = global [8 x i32] zeroinitializer

; By hand: 1 + 10 + 100 and so on (the last lane: 4 + 40 - 1), then with 1000 to 4000.
define i32 @main() {
  call void @f(ptr @out, ptr @in)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 111, i32 222, i32 333, i32 43, i32 1111, i32 2222, i32 3333, i32 4043>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
