// Package report says what came of a dataset run: it sums records up, in memory
// that does not grow with them, holds the sums against gates, compares two runs,
// and writes all that for a terminal, a pipeline, a pull request and a browser.
//
// [New] and [Summary.Add] take what a run or a journal yields, [Summary.Report]
// returns the numbers, [Report.Apply] the verdict. What is not defined is absent,
// never 0: a mean of nothing, a cost that nobody knows.
package report
