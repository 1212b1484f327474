package main

import "github.com/genaievals/genaievals/instrumentation"

// knowledge is what the shop has written down: all that its assistant may draw
// on. The shop is made up.
var knowledge = []instrumentation.Document{
	{ID: "returns", Text: "Returns. Shoes can be returned within 30 days of delivery, unworn and in the original box. Jackets and bags as well. " +
		"Return postage is free. The money is back on the account within 5 working days after the parcel has arrived."},
	{ID: "exceptions", Text: "Exceptions from returns. Underwear and socks cannot be returned once the hygiene seal is broken. " +
		"Gift cards and items made to order cannot be returned. Sale items can be returned within 14 days."},
	{ID: "warranty", Text: "Warranty. Everything we sell has a warranty of 2 years against faults in material and stitching. " +
		"Send a photo of the fault and the order number to care@moorandmill.example, and we repair or replace the item. " +
		"Normal wear is not covered."},
	{ID: "washing", Text: "Washing. Wash down jackets at 30 degrees on a gentle cycle with down soap, never at 60 degrees. " +
		"Wash shirts at 40 degrees. Do not use fabric softener. Tumble dry down jackets on low with two tennis balls."},
	{ID: "proofing", Text: "Proofing. When water no longer beads on a rain jacket, wash it, spray it with a waterproofing spray while damp, " +
		"and tumble dry it on low for 20 minutes. Once a year is enough."},
	{ID: "shipping", Text: "Shipping. Standard shipping costs 4.90 euros and takes 3 working days. " +
		"Express shipping costs 9.90 euros and takes 1 working day. Standard shipping is free for orders over 60 euros."},
	{ID: "countries", Text: "Countries. We ship to Austria, Belgium, Germany, Norway and Sweden. " +
		"Parcels to Norway take 6 working days, and the customer pays customs duties."},
	{ID: "delivery", Text: "Delivery. Orders are delivered by Greenvan on weekdays between 8 and 18. " +
		"If nobody is at home, the parcel goes to the nearest pick-up point. A parcel is kept there for 7 days."},
	{ID: "giftcards", Text: "Gift cards. Gift cards are valid for 3 years from the day of purchase. " +
		"They can be used in several orders. They cannot be paid out in cash."},
	{ID: "sizes", Text: "Sizes. Our boots run small: between two sizes, take the larger one. " +
		"Jackets are true to size. Measure your foot in the evening, standing, from heel to longest toe."},
	{ID: "payment", Text: "Payment. We take credit card, bank transfer and payment by invoice. " +
		"An invoice is due 14 days after delivery. Payment by invoice is possible from the second order on."},
	{ID: "points", Text: "Points. Members collect one point for every 2 euros spent. " +
		"100 points are worth a voucher of 5 euros. Points expire after 12 months."},
	{ID: "repairs", Text: "Repairs. We repair zips, seams and buckles of our own brand in our workshop. " +
		"A new zip costs 25 euros and takes 2 weeks. Repairs under warranty are free."},
}
