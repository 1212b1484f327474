package judge

import (
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	// frameBytes is more than the document takes without any text.
	frameBytes = 128
	// leastPiece is the shortest piece of a document or a turn that is worth
	// showing: a few dozen words. Rather than slice many thinner, some are left
	// out.
	leastPiece = 256
	// listBytes and turnBytes are what a document and a turn take beside their
	// text.
	listBytes = len(`"",`)
	turnBytes = len(`": ",`)
)

// fit cuts d until it takes at most room bytes, and returns how many bytes of
// text it then lacks. The work is bounded by the room and by how many texts
// there are, not by how long they are.
func (d *document) fit(room int) (cut int64) {
	room -= frameBytes
	if d.surelyFits(room) {
		return 0
	}
	single := [...]*string{
		partOutput:   &d.Output,
		partInput:    &d.Input,
		partExpected: &d.Expected,
		partSystem:   &d.System,
	}
	var wants [parts]int
	for p, text := range single {
		wants[p] = encodedSize(*text, room)
	}
	wants[partDocuments] = documentsSize(d.Documents, room)
	wants[partHistory] = historySize(d.History, room)
	got := shares(room, wants)
	for p, text := range single {
		if wants[p] > got[p] {
			shown, n := cutText(*text, got[p])
			*text = shown
			cut += int64(n)
		}
	}
	if wants[partDocuments] > got[partDocuments] {
		cut += d.fitDocuments(got[partDocuments])
	}
	if wants[partHistory] > got[partHistory] {
		cut += d.fitHistory(got[partHistory])
	}
	return cut
}

// surelyFits reports whether the document is so short that it fits whatever it
// is made of, which is how most are.
func (d *document) surelyFits(room int) bool {
	room -= maxGrowth * (len(d.Output) + len(d.Input) + len(d.Expected) + len(d.System))
	for i := 0; i < len(d.Documents) && room >= 0; i++ {
		room -= maxGrowth*len(d.Documents[i]) + listBytes
	}
	for i := 0; i < len(d.History) && room >= 0; i++ {
		room -= maxGrowth*(len(d.History[i].Role)+len(d.History[i].Text)) + turnBytes
	}
	return room >= 0
}

// documentsSize is how many bytes the documents take. Once they are more than
// enough it stops counting.
func documentsSize(documents []string, enough int) int {
	n := 0
	for i := 0; i < len(documents) && n <= enough; i++ {
		n += encodedSize(documents[i], enough-n) + listBytes
	}
	return n
}

// fitDocuments cuts the long documents to one length. Where that would be too
// short to be of use, the last documents are left out.
func (d *document) fitDocuments(room int) (cut int64) {
	all := d.Documents
	sizes, each := documentSizes(all, room)
	if len(sizes) < len(all) {
		room -= markerBytes
		each = min(leastPiece, room)
		if sizes = sizes[:served(room, sizes, each)]; each < leastMarked {
			sizes = nil
		}
	}
	d.Documents = make([]string, 0, len(sizes)+1)
	for _, text := range all[:len(sizes)] {
		piece, n := cutText(text, each-listBytes)
		d.Documents = append(d.Documents, piece)
		cut += int64(n)
	}
	if left := all[len(sizes):]; len(left) > 0 {
		var bytes int64
		for _, text := range left {
			bytes += int64(len(text))
		}
		cut += bytes
		if room >= 0 {
			d.Documents = append(d.Documents, leftOutOf(len(left), "documents", bytes))
		}
	}
	return cut
}

// documentSizes is how many bytes each document takes, for as many as can have
// a useful part of the room, and the most that each of them may take.
//
// A document is not read further than that: what the documents take at least,
// which is their length, gives a level that is not too low.
func documentSizes(documents []string, room int) (sizes []int, each int) {
	sizes = make([]int, len(documents))
	for i, text := range documents {
		sizes[i] = len(text) + listBytes
	}
	least := min(leastPiece, room)
	enough := max(least, level(room, sizes))
	for i := range sizes {
		sizes[i] = encodedSize(documents[i], enough) + listBytes
	}
	sizes = sizes[:served(room, sizes, least)]
	return sizes, level(room, sizes)
}

// turnSize is how many bytes a turn takes. Once they are more than enough it
// stops counting.
func turnSize(t evaluators.Turn, enough int) int {
	return turnBytes + encodedSize(t.Role, enough) + encodedSize(t.Text, enough)
}

// historySize is how many bytes the turns take, from the newest back. Once they
// are more than enough it stops counting.
func historySize(turns []evaluators.Turn, enough int) int {
	n := 0
	for i := len(turns) - 1; i >= 0 && n <= enough; i-- {
		n += turnSize(turns[i], enough-n)
	}
	return n
}

// fitHistory keeps the newest turns. The oldest of them is cut where that leaves
// a useful piece of it.
func (d *document) fitHistory(room int) (cut int64) {
	all := d.History
	marked := room >= markerBytes
	room -= markerBytes
	first := len(all)
	for first > 0 {
		size := turnSize(all[first-1], room)
		if size > room {
			break
		}
		room -= size
		first--
	}
	kept := all[first:]
	var piece []evaluators.Turn
	if first > 0 && room >= leastPiece {
		t := all[first-1]
		if text := room - turnSize(evaluators.Turn{Role: t.Role}, room); text >= leastMarked {
			shown, n := cutText(t.Text, text)
			piece = []evaluators.Turn{{Role: t.Role, Text: shown}}
			cut += int64(n)
			first--
		}
	}
	var left []evaluators.Turn
	if first > 0 {
		var bytes int64
		for _, t := range all[:first] {
			bytes += int64(len(t.Text))
		}
		cut += bytes
		if marked {
			left = []evaluators.Turn{{Text: leftOutOf(first, "turns", bytes)}}
		}
	}
	d.History = slices.Concat(left, piece, kept)
	return cut
}
