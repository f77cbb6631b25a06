; Long code has its registers promoted without LLVM's walks over all blocks. A register that is cleared far from
; where it is used, written in part under a condition in a loop, and read as a whole; its first dword is another
; value than the rest.
; RUN: %opt --passes=promote-registers --eager %s | FileCheck %s
; RUN: %opt --passes=promote-registers --eager %s | lli
; RUN: %opt --passes=promote-registers %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK-NOT: alloca
; CHECK: next:
; CHECK-NEXT: phi <4 x i32>
; CHECK-NEXT: phi i32 [ %i, %write ], [ {{%.*}}, %loop ]
; CHECK-NOT: load
; CHECK: ret i32
define i32 @f(i32 %n) {
entry:
  %register = alloca [5 x i32], align 4
  %second = getelementptr i8, ptr %register, i64 4
  %last = getelementptr i8, ptr %register, i64 16
  br label %start
start:
  store i160 0, ptr %register, align 4
  br label %far
far:
  br label %loop
loop:
  %i = phi i32 [ 0, %far ], [ %more, %next ]
  %sum = phi i32 [ 0, %far ], [ %total, %next ]
  %odd = and i32 %i, 1
  %writes = icmp ne i32 %odd, 0
  br i1 %writes, label %write, label %next
write:
  store i32 %i, ptr %register, align 4
  store i32 10, ptr %last, align 4
  br label %next
next:
  %first = load i32, ptr %register, align 4
  %rest = load <4 x i32>, ptr %second, align 4
  %middle = extractelement <4 x i32> %rest, i32 0
  %end = extractelement <4 x i32> %rest, i32 3
  %a = add i32 %first, %middle
  %b = add i32 %a, %end
  %total = add i32 %sum, %b
  %more = add i32 %i, 1
  %again = icmp ult i32 %more, %n
  br i1 %again, label %loop, label %done
done:
  %left = load i32, ptr %register, align 4
  %result = add i32 %total, %left
  ret i32 %result
}

; By hand: turns 0 to 4 give 0, 1 + 10, 1 + 10, 3 + 10, 3 + 10, together 48; 3 is left.
define i32 @main() {
  %got = call i32 @f(i32 5)
  %wrong = icmp ne i32 %got, 51
  %code = zext i1 %wrong to i32
  ret i32 %code
}
