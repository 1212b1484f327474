package instrumentation

// Kind says which GenAI operation an [Invocation] is.
type Kind uint8

// The kinds of invocations. Inference, agent and workflow are evaluated by
// default; the others are recorded, and their text becomes documents of the
// invocations around and after them.
const (
	KindInference  Kind = iota + 1 // one call of a model: chat, text completion, generate content
	KindAgent                      // one run of an agent
	KindWorkflow                   // one run of a workflow
	KindTool                       // one execution of a tool
	KindEmbeddings                 // one embeddings call
	KindRetrieval                  // one search of a data source
)

// Kinds is the number of kinds plus one, the length of an array indexed by
// [Kind].
const Kinds = int(KindRetrieval) + 1

var kindNames = [Kinds]string{"", "inference", "agent", "workflow", "tool", "embeddings", "retrieval"}

// String returns the kind's name as the evaluators grammar writes it.
func (k Kind) String() string {
	if int(k) < Kinds {
		return kindNames[k]
	}
	return ""
}
