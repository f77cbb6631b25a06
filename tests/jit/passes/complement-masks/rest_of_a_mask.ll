; LLVM 19 selects instructions for ever where the complement is part ^ mask; as ~x & mask it ends.
; RUN: %opt --passes=complement-masks %s | FileCheck %s
; RUN: %opt --passes=complement-masks %s | lli
; RUN: %opt --passes=complement-masks %s | timeout 30 llc -mcpu=x86-64-v4 -o %t

; CHECK-LABEL: define void @f(
; CHECK: %part = and i32 %x, %mask
; CHECK-NEXT: [[NOT:%.*]] = xor i32 %x, -1
; CHECK-NEXT: [[REST:%.*]] = and i32 [[NOT]], %mask
; CHECK-NEXT: %mask_lanes = bitcast i32 %mask to <32 x i1>
; CHECK-NEXT: %part_lanes = bitcast i32 %part to <32 x i1>
; CHECK-NEXT: %rest_lanes = bitcast i32 [[REST]] to <32 x i1>
define void @f(ptr %masks, ptr %out, <32 x i32> %a, <32 x i32> %b) {
  %mask = load i32, ptr %masks, align 4
  %xs = getelementptr i8, ptr %masks, i64 4
  %x = load i32, ptr %xs, align 4
  %part = and i32 %x, %mask
  %rest = xor i32 %part, %mask
  %mask_lanes = bitcast i32 %mask to <32 x i1>
  %part_lanes = bitcast i32 %part to <32 x i1>
  %rest_lanes = bitcast i32 %rest to <32 x i1>
  %first = select <32 x i1> %part_lanes, <32 x i32> %a, <32 x i32> %b
  %second = select <32 x i1> %rest_lanes, <32 x i32> %a, <32 x i32> zeroinitializer
  %third = select <32 x i1> %mask_lanes, <32 x i32> %b, <32 x i32> zeroinitializer
  %sum = xor <32 x i32> %first, %second
  %all = add <32 x i32> %sum, %third
  store <32 x i32> %all, ptr %out, align 4
  store i32 %rest, ptr %masks, align 4
  ret void
}

@masks = global [2 x i32] [i32 3, i32 6]
@out = global [32 x i32] zeroinitializer

; By hand, a = 1, b = 4, mask = 0011, x = 0110: the part is lane 1, the rest lane 0 (1 as a number). Lane 0: b ^ a + b = 9,
; lane 1: a + b = 5, others b = 4.
define i32 @main() {
  call void @f(ptr @masks, ptr @out, <32 x i32> splat (i32 1), <32 x i32> splat (i32 4))
  %rest = load i32, ptr @masks, align 4
  %wrong_rest = icmp ne i32 %rest, 1
  %got = load <32 x i32>, ptr @out, align 4
  %five = insertelement <32 x i32> splat (i32 4), i32 5, i64 1
  %want = insertelement <32 x i32> %five, i32 9, i64 0
  %wrong = icmp ne <32 x i32> %got, %want
  %bits = bitcast <32 x i1> %wrong to i32
  %wrong_lanes = icmp ne i32 %bits, 0
  %any = or i1 %wrong_lanes, %wrong_rest
  %code = zext i1 %any to i32
  ret i32 %code
}
