; A cold path, by its calling convention, returns without vzeroupper: its caller's vectors survive whole.
; RUN: %opt --cpu avx2 --passes=preserve-vector-registers %s | FileCheck %s
; RUN: %opt --cpu avx2 --passes=preserve-vector-registers --assembly %s | FileCheck %s --check-prefix=CODE
; RUN: %opt --passes=preserve-vector-registers %s | lli -mcpu=native

; CHECK: define internal preserve_allcc void @cold(ptr %p) [[OWN:#[0-9]+]] {
; CHECK: attributes [[OWN]] = { {{.*}}"target-cpu"="haswell" {{.*}}-vzeroupper" }
; CODE-LABEL: {{^}}cold:
; CODE: vpsubd %ymm
; CODE-NOT: vzeroupper
; CODE: retq
define <8 x i32> @f(<8 x i32> %x, ptr %p) {
  call preserve_allcc void @cold(ptr %p)
  ret <8 x i32> %x
}
define internal preserve_allcc void @cold(ptr %p) noinline cold {
  %a = load <8 x i32>, ptr %p, align 4
  %b = add <8 x i32> %a, splat (i32 1)
  store <8 x i32> %b, ptr %p, align 4
  ret void
}

@data = global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]

; By hand: the caller's vector is what it was, and each word of memory one more.
define i32 @main() {
  %same = call <8 x i32> @f(<8 x i32> <i32 10, i32 20, i32 30, i32 40, i32 50, i32 60, i32 70, i32 80>, ptr @data)
  %wrong.1 = icmp ne <8 x i32> %same, <i32 10, i32 20, i32 30, i32 40, i32 50, i32 60, i32 70, i32 80>
  %more = load <8 x i32>, ptr @data, align 4
  %wrong.2 = icmp ne <8 x i32> %more, <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9>
  %wrong = or <8 x i1> %wrong.1, %wrong.2
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
