package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
)

// issuer is a token endpoint.
type issuer struct {
	*httptest.Server
	count atomic.Int64
	mu    sync.Mutex
	forms []url.Values
	basic []string
}

// newIssuer answers the nth request with the nth answer, and then with the last.
func newIssuer(t *testing.T, answers ...http.HandlerFunc) *issuer {
	t.Helper()
	i := &issuer{}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(i.count.Add(1))
		_ = r.ParseForm()
		id, secret, _ := r.BasicAuth()
		i.mu.Lock()
		i.forms = append(i.forms, r.PostForm)
		i.basic = append(i.basic, id+" "+secret)
		i.mu.Unlock()
		answers[min(n, len(answers))-1](w, r)
	}))
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) credentials() *judge.ClientCredentials {
	return &judge.ClientCredentials{TokenURL: i.URL + "/token", ClientID: "app", ClientSecret: plantedSecret}
}

func grant(token string, seconds int) http.HandlerFunc {
	return issue(200, fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":%d}`, token, seconds))
}

func issue(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// judgeTaking is a judge that takes some tokens and answers others with a
// refusal. It counts what it was asked with.
func judgeTaking(t *testing.T, c client, status int, body string, tokens ...string) (url string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("Api-Key")
		mu.Lock()
		got = append(got, token)
		mu.Unlock()
		if slices.Contains(tokens, token) {
			fmt.Fprint(w, c.answer("i", "m", "hello"))
			return
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return got
	}
}

func TestTokenIsFetchedOnceAndSent(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		for _, tt := range []struct {
			name        string
			method      judge.AuthMethod
			header      string
			basic, form string
		}{
			{"id_and_secret_in_the_header", "", "", "app " + url.QueryEscape(plantedSecret), "audience=judge&grant_type=client_credentials&scope=a+b"},
			{"id_and_secret_in_the_body", judge.AuthInBody, "", " ", "audience=judge&client_id=app&client_secret=" + url.QueryEscape(plantedSecret) + "&grant_type=client_credentials&scope=a+b"},
			{"token_in_a_header_of_its_own", judge.AuthInHeader, "api-key", "app " + url.QueryEscape(plantedSecret), "audience=judge&grant_type=client_credentials&scope=a+b"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				issuer := newIssuer(t, grant("token-1", 3600))
				at, asked := judgeTaking(t, c, 401, "", "token-1")
				credentials := issuer.credentials()
				credentials.AuthMethod, credentials.Scopes = tt.method, []string{"a", "b"}
				credentials.Params = map[string]string{"audience": "judge"}
				made := c.make(t, settings{url: at, oauth: credentials, authHeader: tt.header})
				if issuer.count.Load() != 0 {
					t.Error("a token is fetched before it is needed")
				}
				for range 3 {
					if r, err := made.Complete(t.Context(), request); err != nil || r.Text != "hello" {
						t.Fatalf("%+v, %v", r, err)
					}
				}
				if diff := cmp.Diff([]string{"token-1", "token-1", "token-1"}, asked()); diff != "" {
					t.Errorf("the judge was asked with (-want +got):\n%s", diff)
				}
				if issuer.count.Load() != 1 || issuer.forms[0].Encode() != tt.form || issuer.basic[0] != tt.basic {
					t.Errorf("%d requests, %q, %q; want %q, %q", issuer.count.Load(), issuer.forms[0].Encode(), issuer.basic[0], tt.form, tt.basic)
				}
			})
		}
	})
}

// TestOneFetchServesAll: who comes while a token is fetched waits for it.
func TestOneFetchServesAll(t *testing.T) {
	const calls = 32
	c := clients[0]
	release := make(chan struct{})
	issuer := newIssuer(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		grant("token-1", 3600)(w, r)
	})
	at, asked := judgeTaking(t, c, 401, "", "token-1")
	made := c.make(t, settings{url: at, oauth: issuer.credentials()})
	gone, giveUp := context.WithCancel(t.Context())
	var running, leaving sync.WaitGroup
	for range calls {
		running.Go(func() {
			if _, err := made.Complete(t.Context(), request); err != nil {
				t.Error(err)
			}
		})
		leaving.Go(func() {
			if _, err := made.Complete(gone, request); err == nil || asError(t, err).Type != evaluators.ErrorCancelled {
				t.Errorf("a call that was called off: %v", err)
			}
		})
	}
	giveUp()
	leaving.Wait() // each by its own context, while the fetch goes on
	close(release)
	running.Wait()
	if n := issuer.count.Load(); n > 2 || len(asked()) != calls { // two where those that gave up came first and all left
		t.Errorf("%d tokens for %d calls", n, len(asked()))
	}
}

func TestRefusedTokenIsReplacedOnce(t *testing.T) {
	const expired = `{"error":{"type":"authentication_error","message":"The access token expired"}}`
	each(t, func(t *testing.T, c client) {
		for _, tt := range []struct {
			name    string
			status  int
			body    string
			takes   []string
			want    []string // the error's type and + if adapted, for each call
			fetched int64
		}{
			{"taken_at_second_try", 401, expired, []string{"token-2"}, []string{"judge_auth+", "", ""}, 2},
			{"expired_by_403", 403, expired, []string{"token-2"}, []string{"judge_auth+", "", ""}, 2},
			{"never_taken", 401, expired, nil, []string{"judge_auth+", "judge_auth", "judge_auth"}, 3},
			{"not_allowed_is_not_expired", 403, `{"error":{"message":"no access to this model"}}`, nil, []string{"judge_auth", "judge_auth", "judge_auth"}, 1},
			{"other_failures_keep_it", 500, "", nil, []string{"judge_unavailable", "judge_unavailable", "judge_unavailable"}, 1},
		} {
			t.Run(tt.name, func(t *testing.T) {
				issuer := newIssuer(t, grant("token-1", 3600), grant("token-2", 3600), grant("token-3", 3600))
				at, _ := judgeTaking(t, c, tt.status, tt.body, tt.takes...)
				made := c.make(t, settings{url: at, oauth: issuer.credentials()})
				var got []string
				for range 3 {
					kind := ""
					if _, err := made.Complete(t.Context(), request); err != nil {
						e := asError(t, err)
						if kind = e.Type; e.Adapted {
							kind += "+"
						}
					}
					got = append(got, kind)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" || issuer.count.Load() != tt.fetched {
					t.Errorf("%d tokens, calls (-want +got):\n%s", issuer.count.Load(), diff)
				}
			})
		}
	})
}

// TestEvaluatorOutlivesAToken goes through the evaluator: the metric is scored
// with one call more.
func TestEvaluatorOutlivesAToken(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		issuer := newIssuer(t, grant("token-1", 3600), grant("token-2", 3600))
		verdict := client{answer: func(_, _, _ string) string { return c.answer("i", "m", `{\"reason\":\"r\",\"label\":\"biased\"}`) }}
		at, asked := judgeTaking(t, verdict, 401, "", "token-2")
		e, err := judge.New(c.make(t, settings{url: at, oauth: issuer.credentials()}))
		if err != nil {
			t.Fatal(err)
		}
		r := e.Evaluate(t.Context(), &evaluators.Case{Output: "Hello."}, e.Metrics()[:1])[0]
		if r.Outcome != evaluators.OutcomeScored || r.Attempts != 2 || len(asked()) != 2 {
			t.Errorf("%v %v after %d attempts, tokens sent %v", r.Outcome, r.Err, r.Attempts, asked())
		}
	})
}

func TestFailedTokenRequest(t *testing.T) {
	slow := make(chan struct{})
	defer close(slow)
	leaking := `{"error":"invalid_client","error_description":"` + plantedSecret + ` is wrong for ` + plantedText + `"}`
	const (
		auth        = evaluators.ErrorJudgeAuth
		unavailable = evaluators.ErrorJudgeUnavailable
		timeout     = evaluators.ErrorJudgeTimeout
	)
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
		code   string
	}{
		{"400", issue(400, leaking), auth, "invalid_client"},
		{"400_with_an_odd_code", issue(400, `{"error":"`+plantedSecret+`"}`), auth, ""},
		{"401", issue(401, leaking), auth, "invalid_client"},
		{"403_page", issue(403, "<html>"+plantedText), auth, ""},
		{"404", issue(404, ""), auth, ""},
		{"429", issue(429, ""), unavailable, ""},
		{"500", issue(500, leaking), unavailable, "invalid_client"},
		{"503", issue(503, ""), unavailable, ""},
		{"504", issue(504, ""), timeout, ""},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, auth, ""},
		{"no_token", issue(200, `{"hello":"`+plantedText+`"}`), auth, ""},
		{"error_with_200", issue(200, leaking), auth, "invalid_client"},
		{"page", issue(200, "<html>"+plantedText), auth, ""},
		{"token_with_a_newline", issue(200, `{"access_token":"a\nb`+plantedText+`"}`), auth, ""},
		{"cut", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"access`)
		}, unavailable, ""},
		{"no_reply", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, unavailable, ""},
		{"hangs", func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-slow:
			case <-r.Context().Done():
			}
		}, timeout, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, c client) {
				issuer := newIssuer(t, tt.answer)
				at, asked := judgeTaking(t, c, 401, "")
				ctx := t.Context()
				if tt.name == "hangs" {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
				}
				answer, err := c.make(t, settings{url: at, oauth: issuer.credentials()}).Complete(ctx, request)
				e := asError(t, err)
				if e.Type != tt.want || e.Code != tt.code || e.Status != 0 || e.Adapted || len(asked()) != 0 {
					t.Errorf("%+v, the judge was asked %d times; want %s, code %q", e, len(asked()), tt.want, tt.code)
				}
				emitted, kept := said(answer, err)
				for _, secret := range []string{plantedSecret, plantedText, url.QueryEscape(plantedSecret)} {
					if strings.Contains(emitted+kept, secret) {
						t.Errorf("%q is in %q %q", secret, emitted, kept)
					}
				}
			})
		})
	}
}

// roundTripper answers without a network, so that time can be a bubble's.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(body string) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}
}

func TestTokenIsFetchedAgainBeforeItExpires(t *testing.T) {
	for _, tt := range []struct {
		name    string
		expires string // the member of the reply
		kept    time.Duration
	}{
		{"an_hour", `,"expires_in":3600`, 59 * time.Minute},
		{"a_minute", `,"expires_in":60`, 48 * time.Second},
		{"as_text", `,"expires_in":"60"`, 48 * time.Second},
		{"nobody_knows", ``, 1000 * time.Hour},
		{"at_once", `,"expires_in":-5`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fetched := 0
				through := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
					if !instrumentation.Suppressed(r.Context()) {
						t.Errorf("%s is sent without suppression", r.URL.Path)
					}
					if r.URL.Path == "/token" {
						fetched++
						return respond(`{"access_token":"token","token_type":"Bearer"` + tt.expires + `}`), nil
					}
					return respond(clients[0].answer("i", "m", "hello")), nil
				})}
				made := clients[0].make(t, settings{url: "http://judge", http: through, oauth: &judge.ClientCredentials{TokenURL: "http://issuer/token", ClientID: "app", ClientSecret: plantedSecret}})
				ask := func() {
					if _, err := made.Complete(instrumentation.Suppress(t.Context()), request); err != nil {
						t.Error(err)
					}
				}
				ask()
				time.Sleep(max(0, tt.kept-time.Millisecond))
				if ask(); tt.kept > 0 && fetched != 1 {
					t.Errorf("%d tokens before %v", fetched, tt.kept)
				}
				time.Sleep(2 * time.Millisecond)
				if ask(); tt.kept < 100*time.Hour && fetched < 2 {
					t.Errorf("%d tokens after %v", fetched, tt.kept)
				}
			})
		})
	}
}

// TestHungTokenEndpoint: a fetch has a time of its own, and ends with the last
// who waits for it.
func TestHungTokenEndpoint(t *testing.T) {
	hung := func(t *testing.T, ended chan<- struct{}) judge.Client {
		return clients[0].make(t, settings{url: "http://judge", http: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			close(ended)
			return nil, r.Context().Err()
		})}, oauth: &judge.ClientCredentials{TokenURL: "http://issuer/token", ClientID: "app", ClientSecret: plantedSecret}})
	}
	t.Run("own_timeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, err := hung(t, make(chan struct{})).Complete(t.Context(), request)
			if e := asError(t, err); e.Type != evaluators.ErrorJudgeTimeout || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 15*time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
		})
	})
	t.Run("last_to_wait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan struct{})
			made := hung(t, ended)
			start := time.Now()
			var waiting sync.WaitGroup
			for n := range 3 {
				waiting.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n+1)*time.Second)
					defer cancel()
					_, err := made.Complete(ctx, request)
					if e := asError(t, err); e.Type != evaluators.ErrorJudgeTimeout || time.Since(start) != time.Duration(n+1)*time.Second {
						t.Errorf("%v after %v", err, time.Since(start))
					}
				})
			}
			<-ended
			if d := time.Since(start); d != 3*time.Second {
				t.Errorf("the request ended after %v", d)
			}
			waiting.Wait()
		})
	})
}
