package builtin

import (
	"net/netip"
	"regexp"
	"strings"
)

// emailForm is what is written in practice, not all that RFC 5322 allows.
var emailForm = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._%+'-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}`)

// findEmails finds addresses of persons: not those of roles, nor those in
// domains that are reserved for examples (RFC 2606).
func findEmails(text string) []span {
	var out []span
	for _, at := range emailForm.FindAllStringIndex(text, -1) {
		local, domain, _ := strings.Cut(strings.ToLower(text[at[0]:at[1]]), "@")
		if reservedDomain(domain) || roles[local] {
			continue
		}
		out = append(out, span{start: at[0], end: at[1]})
	}
	return out
}

func reservedDomain(domain string) bool {
	for _, d := range [...]string{"example.com", "example.org", "example.net"} {
		if domain == d || strings.HasSuffix(domain, "."+d) {
			return true
		}
	}
	switch domain[strings.LastIndexByte(domain, '.')+1:] {
	case "example", "test", "invalid", "localhost", "local":
		return true
	}
	return false
}

// roles are the addresses of offices, not of persons.
var roles = set(`info support help helpdesk contact hello hi sales service services customerservice customer.service office admin administrator postmaster hostmaster webmaster abuse security privacy legal press media marketing jobs careers hr billing accounts payments orders returns shop feedback enquiries inquiries noreply no-reply donotreply do-not-reply team mail email git newsletter notifications`)

// Numbers in international form, and North American ones with separators.
var (
	internationalPhone = regexp.MustCompile(`\+[1-9](?:[ .\-/]?(?:\(0?[0-9]{0,4}\)|[0-9])){6,16}`)
	americanPhone      = regexp.MustCompile(`(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[- ])[2-9][0-9]{2}-[0-9]{4}|[2-9][0-9]{2}\.[2-9][0-9]{2}\.[0-9]{4}`)
)

// findPhones finds numbers that could only be those of phones: national forms of
// other countries than those of North America look like any number. Toll-free
// numbers, and 555-01xx, which is kept free for fiction, are nobody's.
func findPhones(text string) []span {
	var out []span
	for _, at := range internationalPhone.FindAllStringIndex(text, -1) {
		digits := digitsOf(text[at[0]:at[1]])
		if len(digits) < 8 || len(digits) > 15 || beside(text, at[0], at[1]) {
			continue
		}
		if digits[0] == '1' && (len(digits) != 11 || !american(digits[1:])) {
			continue
		}
		out = append(out, span{start: at[0], end: at[1]})
	}
	for _, at := range americanPhone.FindAllStringIndex(text, -1) {
		if !beside(text, at[0], at[1]) && american(digitsOf(text[at[0]:at[1]])) {
			out = append(out, span{start: at[0], end: at[1]})
		}
	}
	return out
}

// american checks ten digits by the numbering plan of North America.
func american(d string) bool {
	if len(d) != 10 || d[0] < '2' || d[3] < '2' || d[1:3] == "11" || d[4:6] == "11" {
		return false
	}
	switch d[:3] {
	case "800", "833", "844", "855", "866", "877", "888":
		return false
	}
	return d[3:8] != "55501"
}

// beside reports whether the text goes on with letters or digits on either side.
func beside(text string, start, end int) bool {
	return start > 0 && (wordByte(text[start-1]) || text[start-1] == '.' || text[start-1] == '-' || text[start-1] == '_') ||
		end < len(text) && (wordByte(text[end]) || text[end] == '_' || text[end] == '-' && end+1 < len(text) && isDigit(text[end+1]))
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// The next two find candidates; netip says whether they are addresses.
var (
	ipv4Form = regexp.MustCompile(`[0-9]{1,3}(?:\.[0-9]{1,3}){3}`)
	ipv6Form = regexp.MustCompile(`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}`)
)

// unroutable addresses are of no one: private, for documentation (RFC 5737,
// RFC 3849), shared.
var unroutable = []netip.Prefix{
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001:db8::/32"),
}

// findIPs finds public addresses.
func findIPs(text string) []span {
	var out []span
	for _, form := range []*regexp.Regexp{ipv4Form, ipv6Form} {
		for _, at := range form.FindAllStringIndex(text, -1) {
			if beside(text, at[0], at[1]) || at[1]+1 < len(text) && text[at[1]] == '.' && isDigit(text[at[1]+1]) {
				continue
			}
			ip, err := netip.ParseAddr(text[at[0]:at[1]])
			if err != nil || !ip.IsGlobalUnicast() || ip.IsPrivate() || inAny(ip, unroutable) {
				continue
			}
			out = append(out, span{start: at[0], end: at[1]})
		}
	}
	return out
}

func inAny(ip netip.Addr, prefixes []netip.Prefix) bool {
	for _, p := range prefixes {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}
