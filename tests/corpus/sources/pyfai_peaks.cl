// As pyFAI's peak_finder.py puts it together.
#include "doubleword.cl"
#include "preprocess.cl"
#include "memset.cl"
#include "ocl_azim_CSR.cl"
#include "peak_finder.cl"
#include "peakfinder8.cl"
