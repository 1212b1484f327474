package builtin

import "strings"

// The words that evaluate or tell a feeling, by how they are used where they do.
// They were written down from general knowledge.

// use is where an opinion word is one.
type use int

const (
	anywhere   use = iota + 1 // terrible, superb
	ofThings                  // where it is said of something: it is slow, so slow, a mess
	byMe                      // where the speaker feels it: I am sad; so sad
	iDo                       // a verb: I love it
	exclaimed                 // where it is exclaimed: thanks!
	forcefully                // highly recommended
)

// opinion is a word that praises, 1, or blames, -1.
type opinion struct {
	use  use
	sign int
}

// opinions holds the words of the lists below.
var opinions = func() map[string]opinion {
	m := make(map[string]opinion)
	for _, l := range [...]struct {
		opinion
		words string
	}{
		{opinion{anywhere, 1}, `
excellent wonderful wonderfully fantastic amazing amazingly awesome brilliantly superb superbly outstanding terrific
marvelous marvellous fabulous magnificent splendid lovely gorgeous delightful delicious yummy adorable flawless
flawlessly phenomenal stellar enjoyable heartwarming hilarious masterpiece amazed awestruck unbeatable unforgettable
yay yayy hooray hurray woohoo woot bravo kudos wow congrats congratulations overjoyed ecstatic breathtaking mindblowing
superbly gr8 lovin luv loving exquisite sublime beautifully perfectly thankful grateful thrilled stoked delighted
captivating riveting gripping charming terrifically wonderfull fab lovable likable likeable hooked`},
		{opinion{anywhere, -1}, `
terrible terribly horrible horribly awful awfully horrendous dreadful appalling atrocious abysmal disgusting disgusted appalled
pathetic lousy crappy crap shit shitty bullshit sucks sucked suck useless worthless disappointing disappointingly
disappointed disappointment frustrating frustrated annoying annoyingly annoyed annoys irritating irritated infuriating
infuriated stupid dumb idiotic ridiculous ridiculously ludicrous laughable nonsense nasty gross hideous unhelpful
incompetent inexcusable overpriced shoddy flimsy mediocre subpar lame heartbroken heartbreaking regrettable
ugh ughh argh grr yuck eww wtf ffs meh fml smh damn dammit damnit miserable miserably worst boring tedious dull
unwatchable unreadable unplayable insulting despicable deplorable disgraceful shameful sickening revolting ripoff sadly
pissed bummed sux crappiest horrid godawful unbearable insufferable clueless clumsy bland tasteless dreary forgettable
hogwash outrageous outrageously preposterous hypocritical hypocrisy fuck bitch bastard bastards bollocks frustration cowardly reckless callous`},
		{opinion{ofThings, 1}, `
great greatest good best better nice nicely nicest cool sweet fun funny perfect impressive impressed remarkable
incredible brilliant beautiful stunning pleasant pleasing tasty cute helpful useful handy convenient reliable
comfortable comfy friendly thoughtful courteous elegant stylish classy exciting thrilling fascinating interesting
inspiring touching witty clever genius gem treat blessing joy pleasure delight favorite favourite worth worthwhile
 sturdy smooth crisp sleek snappy wise admirable
laudable commendable neat generous affordable intuitive effortless charm bargain 
refreshing promising encouraging exceptional exceptionally entertaining 
satisfying praiseworthy grand glorious memorable flavorful attractive smart creative powerful`},
		{opinion{ofThings, -1}, `
bad badly poor poorly worse slow ugly rude dirty unfair buggy sloppy messy noisy 
annoyance mess joke disaster nightmare waste scam fraud shame pity fiasco
catastrophe embarrassment embarrassing disgrace junk garbage rubbish trash unacceptable unprofessional unusable
unreliable unresponsive uncomfortable confusing misleading depressing sad tragic creepy 
weird awkward greasy crazy insane absurd silly foolish unfortunate unpleasant painful 
 mean selfish arrogant dishonest irresponsible lazy ugly ruined
ruins outrage disappoint 
 stinks stank lacks bogus pointless hopeless harsh inadequate insufficient horrifying shocking troublesome disturbing ignorant offensive screwed hell`},
		{opinion{byMe, 1}, `
happy happier happiest happily glad gladly pleased excited proud relieved lucky blessed thankful hopeful cheerful
joyful satisfied impressed inspired optimistic grinning smiling laughing`},
		{opinion{byMe, -1}, `
fuming sad sadder saddest angry furious mad upset upsetting unhappy lonely scared afraid worried anxious terrified ashamed
embarrassed jealous hopeless helpless depressed devastated exhausted tired sick bored hurt hurts crying cried cry
stressed nervous guilty unsatisfied dissatisfied discouraged bitter miserable cheated scammed betrayed
insulted neglected ignored offended fed`},
		{opinion{iDo, 1}, `
love loves loved adore adores adored enjoy enjoys enjoyed enjoying appreciate appreciated like
likes liked admire cherish looking`},
		{opinion{exclaimed, 1}, `thanks thank thx cheers woo yes`},
		{opinion{forcefully, 1}, `recommend recommended`},
		{opinion{iDo, -1}, `
hate hates hated hating loathe loathed despise despised detest regret regrets regretted dislike disliked missing
complain complained dread wasted returned`},
	} {
		for w := range strings.FieldsSeq(l.words) {
			if _, ok := m[w]; !ok {
				m[w] = l.opinion
			}
		}
	}
	return m
}()

// What stands around an opinion word decides whether it is one.
var (
	supposing   = set(`if whether unless suppose imagine wish lest`)
	speaker     = set(`i i'm im i've ive i'd i'll me my mine myself we we're we've we'd us our ours`)
	undergoing  = set(`me my mine myself`)
	suffering   = set(`never wait waited want wanted had paid miss wish asked`)
	addressing  = set(`you your yours`)
	serving     = set(`knowledge calculation training`)
	completing  = setOf(`waste of|worth the|worth it|worth every|good value|bad idea`)
	troubles    = stems(`problem issue complaint error bug fault trouble hassle glitch crash flaw regret delay`)
	assent      = set(`ok okay k yes yeah yep no nope sure right lol haha thanks`)
	admiring    = set(`great nice beautiful impressive remarkable fun cute stunning incredible joy`)
	articles    = set(`a an such some huge big`)
	mooded      = set(`that to about with for it i we day news times`)
	offering    = set(`can could will would may might shall should must have've`)
	asking      = set(`let tell give show help send contact ask email call remind`)
	possibility = set(`can could would may might should must will shall i'll you'll they'll it'll i'd we'd we'll`)

	intensifying = set(`so very really too such absolutely totally completely utterly extremely incredibly insanely super
pretty quite truly rather just damn freaking fucking soo sooo how what as most simply seriously terribly awfully highly definitely`)
	feeling       = set(`feeling feel felt am being been was still not`)
	demonstrative = set(`this it that these those how my your you the it's everything them him her`)
	defining      = set(`is are means was as in of refers describes`)

	copulas = set(`is was are were am been isn't wasn't aren't weren't it's that's he's she's they're you're we're i'm this's
be looks look looked feels feel felt sounds sound sounded tastes taste tasted smells smell smelled seems seem seemed
works work worked runs ran fits fit performs performed did does plays played turned came went became becomes gets got stays stayed`)
	beforePredicate = set(`a an the out up all at of both still also even my this that real pure complete total big huge little bit
absolute whole such and or but kind sort always never only far much more less less too again`)
	endingPredicate = set(`and but or though although because since too enough so as when while that to every overall again
imo imho here indeed anyway today really i we you it they`)
	comparative = set(`better happier nicer prouder easier simpler more faster smoother`)

	formulas = setOf(`great circle|great depth|terrible twos|poor fair|happy to|glad to|pleased to|great question|good question|good luck|good morning|good afternoon|good evening
good night|good day|best regards|best wishes|best practice|best practices|best of
love to|like to|like a|like an|like the|sound of|well as|great deal|great many|great care|looking at|looking for|looking into|easy to|hard to
hard drive|hard drives|hard disk|hard copy|fast food|hot water|mean of|missing from|fed by|fed the|lost in|returned to|returned the|better than|as well`)

	emoji     = signsOf("😀😃😄😁😊🙂😍🥰😘🤗🤩🥳😎😂🤣❤♥💕💖💙💚💛💜🎉👍👏🙌💯", "😢😭😡😠🤬👎💔😞😔😟😩😫😤🤮🤢😒🙁☹😣😖😱😨😰")
	emoticons = map[string]int{":)": 1, ":-)": 1, ":D": 1, ":-D": 1, "=)": 1, ";)": 1, "<3": 1, "^_^": 1, ":(": -1, ":-(": -1, "=(": -1, ":'(": -1, "):": -1}
)

// stems makes a set of the stems of words.
func stems(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[stem(w)] = true
	}
	return m
}

// setOf makes a set of phrases.
func setOf(phrases string) map[string]bool {
	m := make(map[string]bool)
	for l := range strings.Lines(phrases) {
		for p := range strings.SplitSeq(strings.TrimSpace(l), "|") {
			m[p] = true
		}
	}
	return m
}

// signsOf gives emoji that praise and that blame their signs.
func signsOf(praise, blame string) map[rune]int {
	m := make(map[rune]int)
	for _, r := range praise {
		m[r] = 1
	}
	for _, r := range blame {
		m[r] = -1
	}
	return m
}
