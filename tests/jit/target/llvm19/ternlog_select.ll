; llc-19 -mcpu=x86-64-v4: `vpternlogd $184, ...{%k1}` computes b ? 7 : a in the lanes that are on; right is 7 ? a : b, $228.
define <16 x i32> @insert(<16 x i32> %a, <16 x i32> %b, <16 x i1> %on) {
  %low = and <16 x i32> %a, splat (i32 7)
  %high = and <16 x i32> %b, splat (i32 -8)
  %both = or <16 x i32> %low, %high
  %blend = select <16 x i1> %on, <16 x i32> %both, <16 x i32> %a
  ret <16 x i32> %blend
}
