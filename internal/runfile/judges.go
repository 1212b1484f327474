package runfile

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/envconfig"
)

// fromEnv ends the keys that name a variable in place of a secret.
const fromEnv = "_env"

// judgeKeys are the keys of a judge; secret are those that are variables and not
// keys.
func judgeKeys() (keys []string, secret map[string]bool) {
	secret = map[string]bool{}
	for _, k := range envconfig.JudgeKeys() {
		if k.Secret {
			secret[k.Key] = true
			keys = append(keys, k.Key+fromEnv)
		} else {
			keys = append(keys, k.Key)
		}
	}
	return keys, secret
}

// withoutSecrets reports the secrets that a judge has in the file, and returns
// the rest.
func (r *reader) withoutSecrets(n *yaml.Node, path string, secret map[string]bool) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	rest := *n
	rest.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i].Value; secret[key] {
			r.Fail(n.Content[i+1], path+"."+key, "is a secret, and files are shared: set a variable to it and name that: %s%s", key, fromEnv)
			continue
		}
		rest.Content = append(rest.Content, n.Content[i], n.Content[i+1])
	}
	return &rest
}

func (r *reader) judges(n *yaml.Node) {
	keys, secret := judgeKeys()
	var names []string
	for _, e := range r.Entries(n, "judges") {
		path := "judges." + e.Key
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(e.Key)), "-", "_")
		if slices.Contains(names, name) {
			r.Fail(e.Value, path, "is the name of a judge above, in another spelling")
			continue
		}
		names = append(names, name)
		if name != envconfig.JudgeName {
			empty := envconfig.Defaults()
			if _, _, err := empty.AddJudge(name); err != nil {
				why, _, _ := strings.Cut(err.Error(), "\n")
				r.Fail(e.Value, path, "cannot be the name of a judge: %s", why)
				continue
			}
		}
		j := Judge{Name: name, Place: r.place(e.Value)}
		members := r.Members(path, r.withoutSecrets(e.Value, path, secret), keys...)
		for _, key := range keys { // in the order of the documentation
			v := members[key]
			if v == nil {
				continue
			}
			at := path + "." + key
			switch of, isEnv := strings.CutSuffix(key, fromEnv); {
			case isEnv && secret[of]:
				r.fromVariable(&j, v, at, of)
			default:
				r.setting(&j, v, at, key)
			}
		}
		r.file.Judges = append(r.file.Judges, j)
	}
}

// setting reads one setting, as its variable is read.
func (r *reader) setting(j *Judge, n *yaml.Node, path, key string) {
	text, ok := r.any(n, path, "must be a single value")
	if !ok {
		return
	}
	var tried envconfig.Judge
	if err := tried.Set(key, text); err != nil {
		r.Fail(n, path, "cannot be read: %v", err)
		return
	}
	j.moves = j.moves || key == "provider" || key == "base_url"
	j.settings = append(j.settings, setting{key: key, text: text})
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fromVariable reads a secret from the variable that is named. What looks like a
// key in its place is not repeated.
func (r *reader) fromVariable(j *Judge, n *yaml.Node, path, key string) {
	name := r.Text(n, path)
	var tried envconfig.Judge
	switch {
	case r.Told(path):
	case !variableName.MatchString(name):
		r.Fail(n, path, "must be the name of a variable, such as FAST_API_KEY")
	case strings.TrimSpace(r.getenv(name)) == "":
		r.Fail(n, path, "names a variable that is not set")
	case tried.Set(key, r.getenv(name)) != nil:
		r.Fail(n, path, "names a variable whose value cannot be read")
	default:
		j.settings = append(j.settings, setting{key: key, text: r.getenv(name)})
	}
}
