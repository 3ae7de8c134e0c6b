// Does what an author should not do, to see the kit put up with it: prints,
// panics, answers what is not allowed.  At each ask it says its hand and its
// table, and unless it panics makes the last move of the list.

package main

import (
	"fmt"
	"sort"
	"strings"
)

type handBot struct{ *Game }

func (b handBot) Event(verb string, words []string) {
	if verb == "round" {
		panic("an author's mistake")
	}
}

func (b handBot) Choose(ask *Ask) string {
	fmt.Println("do 1 noise")
	hand := append([]string{"hand"}, b.Table.Hand...)
	sort.Strings(hand[1:])
	b.Say(strings.Join(hand, " "))
	b.Say(describe(b.Table))
	if ask.Number%6 == 0 {
		panic("another one")
	}
	if ask.Number == 3 {
		return "non..sense"
	}
	if ask.Number%3 == 0 {
		return "nonsense"
	}
	last := ask.Moves[len(ask.Moves)-1]
	if last.IsRange {
		return last.WithNumber(last.Low)
	}
	return last.Token
}

func describe(t *Table) string {
	text := fmt.Sprint("table ", t.Round, " ", t.Stake, " ", t.Stock, " held")
	for _, n := range t.Held {
		text += fmt.Sprint(" ", n)
	}
	text += " points"
	for _, n := range t.Points {
		text += fmt.Sprint(" ", n)
	}
	text += " inside"
	for seat, inside := range t.Inside {
		if inside {
			text += fmt.Sprint(" ", seat)
		}
	}
	text += fmt.Sprint(" seen ", len(t.Seen), " ")
	if t.Trump == "" {
		text += "-"
	}
	text += t.Trump
	for _, play := range t.Lying {
		text += fmt.Sprintf(" %d:%s", play.Seat, play.Card)
	}
	return text
}

func main() {
	Run(Config{Name: "hand"}, func(game *Game) Bot {
		fmt.Println("a game begins")
		game.Say("tab\there")
		return handBot{game}
	})
}
