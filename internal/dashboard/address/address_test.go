package address_test

import (
	"errors"
	"testing"

	"github.com/genaievals/genaievals/internal/dashboard/address"
)

func TestAddressesAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "off": "", " False ": "", "0": "", "no": "", "none": "",
		"on": address.Default, "TRUE": address.Default, "1": address.Default, "yes": address.Default,
		"9000": "127.0.0.1:9000", "localhost": "localhost:8377", "10.0.0.7": "10.0.0.7:8377",
		"[::1]": "[::1]:8377", "::1": "[::1]:8377", ":8377": ":8377", "0.0.0.0:80": "0.0.0.0:80",
		"[::]:0": "[::]:0", "http://127.0.0.1:8377/": "127.0.0.1:8377", "box.internal:81": "box.internal:81",
	} {
		if got, err := address.Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"127.0.0.1:http", "127.0.0.1:70000", "127.0.0.1:-1", "a b:80", "https://host:80", "host:80/path", "ho\x00st:80", "99999"} {
		if got, err := address.Parse(text); !errors.Is(err, address.Err) {
			t.Errorf("Parse(%q) = %q, %v, want an error", text, got, err)
		}
	}
}

func TestOnlyThisMachineIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "app.localhost": true, "127.0.0.1": true, "127.8.9.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "10.0.0.7": false, "localhost.example.com": false, "127.0.0.1.example.com": false, "notlocalhost": false,
	} {
		if got := address.IsLoopback(host); got != want {
			t.Errorf("IsLoopback(%q) = %t", host, got)
		}
	}
}

func TestTraceURLsLinkToWebPagesOnly(t *testing.T) {
	for _, good := range []string{"", "http://localhost:16686/trace/{trace_id}", "https://x.example/t?id={trace_id}&s={span_id}", "https://x.example/#/{trace_id}"} {
		if err := address.CheckTraceURL(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"javascript:alert('{trace_id}')", "javascript://x/%0aalert(1)//{trace_id}", "data:text/html,{trace_id}", "//x.example/{trace_id}", "/trace/{trace_id}",
		"http://x.example/trace", "http://{trace_id}/", "http://{trace_id}.example/x", "http://user:pass@x.example/{trace_id}", "file:///etc/{trace_id}", "http:///{trace_id}", "ht!tp://x/{trace_id}", " http://x/{trace_id}",
	} {
		if err := address.CheckTraceURL(bad); !errors.Is(err, address.ErrTraceURL) {
			t.Errorf("%q: %v, want an error", bad, err)
		}
	}
}
