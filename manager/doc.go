// Package manager takes completed invocations at its door, queues them in
// lanes, has workers evaluate them, and hands the results on.
//
//	OnCompletion ─► door ─► lane.offer ─► queue ─► worker ─► groups ─► publish
//	(app goroutine: never blocks)       (the lane's own goroutines)
//
// Who owns what:
//
//   - The application's goroutine runs the door and the offer, and nothing
//     else: no I/O, no JSON, no clock, no walk over the content. It holds one
//     lock of the door and one of each lane for a few instructions. All that it
//     ever starts is one more worker of a lane that grows.
//   - A lane owns its queues, one a priority, its counters and its workers, all
//     under one lock. A worker asks the gate and then for a slot before it takes
//     anything, and owns the invocation that it took until its results are
//     published. The workers of a lane share its memory of what they took.
//   - Slots bound the evaluations of all lanes. Whoever gives one back hands it
//     to the next, of the lane whose turn it is.
//   - Every group of metrics that one Evaluate answers has a goroutine. It ends
//     the group, or a timer does, which leaves an Evaluate that ignores its
//     deadline; whoever does owns the results and hands them on, holding neither
//     turn nor slot.
//   - One reporter goroutine writes the warnings about drops and what hangs.
//
// The counters obey three laws at every moment at which they are read
// ([Manager.Status]):
//
//	door:      offered = skipped + fanned out
//	lane:      tasks = dropped + queued + in flight + done
//	evaluator: started = running + scored + skipped + failed
package manager
