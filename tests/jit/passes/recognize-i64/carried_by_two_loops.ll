; A loop in another one: both phis. A constant, and an entry from one block twice (a switch with two equal cases), are no matter.
; RUN: %opt --passes=recognize-i64 %s | FileCheck %s
; RUN: %opt --passes=recognize-i64 %s | lli

; CHECK-LABEL: define i64 @f(
; CHECK-NOT: phi <2 x i32>
; CHECK: outer:
; CHECK: phi i64 [ {{.*}}, %entry ], [ {{.*}}, %entry ], [ %next, %outer.end ]
; CHECK-NOT: phi <2 x i32>
; CHECK: inner:
; CHECK: phi i64 [ {{%.*}}, %outer ], [ %next, %inner ]
; CHECK-NOT: phi <2 x i32>
; CHECK: ret i64
define i64 @f(i32 %which) {
entry:
  switch i32 %which, label %none [ i32 1, label %outer
                                   i32 2, label %outer ]
none:
  ret i64 0
outer:
  %o = phi i32 [ 0, %entry ], [ 0, %entry ], [ %o.next, %outer.end ]
  %outer.parts = phi <2 x i32> [ <i32 7, i32 0>, %entry ], [ <i32 7, i32 0>, %entry ], [ %next.parts, %outer.end ]
  br label %inner
inner:
  %parts = phi <2 x i32> [ %outer.parts, %outer ], [ %next.parts, %inner ]
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %whole = bitcast <2 x i32> %parts to i64
  %next = mul i64 %whole, 10
  %next.parts = bitcast i64 %next to <2 x i32>
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, 3
  br i1 %more, label %inner, label %outer.end
outer.end:
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, 2
  br i1 %again, label %outer, label %end
end:
  ret i64 %next
}

; By hand: 7 times 10, three times in each of two rounds.
define i32 @main() {
  %got = call i64 @f(i32 2)
  %wrong = icmp ne i64 %got, 7000000
  %code = zext i1 %wrong to i32
  ret i32 %code
}
