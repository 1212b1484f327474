// Package adaptive learns an API's limits that nobody told, from its answers.
//
// Two estimates are always kept together: a cap on what is in flight, held at
// the last good value and probed rarely, and a paced rate, measured rather than
// guessed. Every refusal (429) is charged to exactly one of them, by one
// question: has the server lately carried this many in flight? If not, the cap;
// if yes, the rate. It is arithmetic only: package limit owns clock and lock.
//
// It counts in calls where it can, and its pauses follow what the judge says
// and how fast it answers, so that judges of 1 and of 40 calls a second are
// learned alike: a first measurement from fewer than eight calls is only where
// a fast rise begins. What it cannot do:
//
//   - Use the last tenth of a limit on the distance between calls (a bucket of
//     one): each refusal costs a call or two, and no credit is stored. 0.91 of
//     the permitted at 1 and 10 a second, without headers. At 40 a second and
//     with 0–2 ms of network each way arrivals move by up to a twelfth of the
//     distance, and no pace above 0.93 is without refusals: 0.85 without
//     headers, 0.88 with them.
//   - The same where a call takes tens of such distances and nearly as many are
//     in flight, since every measurement comes late: at 10 a second and 0.5–3 s
//     a call, 0.7–0.85 in the first five minutes, at 40 a second half of it.
//     Buckets of more than one, windows and logs lose nothing.
//   - Slots whose refusals ask for a second's pause, if hundreds of calls a
//     second would fit: each refusal stops them all. 32 slots of 0.2 s: 0.87.
package adaptive
