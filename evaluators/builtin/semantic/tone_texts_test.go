package semantic_test

import "strings"

// Texts of several kinds, one a line. The second half of each kind was written
// after the rules that judge them.

func lines(texts string) []string { return strings.Split(strings.TrimSpace(texts), "\n") }

// facts state and instruct, most of them in words with a tone.
var facts = lines(`
You can cancel at any time without a fee.
Press Ctrl+C to stop the server.
Delete the old files and restart.
The virus spreads through droplets in the air.
Low tide is at four in the afternoon.
If the build fails, clear the cache and run it again.
Crush two cloves of garlic and add them to the pan.
Cut the paper along the dotted line.
No, the museum is closed on Mondays.
There is no charge for the second bag.
Kill the process with the number shown in the list.
The error code 404 means that the page was not found.
In case of fire, leave the building by the stairs.
The battery lasts about two days on a low setting.
The subscription ends when the trial expires.
Stop taking the tablets two days before the test.
He died in 1827 in Vienna.
The war ended in 1648 with a treaty.
To remove a stain, soak the cloth in cold water.
The command returns an error when the file is missing.
Drop the table before you create it again.
The earthquake destroyed most of the old harbour.
Turn the key to the left to lock the door.
This function throws an exception if the list is empty.
Block the sender in the settings of your mail program.
The patient should avoid alcohol for a week.
Refunds are paid within ten days.
You need no visa for stays of up to ninety days.
Pull the red lever to shut down the machine.
Enemies of the rabbit are foxes and hawks.
Cancer cells divide without control.
Reject the request when the token is invalid.
Your parcel is delayed and arrives on Thursday.
A failed login is written to the log.
The price dropped by three percent in March.
Do not mix bleach with vinegar.
Empty the trash before you uninstall the program.
A recession is a fall in output for two quarters.
Break the eggs into a bowl and whisk them.
The loan must be repaid within five years.
Beat the butter until it is soft.
Shoot with a shutter speed of one sixtieth of a second.
The lawsuit was dismissed by the court in May.
Missing values are replaced by the mean.
Risk is the product of probability and damage.
You will lose unsaved work when you close the window.
Hang up and dial the number again.
The warranty covers faults in material and manufacture.
Smoking is not allowed in the rooms.
Only members can enter before nine.
The best way to reach the castle is by bus.
Click Accept to continue.
The free plan includes three projects.
Please enter a valid address.
Thank you for your order. It ships on Friday.
A strong password has at least twelve characters.
Save your work before the update starts.
The winner is the player with the most cards.
Love is a noun and a verb.
Sure, the store opens at nine.
Yes, you can pay by card.
The gift card is valid for two years.
Honey is safe for children older than one year.
Clean the filter once a month.
The bright side of the board faces up.
Hope is a town in British Columbia.
Peace talks began in Geneva in June.
The profit is revenue minus costs.
The top drawer holds the forks.
The interest rate is fixed for ten years.
Energy is conserved in a closed system.
Play the video at half speed.
Join the meeting with the link below.
Friends of the museum get in free of charge.
The cheapest ticket costs twelve euros.
The party was founded in 1890.
Aspirin relieves pain and lowers fever.
The alarm goes off when smoke is detected.
Poison ivy has three leaves on each stem.
The knife is in the second drawer.
Dead batteries go into the box at the entrance.
The deadline is at noon.
The bug was fixed in version 3.2.
Rain is expected from Tuesday on.
A false positive is an alarm without a cause.
The attack on the harbour began at dawn.
Type exit to quit the shell.
Disable the firewall for the length of the test.
Depression is treated with therapy, with drugs, or with both.
Murder is a crime that never expires.
The minus sign marks a loss.
Negative numbers are smaller than zero.
The trial version stops after thirty days.
Discard the first cup of water.
Symptoms are fever, cough and a sore throat.
Scratches are not covered by the insurance.
The police arrested two men on Sunday.
Unplug the device and wait for ten seconds.
The road is blocked after kilometre six.
You have no new messages.
We do not deliver on public holidays.
No receipt is needed for returns.
The river floods the fields every spring.
Strike the match away from your body.
Bad Ischl is a town in Austria.
Prisoners of war were exchanged in 1953.
The debt ceiling was raised in August.
Hunger is controlled by hormones.
The default timeout is thirty seconds.
The request was denied because the quota is used up.
Undo the last step with Ctrl+Z.
A hard drive can fail after five years.
Shortness of breath can be a sign of asthma.
Cold air sinks and warm air rises.
The warning light goes out after the engine starts.
Hold the power button until the phone shuts off.
The attacker must guess the secret within three tries.
Abort the upload with the Escape key.
Overdue books cost twenty cents a day.
The function fails silently when the index is out of range.
To end the call, press the red button.
Malaria is carried by mosquitoes.
The bridge collapsed in 1940 in a storm.
Warnings are printed in yellow and errors in red.
Remove the dead leaves in autumn.
You can dispute the charge within sixty days.
The weakest acid has the highest number in this table.
Panic is raised when the divisor is zero.
Destroy the object when the scene is unloaded.
A bear market is a fall of a fifth or more.
The thief was sentenced to four years in prison.
Wrong answers cost one point.
Burn the image to a disc.
The Black Death killed a third of the population.
If you are unhappy with the product, send it back within a month.
Ignore the warning and press Enter.
Tears contain salt, water and proteins.
Our office is closed until the sixth of January.
Hit the nail with short strokes.
Terminate the instance before you delete its volume.
The refund cannot be paid in cash.
Exit code 1 stands for a general failure.
Conflict resolution is part of the training.
Unauthorized access leads to a lock of the account.
The tumour was removed in surgery.
Rejecting the null hypothesis requires a p value below five percent.
Invalid rows are dropped without notice.
Drain the pasta and add the sauce.
Slaves built much of the early city.
The exam may be repeated once.
The opposite of success is failure.
A bug report needs the version and the steps.
This setting prevents accidental deletion.
Fraud is a crime in all states.
The speed limit is thirty miles an hour.
Avoid the area during the flood.
Unsubscribe with the link at the bottom of the mail.
The lower bound is exclusive.
Without a ticket you pay sixty euros.
Chop the onions and fry them in oil.
Waste water is cleaned in three stages.
There were no survivors of the crash.
A missing semicolon is a common error.
The tank holds poison gas.
Debtors have thirty days to object.
Grief has five stages in the model by Kubler-Ross.
The company laid off two hundred workers.
Punch a hole in the upper left corner.
The trial was stopped early for safety reasons.
Shut the valve and call the plumber.
The penalty for late payment is two percent.
A stroke is a loss of blood flow to the brain.
The volcano erupted twice last year.
Guests may not bring pets.
Lost cards are blocked by phone at any hour.
Angry Birds was released in 2009.
Rotten wood is soft when you press it.
The old town was bombed in 1944.
A cold start takes about four seconds.
The ship sank in less than three hours.
The unemployment rate rose to six percent.
No, a passport is not required.
The filter blocks ultraviolet light.
Never share your password with anyone.
Beauty and the Beast is a film of 1991.
The Great Wall is over twenty thousand kilometres long.
You win when all your cards are gone.
Welcome to the settings page.
Free parking is behind the house.
The award is given each year in Oslo.
Please confirm your address.
A healthy adult sleeps seven to nine hours.
The trust was set up in 1970.
Charge the phone for two hours before first use.
Interest is paid at the end of the year.
Solar panels have an efficiency of about twenty percent.
The guide explains how to share a folder with friends.
The better half of the data is kept for testing.
The fastest route takes forty minutes.
Gold is heavier than silver.
The app supports two languages.
The play opens on the first of May.
Support is open from nine to five.
A good conductor lets current pass with little loss.
I have deleted the three files that you named.
I found two errors in your code and marked them.
I stopped the server and started it again.
I cannot open the link that you sent.
I have cancelled your order, and the refund is on its way.
I have removed the duplicate lines from the list.
I don't have access to your calendar.
I do not know the exact date of his death.
I am an assistant and have no feelings.
I have changed the address of your delivery.
I have blocked the card, and a new one is being sent.
I've rewritten the paragraph without the passive voice.
I could not find a flight without a stop.
I see no mistake in the second paragraph.
We do not ship to islands.
We close at six and open again at nine.
We have received your complaint and will answer within two days.
We stopped selling this model in 2019.
We cannot change an order that has left the warehouse.
Our terms do not allow refunds after ninety days.
Our records show that the bill was not paid.
We charge a fee for late returns.
My knowledge ends in the spring of last year.
My calculation gives a loss of forty euros.
I'd use a list here, since the order matters.
Let me know if the error comes back.
I recommend a backup before you delete anything.
I suggest that you cancel the first booking.
I have added a warning for invalid input.
I have split the text into five parts.
I count seven words without a vowel.
I translated the letter and left the names as they are.
Tell me which of the two you need, and I will look it up.
I can explain how vaccines work.
I will remind you before the trial ends.
We have moved the meeting to Friday.
We offer three plans, two of them with support.
Our shop has a car park with forty places.
I have reset your password and sent a new link.
We sent the parcel on Monday by courier.
I killed the process that held the lock.
I ran the tests, and four of them failed.
I replaced the broken link with the new one.
We lost two points because the test was repeated.
I have reported the missing suitcase to the airline.
The flight was cancelled, so we booked you on the next one.
The answer is no, because the contract forbids it.
It depends on the size of the room.
He was killed in an accident in 1962.
She won the race twice and came second once.
He loved music and played the violin.
The king hated his brother and had him arrested.
The novel tells of a lonely man who loses his son.
The critics disliked the play, and it closed after a week.
The word sad comes from an old word for heavy.
Most patients feel tired for two days after the vaccine.
Users complained about the noise, and the fan was replaced.
Customers who are unhappy can return the goods.
Happy is the opposite of sad.
The crime rate fell, while the number of thefts grew.
You may withdraw your consent in writing.
Run the script again after the crash.
Overwrite the backup only when the disk is full.
The parasite lives in the gut of sheep.
Low blood sugar causes dizziness.
The connection closes when the timer runs out.
Smash the biscuits and mix them with melted butter.
Slice the bread and toast both sides.
No, batteries are not included.
There is no limit on the number of users.
Kill the background job with the fg command and Ctrl+C.
Error messages are kept in the folder var/log.
Put out the fire with sand.
The lamp burns less power at a low level.
Your membership lapses at the end of May.
Stop the mixer before you add flour.
She died in Rome at the age of eighty.
The siege lasted nine months.
Dirty filters are rinsed under the tap.
An exception is thrown for negative input.
Drop columns that you do not need.
The hurricane flooded the lower part of the city.
Lock the screen when you leave the desk.
Wasps attack when their nest is disturbed.
Blocked pipes are cleared with a spring.
Infants must not eat honey.
A claim is refused when the form is incomplete.
You do not have to register.
Push the lever down to break the circuit.
The main enemy of the aphid is the ladybird.
Leukaemia is a cancer of the blood.
Deny access to all ports but 443.
The train is late by twenty minutes.
Failed payments are tried again after three days.
Shares lost four percent on Wednesday.
Never pour water into acid.
Uninstall the old driver first.
Inflation is a general rise of prices.
Crack the shell with a spoon.
The borrower owes the bank nine thousand euros.
Whip the cream until it is stiff.
The gun fires blanks only.
The charges were dropped for lack of evidence.
Null values are skipped when the average is taken.
The hazard class is printed on the barrel.
Closing the lid will cut the power.
The caller hung up after ten seconds.
Damage by frost is not part of the cover.
Drinking is forbidden in the stadium.
The poor relief act was passed in 1834.
The shortest way to the lake leads through the wood.
Select Agree and go on.
The basic account is free of charge.
Please wait until the light turns green.
Thank you, the form has been received.
Strong acids dissolve zinc.
The champion of each group goes on to the final.
Joy is a given name for girls.
Certainly, the desk is open until ten.
Yes, cash is accepted.
The voucher can be used once.
This paint is safe for toys.
Wipe the surface with a clean cloth.
The shiny side of the foil faces inwards.
Paradise is a town in California.
A truce was agreed on Sunday.
Gains are taxed at a quarter.
The best before date is on the lid.
The bond pays interest twice a year.
Play and pause are on the same key.
Members and their friends enter through the east gate.
The winning number was drawn on Saturday.
The Labour Party won the vote in 1945.
The cream soothes sore skin.
The siren sounds in case of danger.
Foxgloves are poisonous in all parts.
The blade is behind the cover.
The dead are buried outside the wall.
The payment is due on Friday.
Version 4 closes a hole in the login page.
Storms are likely towards the weekend.
A miss is a request that the cache cannot answer.
The invasion started on 6 June 1944.
Press q to leave the pager.
Turn off the alarm with the code.
Anxiety can be eased by breathing exercises.
Theft must be reported within a day.
Red figures stand for a deficit.
The square root of a negative number is imaginary.
Throw the first pancake away.
Signs of a stroke are a drooping face and slurred speech.
Cracks in the glass void the warranty.
The mayor was charged with bribery.
Pull the plug before cleaning.
The pass is closed because of snow.
Your cart is empty.
The library does not lend on Sundays.
Nothing has to be signed.
Locusts destroy whole harvests.
Hit Enter to reject the change.
The slave trade was banned in 1807.
Rebels took the capital in March.
The account is suspended after five wrong entries.
The server refuses the connection when the limit is reached.
The tyre burst because the pressure was too high.
Fatal errors end the program.
Sour milk can be used for baking.
Sharp pain in the chest calls for a doctor.
Heavy rain cut off two villages.
The lamp warns of low oil.
I have closed the ticket as a duplicate.
I deleted the broken rows and saved the file.
We cannot refund tickets that were used.
I can cancel the booking for you.
If you feel sick, stop the exercise.
The critic called the film a disaster.
`)

// assents say next to nothing.
var assents = lines(`
lol ok
Yes, exactly.
ok
Sure.
Yes.
No.
Got it.
Right.
Okay, will do.
haha yes
Exactly right.
Fine.
Of course.
No way.
Hmm, no.
Yep, done.
You're welcome.
I see.
True.
Sure thing.
Not yet.
Thanks, noted.
yeah sure
no idea
Never mind.
Agreed.
Well, okay.
nope
k
Definitely yes.
ok thanks
Yes, please.
lol sure
Yep, that's right.
alright then
Correct.
No, thanks.
uh huh
Will do.
Makes sense.
I agree.
No problem.
haha ok
Indeed.
Not really.
okay cool
Oh well.
Sounds right.
Exactly.
sure lol
Maybe later.
Absolutely.
Yes, sir.
Nothing else.
no worries
Noted.
hm okay
Roger that.
Nah.
That's all.
`)

// praises evaluate or tell a feeling, some in the words of blame.
var praises = lines(`
No problem at all, works great!
No problems so far, I love it.
Zero complaints, a wonderful phone.
It solved my problem in a minute, brilliant!
I was worried about errors, but it works perfectly.
This is the best killer app I have used.
What a lovely surprise, thank you so much!
I am so happy that you could come.
The food was delicious and the staff friendly.
I really enjoyed the tour.
Great job, everyone!
This camera is excellent.
I can't complain, everything is great.
Not bad at all, I am pleased.
Fantastic service, never had an issue.
Your answer was very helpful.
I love how quickly it starts.
We had a wonderful evening.
That is amazing news!
The new version is a huge improvement and a joy to use.
It's a beautiful and comfortable room.
I'm glad it worked out for you.
You did an awesome job with the garden.
Highly recommended, worth every penny.
Best purchase I made this year, I am so happy with it!
I couldn't be happier with the result.
It works like a charm, and I would buy it again tomorrow.
Such a fun game, my kids adore it.
The sound is superb.
Congratulations on your wedding, I'm thrilled for you!
No issues whatsoever, runs flawlessly!
Never had a single error with it, superb software.
We love our new kitchen.
What an amazing concert!
The room was spotless and the breakfast delicious.
I am delighted with the outcome.
Thanks a million, you are a star!
This book is a masterpiece.
It's so nice to work with you.
My favourite cafe in town, always friendly.
I can't stop smiling, this is great news.
Not a bad word to say, everything was perfect.
The killer feature is the camera, it is incredible.
I'm really impressed with the battery.
Brilliant idea, well done!
The staff were kind and very helpful.
You explained it beautifully, thank you!
A truly wonderful place to stay.
I enjoyed every minute of it.
The kids had so much fun!
Such an elegant solution.
The soup tastes amazing.
I feel great today.
It fixed all my problems, fantastic tool.
We were thrilled by the view.
I adore this little lamp.
Happy that I found this shop.
The best pizza I have ever eaten.
Five stars, would recommend to anybody.
That was hilarious, I laughed so hard.
`)

// complaints are the opposite.
var complaints = lines(`
It broke after two days and nobody answers my mails.
A complete waste of money, I regret buying it.
This is a terrible product.
I hate the new layout.
The worst service I have ever had.
The food was cold and the waiter was rude.
I'm so disappointed with this phone.
What a horrible day.
This does not work at all, I am furious.
I am sad and lonely tonight.
Your answer was useless.
The screen is awful and the sound is worse.
I feel terrible about what happened.
That was a stupid idea.
We are sorry, this failed badly.
I will never buy here again.
The room was dirty and smelled bad.
It's a disgusting mess.
I'm tired of waiting for a reply.
The plot is boring and the acting is poor.
The support is a joke, they never answer.
This update ruined my phone.
Ugh, I'm so angry at them.
I was cheated and I want my money back.
Unfortunately the whole trip was a disaster.
I miss her so much it hurts.
The app crashes all the time, so annoying.
This is not good.
Terrible quality, it fell apart after a week.
I'm scared and I don't know what to do.
This is the most annoying app I have ever used.
I'm really upset about the way they treated us.
The soup was bland and the bread was stale.
Absolutely useless instructions.
I hate waiting for the bus in the rain.
It stopped working after a week and they refuse to pay.
What a terrible film.
My holiday was ruined by the noise.
The staff were rude and unhelpful.
I regret signing that contract.
You gave me a wrong answer twice, I'm so frustrated.
The quality is awful.
I feel so lonely since she left.
Worst pizza in town.
It is a mess and nobody cares.
I was bored to tears.
That joke was stupid and mean.
They lied to me and kept my deposit.
The new design is ugly.
I am disgusted by this behaviour.
The battery is a disaster.
Not worth the money.
I'm not happy with the result.
Such a waste of time.
The noise drives me crazy.
Sadly, it is a disappointing sequel.
I never received my parcel and support ignores me.
The seats were dirty and uncomfortable.
I'm worried sick about the exam.
This is unacceptable and I am angry.
`)
