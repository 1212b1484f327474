package envconfig

import (
	"cmp"
	"fmt"
	"strings"
)

const documentProviders = `## Providers

What ` + "`JUDGE_PROVIDER`" + ` settles, each unless the variable for it is set:

| JUDGE_PROVIDER | speaks | JUDGE_BASE_URL | key's variable | the key goes to | in the header | gen_ai.provider.name |
|---|---|---|---|---|---|---|
%s
- It says nothing about what a server can do: which parameters and answer formats it takes
  is learned from its answers.
- Without ` + "`JUDGE_API_KEY`" + ` the key is the one in the provider's variable. It is sent by https to
  the hosts of the table and those below them, and to this machine (localhost, 127.0.0.1,
  [::1]). To any other address only ` + "`JUDGE_API_KEY`" + ` is sent, as to a gateway of Azure's API
  Management (azure-api.net), which can be anybody's.
- A judge at a hosted provider's own address without a key is off; so is one without an
  address or a model.
- ` + "`JUDGE_OAUTH_*`" + ` beat every key: with a token endpoint no key is sent, and the token goes
  into Authorization unless ` + "`JUDGE_AUTH_HEADER`" + ` says otherwise. Token endpoint, id and secret
  belong together: with only some of them the judge is off.

The [cookbook](cookbook.md#judges) has the lines for each.
`

func providerRows() string {
	var b strings.Builder
	for _, p := range Providers() {
		format := "OpenAI's chat completions"
		header := "Authorization, as a bearer token"
		if p.Format == FormatAnthropic {
			format, header = "Anthropic's messages", "x-api-key"
		}
		hosts, key := "–", "–"
		if p.KeyVariable != "" {
			hosts, key = strings.Join(p.KeyHosts, ", "), "`"+p.KeyVariable+"`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", p.Name, format, cmp.Or(p.BaseURL, "has to be set"),
			key, hosts, cmp.Or(p.AuthHeader, header), p.TelemetryName)
	}
	return b.String()
}

const documentOlderJudge = `
Of the judge's: an older OAuth client is ignored beside ` + "`JUDGE_API_KEY`" + `. The key, or the token, goes into Authorization; Splunk's utilities also put it
into the header api-key. A gateway that looks there needs ` + "`DEEPEVAL_LLM_AUTH_HEADER=api-key`" + `. A model
has to be named. The provider is one of the table above, and an address on Azure is whole: with
/openai/v1 at its end, or with the deployment and ?api-version=….
`
