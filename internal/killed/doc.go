// Package killed is a dataset run that can be killed, and what must stand in its
// journal in the end. A test and a claim share it.
package killed
