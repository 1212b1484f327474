package instrumentation

// Inference says what is known when a model call starts. Only Provider is
// required by the conventions; every other zero field is left out of
// telemetry.
type Inference struct {
	// Operation is chat (the default), text_completion or generate_content.
	Operation string
	// Provider is gen_ai.provider.name, such as openai or anthropic.
	Provider      string
	Model         string
	ServerAddress string
	ServerPort    int
	Stream        bool
	// ConversationID beats the one set on the context.
	ConversationID string
	OutputType     string

	// Sampling parameters; nil is not sent.
	Temperature, TopP, TopK, FrequencyPenalty, PresencePenalty *float64
	MaxTokens, Seed, ChoiceCount                               *int
	StopSequences                                              []string

	SystemInstructions []Part
	Input              []Message
	Tools              []ToolDefinition
}

// Agent says what is known when an agent's run starts.
type Agent struct {
	Name, ID, Description, Version string
	// Provider and Model of the agent, where it has one.
	Provider, Model string
	// Remote marks an agent behind a service: its span is CLIENT.
	Remote             bool
	ServerAddress      string
	ServerPort         int
	ConversationID     string
	SystemInstructions []Part
	Input              []Message
	Tools              []ToolDefinition
	// Create records create_agent instead of invoke_agent; it is never
	// evaluated.
	Create bool
}

// Workflow says what is known when a workflow's run starts.
type Workflow struct {
	Name           string
	ConversationID string
	Input          []Message
}

// Tool says what is known when a tool's execution starts.
type Tool struct {
	Name, CallID, Description string
	Type                      string // function, extension or datastore
	// Arguments are kept as JSON, as in [ToolCall].
	Arguments any
}

// Embeddings says what is known when an embeddings call starts.
type Embeddings struct {
	Provider, Model string
	ServerAddress   string
	ServerPort      int
	Dimensions      int
	EncodingFormats []string
}

// Retrieval says what is known when a search starts.
type Retrieval struct {
	DataSourceID, Provider, Model string
	Query                         string
	TopK                          int
}
