// Powers modulo a prime, in 64 bits, by squaring.
kernel void modular_power(global ulong* out, global const uint* bases, global const uint* exponents) {
    const int i = get_global_id(0);
    ulong base = bases[i] % 1000003;
    ulong power = 1;
    for (uint left = exponents[i] & 0xffff; left != 0; left >>= 1) {
        if (left & 1)
            power = power * base % 1000003;
        base = base * base % 1000003;
    }
    out[i] = power;
}
