// As pyFAI's azim_lut.py puts it together.
#include "doubleword.cl"
#include "preprocess.cl"
#include "memset.cl"
#include "ocl_azim_LUT.cl"
