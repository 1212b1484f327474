// Package agreement is the arithmetic of how far two raters agree: a person and
// a judge. Every function takes plain values and returns plain values; what is
// not defined (a denominator of zero, one class only) is absent, never 0 or NaN.
// Each formula names its source.
package agreement

// z95 is the 0.975 quantile of the standard normal distribution, for two-sided
// intervals of 95 %.
const z95 = 1.959963984540054
