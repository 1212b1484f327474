// Package presets holds settings to begin with, one .env file for each
// situation: development, production, and a judge that limits its rate. The
// cookbook (docs/cookbook.md) explains them; the tests here run every one
// against a judge on loopback and hold it to what it promises.
//
//	set -a; . examples/presets/production.env; set +a
//
// The files say nothing of the judge itself: which one, and its key, are set
// beside them (JUDGE_MODEL, JUDGE_BASE_URL, JUDGE_API_KEY).
package presets
