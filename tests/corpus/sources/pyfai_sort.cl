// As pyFAI's sort.py puts it together.
#include "doubleword.cl"
#include "bitonic.cl"
#include "separate.cl"
#include "sigma_clip.cl"
