// black_scholes.cl, written otherwise: with `erf`.
float normal_distribution(float d) {
    return 0.5f * (1.0f + erf(d * 0.70710678f));
}

kernel void black_scholes_erf(global float* calls, global float* puts, global const float* prices, global const float* strikes,
                          global const float* years, float rate, float volatility) {
    const size_t i = get_global_id(0);
    const float s = prices[i];
    const float x = strikes[i];
    const float t = years[i];
    const float root = sqrt(t);
    const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = x * exp(-rate * t);
    calls[i] = s * n1 - discounted * n2;
    puts[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
