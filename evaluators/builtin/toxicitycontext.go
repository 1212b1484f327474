package builtin

import "strings"

// speaking words say that somebody else speaks: a character, a singer, a post.
var speaking = set(`
growl growls growled growling snarl snarls snarled snarling roar roars roared hiss hisses hissed shout shouts shouted shouting yell yells yelled
yelling scream screams screamed screaming whisper whispers whispered mutter mutters muttered murmur murmurs mumble mumbles sneer sneers sneered
exclaim exclaims exclaimed reply replies replied sing sings sang chant chants chanted tweeted texted
commented utter utters uttered taunt taunts taunted mock mocks mocked swears swore cursed threatens threatened cackle cackles
villain antagonist protagonist character characters npc dialogue dialog script scene screenplay fiction fictional fanfic roleplay
meme memes idiom idioms slang proverb lyric poem sitcom cartoon anime comic catchphrase slogan headline parody sketch stereotype trope
misspelling pronounced spelled spelling rhymes`)

// reports reports whether somebody else speaks in the sentence, near the words
// from i to end: one of those words, or something told to somebody.
func (ts sequence) reports(i, end int) bool {
	const before, behind = 25, 12
	for j := max(0, i-before); j < min(len(ts), end+behind); j++ {
		t := ts[j]
		if speaking[t.text] || reporting[t.text] {
			return true
		}
		if (t.text == "told" || t.text == "tells" || t.text == "tell" || t.text == "telling") && j+1 < len(ts) && listeners[ts[j+1].text] {
			return true
		}
	}
	return false
}

var listeners = set(`him her them me us everyone everybody somebody someone people others`)

// label returns where what a speaker says begins, "The goblin: …", or -1. Labels
// of a note to the reader are none.
func (s sentence) label() int {
	colon := strings.Index(s.text, ": ")
	if colon < 0 || colon > 40 || strings.ContainsAny(s.text[:colon], "@#") {
		return -1
	}
	n := 0
	for _, w := range s.words {
		if w.start >= colon {
			break
		}
		if n++; noteworthy[w.text] || addressed[w.text] {
			return -1
		}
	}
	if n == 0 || n > 4 {
		return -1
	}
	return colon
}

var noteworthy = set(`note notes ps p.s answer answers summary conclusion reminder fact facts truth verdict assistant ai bot me listen look result results
response warning update edit hint tip fyi btw tl;dr dr tldr advice opinion question hey well so seriously important nb remember message review feedback i
my this that it here step`)

// program reports whether a sentence looks like code or a command rather than
// prose.
func (s sentence) program() bool {
	for _, sign := range [...]string{"$(", "${", "();", "()", "(\"", "('", "&&", "||", "=>", "->", "</", "/>", " | ", "::", "\":", "[\"", "= \"", "= '", "+="} {
		if strings.Contains(s.text, sign) {
			return true
		}
	}
	_, flag, ok := strings.Cut(s.text, " --")
	return ok && flag != "" && isLetter(flag[0])
}

// elsewhere says whether what is in an utterance is not said by who says the
// text: announced as an example, code, or put in somebody's mouth. From is where
// that begins.
func (u utterance) elsewhere() (from int, ok bool) {
	if u.introduced || u.program() {
		return 0, true
	}
	if at := u.label(); at >= 0 {
		return at, true
	}
	return 0, false
}

// attacks reports whether a sentence says something of somebody, as an insult
// does: you are …, you …!, your face, they are …. What is said of others than
// the one addressed has to be in the word lists, or the model rather sure. Coarse
// says that word lists see coarse words in it.
func (ts sequence) attacks(coarse, sure bool) bool {
	doubles := ts.has(double)
	for _, t := range ts {
		doubles = doubles && (double[t.text] || !abuse[t.text] && !insults[t.text] && !profanity[t.text])
	}
	for i, t := range ts {
		switch {
		case t.text == "your" || t.text == "ur" || t.text == "yo":
			for k := i + 1; k < len(ts) && k <= i+3; k++ {
				if personal[ts[k].text] || traits[ts[k].text] || ts.saysOfThird(k, false) {
					return true
				}
			}
			if t.text == "ur" && i+1 < len(ts) && !functionWords[ts[i+1].text] {
				return true
			}
		case addressed[t.text]:
			if ts.saysOf(i) {
				return true
			}
		case thirds[t.text] && (!double[t.text] || !doubles || ts.pinned(i)) || people[t.text] || groups[t.text] || ts.name(i):
			if ts.saysOfThird(i, sure) {
				return true
			}
		}
		if scorning[t.text] && ts.reaches(i) {
			return true
		}
		if coarse && doubles {
			if double[t.text] && ts.pinned(i) {
				return true
			}
			continue
		}
		if coarse && (addressed[t.text] || thirds[t.text] || slurs[t.text] || abuse[t.text] || insults[t.text]) {
			return true
		}
	}
	return false
}

// double words are of animals, tools and kitchens, too: where a sentence has no
// other coarse one, they have to be pinned on a person.
var double = set(`scum bitch bitches ass asses cock cocks prick pricks tits pussy pussies dick dicks hoe hoes retard retards bastard bastards jerk jerks creep creeps chink chinks`)

// name reports whether the word at i ends the name of somebody, as far as capitals
// tell.
func (ts sequence) name(i int) bool {
	return i > 0 && ts[i].capital && !ts.shouting() && !functionWords[ts[i].text] && (i > 1 || ts[i-1].capital && !functionWords[ts[i-1].text])
}

// scorning words are subjects of sentences about how little somebody counts:
// nobody would miss you, everyone hates you.
var scorning = set(`nobody noone everybody everyone`)

// reaches: what is at i does, or thinks, something about the one addressed.
func (ts sequence) reaches(i int) bool {
	for k := i + 2; k < len(ts) && k <= i+5; k++ {
		if ts[k].text == "you" && (k+1 == len(ts) || ts[k+1].pause || closing[ts[k+1].text] || functionWords[ts[k+1].text]) {
			return true
		}
	}
	return false
}

// traits are what an insult finds fault with, besides what is personal.
var traits = set(`brains stupidity ignorance breath existence parents father dad sister personality teeth hair skin looks opinions life birth iq`)

// plays reports whether a sentence is about a game or a story: there one is a rat,
// and beasts are filthy.
func (ts sequence) plays() bool {
	for _, t := range ts {
		if playing[t.text] {
			return true
		}
	}
	return false
}

var playing = set(`game games level levels boss bosses player players quest role played playing movie story tale stories fable episode costume witch wizard
dragon ogre goblin orc knight king prince princess zombie enemy enemies rhyme puppet april halloween play stage theatre theater pantomime cast`)

// ailing words are said of people who are not well, or of what is not.
var ailing = set(`sick tired ill dead blind deaf hungry fat overweight obese thin underweight weak pregnant bleeding infected allergic dying dehydrated drunk
late lost stuck hurt injured wounded contagious feverish exhausted sore bruised swollen itchy cold hot short tall old young poor broke single lonely sad
anxious depressed nervous afraid scared angry jealous ashamed guilty bored confused wrong mistaken right free welcome able ready sure going looking
trying using getting having making working doing about`)

// saysOf reports whether the one addressed at i is said to be something, or
// called something.
func (ts sequence) saysOf(i int) bool {
	if i > 0 && (ts[i-1].text == "like" || ts[i-1].text == "are" && i+1 == len(ts)) {
		return true
	}
	k := i + 1
	for k < len(ts) && (between[ts[k].text] && !being[ts[k].text] || functionAdverbs[ts[k].text]) && !ts[k].pause {
		k++
	}
	if k == len(ts) {
		return false
	}
	if being[ts[k].text] || strings.Contains(ts[i].text, "'") || ts[i].text == "youre" {
		for being[ts[k].text] || functionAdverbs[ts[k].text] || ts[k].text == "so" || ts[k].text == "very" {
			if k++; k == len(ts) {
				return true
			}
		}
		return !ailing[ts[k].text]
	}
	// A call: you, and a few words that make no clause.
	if i > 0 && !ts[i].pause && !orders[ts[i-1].text] {
		return false
	}
	n := 0
	for k = i + 1; k < len(ts) && !ts[k].pause; k++ {
		if n++; n > 5 || functionWords[ts[k].text] && ts[k].text != "of" && ts[k].text != "a" && ts[k].text != "for" {
			return false
		}
	}
	return n > 0
}

var being = set(`are r were be being been is ain't aren't look looks sound sounds smell smells act acts deserve belong should disgust suck stink reek make makes will`)

var functionAdverbs = set(`never always only even all both two really just`)

// saysOfThird reports whether others than the one addressed are said to be
// something that the word lists know, or, where the model is sure, anything.
func (ts sequence) saysOfThird(i int, sure bool) bool {
	k := i + 1
	if !strings.Contains(ts[i].text, "'") {
		for k < len(ts) && k <= i+2 && !being[ts[k].text] && ts[k].text != "was" && ts[k].text != "need" && ts[k].text != "needs" {
			k++
		}
		if k == len(ts) || !being[ts[k].text] && ts[k].text != "was" && ts[k].text != "need" && ts[k].text != "needs" {
			return false
		}
	}
	if sure {
		return true
	}
	for ; k < len(ts) && k <= i+8; k++ {
		if t := ts[k].text; abuse[t] || insults[t] || epithets[t] || slights[t] || profanity[t] || ambiguous[t] {
			return true
		}
	}
	return false
}

var thirds = set(`he she they he's she's they're him her them these those guy guys dude bastard bastards bitch bitches hoe hoes pussy`)

// slurs are what people are called.
var slurs = set(`tranny trannies paki pakis gook gooks chink chinks beaner beaners fag fags nigga niggas nig nigs spic
loser losers bastard bastards bitch bitches hoe hoes prick pricks jerk jerks creep creeps coward cowards pussy pussies dick dicks`)

// friendly reports whether words of praise or joy stand beside what sounds like
// an insult: then it may be a joke.
func friendly(text string) bool {
	if ToneOf(text).Compound < 0.45 {
		return false
	}
	for _, w := range splitWords(text) {
		if scorning[w.text] {
			return false // nobody loves you: its words of love are denied
		}
	}
	return true
}
