; Code of exactly 100,000 instructions stays as it is: 99,999 additions and the return; only more is too long.
; RUN: %python -c "print('define i32 @f(i32 %%0) {'); [print('  %%' + str(k) + ' = add i32 %%0, 1') for k in range(2, 100001)]; print('  ret i32 0'); print('}')" > %t.ll
; RUN: %opt --passes=limit-size %t.ll 2>&1 | FileCheck %s

; In tier 1 also code of one instruction more.
; RUN: %python -c "print('define i32 @f(i32 %%0) {'); [print('  %%' + str(k) + ' = add i32 %%0, 1') for k in range(2, 100002)]; print('  ret i32 0'); print('}')" > %t.ll
; RUN: %opt --tier=1 --passes=limit-size %t.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,QUICK

; While a launch waits 40,000.
; RUN: %python -c "print('define i32 @f(i32 %%0) {'); [print('  %%' + str(k) + ' = add i32 %%0, 1') for k in range(2, 40001)]; print('  ret i32 0'); print('}')" > %t.ll
; RUN: %opt --waits --passes=limit-size %t.ll 2>&1 | FileCheck %s --check-prefix=WAITS

; CHECK-NOT: too long
; CHECK: define i32 @f(i32 %0)
; CHECK: %2 = add i32 %0, 1
; CHECK: %100000 = add i32 %0, 1
; QUICK-NEXT: %100001 = add i32 %0, 1
; CHECK-NEXT: ret i32 0

; WAITS-NOT: too long
; WAITS: %40000 = add i32 %0, 1
; WAITS-NEXT: ret i32 0
