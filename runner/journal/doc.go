// Package journal keeps the results of a dataset run in a file, so that a run
// that was interrupted at any point goes on where it was.
//
// [Create] and [Resume] give what a run appends to; [Read] and [Follow] read what
// is there, also while a run appends.
//
// # The format
//
// A journal is JSON Lines in UTF-8. A line counts once its line break is there;
// what is behind the last one is of a run that was killed. Each line is an object
// whose type says what it is:
//
//	run      the first line: version of the format, names, evaluators and metrics
//	results  what one evaluator said of one item, a result for each metric asked
//	item     an item as a whole: why it failed, or the output that a task produced
//	end      the last line: the run is over, and incomplete says why it was too soon
//
// Of a results line:
//
//	id, index, line  which item: its id, position from 0, and line of the dataset
//	sum              hash of its content, 16 hexadecimal digits
//	at               when the record was made, RFC 3339
//	evaluator        who was asked
//	results          a list of
//	  metric, outcome                scored, skipped or failed
//	  score, label, passed           when scored
//	  explanation
//	  reason                         when skipped
//	  error_type, error              when failed
//	  judge_model, attempts, input_tokens, output_tokens, cost_usd, input_cut
//	  duration_ns, wait_ns           waiting for limits is not in the first
//	  attributes                     the evaluator's own
//	input, output    content, where the run keeps it
//	metadata         the item's
//
// An item line has the same fields without evaluator and results, and error_type
// and error if the item failed. What is zero or empty is left out. Fields and types
// that are not known are passed over; a later version is refused.
//
// # What stands in it
//
// When a run has ended, there is exactly one result for every item and metric, but
// for items that failed as a whole. While one goes on that was resumed, results of
// content that has changed since are there too, before the new ones: the last sum
// of an id is its sum.
package journal
