package builtin

import (
	"strings"
	"unicode"
)

// foreign reports whether a passage is in another language than English, or in
// one that cannot be told. It looks at the script, and at the function words
// of English and of its neighbours: a text of a dozen words without a single
// English one is not taken for English. Of a short text as many words as not have
// to be among the frequent ones of English, roughly.
func foreign(p passage) bool {
	other, english, total := 0, 0, 0
	var seen [len(neighbours)]int
	for _, s := range p.sentences {
		for _, w := range s.words {
			if w.digits() {
				continue
			}
			total++
			if !strings.ContainsFunc(w.text, latin) {
				other++
				continue
			}
			if functionWords[w.text] {
				english++
			}
			weight := 2
			if alsoEnglish[w.text] {
				weight = 1
			}
			for _, i := range neighbourWords[w.text] {
				seen[i] += weight
			}
		}
	}
	if other*5 > total {
		return true
	}
	for _, n := range seen {
		if n >= 4 && n > 2*english {
			return true
		}
		// A few words without a single one that English needs, and with one that
		// only the other language has, or two that it has too.
		if total < 12 && n >= 2 && n > english {
			return true
		}
	}
	return total >= 12 && english*20 < total || hardlyEnglish(p)
}

func latin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// neighbours holds, a language a string, frequent words that English does not
// have.
var neighbours = [...]string{
	"el la los las del y que en es por con para una como pero más mas está esta este hola gracias puede usted no se su lo al son tiene hay tu eres un mi te me muy gusta encanta mucho",
	"le les des et est une dans pour que qui avec sur vous nous je pas ce cette votre sont être peut bonjour merci il elle ne au aux du tu te ta ton mon va es suis fait très",
	"der die das und ist nicht ein eine einen mit für von auf sie ich zu den dem im wird sind auch kann können bitte danke hallo haben wir du dein deine mein meine bist nein ja ihr ihre dich mich dir mir leider morgen sehr gut nett",
	"il di che è per una con non sono del della gli le nel alla puoi grazie ciao questo questa anche come può si",
	"o os as um uma que não em para com por do da dos das é você obrigado olá são está pode mais seu sua",
	"de het een en van niet dat voor zijn met op te ik je u wij deze kan bedankt hallo worden ook naar",
	"och att det som är på för med inte av den ett jag du kan tack hej har till og er ikke til jeg",
	"nie jest się na do z że to jak dla czy przez oraz tak są może dziękuję proszę",
	"ve bir bu için ile çok değil olarak da daha var gibi merhaba teşekkür",
	"yang dan di untuk dengan tidak ini itu dari pada adalah anda bisa akan saya",
}

var neighbourWords = func() map[string][]int {
	m := make(map[string][]int)
	for i, words := range neighbours {
		for w := range strings.FieldsSeq(words) {
			if w = fold(w); !functionWords[w] {
				m[w] = append(m[w], i)
			}
		}
	}
	return m
}()

// alsoEnglish are words of other languages that English texts have too, in
// names above all. They count half.
var alsoEnglish = set(`die den dem son mas es en la le les los las el de del der von van il di do da dos das as os o y z u non per con han plus on war tot pas ten var bin pour sur been as te ik je can kan on hat due et sin com via se tu op na man`)
