// black_scholes.cl, written otherwise: with native functions.
float normal_distribution(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    const float tail = 0.39894228f * native_exp(-0.5f * d * d) *
                       (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes_native(global float* calls, global float* puts, global const float* prices, global const float* strikes,
                          global const float* years, float rate, float volatility) {
    const size_t i = get_global_id(0);
    const float s = prices[i];
    const float x = strikes[i];
    const float t = years[i];
    const float root = native_sqrt(t);
    const float d1 = (native_log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = x * native_exp(-rate * t);
    calls[i] = s * n1 - discounted * n2;
    puts[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
