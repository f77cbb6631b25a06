// As pyFAI's azim_csr.py puts it together.
#include "doubleword.cl"
#include "preprocess.cl"
#include "memset.cl"
#include "ocl_azim_CSR.cl"
