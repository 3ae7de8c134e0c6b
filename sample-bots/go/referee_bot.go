// referee_bot.go - the Go kit: write a bot and never see a protocol line.
//
// Copy this file beside your bot.  It needs Go 1.17 and its standard library.
// Build the two together: go build -o mine mine.go referee_bot.go
//
//	package main
//
//	type mine struct{ *Game }
//
//	func (m mine) Choose(ask *Ask) string { return ask.Moves[0].Token }
//
//	func main() {
//		Run(Config{}, func(game *Game) Bot { return mine{game} })
//	}
//
// For each game that begins, your function makes a new bot.  A bot may also be
// a Watcher, a Voider, a Retirer or an Ender (see there), and then is told more.
//
// Standard output belongs to the protocol: from Run on, os.Stdout is standard
// error.  If Choose panics or returns what is not allowed, the kit shows why on
// standard error, tells the referee (`say fallback TYPE: TEXT`) and makes the
// first move of the list, so that the game goes on.  What else panics is told by
// `say failed`.
//
// A referee starts this program for each game.  With these arguments, which are
// the kit's, it goes to a referee that runs elsewhere instead and plays game
// after game there; what stands before --connect is yours:
//
//	--connect HOST:PORT   where the referee listens
//	--name NAME           who this bot is there (else: Config.Name)
//	--token-file FILE     the secret that it was given
//	--ladder LADDER       where to play; may be repeated
//	--tls                 the connection is TLS; beyond this machine it must be
//	--ca FILE             TLS; authorities to believe, not the system's
//	--fingerprint HEX     TLS; believe the certificate with this SHA-256 only
//
// A lost connection is made again, and the game goes on where it was.  SIGTERM or
// SIGINT: the last game is played to its end; the second one ends all at once.

package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand"
	"net"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	lineBytes = 8191 // the longest line a referee sends
	sayBytes  = 200  // of one remark
	sayCount  = 100  // remarks in one game

	// These hold for a connection to a referee elsewhere.
	connectTime = 10 * time.Second
	silentTime  = 75 * time.Second // one that lives is never silent for so long
	waitTime    = 100 * time.Millisecond
	waitTimeMax = 15 * time.Second
)

// A Bot plays one game.
type Bot interface {
	// Choose returns the token of one of the moves.
	Choose(ask *Ask) string
}

// A Watcher is told what happens, as its seat may see it.
type Watcher interface {
	Event(verb string, words []string)
}

// A Voider is told that an ask needs no answer any more.
type Voider interface {
	Void(number int)
}

// A Retirer is told that its seat has made its last fault.
type Retirer interface {
	Retired()
}

// An Ender is told that the game is over, or, if why is not empty, aborted.
type Ender interface {
	Over(why string)
}

// Config is what a bot says of itself.
type Config struct {
	Name string // shown in place of the file's name
}

// Game is what is settled before a game begins, and what goes with it.
type Game struct {
	ID          string
	Name        string
	Seat, Seats int
	Options     map[string]string // of the game: "points": "15"
	Names       []string          // of the bots, by seat, if the match tells
	Open        string
	Time        int // milliseconds for a move
	Bank        int // milliseconds that a game has beside
	Increment   int // milliseconds that a move adds to the bank
	Total       int // milliseconds for the whole game; 0: no bound
	Faults      int // with so many faults a seat is retired

	Table  *Table  // nil in a game that this file does not know
	Random *Random // the same numbers whenever game and seat are the same

	say func(text string)
}

// Say leaves a remark in the record.
func (g *Game) Say(text string) { g.say(text) }

func readGame(words []string) *Game {
	if len(words) < 7 || words[3] != "seat" || words[5] != "of" {
		return nil
	}
	seat, err1 := strconv.Atoi(words[4])
	seats, err2 := strconv.Atoi(words[6])
	if err1 != nil || err2 != nil || seat < 0 || seats <= seat {
		return nil
	}
	game := &Game{
		ID: words[1], Name: words[2], Seat: seat, Seats: seats,
		Options: map[string]string{}, Open: "priority",
	}
	for _, word := range words[7:] {
		if i := strings.IndexByte(word, '='); i >= 0 {
			game.setPair(word[:i], word[i+1:])
		}
	}
	return game
}

func (g *Game) setPair(key, value string) {
	numbers := map[string]*int{"time": &g.Time, "bank": &g.Bank,
		"increment": &g.Increment, "total": &g.Total, "faults": &g.Faults}
	switch {
	case key == "names":
		g.Names = strings.Split(value, ",")
	case key == "open":
		g.Open = value
	case numbers[key] != nil:
		*numbers[key] = number(value)
	default:
		g.Options[key] = value
	}
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// Move is one entry of a legal list: a move, or a range of moves.
type Move struct {
	Token         string
	IsRange       bool
	Low, High     int // of a range
	before, after string
}

var rangeForm = regexp.MustCompile(`^(.*?)([0-9]+)\.\.([0-9]+)(.*)$`)

func newMove(token string) Move {
	move := Move{Token: token}
	if !strings.Contains(token, "..") {
		return move
	}
	if found := rangeForm.FindStringSubmatch(token); found != nil {
		move.IsRange = true
		move.before, move.after = found[1], found[4]
		move.Low, move.High = number(found[2]), number(found[3])
	}
	return move
}

// Verb is what stands before the first colon.
func (m Move) Verb() string { return strings.SplitN(m.Token, ":", 2)[0] }

// Args are what stands between the colons behind the verb.
func (m Move) Args() []string { return strings.Split(m.Token, ":")[1:] }

// WithNumber is the token with this number in place of the range.
func (m Move) WithNumber(n int) string {
	return m.before + strconv.Itoa(n) + m.after
}

func (m Move) allows(token string) bool {
	if !m.IsRange {
		return token == m.Token
	}
	if len(token) <= len(m.before)+len(m.after) {
		return false
	}
	n := number(token[len(m.before) : len(token)-len(m.after)])
	return n >= m.Low && n <= m.High && token == m.WithNumber(n)
}

// Ask is a question.  The first move is the house move.
type Ask struct {
	Number int // counts the asks of a game from 1
	MS     int // the time for the answer
	Moves  []Move
}

// Random has the same numbers in all the kits: FNV-1a of `SEAT ID` is the state
// of a xorshift32 (Marsaglia 2003: 13, 17, 5).
type Random struct{ state uint32 }

func newRandom(text string) *Random {
	state := uint32(2166136261)
	for i := 0; i < len(text); i++ {
		state = (state ^ uint32(text[i])) * 16777619
	}
	if state == 0 {
		state = 1
	}
	return &Random{state}
}

// Below is a number from 0 to n-1.
func (r *Random) Below(n int) int {
	r.state ^= r.state << 13
	r.state ^= r.state >> 17
	r.state ^= r.state << 5
	return int(uint64(r.state) * uint64(n) >> 32)
}

// ---- the table -------------------------------------------------------------

// Table is a game as one seat knows it, by the event lines so far.  The fields
// are the same in all games and in all the kits.  A card that is shown with its
// fang covered ends in `?`: `Y3?`.
type Table struct {
	Round  int             // the number of the round that is on
	Hand   []string        // my cards; of doubles-dread the pawns of my barks
	Held   []int           // by seat: how many cards each has in its hand
	Points []int           // by seat: as the last `score` said
	Inside []bool          // by seat: whether it is still in the round
	Stake  int             // toepen's stake, daupun's pot, the bid of doubles-dread
	Stock  int             // how many cards are with nobody yet
	Lying  []Play          // on the table in this turn or trick; daupun's reserves
	Seen   map[string]bool // the cards that I have seen in this round
	Trump  string          // of durnius

	game  *Game
	known known
	alive []bool
	barks map[string][]string
}

// Play is a card and who laid it down.
type Play struct {
	Seat int
	Card string
}

func newTable(game *Game) *Table {
	of, ok := games[game.Name]
	if !ok {
		return nil
	}
	t := &Table{game: game, known: of, Points: make([]int, game.Seats)}
	for i := 0; i < game.Seats; i++ {
		t.alive = append(t.alive, true)
	}
	t.begin(0)
	return t
}

// known is of a game: how many cards a round has (so many, and so many for each
// seat, times the number of an option), and which card of a move goes from the
// hand onto the table.
type known struct {
	fixed, eachSeat int
	times           string
	lays            map[string]int
}

var games = map[string]known{
	// made by make-tables.py:
	"daumen-drauf":  {12, 6, "", map[string]int{}},
	"daupun":        {40, 0, "", map[string]int{"discard": 1, "swap": 1}},
	"doubles-dread": {32, 0, "", map[string]int{"play": 1}},
	"durnius":       {36, 0, "decks", map[string]int{"attack": 1, "beat": 2, "transfer": 1, "add": 1}},
	"toepen":        {32, 0, "", map[string]int{"play": 1}},
	// end of what make-tables.py makes
}

func (k known) deck(game *Game) int {
	cards := k.fixed + k.eachSeat*game.Seats
	if times, err := strconv.Atoi(game.Options[k.times]); err == nil {
		return cards * times
	}
	return cards
}

func (t *Table) begin(round int) {
	t.Round = round
	t.Hand = nil
	t.Held = make([]int, t.game.Seats)
	t.Inside = append([]bool(nil), t.alive...)
	t.Stake = 0
	if t.game.Name == "toepen" {
		t.Stake = 1
	}
	t.Stock = t.known.deck(t.game)
	t.Lying = nil
	t.Seen = map[string]bool{}
	t.Trump = ""
	t.barks = map[string][]string{}
}

func (t *Table) see(cards ...string) {
	for _, card := range cards {
		if !strings.Contains(card, "?") {
			t.Seen[card] = true
		}
	}
}

// give puts cards into a hand.
func (t *Table) give(seat int, cards []string) {
	t.Held[seat] += len(cards)
	t.see(cards...)
	if seat == t.game.Seat {
		t.Hand = append(t.Hand, cards...)
	}
}

// leave takes a card out of a hand.
func (t *Table) leave(seat int, card string) {
	t.Held[seat]--
	t.see(card)
	for i, mine := range t.Hand {
		if seat == t.game.Seat && mine == card {
			t.Hand = append(t.Hand[:i:i], t.Hand[i+1:]...)
			return
		}
	}
}

func (t *Table) lay(seat int, card string) {
	t.leave(seat, card)
	t.Lying = append(t.Lying, Play{seat, card})
}

// lift takes cards off the table.
func (t *Table) lift(cards []string) {
	var left []Play
	for _, play := range t.Lying {
		if !contains(cards, play.Card) {
			left = append(left, play)
		}
	}
	t.Lying = left
}

func contains(words []string, wanted string) bool {
	for _, word := range words {
		if word == wanted {
			return true
		}
	}
	return false
}

func (t *Table) move(seat int, token string) {
	words := strings.Split(token, ":")
	if at := t.known.lays[words[0]]; at > 0 {
		t.lay(seat, words[at])
	}
	switch words[0] {
	case "fold":
		t.Inside[seat] = false
	case "swap":
		t.lift(words[2:3])
		t.give(seat, words[2:3])
	case "show", "twin":
		if t.game.Name == "daumen-drauf" {
			t.Lying = append(t.Lying, Play{seat, words[1]})
		} else {
			t.see(words[1])
		}
	}
}

// shown is where the cards lie that a seat has shown in this turn.
func (t *Table) shown(seat int) []int {
	var at []int
	for i, play := range t.Lying {
		if play.Seat == seat {
			at = append(at, i)
		}
	}
	return at
}

// take: the last card that each seat has shown leaves its hand.
func (t *Table) take(cards []string) {
	for seat := range t.Held {
		if at := t.shown(seat); len(at) > 0 {
			t.leave(seat, t.Lying[at[len(at)-1]].Card)
		}
	}
	t.see(cards...)
	t.Lying = nil
}

// open: the card that a seat has shown before its last one.
func (t *Table) open(seat int, card string) {
	if at := t.shown(seat); len(at) > 1 {
		t.Lying[at[len(at)-2]].Card = card
	}
	t.leave(seat, card)
}

func (t *Table) pickup(seat, cards int) {
	t.Held[seat] += cards
	if seat == t.game.Seat {
		for _, play := range t.Lying {
			t.Hand = append(t.Hand, play.Card)
		}
	}
	t.Lying = nil
}

func (t *Table) event(verb string, words []string) {
	if len(words) == 0 {
		return
	}
	seat, rest := number(words[0]), words[1:]
	switch verb {
	case "round":
		t.begin(seat)
		if t.game.Name == "daupun" {
			t.Stake = number(words[8])
		}
	case "deal":
		t.Held[seat] = 0
		if seat == t.game.Seat {
			t.Hand = nil
		}
		fallthrough
	case "draw":
		t.Stock -= len(rest)
		t.give(seat, rest)
	case "bark":
		t.barks[words[0]] = rest
		t.Stock -= len(rest)
		t.see(rest...)
	case "at":
		t.give(number(words[2]), t.barks[words[1]])
	case "move":
		t.move(seat, words[1])
	case "stake", "pot":
		t.Stake = number(words[0])
	case "south":
		t.Stake = number(words[1])
	case "trump":
		t.Trump = words[0]
		t.see(words[0])
	case "reveal":
		t.see(rest...)
	case "show":
		t.see(rest[1:]...)
	case "score":
		t.Points[seat] = number(words[1])
	case "out":
		t.Inside[seat] = false
		if t.game.Name == "toepen" {
			t.alive[seat] = false
		}
	case "swallow":
		t.lift(words)
	case "trick":
		if t.game.Name != "daupun" {
			t.Lying = nil
		}
	case "turn", "discard":
		t.Lying = nil
	case "pickup":
		t.pickup(seat, number(words[1]))
	case "open":
		t.open(seat, words[1])
	case "take":
		t.take(rest)
	}
}

// ---- the conversation ------------------------------------------------------

// session is the conversation, apart from what carries it: feed takes what has
// arrived, send is given what is to leave.  ladders are for a referee elsewhere,
// with whom it has one connection or several.
type session struct {
	config   Config
	newBot   func(*Game) Bot
	send     func([]byte)
	ladders  []string
	game     *Game // that is on
	bot      Bot
	read     int    // lines of that game
	answer   string // the last one in that game, as it was sent
	remarks  int
	failing  bool // told since the last ask
	quitting bool

	welcome  bool // the referee has said who it is
	moved    bool // a line of a game has come
	failed   bool // it has said why the connection ends
	unwanted bool // and does not want us to come again
	ended    bool // it has said `bye`
	awaits   []string // a game, and the ask of it that counts
	rest     []byte
	skipping bool
	out      bytes.Buffer
}

// clear: nothing has been heard on a connection yet.
func (s *session) clear() {
	s.welcome, s.moved, s.ended = false, false, false
	s.failed, s.unwanted = false, false
	s.awaits = nil
	s.rest, s.skipping = nil, false
	s.out.Reset()
}

// begin: a connection is there; a game that was on before still is.
func (s *session) begin(name, token string) {
	s.clear()
	if name == "" {
		return
	}
	line := "bot 1 " + name
	if token != "" {
		line += " token=" + token + " entropy=yes"
	}
	if s.game != nil {
		line += fmt.Sprintf(" resume=%s:%d", s.game.ID, s.read)
	}
	s.put(line)
	s.flush()
}

// quit: no game after this one.
func (s *session) quit() {
	s.quitting = true
	if s.welcome {
		s.put("quit")
	}
	s.flush()
}

func (s *session) feed(data []byte) {
	lines := bytes.Split(append(s.rest, data...), []byte("\n"))
	s.rest = lines[len(lines)-1]
	lines = lines[:len(lines)-1]
	if s.skipping && len(lines) > 0 {
		lines = lines[1:]
		s.skipping = false
	}
	for i, line := range lines {
		if s.ended {
			break
		}
		if len(line) <= lineBytes {
			s.line(string(line), lines[i+1:])
		}
	}
	if s.skipping || len(s.rest) > lineBytes {
		s.rest, s.skipping = nil, true
	}
	s.flush()
}

func (s *session) put(line string) { s.out.WriteString(line + "\n") }

// putInGame: elsewhere a line may come late, and must not count in the next game.
func (s *session) putInGame(line string) string {
	if s.ladders != nil && s.game != nil {
		line = "@" + s.game.ID + " " + line
	}
	s.put(line)
	return line
}

func (s *session) putEntropy() {
	dice := make([]byte, 32)
	if _, err := rand.Read(dice); err != nil {
		return
	}
	s.putInGame("entropy " + hex.EncodeToString(dice))
	if s.ladders != nil && s.game != nil {
		fmt.Fprintf(os.Stderr, "entropy %s %x\n", s.game.ID, dice)
	}
}

func (s *session) flush() {
	if s.out.Len() > 0 {
		s.send(s.out.Bytes())
		s.out.Reset()
	}
}

// attempt returns TYPE: TEXT of a panic; nothing if there is none.
func attempt(work func()) (why string) {
	defer func() {
		if problem := recover(); problem != nil {
			why = fmt.Sprintf("panic: %v", problem)
			fmt.Fprintf(os.Stderr, "%s\n%s", why, debug.Stack())
		}
	}()
	work()
	return ""
}

// guard: a mistake of the bot's author ends neither bot nor game.
func (s *session) guard(work func()) {
	why := attempt(work)
	if why != "" && s.game != nil && !s.failing {
		s.failing = true
		s.say("failed " + why)
	}
}

func isOutside(verb string) bool {
	switch verb {
	case "referee", "ping", "error", "bye", "gone", "awaits":
		return true
	}
	return false
}

func (s *session) line(line string, later [][]byte) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	if isOutside(words[0]) {
		s.outside(words)
		return
	}
	if s.game != nil {
		s.read++
		s.moved = true
	}
	switch words[0] {
	case "commit":
	case "game":
		s.startGame(words)
	case "entropy?":
		s.putEntropy()
	default:
		if s.game != nil {
			s.inGame(words, later)
		}
	}
}

// outside: lines that belong to no game.
func (s *session) outside(words []string) {
	switch words[0] {
	case "referee":
		s.greet()
	case "ping":
		words[0] = "pong"
		s.put(strings.Join(words, " "))
	case "error":
		s.takeError(words[1:])
	case "bye":
		s.ended = true
	case "awaits":
		s.awaits = words[1:]
	case "gone":
		if s.game != nil && len(words) > 1 && words[1] == s.game.ID {
			s.over("nothing is known of it any more")
		}
	}
}

// takeError reads pairs, of which we know one, then a sentence.
func (s *session) takeError(words []string) {
	s.failed = true
	for len(words) > 0 && pairForm.MatchString(words[0]) {
		s.unwanted = s.unwanted || words[0] == "again=no"
		words = words[1:]
	}
	fmt.Fprintln(os.Stderr, "the referee says:", strings.Join(words, " "))
}

var pairForm = regexp.MustCompile(`^[a-z-]+=.`)

func (s *session) greet() {
	s.welcome = true
	if s.ladders == nil {
		return
	}
	if s.quitting {
		s.put("quit")
	} else {
		s.put("sit " + strings.Join(s.ladders, " "))
	}
	if s.game != nil && s.answer != "" {
		s.put(s.answer) // it may not have arrived
	}
}

func (s *session) inGame(words []string, later [][]byte) {
	switch words[0] {
	case "ask":
		s.ask(words, later)
	case "void":
		if bot, ok := s.bot.(Voider); ok && len(words) > 1 {
			s.guard(func() { bot.Void(number(words[1])) })
		}
	case "retired":
		if bot, ok := s.bot.(Retirer); ok {
			s.guard(bot.Retired)
		}
	case "over":
		s.over("")
	case "abort":
		if len(words) < 3 {
			words = append(words, "", "aborted")
		}
		s.over(strings.Join(words[2:], " "))
	default:
		if s.game.Table != nil {
			attempt(func() { s.game.Table.event(words[0], words[1:]) })
		}
		if bot, ok := s.bot.(Watcher); ok {
			s.guard(func() { bot.Event(words[0], words[1:]) })
		}
	}
}

func (s *session) startGame(words []string) {
	game := readGame(words)
	if game == nil {
		return
	}
	game.Random = newRandom(fmt.Sprintf("%d %s", game.Seat, game.ID))
	game.Table = newTable(game)
	game.say = s.remark
	s.game, s.bot = game, nil
	s.read, s.moved, s.answer, s.remarks = 1, true, "", 0
	s.failing = false
	s.guard(func() { s.bot = s.newBot(game) })
}

func (s *session) ask(words []string, later [][]byte) {
	if len(words) < 4 || isVoid(words[1], later) || s.isOver(number(words[1])) {
		return
	}
	ask := &Ask{Number: number(words[1]), MS: number(words[2])}
	for _, token := range words[3:] {
		ask.Moves = append(ask.Moves, newMove(token))
	}
	s.answer = s.putInGame("do " + words[1] + " " + s.choose(ask))
	s.failing = false
	s.flush()
}

// choose returns the token; the first one, and a word about it, if there is none.
func (s *session) choose(ask *Ask) string {
	var token string
	why := attempt(func() { token = s.bot.Choose(ask) })
	if why == "" && ask.allows(token) {
		return token
	}
	if why == "" && strings.Contains(token, "..") {
		why = "illegal: " + token + " is a range: answer with one number of it"
	} else if why == "" {
		why = "illegal: " + token + " is not in the list"
	}
	fmt.Fprintln(os.Stderr, why+"; making the first move instead")
	s.say("fallback " + why)
	return ask.Moves[0].Token
}

func (a *Ask) allows(token string) bool {
	for _, move := range a.Moves {
		if move.allows(token) {
			return true
		}
	}
	return false
}

// isOver: who comes back hears of asks that were answered long ago.
func (s *session) isOver(ask int) bool {
	return len(s.awaits) > 1 && s.awaits[0] == s.game.ID &&
		ask < number(s.awaits[1])
}

// isVoid: a slow bot finds asks in its pipe that are void by now.
func isVoid(number string, later [][]byte) bool {
	for _, line := range later {
		words := strings.Fields(string(line))
		if len(words) > 0 && words[0] == "ask" {
			return false
		}
		if len(words) == 2 && words[0] == "void" && words[1] == number {
			return true
		}
	}
	return false
}

func (s *session) over(why string) {
	bot, ok := s.bot.(Ender)
	s.game, s.bot = nil, nil
	if ok {
		s.guard(func() { bot.Over(why) })
	}
}

func (s *session) remark(text string) {
	if s.remarks < sayCount && s.say(text) {
		s.remarks++
	}
}

// say returns whether there was anything to say.
func (s *session) say(text string) bool {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, text)
	clean = strings.TrimSpace(clean)
	if len(clean) > sayBytes {
		clean = clean[:sayBytes]
	}
	if clean != "" {
		s.putInGame("say " + clean)
	}
	return clean != ""
}

// ---- a referee elsewhere ---------------------------------------------------

// refused: it is no use to try again.
type refused string

func (r refused) Error() string { return string(r) }

type remote struct {
	session         *session
	address, host   string
	name, tokenFile string
	ca, pin         string
	secure          *tls.Config
	conn            net.Conn
	signals         chan os.Signal
	tls             bool
	quitting        bool
	wait            time.Duration
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)
var tokenForm = regexp.MustCompile(`^[!-~]{1,128}$`)
var pinForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// newRemote reads the kit's arguments.
func newRemote(s *session, arguments []string) (*remote, error) {
	r := &remote{session: s, name: s.config.Name, wait: waitTime}
	values := map[string]*string{"--connect": &r.address, "--name": &r.name,
		"--token-file": &r.tokenFile, "--ca": &r.ca, "--fingerprint": &r.pin}
	for i := 0; i < len(arguments); i++ {
		option := arguments[i]
		if option == "--tls" {
			r.tls = true
			continue
		}
		if values[option] == nil && option != "--ladder" {
			return nil, fmt.Errorf("there is no %s", option)
		}
		if i++; i == len(arguments) {
			return nil, fmt.Errorf("%s wants a value", option)
		}
		if option == "--ladder" {
			s.ladders = append(s.ladders, arguments[i])
		} else {
			*values[option] = arguments[i]
		}
	}
	s.send = r.send
	return r, r.check()
}

func (r *remote) check() error {
	host, _, err := net.SplitHostPort(r.address)
	if err != nil {
		return fmt.Errorf("--connect wants HOST:PORT: %v", err)
	}
	r.host = host
	if !nameForm.MatchString(r.name) {
		return errors.New("--name is missing, or no name")
	}
	if r.tokenFile == "" {
		return errors.New("--token-file is missing")
	}
	if len(r.session.ladders) == 0 {
		return errors.New("--ladder is missing")
	}
	for _, ladder := range r.session.ladders {
		if !nameForm.MatchString(ladder) {
			return errors.New("--ladder is no name")
		}
	}
	if r.tls || r.ca != "" || r.pin != "" {
		if err := r.useTLS(); err != nil {
			return err
		}
	}
	_, err = r.token()
	return err
}

func (r *remote) useTLS() error {
	r.secure = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: r.host}
	if r.ca != "" {
		pem, err := os.ReadFile(r.ca)
		if err != nil {
			return fmt.Errorf("--ca: %v", err)
		}
		r.secure.RootCAs = x509.NewCertPool()
		if !r.secure.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("--ca: no certificate in %s", r.ca)
		}
	}
	if r.pin != "" {
		r.pin = strings.ToLower(strings.ReplaceAll(r.pin, ":", ""))
		if !pinForm.MatchString(r.pin) {
			return errors.New("--fingerprint wants 64 hex digits")
		}
		r.secure.InsecureSkipVerify = true // the fingerprint is looked at
	}
	return nil
}

func (r *remote) token() (string, error) {
	text, err := os.ReadFile(r.tokenFile)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if !tokenForm.MatchString(token) {
		return "", fmt.Errorf("%s: not a token", r.tokenFile)
	}
	return token, nil
}

// run returns the exit status.
func (r *remote) run() int {
	r.signals = make(chan os.Signal, 1)
	signal.Notify(r.signals, syscall.SIGTERM, syscall.SIGINT)
	for !r.mayLeave() {
		err := r.talk()
		if r.conn != nil {
			r.conn.Close()
			r.conn = nil
		}
		var no refused
		if errors.As(err, &no) {
			fmt.Fprintln(os.Stderr, "refused:", no)
			return 1
		}
		if r.isOver() {
			if r.session.unwanted {
				return 1
			}
			return 0
		}
		r.pause(err)
	}
	return 0
}

// mayLeave: a referee that we have just lost may have begun another game.
func (r *remote) mayLeave() bool {
	return r.quitting && r.session.game == nil && !r.session.welcome
}

// isOver tells whether the referee wants no more of us.  One that is full for a
// moment, or stops, says `error`, too.
func (r *remote) isOver() bool {
	s := r.session
	return s.unwanted || s.ended && !s.failed
}

func (r *remote) pause(why error) {
	if r.session.moved {
		r.wait = waitTime
	}
	wait := time.Duration(float64(r.wait) * (0.5 + mathrand.Float64()/2))
	if r.wait *= 2; r.wait > waitTimeMax {
		r.wait = waitTimeMax
	}
	if why == nil {
		why = errors.New("it closed the connection")
	}
	fmt.Fprintf(os.Stderr, "no connection to %s: %v; again in %.1f s\n",
		r.address, why, wait.Seconds())
	select {
	case <-r.signals:
		r.heed()
	case <-time.After(wait):
	}
}

// heed: a signal has come; the next one ends all.
func (r *remote) heed() {
	r.quitting = true
	signal.Reset(syscall.SIGTERM, syscall.SIGINT)
	r.session.quitting = true
}

// talk: one connection, from its beginning to its end.
func (r *remote) talk() error {
	r.session.clear()
	token, err := r.token()
	if err != nil {
		return refused(err.Error())
	}
	if err := r.dial(); err != nil {
		return err
	}
	r.session.begin(r.name, token)
	chunks, stop := make(chan []byte), make(chan struct{})
	defer close(stop)
	go receive(r.conn, chunks, stop)
	for !r.session.ended {
		select {
		case <-r.signals:
			r.heed()
			r.session.quit()
		case data, ok := <-chunks:
			if !ok {
				return nil
			}
			r.session.feed(data)
		case <-time.After(silentTime):
			return errors.New("no word of it any more")
		}
	}
	return nil
}

// receive hands on what arrives, until there is nothing more or nobody wants it.
func receive(conn net.Conn, chunks chan<- []byte, stop <-chan struct{}) {
	defer close(chunks)
	for {
		data := make([]byte, 65536)
		n, err := conn.Read(data)
		if n > 0 {
			select {
			case chunks <- data[:n]:
			case <-stop:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *remote) dial() error {
	conn, err := net.DialTimeout("tcp", r.address, connectTime)
	if err != nil {
		return err
	}
	r.conn = conn
	if r.secure == nil {
		peer := conn.RemoteAddr().(*net.TCPAddr)
		if !peer.IP.IsLoopback() {
			return refused("beyond this machine a token needs --tls")
		}
		return nil
	}
	return r.shakeHands(tls.Client(conn, r.secure))
}

func (r *remote) shakeHands(conn *tls.Conn) error {
	conn.SetDeadline(time.Now().Add(connectTime))
	if err := conn.Handshake(); err != nil {
		if isDistrust(err) {
			return refused(err.Error())
		}
		return err
	}
	conn.SetDeadline(time.Time{})
	sum := sha256.Sum256(conn.ConnectionState().PeerCertificates[0].Raw)
	if r.pin != "" && r.pin != hex.EncodeToString(sum[:]) {
		return refused("the certificate has another fingerprint")
	}
	r.conn = conn
	return nil
}

// isDistrust tells whether the certificate is to blame.
func isDistrust(err error) bool {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &authority) || errors.As(err, &name) ||
		errors.As(err, &invalid)
}

// send: what cannot be said now is said when we are back.
func (r *remote) send(data []byte) {
	r.conn.SetWriteDeadline(time.Now().Add(silentTime))
	r.conn.Write(data)
}

// ---- the beginning ---------------------------------------------------------

// Run plays until the referee says bye or goes away, and ends the program.
func Run(config Config, newBot func(game *Game) Bot) {
	s := &session{config: config, newBot: newBot}
	for i, argument := range os.Args {
		if argument == "--connect" {
			r, err := newRemote(s, os.Args[i:])
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
				os.Exit(2)
			}
			os.Exit(r.run())
		}
	}
	out := os.Stdout
	os.Stdout = os.Stderr
	s.send = func(data []byte) {
		if _, err := out.Write(data); err != nil {
			os.Exit(0) // the referee is gone
		}
	}
	s.begin(config.Name, "")
	data := make([]byte, 65536)
	for !s.ended {
		n, err := os.Stdin.Read(data)
		if n > 0 {
			s.feed(data[:n])
		} else if err != nil {
			break
		}
	}
	os.Exit(0)
}
