; opt-19 -passes=instcombine -S: the two selects become `fcmp ugt float %a, 0.0`, so that -1 gives 1; right is 0.
define float @least_of_zero_and_magnitude(float %a) {
  %magnitude = call float @llvm.fabs.f32(float %a)
  %zero_is_less = fcmp olt float 0.0, %magnitude
  %ordered = select i1 %zero_is_less, float 0.0, float %magnitude
  %is_nan = fcmp uno float %magnitude, %magnitude
  %least = select i1 %is_nan, float 0.0, float %ordered
  ret float %least
}
declare float @llvm.fabs.f32(float)
