package envconfig

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/configuration.md")

const documentFile = "../docs/configuration.md"

// TestConfigurationDocument keeps docs/configuration.md true: it is made from
// the tags of Config. go generate ./envconfig writes it.
func TestConfigurationDocument(t *testing.T) {
	want := document()
	if *update {
		if err := os.WriteFile(documentFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("stale, run go generate ./envconfig: -want +got:\n%s", diff)
	}
}

func TestDocumentNamesEveryVariable(t *testing.T) {
	text := document()
	for _, name := range slices.Concat(knownNames(), namesOfJudge("fast")) {
		if short := strings.TrimPrefix(name, Prefix); !strings.Contains(text, "`"+short+"`") {
			t.Errorf("%s is not in the document", name)
		}
	}
	for _, d := range definitions() {
		if d.doc == "" || d.accepts == "" || d.group == "" || !strings.HasSuffix(d.doc, ".") {
			t.Errorf("%s has no documentation, group or description of what it takes", d.name)
		}
	}
}

const documentStart = `<!-- Made from the tags of envconfig.Config by go generate ./envconfig. Do not edit. -->

# Configuration

Everything is set by environment variables; each has an option of
` + "`genaievals.Start`" + ` too. An option beats the environment, which beats the default.

Names below begin with ` + "`" + Prefix + "`" + `, unless they are written
with another beginning:

` + "```" + `
export ` + Prefix + `CONCURRENT=true
export ` + Prefix + `EVALUATORS='judge(inference(bias,faithfulness(threshold=0.8))),builtin'
` + "```" + `

How values are read:

- Blanks around a value do not matter. An empty variable counts as not set.
- True is also written 1, yes or on, and false 0, no or off. A duration is 5s, 500ms,
  10m or a plain number of seconds. A size is 64MiB, 1GB or a plain number of bytes.
- A value out of range becomes the nearest one allowed. A value that cannot be read
  is replaced by the default. Either way there is one warning, which names the
  variable; the application is never stopped.
- Where the default would be worse than nothing, the judge stays off instead: when a rate
  limit, a token limit, a budget, the judge's address, its token endpoint or its provider
  cannot be read.
  Unlimited is never a fallback, and neither is another server. What is one judge's own
  turns only that one off.
- An error in ` + "`EVALUATORS`" + ` turns evaluation off, with its position. An evaluator, kind or
  metric that does not exist disables only itself.
- A variable with this beginning that does not exist is warned about, with the nearest
  name that does.
- An option with a bad value makes ` + "`Start`" + ` return an error and start nothing.
- Keys and headers are never logged or shown.
`

const documentEvaluators = "## The grammar of EVALUATORS\n\n```\n" +
	`judge                                          the default metrics of judge, on all kinds
judge,builtin                                  two evaluators
judge(bias,toxicity)                           two metrics, on all kinds
judge(inference(bias),agent)                   one metric on model calls, the default ones on agents
judge(bias(threshold=0.3,sample_rate=0.1))     options of a metric
judge(bias(model="a name, with a comma"))      quotes, where a value has one of (),="
judge(bias(judge=fast)),strong(faithfulness)   judges by name: see above
none                                           nothing is evaluated; also off and false
` + "```\n\n" + `Case, blanks, hyphens and underscores in names do not matter: ` + "`Answer-Relevancy`" + ` is
` + "`answer_relevancy`" + `, which also answers to ` + "`relevance` and `relevancy`" + `; ` + "`deepeval` is `judge`" + `,
` + "`LLMInvocation` is `inference`, and `AgentInvocation` is `agent`" + `.

| option | takes | meaning |
|---|---|---|
| ` + "`threshold`" + ` | 0 to 1 | where a score begins to pass, or, where lower is better, ceases to |
| ` + "`strict`" + ` | true or false | only a perfect score passes; beats a threshold |
| ` + "`timeout`" + ` | 5s, 500ms or plain seconds | deadline of this metric, in place of TIMEOUT |
| ` + "`sample_rate`" + ` | 0 to 1 | fraction of invocations, in place of SAMPLE_RATE |
| ` + "`on_error`" + ` | true or false | also take invocations that failed |
| ` + "`judge`" + ` | a name | the judge to ask, where there are several: the metric moves to that one's lane and results |
| ` + "`model`" + ` | a name | the model to ask that judge for |

A metric named directly below an evaluator applies to all kinds. Named again below a
kind, it has the options that stand there. An option that does not exist, or whose
value cannot be read, is an error: evaluation is off.
`

const documentLimits = `How limits work together:

- All that are set hold at once, for every call, also for one that is sent again. What is
  not set is learned (` + "`ADAPTIVE`" + `): how many calls at once, and how many a second. A pause
  that the judge asks for (` + "`Retry-After`" + `) is always kept.
- A limit without a name holds for every judge, for each by itself: with ` + "`RATE_LIMIT=60/min`" + `
  and three judges there are up to 180 calls a minute, and with ` + "`BUDGET=5usd/day`" + ` up to 15
  dollars a day. One by name beats it, and a judge's own variable beats both;
  ` + "`none`" + ` there is no limit. At start one line for each judge says what holds for it.
- Names are those of evaluators; a rate also limits one of the application's own, once for
  each group of metrics. Tokens and money are counted for judges only: an evaluator of the
  application's own that such a limit is for, and that has no gate, stays off.
- A budget is counted in this process, from the first call of a window on.
- ` + "`JUDGE_PRICE`" + ` is US dollars for a million input and a million output tokens: ` + "`0.15/0.60`" + `.
`

const documentJudges = `## More judges

` + "`JUDGES=fast,strong`" + ` adds judges beside the one that ` + "`JUDGE_*`" + ` set, each with its own lane and
limits. A metric asks one by ` + "`judge(bias(judge=fast))`" + `, and ` + "`fast(bias),strong`" + ` in ` + "`EVALUATORS`" + ` has them as
evaluators of their own; either way results say evaluator ` + "`fast`" + `. A metric that names a
judge which does not exist is off.

` + "```" + `
export ` + Prefix + `JUDGES=fast,strong
export ` + Prefix + `JUDGE_FAST_MODEL=gpt-4o-mini
export ` + Prefix + `JUDGE_STRONG_MODEL=gpt-4o
export ` + Prefix + `JUDGE_STRONG_BUDGET=5usd/day
export ` + Prefix + `JUDGE_STRONG_PRICE=2.50/10
export ` + Prefix + `EVALUATORS='fast(bias,toxicity),strong(faithfulness)'
` + "```" + `

A judge has these variables, here of the judge ` + "`fast`" + `. What is not set falls back:

| name | else |
|---|---|
%s
A credential does not go to another host: a judge that is asked at another scheme, host or port than
the first one has no key, no headers and no OAuth client but its own. Of the key and the OAuth client it
has the first one's only if it has neither itself. ` + "`OPENAI_API_KEY`" + ` and its like go to their own
provider and to this machine only, as ever.
`

// fallbacks of a further judge's variables, in words.
var fallbacks = map[string]string{
	"PROVIDER": "JUDGE_PROVIDER", "MODEL": "none: the judge stays off without it",
	"BASE_URL": "JUDGE_BASE_URL of the same provider; else the provider's own",
	"API_KEY":  "JUDGE_API_KEY at the same scheme, host and port; else the provider's variable, as above",
	"MODE":     "JUDGE_MODE", "MAX_INPUT_TOKENS": "JUDGE_MAX_INPUT_TOKENS",
	"OAUTH_TOKEN_URL":     "JUDGE_OAUTH_TOKEN_URL at the same scheme, host and port",
	"OAUTH_CLIENT_ID":     "JUDGE_OAUTH_CLIENT_ID at the same scheme, host and port",
	"OAUTH_CLIENT_SECRET": "JUDGE_OAUTH_CLIENT_SECRET at the same scheme, host and port",
	"OAUTH_SCOPE":         "JUDGE_OAUTH_SCOPE at the same scheme, host and port",
	"OAUTH_AUTH_METHOD":   "JUDGE_OAUTH_AUTH_METHOD at the same scheme, host and port",
	"AUTH_HEADER":         "JUDGE_AUTH_HEADER at the same scheme, host and port",
	"HEADERS":             "JUDGE_HEADERS at the same scheme, host and port",
	"TIMEOUT":             "JUDGE_TIMEOUT", "MAX_OUTPUT_TOKENS": "JUDGE_MAX_OUTPUT_TOKENS", "TEMPERATURE": "not sent",
	"PRICE":      "not known; a budget in money then turns the judge off",
	"RATE_LIMIT": "RATE_LIMIT", "TOKEN_LIMIT": "TOKEN_LIMIT", "BUDGET": "BUDGET",
}

func judgeRows() string {
	var b strings.Builder
	for _, d := range definitionsOf("fast") {
		suffix := strings.TrimPrefix(d.name, JudgePrefix("fast"))
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimPrefix(d.name, Prefix), fallbacks[suffix])
	}
	return b.String()
}

// The fallbacks that are written down are those of JudgeNamed and LimitsOf.
func TestDocumentedFallbacks(t *testing.T) {
	setenv(t, nil)
	values := map[string]any{
		"BASE_URL": "https://api.openai.com/v2", "HEADERS": map[string]string{"a": "b"}, "TIMEOUT": time.Second,
		"MAX_OUTPUT_TOKENS": 77, "MAX_INPUT_TOKENS": 777, "TEMPERATURE": new(float64), "PRICE": &Price{Input: 7},
		"RATE_LIMIT":  map[string]limit.Rate{"": {PerSecond: 7}},
		"TOKEN_LIMIT": map[string]limit.Rate{"": {PerSecond: 7}},
		"BUDGET":      map[string]limit.Budget{"": {Amount: 7, Per: time.Hour}},
	}
	shows := func(change func(*Config)) string {
		c := Defaults()
		if _, _, err := c.AddJudge("fast"); err != nil {
			t.Fatal(err)
		}
		change(&c)
		type plain Judge // its String leaves most out
		return fmt.Sprintf("%+v %+v", plain(c.JudgeNamed("fast")), c.LimitsOf("fast"))
	}
	for _, d := range definitionsOf("fast") {
		suffix := strings.TrimPrefix(d.name, JudgePrefix("fast"))
		from, _, _ := strings.Cut(fallbacks[suffix], " ")
		source := definitionNamed(Prefix + from)
		falls := source != nil
		if !falls {
			source = definitionNamed(Prefix + "JUDGE_" + suffix)
		}
		value, ok := values[suffix]
		if !ok {
			value = "x"
		}
		changed := shows(func(c *Config) { source.set(c, value) }) != shows(func(*Config) {})
		if changed != falls {
			t.Errorf("%s falls back on %s: %t, but the document says %q", d.name, source.name, changed, fallbacks[suffix])
		}
	}
}

const documentElsewhere = `## Read elsewhere

| name | read by |
|---|---|
| ` + "`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`" + ` | instrumentation: NO_CONTENT (default), SPAN_ONLY, EVENT_ONLY or SPAN_AND_EVENT. Evaluation sees content whatever it says |
| ` + "`OTEL_TRACES_EXPORTER`, `OTEL_METRICS_EXPORTER`, `OTEL_LOGS_EXPORTER`, `OTEL_EXPORTER_OTLP_*`" + ` | bootstrap, for an application without providers of its own |
| ` + "`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`" + ` | the judge's HTTP client, for tokens too |
| ` + "`SSL_CERT_FILE`, `SSL_CERT_DIR`" + ` | the same: whom it trusts, except on macOS and Windows, where the system says |
`

func document() string {
	var b strings.Builder
	b.WriteString(documentStart)
	defaults := Defaults()
	group := ""
	older := [][2]string{}
	for _, v := range defaults.Variables() {
		if v.Group != group {
			if group == "Limits" {
				b.WriteString("\n" + documentLimits)
			}
			group = v.Group
			fmt.Fprintf(&b, "\n## %s\n\n| name | default | takes | meaning |\n|---|---|---|---|\n", group)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.TrimPrefix(v.Name, Prefix), cell(v.Default), cell(v.Accepts), cell(v.Doc))
		for _, old := range v.OldNames {
			older = append(older, [2]string{old, strings.TrimPrefix(v.Name, Prefix)})
		}
		if v.Name == rateLimitName {
			for _, old := range olderRateNames {
				older = append(older, [2]string{old, "RATE_LIMIT"})
			}
		}
	}
	fmt.Fprintf(&b, "\n"+documentProviders, providerRows())
	fmt.Fprintf(&b, "\n"+documentJudges, judgeRows())
	b.WriteString("\n" + documentEvaluators)

	b.WriteString("\n## Older names\n\nRead when the new name is not set or empty, whole as written here.\n\n| older name | is |\n|---|---|\n")
	for _, pair := range older {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", pair[0], pair[1])
	}
	fmt.Fprintf(&b, "\nThe three about the rate limit go together: RPS 0.5 and BURST 4, which is the\ndefault, are `0.5/sec,burst=4`. ENABLE false, or RPS 0 or less, is no limit.\n")
	b.WriteString(documentOlderJudge)

	b.WriteString("\n## Accepted, without effect\n\nSet for Splunk's GenAI utilities, they can stay: " + list(compatible) + ".\n")
	b.WriteString("\n`" + olderGrantType + "` may say `client_credentials`, the only grant there is.\n")
	b.WriteString("\n## Not in this version\n\nSetting one of these has no effect but a warning: " + list(unsupported) + ".\n")
	b.WriteString("\n" + documentElsewhere)
	return b.String()
}

func cell(s string) string {
	if s == "" {
		return "–"
	}
	return strings.ReplaceAll(s, "|", `\|`)
}

// TestDocumentedPlansCanBeRead reads every example of the grammar.
func TestDocumentedPlansCanBeRead(t *testing.T) {
	block := strings.Split(documentEvaluators, "```")[1]
	lines := strings.Split(strings.TrimSpace(block), "\n")
	for _, line := range lines {
		plan, _, ok := strings.Cut(line, "   ")
		if !ok {
			t.Errorf("no explanation in %q", line)
		}
		if _, err := evaluators.Parse(plan); err != nil {
			t.Error(err)
		}
	}
	example := strings.Split(strings.SplitAfter(documentStart, Prefix+"EVALUATORS=")[1], "'")[1]
	if _, err := evaluators.Parse(example); err != nil {
		t.Error(err)
	}
	if len(lines) < 5 {
		t.Errorf("only %d examples", len(lines))
	}
}

func list(names []string) string {
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = "`" + strings.TrimPrefix(n, Prefix) + "`"
	}
	return strings.Join(short, ", ")
}
