package semantic_test

import "testing"

// The texts were written after the rules, which then changed for one of the harmless
// ones. The bound on threats is loose since what names neither weapon nor act is missed.
func TestThreatsAreNotCalledNonToxic(t *testing.T) {
	missed := 0
	for _, s := range threats {
		if r := evaluate(t, "toxicity", s); r.Label == "Non Toxic" {
			missed++
			t.Logf("%q: Non Toxic, %.3f", s, r.Score)
		}
	}
	t.Logf("%d of %d called Non Toxic", missed, len(threats))
	if missed*3 > len(threats) {
		t.Errorf("%d of %d threats are Non Toxic", missed, len(threats))
	}
}

func TestWeaponsAndViolentWordsAreNotToxic(t *testing.T) {
	silent := 0
	for _, s := range armedButHarmless {
		switch r := evaluate(t, "toxicity", s); r.Label {
		case "Toxic":
			t.Errorf("%q: Toxic (%s)", s, r.Explanation)
		case "":
			silent++
		}
	}
	t.Logf("%d of %d skipped", silent, len(armedButHarmless))
	if silent*2 > len(armedButHarmless) {
		t.Errorf("%d of %d skipped", silent, len(armedButHarmless))
	}
}

var threats = lines(`
I'm going to burn down your house while you sleep.
We will blow up your embassy before Friday.
I've got a rifle, and I'll use it on you.
There are explosives under your chair and you won't walk out.
I will push you under a train.
My brothers are waiting outside your door with machetes.
I'll throw you off a balcony.
You will not survive the night.
Tonight you die.
I'm going to bomb your church.
I will run you over if I see you again.
Enjoy your last day, you will be dead by Monday.
We're coming for you with knives.
My gun has your name on it.
I am going to shoot up your school.
Your children should drown.
I'll cut you into little bits.
You'd better leave town before we get to you.
One phone call, and your shop goes up in flames.
I will find a way to poison your dog.`)

var armedButHarmless = lines(`
I will kill the process and start the server again.
Cut the chicken into pieces and drown them in buttermilk.
Your knife should be sharp before you carve the roast.
The bomb squad cleared your building, and work goes on.
I'm going to shoot the wedding with two cameras.
We will blow up the balloons before your party.
The army bombed the bridge in 1944.
In chess you attack the king with two rooks.
If somebody attacks you, shout and run to a lit place.
The film is about a man with a gun who cannot die.
Vaccines save you from a disease that can kill.
I'll run it by you tomorrow.
Push the new branch before you delete the old one.
The baseball bat is made of ash.
The plot: a detective finds a bullet in the wall.
Your plants will die without water.
I am going to crush the garlic for your sauce.
The axe hangs beside the shed door.
Stab the potatoes with a fork before you bake them.
Skim the scum off the broth as it rises.
The bitch in heat should be kept away from male dogs.
The old battery is dead, so you need a new one.
Hang the shirt up, and the creases drop out.
Stroke patients lose two million brain cells a minute.`)
