// As pyFAI's azim_hist.py puts it together where atomics of 64 bits do not compile.
#include "deactivate_atomic64.cl"
#include "doubleword.cl"
#include "preprocess.cl"
#include "ocl_histo.cl"
