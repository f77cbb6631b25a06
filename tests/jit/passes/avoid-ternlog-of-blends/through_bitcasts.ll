; The bitwise result may be the false operand, of 64 bits, and behind a bitcast: the blend is of doubles.
; RUN: %opt --passes=avoid-ternlog-of-blends %s | FileCheck %s
; RUN: %opt --passes=avoid-ternlog-of-blends %s | lli

; CHECK-LABEL: define <8 x i64> @f(
; CHECK: %qwords = bitcast <16 x i32> %masked to <8 x i64>
; CHECK-DAG: [[OTHER:%.*]] = bitcast <8 x i64> %other to <8 x double>
; CHECK-DAG: [[MASKED:%.*]] = bitcast <8 x i64> %qwords to <8 x double>
; CHECK: [[BLEND:%.*]] = select <8 x i1> %on, <8 x double> [[OTHER]], <8 x double> [[MASKED]]
; CHECK-NEXT: [[BITS:%.*]] = bitcast <8 x double> [[BLEND]] to <8 x i64>
; CHECK-NEXT: ret <8 x i64> [[BITS]]
define <8 x i64> @f(<16 x i32> %a, <8 x i64> %other, <8 x i1> %on) {
  %masked = and <16 x i32> %a, splat (i32 6)
  %qwords = bitcast <16 x i32> %masked to <8 x i64>
  %blend = select <8 x i1> %on, <8 x i64> %other, <8 x i64> %qwords
  ret <8 x i64> %blend
}

; By hand: 3 is on in lanes 0 and 2; else two dwords of 13 & 6 = 4, 4 + 4 * 2^32 = 17179869188.
define i32 @main() {
  %on = bitcast i8 5 to <8 x i1>
  %got = call <8 x i64> @f(<16 x i32> splat (i32 13), <8 x i64> splat (i64 3), <8 x i1> %on)
  %wrong = icmp ne <8 x i64> %got, <i64 3, i64 17179869188, i64 3, i64 17179869188, i64 17179869188, i64 17179869188, i64 17179869188, i64 17179869188>
  %bits = bitcast <8 x i1> %wrong to i8
  %code = zext i8 %bits to i32
  ret i32 %code
}
