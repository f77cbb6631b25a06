; Constants are terms, too, and repeated terms count: a + a + b + 5 reuses a + b + 5.
; RUN: %opt --passes=reassociate-adds %s | FileCheck %s
; RUN: %opt --passes=reassociate-adds %s | lli

; CHECK-LABEL: define void @f(
; CHECK: %x = add <4 x i32> %a, <i32 5, i32 5, i32 5, i32 5>
; CHECK-NEXT: %y = add <4 x i32> %x, %b
; CHECK-NEXT: store <4 x i32> %y, ptr %out, align 4
; CHECK-NEXT: [[W:%.*]] = add <4 x i32> %a, %y
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
  %x = add <4 x i32> %a, splat (i32 5)
  %y = add <4 x i32> %x, %b
  store <4 x i32> %y, ptr %out, align 4
  %u = add <4 x i32> %b, %a
  %v = add <4 x i32> %a, splat (i32 5)
  %w = add <4 x i32> %u, %v
  store <4 x i32> %w, ptr %out1, align 4
  ret void
}

@in = constant [16 x i32] [i32 1, i32 2, i32 3, i32 4, i32 10, i32 20, i32 30, i32 40, i32 100, i32 200, i32 300, i32 -1, i32 1000, i32 2000, i32 3000, i32 4000]
@out = global [8 x i32] zeroinitializer

; By hand: 1 + 10 + 5 and so on, then with 1 to 4 again.
define i32 @main() {
  call void @f(ptr @out, ptr @in)
  %got = load <8 x i32>, ptr @out, align 4
  %wrong = icmp ne <8 x i32> %got, <i32 16, i32 27, i32 38, i32 49, i32 17, i32 29, i32 41, i32 53>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
