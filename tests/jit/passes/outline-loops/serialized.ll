; The loop over lanes that serialize-divergent-loops makes carries the mark: it moves out, the original one stays.
; RUN: %opt --simd=4 --passes=serialize-divergent-loops,lower-memory,verify-accesses,outline-loops %S/../serialize-divergent-loops/own_iterations.ll > %t.ll
; RUN: FileCheck %s < %t.ll
; The original loop notes that it ran; the file's `main` has the values.
; RUN: sed -e "s/^lanes.original:.*/&\n  store i32 1, ptr @original/" %t.ll | lli

; CHECK-LABEL: define void @f(
; CHECK-NOT: lane.iteration:
; CHECK: call i1 @f.lane(
; CHECK-NOT: lane.iteration:
; CHECK: head:
; CHECK: define internal i1 @f.lane({{.*}}) [[ATTRIBUTES:#[0-9]+]]
; CHECK: lane.iteration:
; CHECK: attributes [[ATTRIBUTES]] = { {{.*}}noinline
