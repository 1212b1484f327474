package builtin_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
)

// answers says the same in some languages.
var answers = map[string]string{
	"en": "You can return the shoes within thirty days of delivery. Please put them in their box and keep the receipt. We will refund the price within a week.",
	"de": "Sie können die Schuhe innerhalb von dreißig Tagen nach der Lieferung zurückgeben. Bitte legen Sie sie in den Karton und bewahren Sie den Beleg auf.",
	"fr": "Vous pouvez retourner les chaussures dans les trente jours suivant la livraison. Veuillez les mettre dans leur boîte et garder le ticket de caisse.",
	"es": "Puede devolver los zapatos en un plazo de treinta días desde la entrega. Por favor, póngalos en su caja y guarde el recibo de la compra.",
	"pt": "Você pode devolver os sapatos em até trinta dias após a entrega. Por favor, coloque-os na caixa e guarde o recibo da sua compra.",
	"it": "Puoi restituire le scarpe entro trenta giorni dalla consegna. Mettile nella loro scatola e conserva lo scontrino che hai ricevuto con il pacco.",
	"nl": "U kunt de schoenen binnen dertig dagen na levering terugsturen. Stop ze in de doos en bewaar het bonnetje dat u van ons hebt gekregen.",
	"pl": "Buty można zwrócić w ciągu trzydziestu dni od dostawy. Proszę włożyć je do pudełka i zachować paragon, który został dołączony do paczki.",
	"tr": "Ayakkabıları teslimattan sonra otuz gün içinde iade edebilirsiniz. Lütfen kutusuna koyun ve fişi saklayın.",
	"fi": "Voit palauttaa kengät kolmenkymmenen päivän kuluessa toimituksesta. Laita ne laatikkoon ja säilytä kuitti.",
	"vi": "Bạn có thể trả lại giày trong vòng ba mươi ngày kể từ khi nhận hàng. Vui lòng cho giày vào hộp và giữ lại hóa đơn.",
	"ru": "Вы можете вернуть обувь в течение тридцати дней после доставки. Пожалуйста, положите её в коробку и сохраните чек, который был в посылке.",
	"uk": "Ви можете повернути взуття протягом тридцяти днів після доставки. Будь ласка, покладіть його в коробку і збережіть чек, який є у її кишені.",
	"he": "ניתן להחזיר את הנעליים תוך שלושים יום ממועד המשלוח. אנא הכניסו אותן לקופסה ושמרו את הקבלה.",
	"ar": "يمكنك إرجاع الحذاء خلال ثلاثين يومًا من تاريخ التسليم. يرجى وضعه في العلبة والاحتفاظ بالإيصال.",
	"zh": "您可以在收到货后三十天内退回鞋子。请把鞋子放进盒子里，并保留收据。",
	"ja": "靴は配達から三十日以内に返品できます。箱に入れて、レシートを保管してください。",
	"ko": "신발은 배송 후 30일 이내에 반품할 수 있습니다. 상자에 넣고 영수증을 보관해 주세요.",
	"th": "คุณสามารถคืนรองเท้าได้ภายในสามสิบวันหลังจากได้รับสินค้า",
	"el": "Μπορείτε να επιστρέψετε τα παπούτσια εντός τριάντα ημερών από την παράδοση.",
}

func TestLanguageIsTold(t *testing.T) {
	got, want := map[string]string{}, map[string]string{}
	for code, text := range answers {
		r := ask(t, "language", &evaluators.Case{Output: text}, "expect", code)
		got[code], want[code] = r.Label+" "+r.Explanation, "Expected Language is "+code
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// No answer is taken for one in another language: it is told, or skipped where
// the two are alike.
func TestNoLanguageIsTakenForAnother(t *testing.T) {
	for code := range answers {
		for other, text := range answers {
			r := ask(t, "language", &evaluators.Case{Output: text}, "expect", code)
			if code != other && r.Label == "Expected Language" {
				t.Errorf("%s is taken for %s", other, code)
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	const unsure = evaluators.SkipNeedsJudge
	en, de, ja := answers["en"], answers["de"], answers["ja"]
	for name, tt := range map[string]struct{ input, output, expect, want, why string }{
		"another":               {"", de, "en", "Other Language", "is de, expected en"},
		"one of some":           {"", de, "en|DE-at", "Expected Language", "is de"},
		"with commas":           {"", de, "fr, en", "Other Language", "expected fr or en"},
		"alike":                 {"", answers["es"], "pt", unsure, "looks like es, which is easily taken for pt"},
		"Norwegian":             {"", en, "nb", "Other Language", "expected no"},
		"the input's":           {"Wie lange kann ich die Schuhe zurückgeben, wenn sie mir nicht passen?", de, "input", "Expected Language", ""},
		"not the input's":       {"Wie lange kann ich die Schuhe zurückgeben, wenn sie mir nicht passen?", en, "input", "Other Language", "is en, expected de"},
		"input too short":       {"Schuhe?", en, "input", unsure, "the input: too short"},
		"input is code":         {`{"a": [1], "b": {"c": [2, 3]}}`, en, "input", unsure, "the input: mostly code"},
		"no input":              {"", en, "input", evaluators.SkipEmptyInput, ""},
		"short English":         {"", "The tent is green.", "en", "Expected Language", ""},
		"too short":             {"", "Gerne!", "de", unsure, "the output: too short"},
		"names":                 {"", "Paris, London, Berlin, Rome and Madrid.", "en", unsure, ""},
		"code":                  {"", "```go\nfunc main() { fmt.Println(1) }\n```", "en", unsure, "code"},
		"code in another":       {"", de + "\n```\nfor i := range 10 {}\n```\n", "de", "Expected Language", ""},
		"markup":                {"", "<p>**Hinweis:** " + de + "</p>", "de", "Expected Language", ""},
		"two languages":         {"", "Guten Tag, wie kann ich Ihnen helfen? How can I help you today?", "en", unsure, ""},
		"two scripts":           {"", en + " " + strings.Repeat(ja, 2), "ja", unsure, "several scripts"},
		"a foreign word":        {"", ja + " iPhone", "ja", "Expected Language", ""},
		"a name in Han":         {"", en + " 東京", "en", "Expected Language", ""},
		"only emoji and digits": {"", "😀😀 123", "en", unsure, "no words"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &evaluators.Case{Input: tt.input, Output: tt.output}
			verdict(t, ask(t, "language", c, "expect", tt.expect), tt.want, tt.why)
		})
	}
}

// The manager skips a case without an input, if the plan compares with it.
func TestLanguageOfTheInputNeedsAnInput(t *testing.T) {
	for expect, want := range map[string]evaluators.Need{
		"input": evaluators.NeedOutput | evaluators.NeedInput, "de": evaluators.NeedOutput,
	} {
		as, _, err := resolve(t, "builtin(inference(language(expect="+expect+")))")
		if err != nil {
			t.Fatal(err)
		}
		for _, ms := range as[0].Metrics {
			if ms[0].Needs != want {
				t.Errorf("%s: needs %b, want %b", expect, ms[0].Needs, want)
			}
		}
	}
}
