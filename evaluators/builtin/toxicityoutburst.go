package builtin

// outburst finds an outburst that begins at i: its length, or 0, and why it
// decides nothing where it may be something else as it stands there: dogs eat
// shit, screw them in, you worked your ass off.
func (ts sequence) outburst(i int) (n int, doubt string) {
	if n = phraseAt(outbursts, ts, i); n == 0 || ts.bursts(i, n) {
		return n, ""
	}
	return n, doubtAim
}

// bursts reports whether a phrase of outbursts, of n words at i, is one.
func (ts sequence) bursts(i, n int) bool {
	first, last := ts[i].text, ts[i+n-1].text
	next := ts.at(i + n)
	switch first {
	case "drop":
		return ts.over(i + n)
	case "you", "u":
		if last == "suck" || last == "stink" || last == "sick" {
			return ts.over(i+n) || next == "so"
		}
		return true
	case "your", "yo":
		return beaten[ts.at(i-1)]
	case "shut":
		switch {
		case !ts.ordered(i) && last != "fuck":
			return false
		case last == "your" || last == "ur":
			return mouths[next] || mouths[ts.at(i+n+1)]
		}
		return next != "the" && !(next == "and" && (ts.at(i+n+1) == "take" || ts.at(i+n+1) == "dance" || ts.at(i+n+1) == "kiss"))
	case "suck", "lick":
		return last != "my" || lowly[next]
	case "bite", "blow", "eat", "kiss", "go", "burn", "rot", "piss", "bugger", "sod":
		return (ts.ordered(i) || commanding[ts.at(i-1)] || hoped[ts.at(i-1)]) && (ts.over(i+n) || n > 2 && next == "you") && next != "and"
	case "screw":
		return addressed[last] && (ts.ordered(i) || last == "you") || last == "off" && ts.ordered(i) || ts.over(i+n)
	case "fuck":
		return last != "all" || next == "of" || addressed[next]
	case "piece", "pieces", "sack", "bag", "full", "waste":
		return ts.ofPerson(i) || last == "shit" && first[0] == 'p' && ts.over(i+n)
	}
	return true
}

// ofPerson: what is at i is said to or of a person.
func (ts sequence) ofPerson(i int) bool {
	if ts.toSomebody(i) {
		return true
	}
	for j := i - 1; j >= 0 && j >= i-5; j-- {
		if t := ts[j].text; addressed[t] || thirds[t] && t != "these" && t != "those" && t != "them" || people[t] {
			return true
		}
	}
	return false
}

var (
	beaten = set(`kick kicks kicking beat beating whoop whip kill bust smack up kiss bite eat`)
	mouths = set(`mouth mouths face trap pie hole gob yap piehole cakehole stupid dumb fucking goddamn damn`)
	lowly  = set(`balls dick cock boots boot ass arse nuts toes pussy dicks ballsack`)
	hoped  = set(`you can i'll hope will we'll to`)
)
