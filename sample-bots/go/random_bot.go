// Every legal move is as likely as any other; so is every number of a range.
// Its moves follow from the game's ID and its seat alone.

package main

type randomBot struct{ *Game }

func (b randomBot) Choose(ask *Ask) string {
	move := ask.Moves[b.Random.Below(len(ask.Moves))]
	if !move.IsRange {
		return move.Token
	}
	return move.WithNumber(move.Low + b.Random.Below(move.High-move.Low+1))
}

func main() {
	Run(Config{}, func(game *Game) Bot { return randomBot{game} })
}
