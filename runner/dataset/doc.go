// Package dataset reads the items of a run from files: JSON Lines, a JSON array,
// tables, and the spans that an OpenTelemetry Collector wrote.
//
// # Formats
//
// The format is recognised by how the file begins and by its name, or set by
// [Options].Format:
//
//	jsonl  one JSON object a line
//	json   an array of objects, also as the first member, called items, samples,
//	       examples or rows, of an object
//	csv    a table with a header, separated by commas as in RFC 4180 or by semicolons
//	tsv    the same with tabs
//	otlp   spans in OTLP/JSON: requests, one a line as the Collector's file exporter
//	       writes them, or a single one
//
// The text is UTF-8; what is not becomes U+FFFD. gzip is recognised by its first
// bytes, also on the standard input; a byte order mark is skipped, and lines may end
// in CR LF. Files are read as streams, row by row, and a row has at most 16 MiB.
//
// # Fields
//
// A field of an item is taken from the column of its name or, where there is none,
// from one of these, unless there are two of them. Case does not matter.
//
//	id          a text or a number; an item without one is called by its position
//	input       question, prompt, query, user_input; a text, or the messages of a
//	            chat, of which the last that the user says is the input and the
//	            others are history and system
//	output      answer, response, completion
//	context     contexts, documents, retrieved_contexts, sources; a text, a list of
//	            texts, or a list of objects with text, content or page_content and,
//	            if they like, id and title
//	expected    expected_output, reference, ground_truth; a text
//	system      system_prompt
//	history     messages before the input: a list of objects with role and content
//	metadata    an object; what is no scalar in it becomes JSON
//	evaluators  a list of names, or names separated by commas: the only ones asked
//
// [Options].Fields says where else a field is: the name of a column or, in JSON, a
// path of names with dots between them. In a table the cells of context, history,
// metadata and chats hold JSON or, but for history, plain text; columns that are no
// field become metadata. An object may have the same name twice: the last counts.
// Members that are no field are ignored.
//
// # What is wrong
//
// A row that is no item, or has a field of another type, is yielded as a
// *[runner.ItemError] in its place, and reading goes on behind it: after a syntax
// error in an array, a row of a table that is too long, or a single OTLP request
// there is nothing behind it. It tells where, what was expected and the type that
// was found, never content. Any other error, such as that of the disk or a gzip file
// that is cut off, is the last thing that is yielded. A file without items yields
// none, and that is no error.
package dataset
