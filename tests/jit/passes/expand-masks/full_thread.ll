; A mask of 32 lanes has a bit for each bit of a dword, and the highest is the sign.
; RUN: %opt --cpu avx2 --passes=expand-masks %s | FileCheck %s
; RUN: %opt --cpu avx2 --passes=expand-masks %s | lli
; With AVX-512 it is a mask register.
; RUN: %opt --cpu avx512 --passes=expand-masks %s | FileCheck %s --check-prefix=AVX512

; CHECK: icmp ne <32 x i32>
; AVX512-NOT: icmp ne <32 x i32> {{.*}}, zeroinitializer
; AVX512: call void @llvm.masked.store.v32i32.p0(<32 x i32> %v, ptr %to, i32 4, <32 x i1> %mask)
define void @f(ptr %to, <32 x i32> %v, i32 %bits) {
  %mask = bitcast i32 %bits to <32 x i1>
  call void @llvm.masked.store.v32i32.p0(<32 x i32> %v, ptr %to, i32 4, <32 x i1> %mask)
  ret void
}
declare void @llvm.masked.store.v32i32.p0(<32 x i32>, ptr, i32, <32 x i1>)

@to = global [32 x i32] zeroinitializer

; By hand: lanes 0, 30 and 31 hold 3, and no other does.
define i32 @main() {
  call void @f(ptr @to, <32 x i32> splat (i32 3), i32 -1073741823)
  %got = load <32 x i32>, ptr @to, align 4
  %sum = call i32 @llvm.vector.reduce.add.v32i32(<32 x i32> %got)
  %first = extractelement <32 x i32> %got, i64 0
  %one = extractelement <32 x i32> %got, i64 30
  %last = extractelement <32 x i32> %got, i64 31
  %a = icmp ne i32 %sum, 9
  %b = icmp ne i32 %first, 3
  %c = icmp ne i32 %one, 3
  %d = icmp ne i32 %last, 3
  %ab = or i1 %a, %b
  %cd = or i1 %c, %d
  %wrong = or i1 %ab, %cd
  %code = zext i1 %wrong to i32
  ret i32 %code
}
declare i32 @llvm.vector.reduce.add.v32i32(<32 x i32>)
