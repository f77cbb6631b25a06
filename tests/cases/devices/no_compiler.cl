// Devices that the installed OpenCL compiler does not know: the message says so, and that nothing else is wrong.
// RUN: visor run %s --device bmg -g 8 -a out=zeros:u32:8
// ERR: the OpenCL compiler of this system makes nothing for bmg: it knows skl, icllp, tgllp, dg2, pvc; vISA text for bmg runs all the same
// EXIT: 3
// RUN: visor cc %s --device lnl -o %t/kernel.zebin
// ERR: makes nothing for lnl
// EXIT: 3
// RUN: visor run %s --device xehp -g 8 -a out=zeros:u32:8
// ERR: makes nothing for xehp
// EXIT: 3
// RUN: visor run %s --device pvc -g 8 -a out=zeros:u32:8 --print out
// OUT: out = 0 1 2 3 4 5 6 7
kernel void ids(global uint* out) {
    out[get_global_id(0)] = get_global_id(0);
}
