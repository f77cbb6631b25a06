; The second thread takes the sum that the first one cached, although one of its rows has changed since.
; RUN: %opt --passes=unroll-and-jam-threads,lower-memory,verify-accesses %s | lli
declare <8 x i32> @visor.load.surface(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)
define <8 x i32> @f(ptr %state, ptr %data, i64 %bytes) {
  %at = getelementptr inbounds i8, ptr %state, i64 8
  %own = load ptr, ptr %at
  %self = ptrtoint ptr %state to i64
  %self.one = insertelement <40 x i64> poison, i64 %self, i64 0
  %selves = shufflevector <40 x i64> %self.one, <40 x i64> poison, <40 x i32> zeroinitializer
  br label %slice
slice:
  %x = phi i32 [ 0, %0 ], [ 32, %slice ]
  store i32 0, ptr %state, !visor.thread_entry !0
  %first = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %p0 = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %v0 = call <8 x i32> @visor.load.surface(<8 x i32> %p0, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %p1 = add <8 x i32> %p0, splat (i32 1024)
  %v1 = call <8 x i32> @visor.load.surface(<8 x i32> %p1, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s1 = add <8 x i32> %v0, %v1
  %p2 = add <8 x i32> %p0, splat (i32 2048)
  %v2 = call <8 x i32> @visor.load.surface(<8 x i32> %p2, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s2 = add <8 x i32> %s1, %v2
  %p3 = add <8 x i32> %p0, splat (i32 3072)
  %v3 = call <8 x i32> @visor.load.surface(<8 x i32> %p3, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s3 = add <8 x i32> %s2, %v3
  %p4 = add <8 x i32> %p0, splat (i32 4096)
  %v4 = call <8 x i32> @visor.load.surface(<8 x i32> %p4, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s4 = add <8 x i32> %s3, %v4
  %p5 = add <8 x i32> %p0, splat (i32 5120)
  %v5 = call <8 x i32> @visor.load.surface(<8 x i32> %p5, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s5 = add <8 x i32> %s4, %v5
  %p6 = add <8 x i32> %p0, splat (i32 6144)
  %v6 = call <8 x i32> @visor.load.surface(<8 x i32> %p6, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s6 = add <8 x i32> %s5, %v6
  %p7 = add <8 x i32> %p0, splat (i32 7168)
  %v7 = call <8 x i32> @visor.load.surface(<8 x i32> %p7, <8 x i1> splat (i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)
  %s7 = add <8 x i32> %s6, %v7
  store <8 x i32> %s7, ptr %own, align 4
  store <40 x i64> %selves, ptr %state, align 8
  %more = icmp eq i32 %x, 0
  br i1 %more, label %slice, label %done
done:
  ret <8 x i32> %s7
}
!0 = !{}
%row = type { [8 x i32], [8 x i32], [240 x i32] }
@data = global [8 x %row] [%row { [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], [8 x i32] zeroinitializer, [240 x i32] zeroinitializer },
  %row zeroinitializer, %row zeroinitializer, %row zeroinitializer, %row zeroinitializer, %row zeroinitializer, %row zeroinitializer,
  %row { [8 x i32] zeroinitializer, [8 x i32] [i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1], [240 x i32] zeroinitializer }]
@state = global [64 x i64] zeroinitializer
; The first sum, 1 to 8, overwrites the second thread's first row, 10 to 80. By hand: 10 + 1, 20 + 1 ... from the
; cache, 1 + 1, 2 + 1 ... else. One of all pairs of words that the loop tries is State::group (its own address) and
; group_count (16). In the second time slice all words are the address: too many threads to cache sums for.
define i32 @main() {
  br label %try
try:
  %w = phi i64 [ 2, %0 ], [ %w1, %try ]
  %hits = phi i32 [ 0, %0 ], [ %hits1, %try ]
  %w1 = add i64 %w, 1
  %words.1 = insertelement <40 x i64> zeroinitializer, i64 ptrtoint (ptr getelementptr (i8, ptr @data, i64 32) to i64), i64 1
  %words.2 = insertelement <40 x i64> %words.1, i64 ptrtoint (ptr @state to i64), i64 %w
  %words.3 = insertelement <40 x i64> %words.2, i64 16, i64 %w1
  store <40 x i64> %words.3, ptr @state, align 8
  store <8 x i32> <i32 10, i32 20, i32 30, i32 40, i32 50, i32 60, i32 70, i32 80>, ptr getelementptr (i8, ptr @data, i64 32), align 4
  %got = call <8 x i32> @f(ptr @state, ptr @data, i64 8192)
  %bits = bitcast <8 x i32> %got to i256
  %cached = icmp eq i256 %bits, bitcast (<8 x i32> <i32 11, i32 21, i32 31, i32 41, i32 51, i32 61, i32 71, i32 81> to i256)
  %direct = icmp eq i256 %bits, bitcast (<8 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9> to i256)
  %else = select i1 %direct, i32 0, i32 100
  %hit = select i1 %cached, i32 1, i32 %else
  %hits1 = add i32 %hits, %hit
  %more = icmp ult i64 %w, 38
  br i1 %more, label %try, label %done
done:
  %wrong = icmp ne i32 %hits1, 1
  %code = zext i1 %wrong to i32
  ret i32 %code
}
