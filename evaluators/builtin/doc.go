// Package builtin is the offline evaluator: rules, word lists and the VADER
// lexicon, and where the program has one a small model; no network, no key, no
// cost.
//
// The model is in the package semantic, and is used where a program imports it:
//
//	import _ "github.com/genaievals/genaievals/evaluators/builtin/semantic"
//
// With it toxicity also finds what no list has, and sentiment reads sentences
// rather than words. Without it the program is 7.5 MB smaller. The method of a
// result ([AttributeMethod]) says which decided.
//
// It judges what rules can judge and refuses the rest: a result that would be
// a guess is skipped(needs_judge), with the reason in its explanation. The first
// five metrics, refusal and readability refuse texts that are not recognisably
// English and those that are mostly code or data.
//
//	metric            says                                      refuses
//	toxicity          overt insults, coarse words at a person,  quoted, denied or reported insults, coarse
//	                  threats                                   words at nobody, texts naming groups; with
//	                                                            a model what it is unsure of, and one or
//	                                                            two words
//	sentiment         the tone of what evaluates, by words,     up to three words in which nothing
//	                  with a model by sentences                 evaluates; nothing more
//	answer_relevancy  on the question's topic, or off it        anything between, short answers, refusals;
//	                                                            whether it answers
//	faithfulness      a number, date or sentence that no        paraphrases: finding nothing wrong is not
//	                  document supports; near-verbatim support  support
//	bias              nothing                                   everything
//	length            characters, words or sentences            words where the script does not part them
//	exact_match       the same as the expected output           nothing
//	token_f1, rouge_l words in common with it, and in order     texts without words
//	contains          texts that must or must not be there      nothing
//	pattern_match     expressions that must or must not match   nothing
//	json_validity     JSON, and by a schema                     numbers that no float holds
//	refusal           declines in the first person, and no more reservations, questions back
//	language          the language expected, or that of input   short, mixed, and near relatives
//	personal_data     addresses, cards, accounts, keys          nothing; it does not see names
//	readability       Flesch's reading ease                     less than 30 words in sentences
//
// Those from length on are asked only where a plan names them, most of them with
// options (docs/metrics.md): builtin(length(max=400),language(expect=input)).
//
// # How good it is
//
// All figures are printed by
//
//	go run ./benchmarks/builtin -data DIR
//
// for English public sets, of the first five metrics; what is known of the
// others is in docs/metrics.md. Rules and thresholds were adjusted while looking at most of these
// sets, so the figures are those of a development set, without intervals; on
// other texts expect less. Where a set was not used so, it is called held out.
// What is skipped counts as not found.
//
//   - toxicity: of what is called Toxic 100 % is (Surge, 1,000 posts), 92 %
//     (Jigsaw talk pages, 1,492) and 99 % (Davidson, 24,783 tweets); it finds
//     17 %, 31 % and 12 % of what is toxic there. False alarms: none in 2,500
//     replies of ChatGPT, none in 1,396 forum and GPT answers held out.
//     "Non Toxic" only means that nothing overt was found: of the posts in
//     Surge, half of which are toxic, 29 % of those called so are toxic.
//   - sentiment: positive over negative, AUC .99 (tweets), .86 (reviews), .87
//     (editorials), the sets that VADER's authors validated it with, 3,200 to
//     3,800 snippets each that people rated clearly positive, neutral or
//     negative; of what is called Negative 92 %, 82 % and 88 % is, and 55 %, 14 %
//     and 5 % of the negative are: complaints that only tell facts are Neutral. Of
//     ChatGPT's replies 1 % are called Negative.
//   - answer_relevancy, with the model: own answer against a random other, 800
//     prompts of HaluEval that nothing was fitted on: AUC .984; of what is called
//     Irrelevant 99 % is, of Relevant 99.7 %; 67 % are skipped, most of the prompts
//     being requests. On 1,396 long answers to questions (HaluQuestQA) 99.9 %
//     and 60 % of the foreign answers found. Against the answer to the nearest other
//     of 1,600 prompts the AUC is .833, and of what is called Relevant 83 % is:
//     an answer on the topic that misses the question is not seen. Without the
//     model 6 % of the foreign answers are found instead of 20 %.
//   - faithfulness: of what is flagged by number or date 26 of 27 are unfaithful
//     (BEGIN dev, base rate 73 %) and 96 % of 194 (WiCE dev, 67 %), by sentence
//     16 of 16 in each with the model, 4 of 4 and 94 % of 48 without. Found are 5 %
//     of the unfaithful in BEGIN, 29 % in WiCE (without the model 4 % and 33 %), 8 %
//     in HaluEval QA; flagged are 0.3 % and 2.3 % (3.2 %) of the faithful in
//     BEGIN and WiCE. Of what is called Faithful 99 % is in BEGIN; 7 of 8 in
//     HaluEval QA. Three quarters or more are skipped.
//
// These figures of toxicity and sentiment are without the model. With it, on
// texts that it was not trained on, they are in docs/metrics.md and printed by
// go run ./benchmarks -data DIR toxicity_auc, toxicity_false_alarms and
// sentiment_auc.
//
// Sets: Surge toxicity (MIT), Jigsaw unintended-bias test set (CC-BY-4.0),
// Davidson hate speech (MIT), VADER ground truth (MIT), HaluEval (MIT),
// HaluQuestQA (Apache-2.0), BEGIN (CC-BY-4.0, CDLA-Sharing-1.0), WiCE (ODC-BY).
// No row of them is in this package.
//
// # What it costs
//
// A typical answer takes less than a millisecond a metric. At most 64 KiB of an
// output, and 256 KiB each of the documents and of the conversation are read
// ([WithMaxOutput], [WithMaxDocuments]). At these bounds faithfulness takes 60
// to 110 ms for prose, and up to 1.4 s for text built to be costly, and with the
// model 0.2 s of a core more where a sentence is in words of its own; rouge_l takes
// up to 130 ms at any bound, the other metrics 20 to 30 ms and 10 MB. With the model answer_relevancy takes 4 to 45 ms more of a
// core, by the lengths of question and answer, and before it calls an answer
// Irrelevant it reads up to fourteen texts besides, 20 ms for twelve sentences and
// 0.5 s at most, twice that at half a core. Length, exact_match and json_validity read the whole of an
// output, 5 MB in 0.1 to 0.3 s; 256 KiB are held against a schema, in up to 1 s.
// A regular expression takes time in proportion to the text and to its own size,
// seconds at the worst, and ends with its context.
//
// What is found in the part of a text that is read counts, and the result says
// that it is a part; so it is with a language and the reading ease. That nothing
// is found, and a tone, is said of whole texts only and else
// skipped(content_truncated). The sentiment lexicon is unpacked at first use, in
// 16 to 32 ms, and keeps 1.2 MB.
//
// The model, where there is one, takes 2 ms for a short sentence and reads at
// most 96 of them at a share of 1, 48 at the default share of one half
// ([WithShare], [WithMaxSentences]), and fewer where they are long: 0.1 s of a core
// for a long reply, 0.5 s at the worst, at a share of 1, whatever the text; by the
// clock about the same at smaller shares, where less is read, and up to 2 s at the
// least share, 0.05. Toxicity and sentiment asked together
// ([Evaluator.Group]) read once. It keeps 10.5 MB, from the first case on that
// needs it, and computes one thing at a time in the process.
package builtin
