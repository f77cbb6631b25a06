; What ternary-logic made is folded into a masked VPTERNLOG as well, and with an input from memory gets a wrong table; so it is
; behind a shuffle that joins two of them.
; RUN: %opt --passes=avoid-ternlog-of-blends %s | FileCheck %s
; RUN: %opt --passes=avoid-ternlog-of-blends %s | llc -mcpu=x86-64-v4 | FileCheck --check-prefix=ASM %s
; RUN: llc -mcpu=x86-64-v4 < %s | FileCheck --check-prefix=BUG %s

; Table 188 is a ? !b | c : b. By hand, with b first, c second and a, from memory, last it is 218; LLVM 19 takes 230.
; BUG-LABEL: f:
; BUG: vpternlogd $230, (%rdi), %zmm1, %zmm0 {%k1}
; ASM-LABEL: f:
; ASM-NOT: vpternlogd {{.*}} {%k1}
; ASM: ret
; ASM-LABEL: joined:
; ASM-NOT: vpternlogd {{.*}} {%k{{[0-9]}}}
; ASM: ret

; CHECK-LABEL: define <16 x i32> @f(
; CHECK: select <16 x i1> %on, <16 x float> {{%.*}}, <16 x float> {{%.*}}
declare <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32>, <16 x i32>, <16 x i32>, i32 immarg)
define <16 x i32> @f(<16 x i32> %b, <16 x i32> %c, ptr %p, <16 x i1> %on) {
  %a = load <16 x i32>, ptr %p, align 1
  %t = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, i32 188)
  %blend = select <16 x i1> %on, <16 x i32> %t, <16 x i32> %b
  ret <16 x i32> %blend
}

; CHECK-LABEL: define <32 x i32> @joined(
; CHECK: select <32 x i1> %on, <32 x float> {{%.*}}, <32 x float> {{%.*}}
define <32 x i32> @joined(<32 x i32> %b, <16 x i32> %c, ptr %p, <32 x i1> %on) {
  %a = load <16 x i32>, ptr %p, align 1
  %low = shufflevector <32 x i32> %b, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %high = shufflevector <32 x i32> %b, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %t = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %a, <16 x i32> %low, <16 x i32> %c, i32 188)
  %u = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %a, <16 x i32> %high, <16 x i32> %c, i32 188)
  %both = shufflevector <16 x i32> %t, <16 x i32> %u, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %blend = select <32 x i1> %on, <32 x i32> %both, <32 x i32> %b
  ret <32 x i32> %blend
}
