package builtin

import "strings"

// declines reports whether a sentence refuses, asks back or says that it does
// not know. Whether that was right is not for rules to say.
func declines(s sentence) bool {
	t := " " + joined(s.words) + " "
	for _, p := range declining {
		if strings.Contains(t, p) {
			return true
		}
	}
	return false
}

// joined writes the words of a sentence with single spaces.
func joined(ws []word) string {
	var b strings.Builder
	for i, w := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

var declining = []string{
	" as an ai ", " language model ", " i'm an ai ", " i am an ai ",
	" i can't ", " i cannot ", " i can not ", " i'm not able ", " i am not able ", " i'm unable ", " i am unable ",
	" we can't ", " we cannot ", " i couldn't ", " i could not ", " i won't ", " unable to ", " not able to ",
	" i don't know ", " i do not know ", " i'm not sure ", " i am not sure ", " not certain ",
	" don't have access ", " do not have access ", " don't have information ", " do not have information ",
	" don't have any information ", " do not have any information ", " don't have enough ", " do not have enough ", " no information ", " not have the ", " not have that ", " don't have that ", " don't have the ",
	" doesn't mention ", " does not mention ", " do not mention ", " don't mention ", " not mentioned ",
	" doesn't say ", " does not say ", " don't say ", " do not say ", " not specified ", " doesn't specify ", " does not specify ", " do not specify ",
	" doesn't contain ", " does not contain ", " do not contain ", " doesn't provide ", " does not provide ", " not provided ",
	" could you please ", " can you please ", " could you clarify ", " please provide ", " please clarify ", " more context ", " more details ",
}

// courteous reports whether a sentence only greets, thanks, offers, hopes or
// leads over to what follows: nothing that a document could support.
func courteous(s sentence) bool {
	if strings.HasSuffix(s.text, ":") {
		return true
	}
	const longest = 14 // words; more say something besides
	if len(s.words) > longest {
		return false
	}
	t := joined(s.words) + " "
	for _, p := range courtesies {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

var courtesies = []string{
	"hi ", "hello ", "hey ", "dear ", "thanks ", "thank you ", "you're welcome ", "you are welcome ", "welcome ", "glad ", "happy to ",
	"i'm glad ", "i am glad ", "i'm happy ", "i am happy ", "i'd be happy ", "i would be happy ", "we're happy ", "my pleasure ",
	"great question ", "good question ", "no problem ", "sorry ", "i'm sorry ", "i am sorry ", "we're sorry ", "we are sorry ",
	"we apologize ", "i apologize ", "apologies ", "i hope ", "hope ", "let me know ", "feel free ", "please let ", "please feel ",
	"if you have any ", "if you need ", "if there's anything ", "is there anything ", "have a ", "enjoy ", "good luck ",
	"best regards ", "kind regards ", "sincerely ",
}
