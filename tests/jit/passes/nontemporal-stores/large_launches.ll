; Only launches that store 32 MiB with one instruction do so with non-temporal stores. Those are removed here: what
; is missing then was stored by them.
; RUN: %opt --cpu sse4.2 --passes=nontemporal-stores %s | FileCheck %s
; RUN: %opt --cpu sse4.2 --passes=nontemporal-stores %s | sed '/store.*!nontemporal/d' | lli

; By hand: 2^25 bytes are 64 of each of 2^19 = 524,288 threads.
; CHECK-LABEL: define void @f(
; CHECK: [[THREADS:%.*]] = load i64, ptr {{%.*}}
; CHECK: icmp uge i64 [[THREADS]], 524288
; CHECK: store <16 x i32> %v, ptr {{%.*}}, align 64, !nontemporal
; CHECK: store <16 x i32> %v, ptr %to, align 1{{$}}
; CHECK: icmp uge i64 [[THREADS]], 524288
; CHECK: call void @llvm.x86.sse.sfence()
define void @f(ptr %state, ptr %to, <16 x i32> %v) {
  store <16 x i32> %v, ptr %to, align 1, !nontemporal !0
  ret void
}
!0 = !{i32 1}

@enough = global [64 x i64] zeroinitializer
@less = global [64 x i64] zeroinitializer
@data = global [64 x i32] zeroinitializer, align 64

; By hand: enough threads and a whole line, which is missing; one thread fewer; and a line that begins 4 bytes on.
; All words of a State are the number of its launch's threads, as one of them is.
define i32 @main() {
  store <64 x i64> splat (i64 524288), ptr @enough, align 8
  store <64 x i64> splat (i64 524287), ptr @less, align 8
  call void @f(ptr @enough, ptr @data, <16 x i32> splat (i32 5))
  call void @f(ptr @less, ptr getelementptr (i8, ptr @data, i64 64), <16 x i32> splat (i32 6))
  call void @f(ptr @enough, ptr getelementptr (i8, ptr @data, i64 132), <16 x i32> splat (i32 7))
  %missing = load <16 x i32>, ptr @data, align 4
  %wrong.1 = icmp ne <16 x i32> %missing, zeroinitializer
  %six = load <16 x i32>, ptr getelementptr (i8, ptr @data, i64 64), align 4
  %wrong.2 = icmp ne <16 x i32> %six, splat (i32 6)
  %seven = load <16 x i32>, ptr getelementptr (i8, ptr @data, i64 132), align 4
  %wrong.3 = icmp ne <16 x i32> %seven, splat (i32 7)
  %wrong.12 = or <16 x i1> %wrong.1, %wrong.2
  %wrong = or <16 x i1> %wrong.12, %wrong.3
  %bits = bitcast <16 x i1> %wrong to i16
  %fails = icmp ne i16 %bits, 0
  %code = zext i1 %fails to i32
  ret i32 %code
}
