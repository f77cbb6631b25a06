; Code of one instruction more than the limit is rejected: 100,000 additions and the return.
; RUN: %python -c "print('define i32 @f(i32 %%0) {'); [print('  %%' + str(k) + ' = add i32 %%0, 1') for k in range(2, 100002)]; print('  ret i32 0'); print('}')" > %t.ll
; RUN: not %opt --passes=limit-size %t.ll 2>&1 | FileCheck %s

; The limit while a launch waits is 40,000.
; RUN: %python -c "print('define i32 @f(i32 %%0) {'); [print('  %%' + str(k) + ' = add i32 %%0, 1') for k in range(2, 40002)]; print('  ret i32 0'); print('}')" > %t.ll
; RUN: not %opt --waits --passes=limit-size %t.ll 2>&1 | FileCheck %s --check-prefix=WAITS

; The limit of tier 1 is 800,000.
; RUN: %python -c "print('define i32 @f(i32 %%0) {'); [print('  %%' + str(k) + ' = add i32 %%0, 1') for k in range(2, 800002)]; print('  ret i32 0'); print('}')" > %t.ll
; RUN: not %opt --tier=1 --passes=limit-size %t.ll 2>&1 | FileCheck %s --check-prefix=QUICK

; CHECK-NOT: define
; CHECK: its code is too long (100001 instructions of LLVM)
; WAITS-NOT: define
; WAITS: its code is too long (40001 instructions of LLVM)
; QUICK-NOT: define
; QUICK: its code is too long (800001 instructions of LLVM)
