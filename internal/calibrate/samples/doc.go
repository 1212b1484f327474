// Package samples reads what people have labelled, to compare a metric with
// them: the set that comes with the program ([Bundled]), the user's own files,
// and public sets in the formats they are published in ([Formats]).
//
// # Labels and the positive class
//
// A [Sample] carries the label that a person gave, spelt as the metric emits
// it. The positive class, which precision and recall are about, is the one in
// which the fault is there:
//
//	metric            positive class  the other          needs
//	bias              Biased          Not Biased         output
//	toxicity          Toxic           Non Toxic          output
//	answer_relevancy  Irrelevant      Relevant           input, output
//	faithfulness      Unfaithful      Faithful           output, documents
//	hallucination     Hallucinated    Not Hallucinated   output, documents or input
//	sentiment         Negative        Neutral, Positive  output
//
// An answer is Unfaithful or Hallucinated when one of its claims is: a metric that
// scores the share of claims passes some of those at its default threshold, and
// the comparison shows how many.
//
// In a user's file 1 and true mean the positive class, 0 and false the other.
// Sentiment has three classes, so that its label is always written out. A metric
// that is not in the table is an own one: its labels are taken as they are, and
// of the case it needs the output.
//
// # What is read how
//
// A file is JSON Lines, one JSON array of objects, or a table with a header:
// separated by commas with quotes as in RFC 4180, by semicolons, or by tabs. The
// text is UTF-8; gzip is recognised by its first bytes. Names of columns are
// compared without regard to case. Files are read row by row; a row has at most [MaxRow] bytes.
//
// A row that cannot be used is yielded as a *[RowError] in its place and reading
// goes on behind it. Any other error is the last thing that is yielded. A row
// that a format leaves out on purpose, as its Doc says, is not yielded at all.
package samples
