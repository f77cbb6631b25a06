// Devices that Debian 12's OpenCL compiler does not know: the message says so, and that nothing else is wrong.
// RUN: visor run %s --compiler system --device bmg -g 8 -a out=zeros:u32:8
// ERR: no OpenCL compiler `system` makes code for bmg: ocloc
// ERR: knows skl, icllp, tgllp, adl, dg1, dg2, pvc;
// ERR: vISA text for bmg runs all the same
// EXIT: 3
// RUN: visor cc %s --compiler system --device lnl -o %t/kernel.zebin
// ERR: makes code for lnl
// EXIT: 3
// RUN: visor run %s --compiler system --device xehp -g 8 -a out=zeros:u32:8
// ERR: makes code for xehp
// EXIT: 3
// RUN: visor run %s --compiler 1.2.3 -g 8 -a out=zeros:u32:8
// ERR: there is no OpenCL compiler `1.2.3`; there is ocloc
// EXIT: 3
// RUN: visor run %s --compiler /nowhere -g 8 -a out=zeros:u32:8
// ERR: there is no OpenCL compiler `/nowhere`
// EXIT: 3
// RUN: visor run %s --device pvc -g 8 -a out=zeros:u32:8 --print out
// OUT: out = 0 1 2 3 4 5 6 7
kernel void ids(global uint* out) {
    out[get_global_id(0)] = get_global_id(0);
}
