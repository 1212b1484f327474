package builtin

import (
	"regexp"
	"strings"
)

// secretForm is a key whose issuer gives it a beginning of its own.
type secretForm struct {
	name string
	// prefix is looked for first; the expression is then matched from there.
	prefix string
	expr   *regexp.Regexp
	// different is how many different characters it has at least: fewer is a
	// placeholder.
	different int
}

// secretForms are written with anchors: each is tried only where its prefix
// stands, so that the cost is that of finding the prefixes. The lengths are
// those that the issuers document or give out.
var secretForms = []secretForm{
	secretAt("AWS access key id", "AKIA", `AKIA[A-Z2-7]{16}`),
	secretAt("AWS access key id", "ASIA", `ASIA[A-Z2-7]{16}`),
	secretAt("Anthropic API key", "sk-ant-", `sk-ant-[A-Za-z0-9_-]{20,}`),
	secretAt("API key", "sk-", `sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}`),
	secretAt("GitHub token", "ghp_", `ghp_[A-Za-z0-9]{36}`),
	secretAt("GitHub token", "gho_", `gho_[A-Za-z0-9]{36}`),
	secretAt("GitHub token", "ghu_", `ghu_[A-Za-z0-9]{36}`),
	secretAt("GitHub token", "ghs_", `ghs_[A-Za-z0-9]{36}`),
	secretAt("GitHub token", "ghr_", `ghr_[A-Za-z0-9]{36}`),
	secretAt("GitHub token", "github_pat_", `github_pat_[A-Za-z0-9_]{82}`),
	secretAt("GitLab token", "glpat-", `glpat-[A-Za-z0-9_-]{20,}`),
	secretAt("Google API key", "AIza", `AIza[A-Za-z0-9_-]{35}`),
	secretAt("Slack token", "xox", `xox[abeoprs]-[A-Za-z0-9-]{20,}`),
	secretAt("Stripe key", "sk_live_", `sk_live_[A-Za-z0-9]{24,}`),
	secretAt("Stripe key", "rk_live_", `rk_live_[A-Za-z0-9]{24,}`),
	secretAt("npm token", "npm_", `npm_[A-Za-z0-9]{36}`),
	secretAt("PyPI token", "pypi-", `pypi-[A-Za-z0-9_-]{80,}`),
	secretAt("SendGrid API key", "SG.", `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`),
	secretAt("Hugging Face token", "hf_", `hf_[A-Za-z0-9]{34}`),
	secretAt("DigitalOcean token", "dop_v1_", `dop_v1_[a-f0-9]{64}`),
	secretAt("JSON web token", "eyJ", `eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}`),
	secretAt("private key", "-----BEGIN ", `-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY-----`),
}

func secretAt(name, prefix, expr string) secretForm {
	return secretForm{name, prefix, regexp.MustCompile(`\A(?:` + expr + `)`), 8}
}

// longestSecret bounds what is matched from a prefix on, in bytes.
const longestSecret = 3200

// findSecrets finds keys and tokens by the beginnings that their issuers give
// them.
func findSecrets(text string) []span {
	var out []span
	for _, f := range secretForms {
		for from := 0; ; {
			i := strings.Index(text[from:], f.prefix)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(f.prefix)
			if start > 0 && keyByte(text[start-1]) && keyByte(f.prefix[0]) && f.prefix[0] != '-' {
				continue
			}
			at := f.expr.FindStringIndex(text[start:min(len(text), start+longestSecret)])
			if len(at) == 0 || distinct(text[from:start+at[1]]) < f.different {
				continue
			}
			end := start + at[1]
			if end < len(text) && keyByte(text[end]) && text[end] != '-' {
				continue // longer than any: something else
			}
			out = append(out, span{start, end, f.name})
			from = end
		}
	}
	return out
}

// keyByte reports whether a byte can be inside a key.
func keyByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' }
