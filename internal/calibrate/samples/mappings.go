package samples

// mappings are all formats, the user's own first, the others by metric.
var mappings = []*mapping{
	own,
	davidson, surge, jigsawWiki, jigsawMadlibs, hateCheck, tweetHate, tweetOffensive,
	edos, redditBias, bbq,
	haluQuest,
	haluEvalQA, begin, wice, faithBench, faithBenchTable, qags,
	haluEvalGeneral,
	vader, sst2, tweetSentiment,
}
