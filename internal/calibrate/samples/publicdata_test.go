package samples

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testData = flag.String("testdata", os.Getenv("GENAIEVALS_TEST_DATA"), "folder of the public sets, to read them whole")

// TestPublicSetsAreReadWhole reads the sets as they were published, where they
// are at hand. Rows and labels were counted apart from this package.
func TestPublicSetsAreReadWhole(t *testing.T) {
	if *testData == "" {
		t.Skip("no public sets: set GENAIEVALS_TEST_DATA to the folder that has them")
	}
	type labels map[string]int
	for _, tt := range []struct {
		path, format string
		want         labels
	}{
		{"toxicity/davidson_labeled_data.csv", "davidson", labels{toxic: 20620, nonToxic: 4163}},
		{"toxicity/surge_toxicity_en.csv", "surge", labels{toxic: 501, nonToxic: 499}},
		{"toxicity/jigsaw_wiki_nonfuzzed_testset.csv", "jigsaw_wiki", labels{toxic: 248, nonToxic: 1244}},
		{"toxicity/jigsaw_bias_madlibs_sample6k.csv", "jigsaw_madlibs", labels{toxic: 3030, nonToxic: 2970}},
		{"bias/edos_sexism_train8k.csv", "edos", labels{biased: 1945, notBiased: 6055}},
		{"bias/redditbias_race_annotated.csv", "redditbias", labels{biased: 1182, notBiased: 1438}},
		{"bias/redditbias_gender_annotated.csv", "redditbias", labels{biased: 2033, notBiased: 943}},
		{"bias/bbq_Age_sample300.jsonl", "bbq", labels{biased: 150, notBiased: 300}},
		{"bias/bbq_Disability_status_sample300.jsonl", "bbq", labels{biased: 150, notBiased: 300}},
		{"bias/bbq_Nationality_sample300.jsonl", "bbq", labels{biased: 162, notBiased: 300}},
		{"bias/bbq_Physical_appearance_sample300.jsonl", "bbq", labels{biased: 143, notBiased: 300}},
		{"bias/bbq_Religion_sample300.jsonl", "bbq", labels{biased: 146, notBiased: 300}},
		{"bias/bbq_Sexual_orientation_sample300.jsonl", "bbq", labels{biased: 160, notBiased: 300}},
		{"relevance/haluquestqa.csv", "haluquestqa", labels{relevant: 650 + 441, irrelevant: 2 + 34}},
		{"relevance/halueval_general_sample2500.jsonl", "halueval_general", labels{hallucinated: 445, notHallucinated: 2055}},
		{"faithfulness/halueval_qa_one-turn.jsonl", "halueval_qa", labels{faithful: 500, unfaithful: 500}},
		{"faithfulness/begin_dev_cmu.tsv", "begin", labels{faithful: 59, unfaithful: 278}},
		{"faithfulness/begin_dev_tc.tsv", "begin", labels{faithful: 74, unfaithful: 307}},
		{"faithfulness/begin_dev_wow.tsv", "begin", labels{faithful: 180, unfaithful: 250}},
		{"faithfulness/wice_oracle_claim_dev.jsonl", "wice", labels{faithful: 342, unfaithful: 576 + 125}},
		{"sentiment/vader_tweets_GroundTruth.txt", "vader", labels{negative: 837, neutral: 768, positive: 1830}},
		{"sentiment/vader_amazonReviewSnippets_GroundTruth.txt", "vader", labels{negative: 941, neutral: 723, positive: 1514}},
		{"sentiment/vader_nytEditorialSnippets_GroundTruth.txt", "vader", labels{negative: 996, neutral: 2220, positive: 558}},
	} {
		t.Run(filepath.Base(tt.path), func(t *testing.T) {
			path := filepath.Join(*testData, filepath.FromSlash(tt.path))
			all, err := Open(path, "")
			if err != nil {
				t.Fatal(err)
			}
			got, ids := labels{}, map[string]bool{}
			for s, err := range all {
				if err != nil {
					t.Errorf("%v", err)
					continue
				}
				got[s.Label]++
				if !strings.HasPrefix(s.ID, tt.format+"-") {
					t.Fatalf("%s is not of the format %s", s.ID, tt.format)
				}
				if ids[s.ID] {
					t.Errorf("two samples with the id %s", s.ID)
				}
				ids[s.ID] = true
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("labels (-want +got):\n%s", d)
			}
		})
	}
}
