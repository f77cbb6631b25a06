; Uniform floats stay vectors (which of two NaNs a sum has may change), and so do lanes that are not all equal.
; RUN: %opt --passes=scalarize-uniform %s | FileCheck %s

; CHECK-LABEL: define <4 x float> @f(
; CHECK-NEXT: %one = insertelement <4 x float> poison, float %a, i64 0
; CHECK-NEXT: %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
; CHECK-NEXT: %sum = fadd <4 x float> %all, %all
; CHECK-NEXT: %some = insertelement <4 x i32> %own, i32 %b, i64 0
; CHECK-NEXT: %three = shufflevector <4 x i32> %some, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 1>
; CHECK-NEXT: %more = add <4 x i32> %three, {{splat \(i32 1\)|<i32 1, i32 1, i32 1, i32 1>}}
; CHECK-NEXT: store <4 x i32> %more, ptr %out, align 4
; CHECK-NEXT: ret <4 x float> %sum
define <4 x float> @f(float %a, i32 %b, <4 x i32> %own, ptr %out) {
  %one = insertelement <4 x float> poison, float %a, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %sum = fadd <4 x float> %all, %all
  %some = insertelement <4 x i32> %own, i32 %b, i64 0
  %three = shufflevector <4 x i32> %some, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 1>
  %more = add <4 x i32> %three, splat (i32 1)
  store <4 x i32> %more, ptr %out, align 4
  ret <4 x float> %sum
}
