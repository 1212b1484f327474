// Package adaptive learns an API's limits that nobody told, from its answers.
//
// Two estimates are always kept together: a cap on what is in flight, held at
// the last good value and probed rarely, and a paced rate, measured rather than
// guessed. Every refusal (429) is charged to exactly one of them, by one
// question: has the server lately carried this many in flight? If not, the cap;
// if yes, the rate. It is arithmetic only: package limit owns clock and lock.
package adaptive
