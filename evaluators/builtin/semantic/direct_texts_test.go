package semantic_test

// Questions with right answers that share hardly a word with them.

// directs are short questions with direct answers. The last hundred were written
// after the rules.
var directs = lines(`
Where is Kyoto? | In the west of Honshu.
When did the Berlin Wall fall? | On the ninth of November 1989.
Who painted the Mona Lisa? | It was Leonardo da Vinci, around 1503.
How many legs does a spider have? | Eight, four on each side.
How tall is Mount Everest? | About 8,849 metres above the sea.
What is the capital of Australia? | That would be Canberra, not Sydney.
Is a tomato a fruit? | Yes, botanically it is a berry.
Can dogs eat grapes? | No, they may damage the kidneys.
When does the pharmacy open? | At half past eight from Monday to Saturday.
Where can I buy a bus ticket? | From the machine next to the platform.
Who wrote Hamlet? | William Shakespeare, about the year 1600.
How long does the flight to Lisbon take? | Roughly two hours and fifty minutes.
How much does the museum cost? | Twelve euros, or seven for students.
Do you ship to Norway? | Yes, within five working days.
What is the boiling point of water? | 100 degrees Celsius at sea level.
Why do leaves turn red in autumn? | Chlorophyll breaks down and other pigments become visible.
Where are penguins found? | Mostly on the southern half of the globe, above all in Antarctica.
Who discovered penicillin? | Alexander Fleming, a Scottish doctor, in 1928.
When was the Eiffel Tower built? | Between 1887 and 1889 for a world fair.
How old is the universe? | Some 13.8 billion years by current estimates.
What do pandas eat? | Bamboo for the most part, up to 30 kilos daily.
Which planet is the largest? | Jupiter, with a diameter of 140,000 km.
Is the pool heated? | Yes, to 27 degrees all year.
Where does the Danube end? | In the Black Sea, after crossing ten states.
How often should I water a cactus? | Every two or three weeks, less in winter.
Who invented the telephone? | Alexander Graham Bell got the patent in 1876.
What language do people speak in Brazil? | Portuguese, apart from some indigenous tongues.
When is the next full moon? | On Friday night, shortly after ten.
Can I bring my dog into the hotel? | Yes, pets stay free of charge.
How far is it to the airport? | About twenty kilometres along the motorway.
What is photosynthesis? | Plants make sugar out of light, carbon dioxide and water.
Why is the sea salty? | Rivers wash minerals out of rocks and carry them along.
How do I remove a red wine stain? | Sprinkle salt over it at once, then rinse with cold water.
Where is the remote control? | Under the cushion on the sofa.
Who won the 1998 World Cup? | France beat Brazil 3-0 in the final.
How many players are in a football team? | Eleven, including the goalkeeper.
Does the phone have a headphone jack? | No, only a USB-C port.
Should I soak lentils? | No need, they cook within half an hour anyway.
What should I feed a hedgehog? | Cat food and water, but never milk.
When was Mozart born? | On 27 January 1756 in Salzburg.
Where did the Titanic sink? | In the North Atlantic, off Newfoundland.
How many bones does an adult have? | There are 206 of them.
Are bananas radioactive? | Yes, very slightly, from the potassium inside.
Which gas do plants absorb? | Carbon dioxide, through tiny pores called stomata.
What causes tides? | The pull of the moon and, less, of the sun.
How heavy is an elephant? | Up to six tonnes for a bull.
Who is the author of Don Quixote? | Miguel de Cervantes, a Spaniard.
What time is breakfast? | Served between seven and ten on the ground floor.
How can I speed up my laptop? | Close unused programs, add memory and swap the hard disk for an SSD.
Can I pay by card? | Yes, Visa and Mastercard are accepted.
Where is the Louvre? | On the right bank of the Seine in Paris.
What is the currency of Japan? | They pay with yen there.
When does daylight saving time begin? | On the last Sunday of March.
Who was the first man on the moon? | Neil Armstrong, in July 1969.
Is gluten harmful? | Only for those with coeliac disease or an allergy.
How many days are in a leap year? | 366, since February gets one more.
Why do cats purr? | Mostly because they feel content, sometimes to calm themselves.
What is the tallest building in the world? | Burj Khalifa in Dubai, 828 metres high.
How do bees make honey? | They collect nectar and evaporate its moisture in the hive.
Where do kangaroos live? | All over Australia, and a few in New Guinea.
Does aspirin thin the blood? | Yes, it keeps platelets from clumping.
How long should I boil potatoes? | Fifteen to twenty minutes, until a fork slides in.
When did World War II end? | In 1945, on 8 May in Europe.
Who runs the bakery? | A couple from Naples, Marta and Luca.
Can I park here overnight? | No, not between ten and six.
How fast is a cheetah? | It can reach 110 km/h over short distances.
What is the largest ocean? | That is the Pacific, covering a third of the planet.
Is there a lift in the building? | Yes, behind the stairs on the left.
Where should I store olive oil? | Somewhere dark and cool, away from the stove.
How much sleep does a baby need? | Around 14 to 17 hours each day.
Where is Machu Picchu? | High in the Andes of Peru.
When did Apollo 11 land? | On 20 July 1969, in the evening.
Who composed the Four Seasons? | Antonio Vivaldi, around 1720.
How many strings does a violin have? | Four, tuned in fifths.
How deep is Lake Baikal? | 1,642 metres at its lowest spot.
Is Pluto a planet? | No, it was reclassified in 2006.
Can rabbits eat carrots? | Yes, but only now and then because of the sugar.
Where do polar bears hunt? | On the sea ice of the Arctic.
When do tulips bloom? | From late March until May.
Who directed Psycho? | Alfred Hitchcock, in 1960.
How long does it take to hard-boil an egg? | About ten minutes in bubbling water.
How much does a stamp cost? | Eighty-five cents for a standard letter.
Do you offer gift wrapping? | Yes, for two euros per parcel.
What is the melting point of iron? | 1,538 degrees Celsius.
Why does ice float? | Frozen water is less dense than liquid water.
Where can I rent a bike? | At the kiosk behind the town hall.
Who founded Microsoft? | Bill Gates and Paul Allen, in Albuquerque.
When was the printing press invented? | Around 1440, by Johannes Gutenberg.
How old is the Great Pyramid? | More than 4,500 years.
What do koalas feed on? | Eucalyptus leaves, nearly half a kilo a day.
Which metal is liquid at room temperature? | Mercury, and it gives off toxic fumes.
Is the beach suitable for toddlers? | Yes, it slopes gently and has shade.
Where does the Rhine rise? | In the Swiss Alps, near the Gotthard.
How often should I feed a goldfish? | Once or twice daily, a small pinch.
Who invented dynamite? | Alfred Nobel, a Swedish chemist.
What language is spoken in Austria? | German, with some regional dialects.
When does the ferry leave? | At seven in the morning and again at three.
Can I cancel my ticket? | Yes, until 24 hours before departure.
How far is the moon? | Roughly 384,000 kilometres away.
What is osmosis? | Water moves through a membrane towards more salt.
Why do onions make you cry? | Cutting them releases a gas that irritates the eyes.
How do I get wax out of a tablecloth? | Put blotting paper on it and run a warm iron across.
Where are the car keys? | On the hook beside the front door.
Who won the first Wimbledon? | Spencer Gore, in 1877.
How many teeth does a dog have? | 42 once it is fully grown.
Does the camera have a flash? | No, it must be attached separately.
Should I peel ginger? | Not if it is organic and well scrubbed.
What should I give a teething baby? | A chilled ring or a clean, damp cloth to chew.
When was Gandhi killed? | On 30 January 1948 in Delhi.
Where did Napoleon die? | On Saint Helena, a remote island.
How many letters are in the Greek alphabet? | 24, from alpha to omega.
Are strawberries berries? | No, botanists call them accessory fruits.
Which organ produces insulin? | The pancreas, in small islets of cells.
What causes thunder? | Air expands suddenly when lightning heats it.
How heavy is a blue whale? | Around 150 tonnes when grown.
Who wrote War and Peace? | Leo Tolstoy, who finished in 1869.
What time is checkout? | By eleven in the morning.
How can I make my car use less fuel? | Pump up the tyres, drive gently and leave the roof rack at home.
Can I bring my own wine? | Yes, there is a corkage fee of ten euros.
Where is the Prado? | In the centre of Madrid.
What is the currency of Switzerland? | They use francs there.
When does Ramadan start? | With the new moon, in early spring that year.
Who was the first woman in space? | Valentina Tereshkova, in 1963.
Is coffee bad for the heart? | Not in moderation, studies find.
How many minutes are in a day? | 1,440, since sixty times 24 makes that.
Why do birds migrate? | They follow food and milder weather.
What is the longest river in Africa? | The Nile, at 6,650 kilometres.
How do spiders make silk? | Glands in their abdomen squeeze out a protein that hardens.
Where do salmon spawn? | In the gravel of the rivers where they hatched.
Does ibuprofen reduce fever? | Yes, within about half an hour.
How long should rice soak? | Half an hour is plenty.
When did the Roman Empire fall? | In 476 in the west, a thousand years later in the east.
Who owns the campsite? | A family called Moreau, for three generations.
Can I smoke on the balcony? | No, the whole house is smoke-free.
How fast does sound travel? | About 343 metres per second in air.
What is the smallest country in the world? | Vatican City, with some 800 inhabitants.
Is there parking at the hotel? | Yes, underground, for fifteen euros a night.
Where should I keep bread? | In a wooden box, never the fridge.
How much water should I drink? | Around two litres a day, more when it is hot.
Which vitamin does sunlight give us? | Vitamin D, formed in the skin.
Who plays the villain in the film? | Javier Bardem, with dyed hair.
When is the office closed? | On Sundays and between Christmas and New Year.
Do cats dream? | Yes, their paws twitch while they do.
How many moons does Mars have? | Two, called Phobos and Deimos.
Where is the spare tyre? | Under the floor of the boot.
What is baking soda used for? | It makes dough rise and neutralises smells.
How tall is the Statue of Liberty? | 93 metres including the base.
Who is the president of the club? | Maria Lopez, since last autumn.
When was the euro introduced? | In 1999 for banks, three years later as cash.
Are mushrooms plants? | No, they form a kingdom of their own.
Where can I see the northern lights? | In Tromso, Abisko or Reykjavik on clear winter nights.
How long is a marathon? | 42.195 kilometres, to be exact.
Does the apartment have a washing machine? | No, but there is a launderette downstairs.
Why is the sunset red? | Blue light is scattered out on its long way through the air.
What do I need to open an account? | A passport and proof of where you live.
How big is a football pitch? | About 105 by 68 metres.
Who sang Imagine? | John Lennon, in 1971.
Where is Timbuktu? | In Mali, at the edge of the Sahara.
Is honey vegan? | No, because bees produce it.
How many people live in Iceland? | Some 380,000, most of them near Reykjavik.
When do I get my deposit back? | Within two weeks after you move out.
Can penguins fly? | No, their wings have become flippers.
Where was chess invented? | In northern India, around the sixth century.
How cold is liquid nitrogen? | Minus 196 degrees Celsius.
Who built the Taj Mahal? | Shah Jahan, for his wife.
What is the fastest animal on land? | The cheetah, for short bursts.
How often are the Olympics held? | Every four years, summer and winter apart by two.
Should I rinse pasta? | No, the starch helps the sauce to cling.
Where do I change trains for Ghent? | In Brussels, on platform nine.
Is the tap water safe? | Yes, it is tested every week.
`)

// advices ask for advice and give it.
var advices = lines(`
How can I make my team happier? | Start by asking each person what bothers them and act on one thing soon. Praise good work in public, keep meetings short, and let people decide how they reach their goals. Pay fairly, protect weekends, and have lunch together once in a while. Small signs of trust go further than a ping-pong table.
How do I get over a breakup? | Give yourself time and don't pretend that all is fine. Talk with friends, write down what you feel, mute the chats that keep pulling you back, and fill evenings with things you used to enjoy. Exercise helps more than most expect. If you cannot sleep or eat for weeks, see a doctor.
What should I do on a rainy Sunday? | Bake bread, since the dough needs hours anyway. Pull out an old board game, call somebody you have not spoken with for months, or go through the photographs on your phone and print ten of them. A museum is never emptier than before noon, and a long bath with a novel costs nothing at all.
How can I be more productive? | Pick the one task that matters most and do it first thing in the morning, before opening mail. Block ninety minutes without a phone, take real pauses, and say no to what others could do as well. In the evening, write down where to start the next day.
What can I do to sleep better? | Keep the bedroom dark and cool, get up at the same hour every morning, and leave coffee alone after lunch. Put screens away an hour before lights out. If your head keeps spinning, write the worries on paper and leave the paper in the kitchen.
How do I become a better listener? | Put your phone away, look at the other person, and wait two seconds before you reply. Ask short questions and repeat in your own words what you heard. Resist the urge to solve everything; often people simply want to be understood.
How can we attract more visitors to our village? | Open the old mill on Saturdays, mark three walks of different lengths, and put up a map at the station. Ask the baker to sell picnic baskets. A small concert every month gives the local paper something to print, and bus companies love a place where their guests can eat cake.
Should I quit my job? | Ask what exactly makes you unhappy: the work, the boss, or the hours. If one talk could change it, have that talk first. Put aside six months of expenses and look around quietly before you sign anything. Leaving without a plan feels great for about two weeks.
What are good ways to save money? | Write down everything you spend for a month; most people find two or three subscriptions they forgot. Cook at home, buy second hand, and let a standing order move a tenth of your pay to another account on the first of the month, so you never see it.
How do I talk to my teenager? | Choose a moment side by side, in the car or while cooking, rather than face to face. Ask about music or games, then keep quiet. Avoid lectures, admit your own mistakes, and let silence be. They come back when they feel that nothing they say is used against them later.
How can I calm down before an exam? | Breathe out longer than in, five times. Arrive early, walk once around the block, and stay away from nervous people at the door. Read every question before writing a word, and begin with the one that looks simplest. A bit of adrenaline even sharpens the mind.
Any tips for a first date? | Choose somewhere you can leave easily, such as a cafe near a park. Ask questions and really listen, keep former partners out of it, and stay off your phone. Wear something comfortable. If it was pleasant, say so the same evening instead of playing games.
How should we celebrate grandma's 80th birthday? | Hire a small boat, invite her oldest friends, and ask each guest to bring a photograph with a story. Let the little ones sing. Keep speeches short, serve the dishes from her childhood, and have somebody drive her home before she gets tired.
How can I make the living room cosier? | Replace the ceiling lamp with three small lights at different heights, lay a thick rug, and hang curtains that reach the floor. Plants and books help, so does a blanket on each armchair. Warm colours such as ochre or rust make a north-facing wall feel less chilly.
What is the best way to learn a language? | Speak from day one, however badly. Ten minutes daily beat two hours on Sunday. Watch series with subtitles, label things in your kitchen, and find a partner for weekly calls. Grammar sticks once you have heard a pattern often enough.
How do I deal with a noisy neighbour? | Knock, smile, and describe what you hear and when, without accusing anybody. Many simply have no idea how thin the walls are. Suggest a quiet hour. If nothing changes after two polite talks, keep a log and go to the landlord.
How can I convince my boss to give me a raise? | Collect numbers: what you delivered, what it brought in, and what others pay for the same role. Ask for a meeting of its own, name a figure slightly above what you want, and then stay silent. If the answer is no, agree on what has to happen by summer.
What could I cook for eight guests? | A big pot of chilli or a lasagne can be made the day before, so that you can sit with everybody. Put bread, olives and a green salad on the table first. For dessert, buy good ice cream and pour hot espresso over it.
How do I stop procrastinating? | Make the first step so small that it feels silly to refuse, such as opening the document and typing one line. Set a timer for ten minutes. Remove whatever distracts you from the desk, and promise somebody to show a draft by noon.
How can I help my child make friends? | Invite one classmate home for an hour, with something to do such as baking. Clubs where everyone shares a hobby take the pressure off. Practise saying hello through play, and don't hover; shy kids warm up at their own pace.
How do I keep my desk tidy? | Throw out three items each evening, give cables a box, and file letters the moment you open them.
How can I get rid of hiccups? | Hold your breath for a quarter of a minute, or sip cold water slowly while pinching your nose.
What should I get my father for his retirement? | A weekend at the lake with all the children, or tools for the hobby he never had time for.
How can we reduce waste at school? | Swap paper cups for mugs, put compost bins beside the canteen, and reward the class that throws out least.
How do I stay awake in long lectures? | Sit in front, write by hand, drink something cold, and move your toes; a short walk in the break works wonders.
Should I buy or rent? | Count how long you will stay. Below five years the fees eat up any gain; beyond ten, owning tends to win.
How can I make friends in a new city? | Join a choir or a running group, say yes to invitations, and become a regular at one cafe.
What can I do about back pain? | Get up every half hour, strengthen your belly, and sleep on your side with a pillow between the knees.
How do I choose a mattress? | Lie on it for at least fifteen minutes in your usual position, and take one that can be sent back.
Any ideas for a cheap holiday? | Swap homes with another family, cycle along a river, or pitch a tent at a farm.
How do I tell my parents that I failed? | Pick a calm evening, say it in one sentence, and explain what you plan next before they ask.
How can I motivate my students? | Let them choose a project, show where it is used in real life, and praise effort rather than marks.
What is the best way to clean silver? | Line a bowl with foil, add hot water and baking soda, and wait five minutes before you rinse.
How should I prepare for an interview? | Read up on the company, rehearse three stories about things you achieved, and lay out your clothes the night before.
How do I stop my dog from barking? | Ignore the noise, reward silence at once with a treat, and give him more exercise.
How can I lower my electricity bill? | Unplug chargers, wash at thirty degrees, swap old bulbs, and dry laundry on a line.
What should I write in a condolence card? | Keep it short: name the person, share one memory, and offer concrete help such as a meal.
How do I grow my newsletter? | Offer something free for signing up, send it on the same weekday, and ask readers to forward it.
How can one become more confident? | Do one small scary thing daily, stand upright, and keep a list of what went well.
How do I plan a surprise party? | Recruit her best friend, invent a dull pretext, and have everybody arrive half an hour before.
What could we do on our anniversary? | Go back to the restaurant where it all began, or write letters and read them by the fire.
How can I improve my handwriting? | Slow down, use lined paper, and copy a page you like for ten minutes each night.
How do I handle a difficult customer? | Listen until he has finished, repeat his point, apologise once, and offer two options.
How can I spend less time on my phone? | Leave it in the hall, switch the screen to grey, and delete the three apps that swallow most hours.
Which plants should I put on a shady balcony? | Ferns, hostas and begonias do well there; give them loose soil and keep them moist.
How do I break in new shoes? | Wear thick socks around the house for an hour each evening, and warm the leather with a hair dryer.
How can parents limit screen use? | Agree on fixed hours, keep tablets out of bedrooms, and set an example at dinner.
How do you make a small room look bigger? | Paint the walls white, hang a large mirror opposite the window, and choose furniture on thin legs.
What should I do if I lose my passport? | Report it to the police, then call your embassy; they issue an emergency document within days.
How can I cheer up a sick friend? | Bring soup, a silly film and the latest gossip, and leave before she gets tired.
`)
