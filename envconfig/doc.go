// Package envconfig reads the configuration of genaievals from environment
// variables.
//
// Every variable is a field of [Config], whose tags are the only list of them:
// names, defaults, ranges and descriptions in docs/configuration.md and in
// [Config.Variables] come from there.
//
// Reading is lenient. Blanks around a value do not matter, an empty variable
// counts as not set, what is out of range becomes the nearest allowed value,
// and what cannot be read is replaced by the default. Each of these is one
// [Warning]; nothing is ever an error. There is one exception: where the
// default would be worse than nothing, as with an unreadable rate limit, the
// judge must not run: see [Config.JudgeOff].
//
// [Load] is for the start of a process. It reads the environment once and may
// be called from several goroutines; what it returns belongs to the caller.
package envconfig

//go:generate go test -run TestConfigurationDocument -update
