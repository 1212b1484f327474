package dashboard

// model is all that a page shows but results: the body of /status.json. Times are
// in milliseconds since 1970, durations in seconds, rates by the second over the
// last ten. What is not known is null.
type model struct {
	Head      head     `json:"head"`
	Attention []notice `json:"attention"`
	Run       *runCell `json:"run,omitempty"`
	Flow      []sum    `json:"flow"`
	Lanes     []lane   `json:"lanes"`
	Metrics   []metric `json:"metrics"`
	Reasons   []causes `json:"reasons"`
}

// head says what this is. State is starting, empty, running or ended.
type head struct {
	Name        string  `json:"name"`
	State       string  `json:"state"`
	Mode        string  `json:"mode"`
	Now         int64   `json:"now"`
	Uptime      float64 `json:"uptime"`
	TraceURL    string  `json:"trace_url"`
	Explanation bool    `json:"explanation"`
	Content     bool    `json:"content"`
	Kept        int     `json:"kept"`
}

// notice is something that needs attention. Level is warn or bad; Where is the
// part of the page that shows more.
type notice struct {
	ID    string `json:"id"`
	Level string `json:"level"`
	Text  string `json:"text"`
	Where string `json:"where"`
}

type runCell struct {
	Name        string   `json:"name"`
	Done        int64    `json:"done"`
	Total       int64    `json:"total"`
	Failed      int64    `json:"failed"`
	Resumed     int64    `json:"resumed"`
	InFlight    int64    `json:"in_flight"`
	Elapsed     float64  `json:"elapsed"`
	Rate        float64  `json:"rate"`
	ETA         float64  `json:"eta"`
	Waiting     float64  `json:"waiting"`
	RateLimited uint64   `json:"rate_limited"`
	Spend       *float64 `json:"spend"`
	Tokens      int64    `json:"tokens"`
	Ended       bool     `json:"ended"`
	Incomplete  string   `json:"incomplete,omitempty"`
	Gates       []Gate   `json:"gates"`
}

// sum is a conservation law: Total = Σ Parts, but for Off. Checked: the total was
// counted apart from the parts.
type sum struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Unit    string `json:"unit"`
	Total   part   `json:"total"`
	Parts   []part `json:"parts"`
	Off     int64  `json:"off"`
	Checked bool   `json:"checked"`
}

// part is a counter, or with Now a number of those that are so at the moment.
type part struct {
	Name   string   `json:"name"`
	Count  int64    `json:"count"`
	Rate   *float64 `json:"rate"`
	Recent float64  `json:"recent"`
	Now    bool     `json:"now,omitempty"`
}

type lane struct {
	Key         string      `json:"key"`
	Name        string      `json:"name"`
	About       string      `json:"about"`
	Level       string      `json:"level"` // ok, warn or bad
	State       string      `json:"state"`
	Queued      int         `json:"queued"`
	QueuedBytes int64       `json:"queued_bytes"`
	RoomBytes   int64       `json:"room_bytes"`
	Room        int         `json:"room"`
	Oldest      float64     `json:"oldest"`
	Workers     int         `json:"workers"`
	Busy        int         `json:"busy"`
	Tasks       uint64      `json:"tasks"`
	Done        uint64      `json:"done"`
	Dropped     uint64      `json:"dropped"`
	Recent      float64     `json:"dropped_recent"`
	Rate        *float64    `json:"rate"`
	Stuck       int         `json:"stuck"`
	Gates       []gateState `json:"gates"`
}

type gateState struct {
	Evaluator string        `json:"evaluator"`
	Rate      string        `json:"rate"`
	TokenRate string        `json:"token_rate"`
	InFlight  int64         `json:"in_flight"`
	Waiting   int           `json:"waiting"`
	Wait      *float64      `json:"wait"` // seconds, mean of the last ten
	Refusals  uint64        `json:"refusals"`
	Recent    float64       `json:"refusals_recent"`
	Paused    float64       `json:"paused"` // seconds left
	Cap       int           `json:"cap"`
	Ceiling   int           `json:"ceiling"`
	Pace      float64       `json:"pace"`
	Blocked   bool          `json:"blocked"`
	Breaker   *breakerState `json:"breaker"`
	Budget    *budgetState  `json:"budget"`
	Err       string        `json:"err,omitempty"`
}

type breakerState struct {
	State  string  `json:"state"`
	Left   float64 `json:"left"`
	Reason string  `json:"reason"`
	Opened uint64  `json:"opened"`
}

type budgetState struct {
	Amount float64 `json:"amount"`
	Left   float64 `json:"left"`
	Tokens bool    `json:"tokens"`
	Per    float64 `json:"per"`
	Renews int64   `json:"renews"`
	Spent  bool    `json:"spent"`
}

type metric struct {
	Key       string   `json:"key"`
	Name      string   `json:"name"`
	Evaluator string   `json:"evaluator"`
	Direction string   `json:"direction"` // higher, lower, or empty: not known
	Threshold float64  `json:"threshold"`
	Scored    uint64   `json:"scored"`
	Passed    uint64   `json:"passed"`
	Skipped   uint64   `json:"skipped"`
	Failed    uint64   `json:"failed"`
	Mean      *float64 `json:"mean"`
	// Trend is how many points the pass rate of this minute is above that of the
	// one before, 0 where that can be chance.
	Trend     *float64 `json:"trend"`
	Buckets   []uint64 `json:"buckets"`
	Labels    []tally  `json:"labels"`
	Latency   *float64 `json:"latency"` // seconds, median
	Cost      *float64 `json:"cost"`
	LastError string   `json:"last_error,omitempty"`
	failed60  float64
	ended60   float64
}

// tally is how often something occurred.
type tally struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

// causes are the reasons of one kind, the most frequent first.
type causes struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Unit  string  `json:"unit"`
	Rows  []cause `json:"rows"`
}

type cause struct {
	Name   string  `json:"name"`
	Count  uint64  `json:"count"`
	Recent float64 `json:"recent"`
}

// point is a moment of the lines: results by lane and second, pass rate by metric.
type point struct {
	At      int64               `json:"t"`
	Lanes   map[string]*float64 `json:"lanes"`
	Metrics map[string]*float64 `json:"metrics"`
}
