; Two lines that are stored at once: two non-temporal stores where they begin at a line, and a fence before the
; function returns.
; RUN: %opt --eager --passes=nontemporal-stores %s | FileCheck %s
; RUN: %opt --eager --passes=nontemporal-stores %s | lli

; CHECK-LABEL: define void @f(
; CHECK: [[AT:%.*]] = and i64 {{%.*}}, 63
; CHECK: [[WHOLE:%.*]] = icmp eq i64 [[AT]], 0
; CHECK: [[LINES:%.*]] = and i1 [[WHOLE]], true
; CHECK: br i1 [[LINES]], label %[[THEN:.*]], label %[[ELSE:.*]]
; CHECK: [[THEN]]:
; CHECK-NEXT: [[A:%.*]] = shufflevector <32 x i32> %v, {{.*}} <i32 0, i32 1, {{.*}}, i32 15>
; CHECK-NEXT: [[P:%.*]] = getelementptr i8, ptr %to, i64 0
; CHECK-NEXT: store <16 x i32> [[A]], ptr [[P]], align 64, !nontemporal
; CHECK-NEXT: [[B:%.*]] = shufflevector <32 x i32> %v, {{.*}} <i32 16, i32 17, {{.*}}, i32 31>
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %to, i64 64
; CHECK-NEXT: store <16 x i32> [[B]], ptr [[Q]], align 64, !nontemporal
; CHECK: [[ELSE]]:
; CHECK-NEXT: store <32 x i32> %v, ptr %to, align 1{{$}}
; CHECK: call void @llvm.x86.sse.sfence()
; CHECK: ret void
define void @f(ptr %state, ptr %to, <32 x i32> %v) {
  store <32 x i32> %v, ptr %to, align 1, !nontemporal !0
  ret void
}
!0 = !{i32 1}

@data = global [48 x i32] zeroinitializer, align 64

; By hand: words 0 to 31 are 0 to 31, from byte 0 on; then, from byte 4 on, words 1 to 32, and no others change.
define i32 @main() {
  %words = call <32 x i32> @llvm.experimental.stepvector.v32i32()
  call void @f(ptr null, ptr @data, <32 x i32> %words)
  %one = load <32 x i32>, ptr @data, align 4
  %wrong.1 = icmp ne <32 x i32> %one, %words
  call void @f(ptr null, ptr getelementptr (i8, ptr @data, i64 4), <32 x i32> %words)
  %two = load <32 x i32>, ptr getelementptr (i8, ptr @data, i64 4), align 4
  %wrong.2 = icmp ne <32 x i32> %two, %words
  %after = load i32, ptr getelementptr (i8, ptr @data, i64 132), align 4
  %wrong = or <32 x i1> %wrong.1, %wrong.2
  %bits = bitcast <32 x i1> %wrong to i32
  %all = or i32 %bits, %after
  %fails = icmp ne i32 %all, 0
  %code = zext i1 %fails to i32
  ret i32 %code
}
declare <32 x i32> @llvm.experimental.stepvector.v32i32()
