package envconfig

import (
	"time"

	"github.com/genaievals/genaievals/limit"
)

// Prefix begins the name of every variable that is this project's own.
const Prefix = "OTEL_INSTRUMENTATION_GENAI_EVALS_"

// olderPrefix begins the names that Splunk's GenAI utilities use beside it.
const olderPrefix = "OTEL_INSTRUMENTATION_GENAI_EVALUATION_"

// Values of [Config.QueuePolicy] and [Config.Span].
const (
	DropNewest = "drop_newest"
	DropOldest = "drop_oldest"

	SpanChild = "child"
	SpanLink  = "link"
	SpanOff   = "off"
)

// Values of [Judge.Mode].
const (
	ModePerMetric = "per_metric"
	ModeCombined  = "combined"
)

// Config is the configuration. [Load] makes one from the environment and
// [Defaults] one without it; options then assign to its fields, and
// [Config.Validate] checks what they assigned.
//
// The tags of a field are: env, its variable without [Prefix], or name, the
// whole name; is, the default; in, the range; one, the allowed words; as, the
// form of its text where the type does not tell; old, further names that are
// read when the variable is not set; guard, when an unreadable value turns the
// judges off that it is for; secret, when the value is never shown; doc.
type Config struct {
	// What is evaluated.

	Evaluators string  `env:"EVALUATORS" group:"What is evaluated" accepts:"name(kind(metric(option=value,…),…),…),… or none; see below" shown:"judge if one is configured, else builtin" doc:"Who evaluates what. Kinds are inference, agent and workflow. Without kinds: all three; without metrics: the evaluator's default ones."`
	SampleRate float64 `env:"SAMPLE_RATE" is:"1" in:"0..1" old:"OTEL_INSTRUMENTATION_GENAI_EVALUATION_SAMPLE_RATE" doc:"Fraction of invocations that is evaluated, chosen by trace id: one hash for all metrics, so 10 % is part of 50 %."`
	Rubrics    string  `env:"RUBRICS" accepts:"a file's path" doc:"YAML file of own metrics, which every judge then has. A metric of it that is wrong is off, with a warning that says where; a file that cannot be read leaves the judges with their own metrics."`
	Unsampled  bool    `env:"UNSAMPLED" is:"false" doc:"Also evaluate invocations whose span was not sampled."`
	// SDKDisabled turns everything off. As the OTel specification demands, only
	// the word true does.
	SDKDisabled bool `name:"OTEL_SDK_DISABLED" as:"otelbool" is:"false" doc:"OpenTelemetry's own switch: true turns evaluation off."`

	// Workers and queues. QueueSize 0 is no limit by count; MaxAge, Throttle
	// and Timeout are times.

	Concurrent bool `env:"CONCURRENT" group:"Workers and queues" is:"false" doc:"Off: one worker for everything, one metric at a time; WORKERS, WORKERS_MAX and MAX_CONCURRENT do nothing. On: a lane for each judge and each other evaluator, with its own queue and workers, and metrics side by side. The results are the same."`
	Workers    int  `env:"WORKERS" is:"4" in:"1..1024" doc:"Workers of a lane."`
	// WorkersMax 0 is Workers, which is also used where it is more.
	WorkersMax    int           `env:"WORKERS_MAX" is:"0" in:"0..1024" shown:"0, as many as WORKERS" doc:"Most workers of a lane. Above WORKERS: more start while there is a backlog and all are busy, and leave when idle."`
	MaxConcurrent int           `env:"MAX_CONCURRENT" is:"10" in:"1..1024" old:"DEEPEVAL_MAX_CONCURRENT" doc:"Metrics of one invocation that run side by side in a lane."`
	MaxInFlight   int           `env:"MAX_IN_FLIGHT" is:"0" in:"0..1000000" doc:"Most metrics evaluated at once in the whole process, the lanes taking turns; 0 is no such limit."`
	Throttle      time.Duration `env:"THROTTLE" is:"0s" in:"0s..1h" doc:"Time between the starts of two metrics of one invocation."`
	Timeout       time.Duration `env:"TIMEOUT" is:"60s" in:"1ms..1h" doc:"Deadline of one metric, from when a worker takes it."`
	QueueSize     int           `env:"QUEUE_SIZE" is:"0" in:"0..10000000" old:"OTEL_INSTRUMENTATION_GENAI_EVALUATION_QUEUE_SIZE" doc:"Most invocations that wait in a lane; 0 is no limit by count, the bytes still bound it."`
	QueueBytes    int64         `env:"QUEUE_BYTES" as:"size" is:"64MiB" in:"1MiB..1TiB" doc:"Most bytes that wait in a lane."`
	QueuePolicy   string        `env:"QUEUE_POLICY" is:"drop_newest" one:"drop_newest,drop_oldest" doc:"Who goes when the queue is full: the invocation that is offered, or those that have waited longest."`
	MaxAge        time.Duration `env:"MAX_AGE" is:"10m" in:"1s..24h" doc:"Longest wait in a queue; older invocations are dropped as expired."`
	// BuiltinShare is of one core, for the process.
	BuiltinShare float64 `env:"BUILTIN_SHARE" is:"0.5" in:"0.05..1" doc:"Most of one processor core that builtin's model uses, as a fraction, in the whole process. Without a model in the program it does nothing."`
	// ShutdownTimeout applies where the application's own context has no
	// deadline.
	ShutdownTimeout time.Duration `env:"SHUTDOWN_TIMEOUT" is:"5s" in:"1ms..10m" doc:"Time to finish what is queued at shutdown, when the application's own context sets none."`

	// Limits.

	// RateLimit, TokenLimit and Budget are by evaluator name; the key "" is
	// every judge, each for itself. What a judge is under in the end says
	// [Config.LimitsOf].

	RateLimit  map[string]limit.Rate   `env:"RATE_LIMIT" group:"Limits" as:"rates" guard:"the judges and the application's own evaluators stay off" accepts:"60/min, 10/sec, 1000/hour, 0.5/sec,burst=4, strict:2/sec; by name mine=5/sec;judge=60/min; none" shown:"none" doc:"Most calls of each judge, or of the named evaluator. strict: paces the calls evenly, without bursts. Unreadable: the judges without a limit of their own, and the application's own evaluators, stay off."`
	TokenLimit map[string]limit.Rate   `env:"TOKEN_LIMIT" as:"tokenrates" guard:"the judges stay off" accepts:"90000/min, 1500/sec, 5000000/hour, 90000/min,burst=20000; by name judge=90000/min;fast=1000000/min; none" shown:"none" doc:"Most tokens of each judge, or of the named one: an estimate is reserved before a call and settled with what the judge reports. The burst is 6 seconds' worth where none is given. Unreadable: the judges without a limit of their own stay off."`
	Budget     map[string]limit.Budget `env:"BUDGET" as:"budgets" guard:"the judges stay off" accepts:"5usd/day, 200000tokens/hour, in minutes too; by name judge=5usd/day;fast=1usd/day; none" shown:"none" doc:"Most money or tokens that each judge, or the named one, spends in a window of that length in this process. Once spent, metrics are skipped(budget) until the window ends. Money needs JUDGE_PRICE. Unreadable: the judges without a budget of their own stay off."`
	Adaptive   bool                    `env:"ADAPTIVE" is:"true" doc:"Learn what each judge permits, calls at once and calls a second, from its answers: at most WORKERS_MAX × MAX_CONCURRENT calls at once, in sequential mode 1."`

	// The judge.

	Judge Judge

	// Judges are the names of further judges. [Config.AddJudge] adds one with
	// what its variables say, [Config.OwnOfJudge] is what is set for it, and
	// [Config.JudgeNamed] what it comes to.
	Judges []string `env:"JUDGES" group:"The judge" as:"names" accepts:"names of lower case letters, digits and underscores, separated by commas; none" shown:"none" doc:"Further judges, asked by bias(judge=fast) or as evaluators of their own, fast(bias). Each is set by JUDGE_FAST_MODEL and so on; see below."`

	// What is reported.

	ResultsAggregation bool   `env:"RESULTS_AGGREGATION" group:"What is reported" is:"false" doc:"Publish a lane's results for an invocation together, once, in one event."`
	UseSingleMetric    bool   `env:"USE_SINGLE_METRIC" is:"true" doc:"One histogram gen_ai.evaluation.score for all metrics; off: one for each metric."`
	Span               string `env:"SPAN" is:"child" one:"child,link,off" doc:"Evaluation spans: below the evaluated span, in a trace of their own with a link to it, or none."`
	Monitoring         bool   `env:"MONITORING" is:"true" doc:"Metrics about the evaluation itself: queues, workers, limits, durations, tokens."`
	Explanation        bool   `env:"EXPLANATION" is:"true" doc:"Put explanations into telemetry. They can quote what users and models wrote."`
	Baggage            bool   `env:"BAGGAGE" is:"true" doc:"Copy baggage and association properties onto results; never over gen_ai attributes."`

	// The live page. Dashboard is host:port, or empty for none.

	Dashboard        string `env:"DASHBOARD" group:"The live page" as:"address" accepts:"on, a port, or host:port such as 127.0.0.1:8377; off" shown:"off" doc:"Where the live page is served; on is 127.0.0.1:8377. An address that other machines reach needs DASHBOARD_TOKEN. Where it cannot be read or listened on there is one warning, and no page."`
	DashboardToken   string `env:"DASHBOARD_TOKEN" json:"-" secret:"true" accepts:"a token" doc:"What the page asks of everybody: open it once with ?token=, or send it as a bearer token."`
	DashboardContent bool   `env:"DASHBOARD_CONTENT" is:"false" doc:"Show inputs and outputs of recent results on the page, to who switches them on there. With a redactor there are none."`
	TraceURL         string `env:"TRACE_URL" as:"traceurl" accepts:"an http or https URL with {trace_id} in it, such as http://localhost:16686/trace/{trace_id}" shown:"no links" doc:"Where the page's trace ids link."`

	named map[string]*Judge // by name, those of Judges

	// origins says how each variable got its value, by name; nil is all
	// defaults. It is not changed after Load.
	origins map[string]origin
}

// Judge says which LLM a judge asks, and how. A field of a further judge that
// is zero is not set.
type Judge struct {
	// Provider is the Name of one of [Providers].
	Provider string `env:"JUDGE_PROVIDER" group:"The judge" as:"provider" is:"openai" guard:"the judge stays off" old:"DEEPEVAL_LLM_PROVIDER" doc:"What the server speaks, where it is by default, which header takes the key, and what telemetry calls it; see below. openai and other do for every server with OpenAI's chat completions. Anything else: the judge stays off."`
	Model    string `env:"JUDGE_MODEL" accepts:"a model's name" old:"DEEPEVAL_LLM_MODEL" doc:"The model that judges; on Azure, the deployment. Setting it, or JUDGE_BASE_URL, makes judge the default evaluator."`
	BaseURL  string `env:"JUDGE_BASE_URL" json:"-" as:"url" guard:"the judge stays off" shown:"the provider's" old:"DEEPEVAL_LLM_BASE_URL" doc:"Where the judge is, up to and without /chat/completions or /messages. Unreadable: the judge stays off, so that nothing is sent elsewhere."`
	// APIKey is the judge's own key; use [Judge.Key].
	APIKey string `env:"JUDGE_API_KEY" json:"-" secret:"true" accepts:"a key" shown:"the provider's variable" old:"DEEPEVAL_LLM_API_KEY" doc:"The judge's key."`
	// OpenAIAPIKey and those after it are keys for one provider only; use
	// [Judge.Key].
	OpenAIAPIKey      string `name:"OPENAI_API_KEY" json:"-" secret:"true" accepts:"a key" doc:"Used when JUDGE_API_KEY is not set, the provider is openai, and the judge is OpenAI's or on this machine. It is not sent anywhere else."`
	AzureOpenAIAPIKey string `name:"AZURE_OPENAI_API_KEY" json:"-" secret:"true" accepts:"a key" doc:"Used in the same way for the provider azure, at a host of Azure's own or on this machine."`
	AnthropicAPIKey   string `name:"ANTHROPIC_API_KEY" json:"-" secret:"true" accepts:"a key" doc:"Used in the same way for the provider anthropic."`
	GeminiAPIKey      string `name:"GEMINI_API_KEY" json:"-" secret:"true" accepts:"a key" doc:"Used in the same way for the provider gemini."`
	AuthHeader        string `env:"JUDGE_AUTH_HEADER" accepts:"a header's name" shown:"the provider's: api-key for azure, else the key as a bearer token, and for anthropic x-api-key" old:"DEEPEVAL_LLM_AUTH_HEADER" doc:"Header that takes the key, or the OAuth token, as it is."`
	// Headers are further headers of every call.
	Headers map[string]string `env:"JUDGE_HEADERS" as:"headers" json:"-" secret:"true" accepts:"name=value,name=value or a JSON object" old:"DEEPEVAL_LLM_EXTRA_HEADERS" doc:"Further headers of every call."`
	// OAuthTokenURL, OAuthClientID and OAuthClientSecret are set together or
	// not at all.
	OAuthTokenURL     string        `env:"JUDGE_OAUTH_TOKEN_URL" json:"-" as:"tokenurl" guard:"the judge stays off" shown:"none" old:"DEEPEVAL_LLM_TOKEN_URL" doc:"Token endpoint of an OAuth 2.0 server: the judge gets its tokens there, by client credentials, in place of a key. It needs the id and the secret. Unreadable: the judge stays off."`
	OAuthClientID     string        `env:"JUDGE_OAUTH_CLIENT_ID" accepts:"a client's id" old:"DEEPEVAL_LLM_CLIENT_ID" doc:"The client's id."`
	OAuthClientSecret string        `env:"JUDGE_OAUTH_CLIENT_SECRET" json:"-" secret:"true" accepts:"a client's secret" old:"DEEPEVAL_LLM_CLIENT_SECRET" doc:"The client's secret; it is sent to the token endpoint only."`
	OAuthScope        string        `env:"JUDGE_OAUTH_SCOPE" accepts:"scopes, separated by blanks" shown:"not sent" old:"DEEPEVAL_LLM_SCOPE" doc:"The scopes to ask for."`
	OAuthAuthMethod   string        `env:"JUDGE_OAUTH_AUTH_METHOD" as:"authmethod" is:"basic" old:"DEEPEVAL_LLM_AUTH_METHOD" doc:"How id and secret are sent: in the Authorization header (also header), or in the form (also body)."`
	Mode              string        `env:"JUDGE_MODE" is:"per_metric" one:"per_metric,combined" doc:"One call for each metric, or one for all metrics of an invocation that can share it: cheaper, and the verdicts may colour each other."`
	Timeout           time.Duration `env:"JUDGE_TIMEOUT" is:"60s" in:"1ms..1h" doc:"Deadline of one call; TIMEOUT bounds all calls for a metric."`
	MaxOutputTokens   int           `env:"JUDGE_MAX_OUTPUT_TOKENS" is:"2048" in:"16..32768" doc:"Most tokens of one answer, a reasoning model's thoughts included."`
	MaxInputTokens    int           `env:"JUDGE_MAX_INPUT_TOKENS" is:"32768" in:"256..1048576" doc:"Most tokens, at four bytes each, of the evaluated text in one call; what is longer is cut in the middle."`
	// Temperature is nil when none is sent.
	Temperature *float64 `env:"JUDGE_TEMPERATURE" in:"0..2" shown:"not sent" doc:"Sampling temperature. Many models refuse any but their own."`
	// Price is nil when it is not known.
	Price *Price `env:"JUDGE_PRICE" as:"price" shown:"not known" accepts:"two numbers, US dollars for a million input tokens and for a million output tokens, such as 0.15/0.60" doc:"What the judge costs. Also used for other models that metrics name. A budget in money needs it: without it, or where it cannot be read, the judge stays off."`
	// RateLimit, TokenLimit and Budget beat those of Config; nil is not set, and
	// one that points to the zero value is none.
	RateLimit  *limit.Rate   `env:"JUDGE_RATE_LIMIT" as:"rate" guard:"the judge stays off" accepts:"60/min, 0.5/sec,burst=4, strict:2/sec; none" shown:"RATE_LIMIT's" doc:"Most calls of this judge, in place of RATE_LIMIT."`
	TokenLimit *limit.Rate   `env:"JUDGE_TOKEN_LIMIT" as:"tokenrate" guard:"the judge stays off" accepts:"90000/min; none" shown:"TOKEN_LIMIT's" doc:"Most tokens of this judge, in place of TOKEN_LIMIT."`
	Budget     *limit.Budget `env:"JUDGE_BUDGET" as:"budget" guard:"the judge stays off" accepts:"5usd/day, 200000tokens/hour; none" shown:"BUDGET's" doc:"What this judge may spend, in place of BUDGET."`
}
