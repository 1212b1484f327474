// Package openai asks judges that speak the OpenAI chat completions format:
// OpenAI and Azure OpenAI, gateways such as LiteLLM and OpenRouter, Gemini's
// compatible endpoint, and local servers such as Ollama, vLLM, LM Studio and
// llama.cpp. It is net/http and nothing else.
//
// A call is one HTTP request: there is no retry in here. What a server does
// not accept is learned from its refusals, never guessed from its name. The
// two names of the output limit, the temperature and the system message are
// learned, for each model; a refusal that taught something has
// [judge.Error].Adapted set, and whoever sent may send again. One that is about
// the format of the answer has FormatRefused set, and the next format is the
// caller's to choose.
//
// The answer is the model's message, or the arguments of the tool when the
// format is one; never its reasoning.
package openai
