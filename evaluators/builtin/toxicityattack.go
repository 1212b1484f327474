package builtin

// attack finds an attack that the speaker announces on the one addressed or on
// where he is, by a verb that needs more than its object to be one: I will shoot
// up your office, run you over, use it on you.
func (ts sequence) attack(i int) (n int, sure bool) {
	if !announcing[ts[i].text] || !ts.spokenFirst(i) && !self[ts.at(i-1)] && ts[i].text != "i'll" && ts[i].text != "we'll" {
		return 0, false
	}
	for j := i + 1; j < len(ts) && j <= i+4; j++ {
		end := j + 1
		switch ts[j].text {
		case "shoot", "blow", "burn":
			if next := ts.at(end); next != "up" && next != "down" {
				continue
			}
			end++
		case "bomb":
		case "run":
			if ts.at(end) == "you" && ts.at(end+1) == "over" && ts.at(end+2) != "to" {
				return end + 2 - i, true
			}
			continue
		case "push", "throw":
			if ts.at(end) == "you" && (ts.at(end+1) == "in" && ts.at(end+2) == "front" || ts.at(end+1) == "off" || ts.at(end+1) == "under") {
				return end + 2 - i, true
			}
			continue
		case "drown", "cut":
			if next := ts.at(end + 1); ts.at(end) == "you" && (ts[j].text == "drown" && next == "in" && ts.at(end+2) == "your" || next == "into" || next == "open") {
				return end + 2 - i, true
			}
			continue
		case "use":
			if ts.at(end+1) == "on" && ts.at(end+2) == "you" && ts.has(weapons) {
				return end + 3 - i, true
			}
			continue
		default:
			continue
		}
		if end+1 < len(ts) && ts[end].text == "your" && places[ts[end+1].text] {
			return end + 2 - i, !ts.plays()
		}
	}
	return 0, false
}

// menaces reports whether a sentence has weapons or death beside the one
// addressed, as threats have: that alone does not make it one.
func (ts sequence) menaces() bool {
	if ts.plays() {
		return false
	}
	to := false
	for _, t := range ts {
		to = to || addressed[t.text] || t.text == "your" || t.text == "you'll"
	}
	return to && (ts.has(weapons) || ts.has(dying))
}

func (ts sequence) has(words map[string]bool) bool {
	for _, t := range ts {
		if words[t.text] {
			return true
		}
	}
	return false
}

var (
	weapons = set(`gun guns knife knives bomb bombs bombing rifle machete axe bullet bullets grenade dynamite baseball`)
	dying   = set(`die died dead stab drown survive murder strangle`)
	places  = set(`school office building house home church mosque synagogue temple embassy shop store car workplace company headquarters apartment flat family street village city town`)
)
