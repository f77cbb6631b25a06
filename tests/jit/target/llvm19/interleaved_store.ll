; llc-19 -mcpu=x86-64-v3: bytes 25 and 27 of %q get byte 5 of %p; right are bytes 25 and 27. `-lower-interleaved-accesses=false` is right.
define void @copy(ptr %p, ptr %q) {
  %v = load <32 x i8>, ptr %p
  %few = shufflevector <32 x i8> %v, <32 x i8> poison, <32 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 25, i32 poison, i32 27, i32 poison, i32 poison, i32 poison, i32 poison>
  store <32 x i8> %few, ptr %q
  ret void
}
