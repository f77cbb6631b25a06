; No fast-math: x + 0 turns -0 into +0, and (x + y) - y rounds. A noinline cold path stays a call.
; RUN: %opt --passes=llvm-o1 %s | FileCheck %s

; CHECK-LABEL: define {{.*}}@f(
; CHECK: [[ZERO:%.*]] = fadd <4 x float> %x, zeroinitializer
; CHECK: [[SUM:%.*]] = fadd <4 x float> [[ZERO]], %y
; CHECK: [[BACK:%.*]] = fsub <4 x float> [[SUM]], %y
; CHECK: store <4 x float> [[BACK]], ptr %out, align 4
; CHECK: call void @cold(ptr {{.*}}%out)
; CHECK: ret void
define void @f(ptr %out, <4 x float> %x, <4 x float> %y) {
  %zero = fadd <4 x float> %x, zeroinitializer
  %sum = fadd <4 x float> %zero, %y
  %back = fsub <4 x float> %sum, %y
  store <4 x float> %back, ptr %out, align 4
  call void @cold(ptr %out)
  ret void
}

define void @cold(ptr %out) noinline {
  store i32 7, ptr %out, align 4
  ret void
}
