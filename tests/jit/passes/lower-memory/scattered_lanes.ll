; Lanes at offsets that are not known: a masked gather where the CPU has one, else a load for each lane, of which
; those outside load the surface's last unit and take zero.
; RUN: %opt --cpu avx512 --passes=lower-memory %s | FileCheck %s --check-prefix=GATHER
; RUN: %opt --cpu avx2 --passes=lower-memory %s | FileCheck %s --check-prefix=CLAMP
; RUN: %opt --cpu avx512 --passes=lower-memory,verify-accesses %s | lli
; RUN: %opt --cpu avx2 --passes=lower-memory,verify-accesses %s | lli

; GATHER-LABEL: define <4 x i32> @f(
; GATHER: [[P:%.*]] = call <4 x ptr> @checked.surface.lanes.4(<4 x ptr> {{%.*}}, i64 0, i64 4)
; GATHER: call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> [[P]], i32 1, <4 x i1> {{%.*}}, <4 x i32> zeroinitializer)

; CLAMP-LABEL: define <4 x i32> @f(
; CLAMP-NOT: llvm.masked.gather
; CLAMP: [[NEAR:%.*]] = call <4 x i32> @llvm.umin.v4i32(<4 x i32> [[P:%.*]], <4 x i32> {{%.*}})
; CLAMP-COUNT-4: call ptr @checked.surface.unit(ptr {{%.*}}, i64 0, i64 4)
; CLAMP: [[IN:%.*]] = icmp eq <4 x i32> [[NEAR]], [[P]]
; CLAMP: select <4 x i1> [[IN]], <4 x i32> {{%.*}}, <4 x i32> zeroinitializer
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, <4 x i32> %p, ptr %data, i64 %bytes) {
  %v = call <4 x i32> @visor.load.surface(<4 x i32> %p, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  ret <4 x i32> %v
}

@data = constant [6 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15]

; By hand, of a surface of five words: words 4, 0, (6, outside) and 2; four in a row; one that ends 1 byte outside,
; one beyond the lowest 31 bits; and no word of a surface that is shorter than one.
define i32 @main() {
  %a = call <4 x i32> @f(ptr null, <4 x i32> <i32 16, i32 0, i32 24, i32 8>, ptr @data, i64 20)
  %wrong.a = icmp ne <4 x i32> %a, <i32 14, i32 10, i32 0, i32 12>
  %b = call <4 x i32> @f(ptr null, <4 x i32> <i32 4, i32 8, i32 12, i32 16>, ptr @data, i64 20)
  %wrong.b = icmp ne <4 x i32> %b, <i32 11, i32 12, i32 13, i32 14>
  %c = call <4 x i32> @f(ptr null, <4 x i32> <i32 17, i32 0, i32 -4, i32 4>, ptr @data, i64 20)
  %wrong.c = icmp ne <4 x i32> %c, <i32 0, i32 10, i32 0, i32 11>
  %d = call <4 x i32> @f(ptr null, <4 x i32> <i32 0, i32 8, i32 4, i32 2>, ptr @data, i64 3)
  %wrong.d = icmp ne <4 x i32> %d, zeroinitializer
  %wrong.ab = or <4 x i1> %wrong.a, %wrong.b
  %wrong.cd = or <4 x i1> %wrong.c, %wrong.d
  %wrong = or <4 x i1> %wrong.ab, %wrong.cd
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
