package builtin

// functionWords carry no topic: articles, pronouns, prepositions, auxiliaries,
// their contractions, and the adverbs of degree and time that any text has.
var functionWords = set(`
a an the and or but nor if then else of to in on at by for from with without into onto upon over under up down out off
about above below across after before during since until till against among between within through throughout toward
towards via per than as like unlike except despite because although though while whereas unless whether so
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we us our
ours ourselves they them their theirs themselves one ones someone something anyone anything everyone everything nobody
nothing none who whom whose which what that this these those there here when where why how
is am are was were be been being do does did doing done have has had having can could will would shall should may might
must ought need get gets got getting go goes going went gone let lets make makes made making
not no yes ok okay please thanks too very just only also even still yet again ever never always often sometimes usually
quite rather almost really actually simply more most less least much many few little some any all each every both either
neither other others another such same own several enough lot lots bit
however therefore moreover furthermore additionally instead otherwise finally overall besides meanwhile nevertheless indeed
generally typically normally basically currently unfortunately fortunately
now today already soon later first last next
etc e.g i.e
i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd we'll
they're they've they'd they'll that's there's here's what's who's where's how's let's isn't aren't wasn't weren't don't
doesn't didn't haven't hasn't hadn't can't cannot couldn't won't wouldn't shouldn't mustn't ain't
im ive dont doesnt didnt cant wont isnt`)

// taskWords say what to do or what shape an answer should have, not what it is
// about.
var taskWords = set(`
list name give write create generate explain describe provide find identify suggest summarize summarise tell show come
compose construct design develop rewrite edit convert classify categorize compare contrast calculate determine answer
question following follow example examples sentence sentences word words paragraph text use used uses using way ways type
types kind kinds main key point points two three four five six seven eight nine ten different difference best good better
new short brief story poem article essay statement idea ideas think thought based given add change take phrase output
input help know want like mean means meaning work works happen happens possible able thing things people person long
big large small high low old time times year years day days part parts reason reasons important topic information detail
details define discuss`)

// generationWords ask for a text to be made rather than for an answer. What is
// made need not repeat the words that asked for it.
var generationWords = set(`
write create generate compose list suggest brainstorm design develop make name give provide rewrite convert translate
edit classify identify categorize find construct rearrange arrange sort choose select correct change transform complete
add replace introduce calculate compute predict answer outline propose imagine pick determine summarize summarise
recommend pretend roleplay continue paraphrase shorten solve`)

// negations turn a statement into its opposite.
var negations = set(`
not no never none neither nor nobody nothing nowhere cannot without hardly barely scarcely isn't aren't wasn't weren't
don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't mustn't ain't needn't isnt arent dont
doesnt didnt cant wont except unless unable`)

func (s sentence) negated() bool {
	n := 0
	for _, w := range s.words {
		if negations[w.text] {
			n++
		}
	}
	return n%2 == 1
}
