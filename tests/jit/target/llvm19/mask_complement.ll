; timeout 20 llc-19 -mcpu=x86-64-v4: instruction selection does not end (exit code 124).
define void @rest(ptr %masks, ptr %parts, <32 x i32> %a, <32 x i32> %b, ptr %out) {
  %mask = load i32, ptr %masks
  %x = load i32, ptr %parts
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
  store <32 x i32> %all, ptr %out
  store i32 %rest, ptr %masks
  ret void
}
