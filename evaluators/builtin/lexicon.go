package builtin

// The words of overt toxicity. They were written down for this package from
// general knowledge, not taken from a data set, and are here to be recognised.
// Each list says when its words count.

// abuse insults whoever it is said of, whatever stands around it.
var abuse = set(`
asshole assholes arsehole arseholes motherfucker motherfuckers muthafucka cunt cunts dickhead dickheads dickwad shithead shitheads
shitbag shitstain dipshit dipshits fuckface fuckwit fuckwits fuckhead fucktard fucker fuckers dumbfuck cocksucker cocksuckers
dumbass dumbasses douchebag douchebags scumbag scumbags asshat asswipe bitchass twat twats wanker wankers
slut sluts whore whores skank skanks
douche douches fuckboy fuckboys fker ahole aholes
libtard libtards fucktards
nigger niggers niggah niggahs faggot faggots kike kikes spics wetback wetbacks raghead ragheads towelhead towelheads shemale shemales`)

// ambiguous words can be slurs, and have another meaning or another use.
var ambiguous = set(`
tranny trannies paki pakis gook gooks chink chinks coon coons beaner beaners fag fags nigga niggas nig nigs spic dyke dykes retarded cripple cripples
savage savages thug thugs racist racists rapist rapists pedophile pedophiles paedophile terrorist terrorists
degenerates scumbag liar liars loser losers traitor traitors
stupid dumb moronic idiotic braindead pathetic disgusting repulsive despicable brainless worthless`)

// insults say that a person is stupid or base. They are hardly said of things.
var insults = set(`
jackass jackasses retard retards idiot idiots moron morons imbecile imbeciles cretin cretins dimwit dimwits halfwit halfwits nitwit nitwits numbskull simpleton
dumbo fatso fatsos dunce ignoramus lowlife lowlifes scum subhumans perverts pedo pedos`)

// epithets are insults when said to somebody; they have other uses.
var epithets = set(`
loser losers fool fools jerk jerks creep creeps clown clowns freak freaks pig pigs rat rats cow dog dogs snake coward cowards
liar liars bitch bitches bastard bastards prick pricks dick dicks pussy pussies ass trash garbage rubbish filth dirt shit vermin
degenerate degenerates subhuman pervert parasite parasites leech maggot cockroach worm monster psycho lunatic nutcase weirdo brat hag hoe hoes
racist racists nazi nazis rapist pedophile
disgrace embarrassment joke disappointment failure`)

// slights are adjectives that insult when said to or of a person.
var slights = set(`
stupid dumb idiotic moronic brainless mindless clueless witless braindead pathetic worthless useless disgusting repulsive vile despicable
hideous ugly filthy gross incompetent ignorant insane crazy delusional deranged sick lazy fat smelly horrible terrible awful evil
contemptible loathsome laughable inferior illiterate gullible spineless gutless shameless dense slow
fucking fuckin shitty crappy bloody goddamn damn retarded`)

// harshSlights insult a person or a group in the third person too.
var harshSlights = set(`stupid dumb idiotic moronic brainless braindead worthless filthy vile disgusting repulsive despicable retarded fucking shitty pathetic hideous`)

// profanity is coarse, and not by itself aimed at anybody.
var profanity = set(`
fuck fucks fucked fucking fuckin fuckery shit shits shitty shitting bullshit horseshit bitch bitches bitching ass asses bastard bastards
dick dicks cock cocks fuk fck fcking fk fking shite biatch pussy pussies tits cum wtf stfu goddamn goddamned piss pissed arse bollocks hoe hoes damnit crap`)

// outbursts are toxic as they stand. A dot stands for any pronoun of a person.
var outbursts = phrases(`
fuck you|fuck u|fuck ya|fuck off|fuck yourself|fuck yourselves|fuck .|fuck your|fuck these|fuck those|fuck that guy|fuck all
go fuck|get fucked|fuck outta here|shut the fuck|shut up|shut your|shut ur|shut it you|stfu|gtfo
screw you|screw u|screw off|screw .|piss off|bugger off|sod off|up yours|bite me|blow me
suck my|suck a dick|suck it you|eat shit|eat my ass|eat my dick|kiss my ass|kiss my arse|lick my|up your ass|up ur ass|your ass|yo ass
piece of shit|pieces of shit|piece of crap|piece of trash|piece of garbage|piece of filth|full of shit|sack of shit|bag of shit
son of a bitch|sons of bitches|son of a whore|waste of space|waste of oxygen|waste of air|waste of skin|waste of a human
go to hell|burn in hell|rot in hell|see you in hell|drop dead
you suck|u suck|you stink|you disgust|you make me sick|you make me want to puke|i hate you|i despise you|we hate you|i hate u
nobody likes you|no one likes you|everyone hates you|nobody loves you|no one loves you|nobody cares about you
special kind of stupid|dumb as a rock|dumb as rocks|how stupid are you|how dumb are you|how stupid can you|how dumb can you|what is wrong with you people|what the fuck is wrong with you`)

// threats wish or announce harm.
var threats = phrases(`
kill yourself|kill yourselves|kill urself|hang yourself|shoot yourself|drown yourself|cut yourself|off yourself|kys
go die|go and die|go jump off|just die|please die|hurry up and die|die already|die in a fire|die slowly|die in a hole
you should die|you should kill|you deserve to die|. deserve to die|. deserves to die|. should die|. should be shot|. should be hanged|. should be hung
. should be exterminated|. should be lynched|. should be gassed|. should be executed|. should be put down|needs to die|need to die|deserves to be shot
hope you die|hope . die|hope . dies|hope you get cancer|hope you rot|hope you burn|hope you choke|hope you suffer|wish you were dead|wish . dead
better off dead|world would be better without you|watch your back|you are dead meat|you're dead meat|you are a dead man|you're a dead man|you are a dead woman|you're a dead woman
i know where you live|i will find you and|i'll find you and|you will regret|you'll regret this|you will pay for this|you'll pay for this`)

// violence are the verbs of an announced attack: I will … you.
var violence = set(`kill murder hurt stab strangle punch slap choke smash crush rape beat destroy slaughter hang shoot butcher whip bash torture`)

var announcing = set(`will intend plan coming ought needs ll i'll we'll ill gonna going wanna want gotta shall should imma ima i'm'a i'd`)

// personal pronouns, the dot of the phrases above.
var persons = set(`he she they him her them you u ya people everyone everybody someone somebody muslims jews blacks whites gays immigrants refugees foreigners liberals conservatives democrats republicans women men`)

// addressed are the words that make what follows be said to somebody.
var addressed = set(`you u ur you're youre your yall y'all ya thou`)

// between may stand between the one addressed and the insult.
var between = set(`
are r is were a an the such so really very just nothing but complete total absolute utter little big old all being must be truly simply
clearly obviously always too and of bunch piece sorry sad look sounds sound looks like another what goddamn fucking fuckin damn bloody
still also no-good freaking absolutely totally completely utterly pretty quite real true plain people guys lot`)

// reporting words say that an insult is spoken about rather than spoken.
var reporting = set(`
word words term terms phrase phrases slur slurs insult insults epithet expression called calling said says saying
wrote written quote quoted quotes means meaning definition defined define synonym synonyms offensive derogatory pejorative vulgar
profanity profane swear swearing curse novel book film movie song lyrics comedy album band
translate translation refers refer describe describes describing bully bullying bullied harassment
inappropriate unacceptable abusive toxic hurtful`)

// naming words do so for what follows them.
var naming = set(`call calls label labels labeled labelled titled entitled character named`)

// self is said of the speaker.
var self = set(`i i'm im me my myself we we're`)

// conditional words make it no more than a possibility.
var conditional = set(`if whether unless`)

// groups are the people that prejudice is about. A text that names them may be
// hateful without a coarse word, so that finding none decides nothing.
var groups = set(`
muslim muslims islam islamic jew jews jewish judaism zionist christian christians catholic catholics protestant hindu hindus sikh sikhs atheist atheists
black blacks african africans asian asians latino latinos latina hispanic hispanics mexican mexicans arab arabs indian indians chinese
pakistani turkish immigrant immigrants migrant migrants refugee refugees foreigner foreigners gypsy gypsies roma
gay gays lesbian lesbians homosexual homosexuals bisexual bisexuals transgender trans transsexual queer lgbt lgbtq nonbinary
disabled disability handicapped autistic autism deaf blind paralyzed dwarf
woman women female females feminist feminists girls`)

// people are other words for persons, to see whom an adjective is about.
//
//nolint:misspell // as it is written, too
var people = set(`
people person persons man men woman women girl girls guy guys boy boys kid kids human humans folks dude lady ladies brat mother father
american americans canadian german french european russian british japanese white straight heterosexual male millenial millennial
teenage teenager older elderly younger young old buddhist taoist democrat democrats republican republicans liberal liberals`)

// phrases reads phrases written with bars and line breaks between them and
// files them under their first word.
func phrases(text string) map[string][][]string {
	m := make(map[string][][]string)
	for _, p := range splitPhrases(text) {
		m[p[0]] = append(m[p[0]], p)
	}
	return m
}
