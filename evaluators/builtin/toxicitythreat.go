package builtin

// doubtThreat is of what may be a threat or a wish of harm, and may be none.
const doubtThreat = "perhaps a threat or a wish of harm"

// threat finds a threat or a wish of harm that begins at i: its length, or 0,
// and whether it can be nothing else.
func (ts sequence) threat(i int) (n int, sure bool) {
	if n := phraseAt(threats, ts, i); n > 0 {
		return n, ts.meant(i, n)
	}
	for _, find := range [...]func(int) (int, bool){ts.announced, ts.attack, ts.wished, ts.deserved, ts.hinted, ts.urged} {
		if n, sure := find(i); n > 0 {
			return n, sure
		}
	}
	if n := phraseAt(menaces, ts, i); n > 0 {
		return n, false
	}
	return 0, false
}

// menaces are threats, or fair warnings, by what stands around them.
var menaces = phrases(`you are next|next on my list
live to see tomorrow|live to see another day|live to see the morning|sleep with one eye open|your days are numbered|i know where your|i know which school|i know what school|accidents happen to people
we know where your|you will be dead|you'll be dead|your family is next|come for your family|come for your children|come for your kids|come after your family|come after your kids|come after you
you have no idea what i will do|things will get ugly for you|something bad might happen to you|bad things happen to people`)

// meant reports whether a phrase of threats, of n words at i, is one as it
// stands there.
func (ts sequence) meant(i, n int) bool {
	first, last := ts[i].text, ts[i+n-1].text
	next := ts.at(i + n)
	switch {
	case selfHarm[first] && (last == "yourself" || last == "yourselves" || last == "urself"):
		return (ts.ordered(i) && !addressed[ts.at(i-1)] || commanding[ts.at(i-1)]) && !ts.conditioned(i) && !sparing[next] && !(next == "in" && (ts.at(i+n+2) == "foot" || sparing[ts.at(i+n+1)]))
	case first == "go" || first == "just" || first == "please" || first == "die" || first == "hurry":
		return (ts.ordered(i) || commanding[ts.at(i-1)]) && next != "of" && next != "laughing"
	case first == "need" || first == "needs":
		return addressed[ts.at(i-1)]
	case first == "they" || first == "them" || n > 1 && ts[i+1].text == "they":
		return false
	case first == "you" && last == "kill":
		return next == "yourself" || next == "yourselves" || next == "urself"
	case first == "hope" || last == "die":
		return ts.over(i+n) || lasting[next]
	case first == "watch", last == "live", first == "you'll", first == "you" && n > 2 && last == "this":
		return i+n == len(ts) || ts[i+n].pause
	case last == "regret":
		return next == "this" || next == "ever" || next == "crossing"
	case first == "i" && last == "and" || first == "i'll":
		return violence[next] || maiming[next]
	case first == "better" || first == "world":
		return last == "you" || addressed[ts.at(i-1)] || addressed[ts.at(i-2)] || addressed[ts.at(i-3)]
	}
	return true
}

var (
	selfHarm   = set(`kill hang shoot drown cut off`)
	commanding = set(`go should must better and kindly gonna as`)
	// sparing words behind "kill yourself" and the like make it harmless.
	sparing = set(`some a an off free loose from work debt sorrow paperwork over laughing trying working for`)
	lasting = set(`in bloody senseless alive alone slowly painfully forever on from of by down until`)
)

// at is the word at j, or nothing beyond the ends.
func (ts sequence) at(j int) string {
	if j < 0 || j >= len(ts) {
		return ""
	}
	return ts[j].text
}

// over reports whether nothing goes on at j: what stands before takes no object.
func (ts sequence) over(j int) bool {
	return j >= len(ts) || ts[j].pause || closing[ts[j].text] && ts[j].text != "in" && ts[j].text != "at" && ts[j].text != "like"
}

// announced is an attack that the speaker, or "somebody should", announces, on a
// person or on what is dear to the one addressed.
func (ts sequence) announced(i int) (n int, sure bool) {
	letMe := ts[i].text == "me" && ts.at(i-1) == "let"
	if !announcing[ts[i].text] && !letMe {
		return 0, false
	}
	first := letMe || ts.at(i-1) == "am" && self[ts.at(i-2)] || i > 0 && self[ts[i-1].text] || ts[i].text[0] == 'i' && ts[i].text != "ill" || ts[i].text == "we'll" || ts[i].text == "gonna" && i == 0
	urging := i > 0 && agents[ts[i-1].text] && (ts[i].text == "should" || ts[i].text == "ought" || ts[i].text == "needs")
	if !first && !urging {
		return 0, false
	}
	for j := i + 1; j < len(ts) && j <= i+6; j++ {
		verb := ts[j].text
		grave := violence[verb]
		if !grave && !maiming[verb] {
			continue
		}
		if j+1 < len(ts) && persons[ts[j+1].text] {
			switch {
			case ts.inSport(j):
				return 0, false
			case grave:
				return j + 2 - i, true
			}
			if figurative[verb] || butchering[verb] || verb == "burn" || verb == "bury" || verb == "end" || verb == "hunt" || verb == "rip" || verb == "tear" {
				return j + 2 - i, butchering[verb] || ts.over(j+2) || ts[j+2].text == "alive" || ts[j+2].text == "apart" || ts[j+2].text == "down"
			}
		}
		if end, dear := ts.dear(j + 1); end > 0 {
			return end - i, !ts.sports(end) && (!weak[verb] || gravest[dear] && (verb == "burn" || dear != "house" && dear != "home"))
		}
	}
	return 0, false
}

// inSport: what is announced by the verb at j is done at a game, or with words:
// beat you to it, shoot you an email, crush them into powder.
func (ts sequence) inSport(j int) bool {
	if j+2 >= len(ts) || ts[j+2].pause {
		return false
	}
	if end, _ := ts.dear(j + 2); end > 0 { // punch you in the face, in your face
		return false
	}
	next := ts[j+2].text
	if next == "to" && ts.at(j+3) == "death" {
		return false
	}
	if (next == "in" || next == "on") && ts.at(j+3) == "the" && victims[ts.at(j+4)] {
		return false
	}
	return figurative[ts[j].text] && harmless[next] || ts.sports(j+2)
}

// sports: at j a place of play begins.
func (ts sequence) sports(j int) bool {
	switch ts.at(j) {
	case "at":
		return true
	case "with":
		return ts.at(j+1) == "kindness" || ts.at(j+1) == "love" || ts.at(j+1) == "hugs"
	case "in", "on", "during":
		return games[ts.at(j+1)] || games[ts.at(j+2)]
	}
	return false
}

var games = set(`chess checkers monopoly mario kart scrabble tennis football soccer basketball golf poker cards fifa fortnite minecraft bowling darts game games
round match race quiz debate ring tournament court field trivia uno catan league`)

// dear finds what is dear to the one addressed within the next words from j on,
// your legs, every bone in your body, and returns where it ends.
func (ts sequence) dear(j int) (end int, what string) {
	for k := j; k < len(ts) && k <= j+5; k++ {
		if ts[k].pause && k > j {
			return 0, ""
		}
		if ts[k].text != "your" && ts[k].text != "ur" {
			continue
		}
		for m := k + 1; m < len(ts) && m <= k+3; m++ {
			if victims[ts[m].text] {
				return m + 1, ts[m].text
			}
		}
		return 0, ""
	}
	return 0, ""
}

var (
	agents     = set(`someone somebody they people anyone`)
	butchering = set(`gut skin carve slice poison`)
	maiming    = set(`break breaks broke slit rip tear burn burned burnt bury gut snap crack carve skin slice cut bash bleed end hit smash smashed hunt kick poison run`)
	// weak verbs are also what barbers, doctors and friends do.
	weak    = set(`cut crack hit snap run kick burn break end`)
	gravest = set(`throat throats skull neck legs leg arms arm fingers knees kneecaps bones bone body ribs house home teeth jaw family kids children wife husband face tongue wrists`)
	victims = set(`girl girls boy boys throat throats skull head heads face neck legs leg arms arm hand hands fingers knees kneecaps bones bone body ribs teeth tooth jaw nose
tongue eyes eye ears guts brains spine balls back wrists ankles house home family mother mom mum father dad parents wife husband son daughter sister
brother kid kids child children baby grandmother grandma girlfriend boyfriend friends dog cat pet pets loved`)
)

// wished is harm that the speaker hopes for, or would like to see: I hope your
// family burns, I would love to see you bleed, may you rot.
func (ts sequence) wished(i int) (n int, sure bool) {
	switch {
	case wishing[ts[i].text]:
	case ts[i].text == "may" && i == 0:
	case ts[i].text == "sure" && (ts.at(i-1) == "make" || ts.at(i-1) == "making"):
	default:
		return 0, false
	}
	for j := i + 1; j < len(ts) && j <= i+6; j++ {
		if negations[ts[j].text] || ts[j].pause {
			return 0, false
		}
		from := 0
		if end, _ := ts.dear(j); end > 0 && (ts[j].text == "your" || ts[j].text == "ur") {
			from = end
		} else if ts[j].text == "you" || ts[j].text == "u" {
			from = j + 1
		} else {
			continue
		}
		for k := from; k < len(ts) && k <= from+5; k++ {
			switch {
			case ts[k].text == "by" && (ts[k-1].text == "hit" || ts[k-1].text == "over"):
				return k + 1 - i, vehicles[ts.at(k+2)]
			case harms[ts[k].text]:
				return k + 1 - i, ts.harmed(i, k)
			case !wayward[ts[k].text]:
				return 0, false
			}
		}
		return 0, false
	}
	return 0, false
}

// harmed reports whether what is wished at i, by the word at k, is harm.
func (ts sequence) harmed(i, k int) bool {
	wants := false // see you bleed, want you dead
	for _, t := range ts[i:k] {
		wants = wants || t.text == "see" || t.text == "watch" || t.text == "want"
	}
	if !wants && !(ts[i].text == "hope" || ts[i].text == "hopefully" || ts[i].text == "wish" || ts[i].text == "pray" || ts[i].text == "may" || (ts[i].text == "sure" || ts[i].text == "make") && ts.spokenFirst(i)) {
		return false
	}
	if i > 2 && ts[i].text == "wait" && !negations[ts[i-1].text] {
		return false
	}
	switch ts[k].text {
	case "hang":
		return ts.over(k + 1)
	case "death":
		return ts[i].text == "wish"
	case "hurt", "crash", "crashes":
		return ts.over(k+1) && ts.at(k+1) != "and"
	}
	return ts.over(k+1) || lasting[ts[k+1].text]
}

// spokenFirst: the speaker is who does what is at i.
func (ts sequence) spokenFirst(i int) bool {
	for _, t := range ts[max(0, i-5):i] {
		if self[t.text] || t.text == "i'll" || t.text == "we'll" {
			return true
		}
	}
	return false
}

// deserved is harm that the one addressed is said to deserve.
func (ts sequence) deserved(i int) (n int, sure bool) {
	if ts[i].text != "deserve" || !addressed[ts.at(i-1)] {
		return 0, false
	}
	for k := i + 1; k < len(ts) && k <= i+5; k++ {
		switch {
		case harms[ts[k].text] || ts[k].text == "bullet":
			return k + 1 - i, ts.over(k+1) || lasting[ts[k+1].text]
		case !wayward[ts[k].text]:
			return 0, false
		}
	}
	return 0, false
}

var (
	vehicles = set(`truck bus car train lorry tram lightning van`)
	wishing  = set(`hope hopefully wish pray praying hoping want wanna love like gladly wait dream pay enjoy make`)
	harms    = set(`die dies dead death burn burns suffer suffers rot rots bleed bleeds choke chokes drown drowns perish perishes hang hurt crash crashes cancer
killed hanged raped shot stabbed beaten murdered`)
	// wayward words may stand between who is wished harm and the harm.
	wayward = set(`all both soon just slowly get gets to and a an slow painful will can one day really someday painfully fucking hit run over be is very horrible
agonizing long miserable cruel in terrible lonely early whole entire nothing but pain misery`)
)

// hinted is harm that it would be a pity if it happened.
func (ts sequence) hinted(i int) (n int, sure bool) {
	at := i + 1
	if t := ts.at(at); t == "though" || t == "however" || t == "really" {
		at++
	}
	if ts.at(at) != "if" || !lamented[ts[i].text] {
		return 0, false
	}
	wry := ts[i].text == "shame" || ts[i].text == "pity" // rather than sorry
	acted, somebody := "", false
	for j := at + 1; j < len(ts) && j <= i+9; j++ {
		t := ts[j].text
		if negations[t] {
			return 0, false
		}
		somebody = somebody || agents[t] || self[t]
		if violence[t] || maiming[t] || happening[t] || t == "killed" || t == "ran" || t == "stabbed" || t == "shot" {
			acted = t
		}
		if acted == "" {
			continue
		}
		if end, _ := ts.dear(j + 1); end > 0 {
			return end - i, wry && (somebody && !happening[acted] || end == len(ts))
		}
		if next := ts.at(j + 1); next == "you" || next == "her" || next == "him" || next == "them" {
			return j + 2 - i, wry && happening[acted] && j+2 == len(ts) && next != "them"
		}
	}
	for j := i + 2; j < len(ts) && j <= i+9; j++ {
		if end, _ := ts.dear(j); end > 0 && end < len(ts) && (harms[ts[end].text] || maiming[ts[end].text]) {
			return end + 1 - i, false
		}
	}
	return 0, false
}

var lamented = set(`shame pity sad terrible awful tragic unfortunate horrible`)

var happening = set(`happened happen happens hurt died`)

// urged is harm that the one addressed is told to do to himself, or that
// somebody is to suffer: go jump off a bridge; a bullet in your head.
func (ts sequence) urged(i int) (n int, sure bool) {
	if n := phraseAt(deadly, ts, i); n > 0 {
		favour := false
		for _, t := range ts[:i] {
			favour = favour || t.text == "favor" || t.text == "favour"
		}
		return n, (ts.ordered(i) || commanding[ts.at(i-1)]) && (i > 0 || ts.over(n)) && (ts.at(i-1) != "and" || favour) && !ts.conditioned(i)
	}
	if ts[i].text == "bullet" || ts[i].text == "knife" || ts[i].text == "axe" {
		if end, _ := ts.dear(i + 1); end > 0 {
			aimed := false
			for _, t := range ts[:i] {
				aimed = aimed || agents[t.text] || self[t.text] || t.text == "i'll" || t.text == "we'll" || t.text == "deserve"
			}
			return end - i, aimed
		}
	}
	return 0, false
}

// conditioned: an if or a when stands before i.
func (ts sequence) conditioned(i int) bool {
	for _, t := range ts[:i] {
		if conditional[t.text] || t.text == "when" || t.text == "would" {
			return true
		}
	}
	return false
}

// deadly are ways to end one's life.
var deadly = phrases(`jump off a bridge|jump off a cliff|jump off a roof|jump off a building|jump in front of a train|drink bleach|drink some bleach|play in traffic
slit your wrists|slit your throat|cut your wrists|slit your own throat|step in front of a bus|step in front of a train|walk into traffic|stop breathing
end your life|end your own life|take a long walk off a short pier|swallow a bullet|eat a bullet|do us all a favor and die|do us all a favour and die`)
