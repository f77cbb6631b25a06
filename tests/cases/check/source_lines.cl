// The compiler is asked for source lines by itself when something checks: both parties of a finding, and a fault, are
// told by them.
// RUN: visor run %s -k tail -g 32 -l 32 -a zeros:i32:32 --check=race
// ERR: %s:22: error: data race in shared local memory between hardware threads of a group [data-race]
// ERR: %s:22: note: group (0,0,0), hardware thread
// ERR: reads
// ERR:     tail.visaasm:
// ERR: gather4_scaled.R (M1, 8) %slm 0x0:ud
// ERR: %s:21: note: group (0,0,0), hardware thread
// ERR: writes
// ERR:     tail.visaasm:
// ERR: scatter4_scaled.R (M1, 8) %slm 0x0:ud
// EXIT: 1
// RUN: visor run %s -k last -g 32 -l 32 -a zeros:i64:32 --check=race
// ERR: %s:26: error: memory access outside every allocation
// ERR:     last.visaasm:
// ERR: svm_
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void tail(global int* out) {
    local int tile[32];
    tile[get_local_id(0)] = 1;
    out[get_global_id(0)] = tile[31 - get_local_id(0)];
}
kernel void last(global long* out) {
    global long* const far = (global long*)(ulong)(out[get_global_id(0)] + 64);
    *far = 1;
}
