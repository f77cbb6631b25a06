; LLVM's default pipeline: the stack slot becomes a value, the dead branch goes, and (x * 4) / 4 is x.
; RUN: %opt --passes=llvm-o1 %s | FileCheck %s
; RUN: %opt --passes=llvm-o1 %s | lli

; CHECK-LABEL: define {{.*}}i32 @f(i32
; CHECK-NOT: alloca
; CHECK-NOT: br
; CHECK-NOT: mul
; CHECK: [[R:%.*]] = add i32 %x, 7
; CHECK-NEXT: ret i32 [[R]]
; CHECK-NEXT: }
define i32 @f(i32 %x) noinline {
entry:
  %slot = alloca i32
  %four = mul nuw i32 %x, 4
  %back = udiv i32 %four, 4
  store i32 %back, ptr %slot
  %never = icmp ult i32 %x, 0
  br i1 %never, label %dead, label %live
dead:
  store i32 99, ptr %slot
  br label %live
live:
  %value = load i32, ptr %slot
  %r = add i32 %value, 7
  ret i32 %r
}

; By hand: 35 + 7 - 42.
define i32 @main() {
  %got = call i32 @f(i32 35)
  %code = sub i32 %got, 42
  ret i32 %code
}
