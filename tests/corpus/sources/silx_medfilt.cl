// The host program puts these three together.
#include "preprocess.cl"
#include "bitonic.cl"
#include "medfilt.cl"
