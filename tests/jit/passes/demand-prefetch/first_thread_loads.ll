; Threads of a group compute their sums with the lines loaded for the group; the first thread alone loads them.
; RUN: %opt --passes=demand-prefetch,lower-memory,verify-accesses %s | lli

declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define <4 x i32> @f(ptr %state, i32 %x, ptr %data, i64 %bytes) {
  store i32 0, ptr %state, !visor.thread_entry !0
  %first = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer
  %p0 = add <4 x i32> %all, <i32 0, i32 4, i32 8, i32 12>
  %p1 = add <4 x i32> %p0, splat (i32 1024)
  %p2 = add <4 x i32> %p0, splat (i32 2048)
  %p3 = add <4 x i32> %p0, splat (i32 3072)
  %p4 = add <4 x i32> %p0, splat (i32 4096)
  %p5 = add <4 x i32> %p0, splat (i32 5120)
  %p6 = add <4 x i32> %p0, splat (i32 6144)
  %p7 = add <4 x i32> %p0, splat (i32 7168)
  %v0 = call <4 x i32> @visor.load.surface(<4 x i32> %p0, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v1 = call <4 x i32> @visor.load.surface(<4 x i32> %p1, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v2 = call <4 x i32> @visor.load.surface(<4 x i32> %p2, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v3 = call <4 x i32> @visor.load.surface(<4 x i32> %p3, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v4 = call <4 x i32> @visor.load.surface(<4 x i32> %p4, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v5 = call <4 x i32> @visor.load.surface(<4 x i32> %p5, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v6 = call <4 x i32> @visor.load.surface(<4 x i32> %p6, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %v7 = call <4 x i32> @visor.load.surface(<4 x i32> %p7, <4 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s1 = add <4 x i32> %v0, %v1
  %s2 = add <4 x i32> %s1, %v2
  %s3 = add <4 x i32> %s2, %v3
  %s4 = add <4 x i32> %s3, %v4
  %s5 = add <4 x i32> %s4, %v5
  %s6 = add <4 x i32> %s5, %v6
  %s7 = add <4 x i32> %s6, %v7
  ret <4 x i32> %s7
}
!0 = !{}
%row = type { [4 x i32], [4 x i32], [248 x i32] }
@data = global [8 x %row] [
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 1, i32 2, i32 3, i32 4], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 2, i32 4, i32 6, i32 8], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 3, i32 6, i32 9, i32 12], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 4, i32 8, i32 12, i32 16], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 5, i32 10, i32 15, i32 20], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 6, i32 12, i32 18, i32 24], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 7, i32 14, i32 21, i32 28], [248 x i32] zeroinitializer },
  %row { [4 x i32] zeroinitializer, [4 x i32] [i32 8, i32 16, i32 24, i32 32], [248 x i32] zeroinitializer }]
@first = global [128 x i64] zeroinitializer
@other = global [128 x i64] zeroinitializer

; By hand: 1 + ... + 8 = 36 times 1, 2, 3 and 4. Each word of @first holds its own address: it is the first
; State of a large group. One word, State::prefetched, becomes the begin of what was loaded; none of @other.
define i32 @main() {
  %self = ptrtoint ptr @first to i64
  %self.one = insertelement <128 x i64> poison, i64 %self, i64 0
  %self.all = shufflevector <128 x i64> %self.one, <128 x i64> poison, <128 x i32> zeroinitializer
  store <128 x i64> %self.all, ptr @first, align 8
  %a = call <4 x i32> @f(ptr @first, i32 16, ptr @data, i64 8192)
  %wrong.a = icmp ne <4 x i32> %a, <i32 36, i32 72, i32 108, i32 144>
  %b = call <4 x i32> @f(ptr @other, i32 16, ptr @data, i64 8192)
  %wrong.b = icmp ne <4 x i32> %b, <i32 36, i32 72, i32 108, i32 144>
  %wrong = or <4 x i1> %wrong.a, %wrong.b
  %bits = bitcast <4 x i1> %wrong to i4
  %wrong.sums = icmp ne i4 %bits, 0
  %begin = ptrtoint ptr getelementptr (i8, ptr @data, i64 16) to i64
  %begin.one = insertelement <128 x i64> poison, i64 %begin, i64 0
  %begin.all = shufflevector <128 x i64> %begin.one, <128 x i64> poison, <128 x i32> zeroinitializer
  %after.a = load <128 x i64>, ptr @first, align 8
  %loaded.a = icmp eq <128 x i64> %after.a, %begin.all
  %bits.a = bitcast <128 x i1> %loaded.a to i128
  %count.a = call i128 @llvm.ctpop.i128(i128 %bits.a)
  %wrong.first = icmp ne i128 %count.a, 1
  %after.b = load <128 x i64>, ptr @other, align 8
  %loaded.b = icmp eq <128 x i64> %after.b, %begin.all
  %bits.b = bitcast <128 x i1> %loaded.b to i128
  %wrong.other = icmp ne i128 %bits.b, 0
  %wrong.one = or i1 %wrong.first, %wrong.other
  %wrong.any = or i1 %wrong.one, %wrong.sums
  %code = zext i1 %wrong.any to i32
  ret i32 %code
}
declare i128 @llvm.ctpop.i128(i128)
