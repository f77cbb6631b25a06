; Without --eager: 256 operations with 128 live values, for 16 registers, become a loop. 254 operations are too few.
; RUN: %python %S/../repeat.py 128 %s | %opt --cpu avx2 --passes=strip-mine-lanes - | FileCheck %s
; RUN: %python %S/../repeat.py 128 %s | %opt --cpu avx2 --passes=strip-mine-lanes - | lli
; RUN: %python %S/../repeat.py 127 %s | %opt --cpu avx2 --passes=strip-mine-lanes - | FileCheck --check-prefix=SHORT %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: mul <16 x i32>
; CHECK-COUNT-128: mul <8 x i32>
; CHECK-COUNT-128: add <8 x i32>
; CHECK: br i1
; CHECK-NOT: mul <16 x i32>
; CHECK: define i32 @main

; SHORT-LABEL: define void @f(
; SHORT-NOT: <8 x i32>
; SHORT: %sum127 = add <16 x i32> %sum126, %product126
; SHORT-NEXT: store <16 x i32> %sum127, ptr %out, align 4
; SHORT-NEXT: ret void
define void @f(ptr %out, ptr %in) {
  %a = load <16 x i32>, ptr %in, align 4
  %sum0 = load <16 x i32>, ptr %in, align 4
; REPEAT
  %product{k} = mul <16 x i32> %a, splat (i32 {k})
; END
; REPEAT
  %sum{k+1} = add <16 x i32> %sum{k}, %product{k}
; END
  store <16 x i32> %sum{count}, ptr %out, align 4
  ret void
}

@in = constant [16 x i32] [i32 0, i32 1, i32 10, i32 100, i32 1000, i32 10000, i32 -1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 11]
@out = global [16 x i32] zeroinitializer

; By hand: 0 + 1 + ... + 127 is 8128, and once more the number itself: 8129 times.
define i32 @main() {
  call void @f(ptr @out, ptr @in)
  %got = load <16 x i32>, ptr @out, align 4
  %wrong = icmp ne <16 x i32> %got, <i32 0, i32 8129, i32 81290, i32 812900, i32 8129000, i32 81290000, i32 -8129, i32 16258, i32 24387, i32 32516, i32 40645, i32 48774, i32 56903, i32 65032, i32 73161, i32 89419>
  %bits = bitcast <16 x i1> %wrong to i16
  %any = icmp ne i16 %bits, 0
  %code = zext i1 %any to i32
  ret i32 %code
}
