// referee_bot.hpp - the C++ kit: write a bot and never see a protocol line.
//
// Copy this file beside your bot.  It needs C++17 and POSIX, and nothing to
// link: c++ -std=c++17 -O2 -o mine mine.cpp
//
//	#include "referee_bot.hpp"
//
//	class Mine : public referee::Bot {
//		std::string choose(const referee::Ask &ask) override
//		{
//			return ask.moves.front().token;
//		}
//	};
//
//	int main(int argc, char **argv)
//	{
//		return referee::run<Mine>(argc, argv);
//	}
//
// For each game that begins, a new object of your class is made; what it may
// define and what it finds, class Bot tells.
//
// Standard output belongs to the protocol: what std::cout is given goes to
// standard error.  If choose() throws or returns what is not allowed, the kit
// shows why on standard error, tells the referee (`say fallback TYPE: TEXT`)
// and makes the first move of the list, so that the game goes on.  What else
// throws is told by `say failed`.
//
// A referee starts this program for each game.  With these arguments, which are
// the kit's, it goes to a referee that runs elsewhere on this machine instead
// and plays game after game there; what stands before --connect is yours:
//
//	--connect HOST:PORT   where the referee listens
//	--name NAME           who this bot is there (else: Config::name)
//	--token-file FILE     the secret that it was given
//	--ladder LADDER       where to play; may be repeated
//
// There is no TLS in this kit, and no token leaves the machine without it:
// `referee connect` takes this bot anywhere.  A lost connection is made anew,
// and the game goes on where it was.  SIGTERM or SIGINT: the last game is
// played to its end; the second one ends all at once.
#ifndef REFEREE_BOT_HPP
#define REFEREE_BOT_HPP

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace referee
{

using Words = std::vector<std::string>;

constexpr std::size_t line_bytes = 8191; // the longest line a referee sends
constexpr std::size_t say_bytes = 200;	 // of one remark
constexpr unsigned say_count = 100;	 // remarks in one game

inline Words
split(const std::string &text, char separator)
{
	Words words;
	std::istringstream in(text);

	for (std::string word; std::getline(in, word, separator);)
		words.push_back(word);
	return words;
}

inline Words
split_words(const std::string &line)
{
	std::istringstream in(line);

	return { std::istream_iterator<std::string>(in), {} };
}

inline std::string
join(const Words &words, std::size_t first = 0)
{
	std::string line;

	for (std::size_t i = first; i < words.size(); i++)
		line += (i > first ? " " : "") + words[i];
	return line;
}

// 0 if it is none.
inline long
number(const std::string &text)
{
	return std::strtol(text.c_str(), nullptr, 10);
}

// What is settled before a game begins.
struct Game {
	std::string id, name;
	int seat = 0, seats = 0;
	std::map<std::string, std::string> options; // of the game: points: 15
	Words names; // of the bots, by seat, if the match tells
	std::string open = "priority";
	long time = 0;	    // milliseconds for a move
	long bank = 0;	    // milliseconds that a game has beside
	long increment = 0; // milliseconds that a move adds to the bank
	long total = 0;	    // milliseconds for the whole game; 0: no bound
	long faults = 0;    // with so many faults a seat is retired

	long option(const std::string &key, long otherwise) const
	{
		const auto found = options.find(key);

		return found == options.end() ? otherwise
					      : number(found->second);
	}

	// The words of a `game` line.
	static std::optional<Game> read(const Words &words)
	{
		Game game;

		if (words.size() < 7 || words[3] != "seat" || words[5] != "of")
			return std::nullopt;
		game.id = words[1];
		game.name = words[2];
		game.seat = static_cast<int>(number(words[4]));
		game.seats = static_cast<int>(number(words[6]));
		if (game.seat < 0 || game.seat >= game.seats)
			return std::nullopt;
		for (std::size_t i = 7; i < words.size(); i++) {
			const std::size_t equals = words[i].find('=');

			if (equals != std::string::npos)
				game.set(words[i].substr(0, equals),
					 words[i].substr(equals + 1));
		}
		return game;
	}

      private:
	void set(const std::string &key, const std::string &value)
	{
		if (key == "names")
			names = split(value, ',');
		else if (key == "open")
			open = value;
		else if (key == "time")
			time = number(value);
		else if (key == "bank")
			bank = number(value);
		else if (key == "increment")
			increment = number(value);
		else if (key == "total")
			total = number(value);
		else if (key == "faults")
			faults = number(value);
		else
			options[key] = value;
	}
};

// One entry of a legal list: a move, or a range of moves.
struct Move {
	std::string token;
	bool is_range = false;
	long low = 0, high = 0; // of a range

	explicit Move(std::string text) : token(std::move(text))
	{
		const char *digits = "0123456789";
		const std::size_t dots = token.find("..");

		if (dots == std::string::npos || dots == 0)
			return;
		const std::size_t before =
			token.find_last_not_of(digits, dots - 1);

		start = before == std::string::npos ? 0 : before + 1;
		end = std::min(token.find_first_not_of(digits, dots + 2),
			       token.size());
		is_range = start < dots && end > dots + 2;
		low = number(token.substr(start));
		high = number(token.substr(dots + 2));
	}

	std::string verb() const
	{
		return token.substr(0, token.find(':'));
	}

	Words args() const
	{
		Words words = split(token, ':');

		words.erase(words.begin());
		return words;
	}

	// The token with this number in place of the range.
	std::string with_number(long n) const
	{
		return token.substr(0, start) + std::to_string(n) +
		       token.substr(end);
	}

	bool allows(const std::string &answer) const
	{
		if (!is_range)
			return answer == token;
		if (answer.size() <= start)
			return false;
		const long n = number(answer.substr(start));

		return n >= low && n <= high && answer == with_number(n);
	}

      private:
	std::size_t start = 0, end = 0; // where the range stands
};

// A question.  The first move is the house move.
struct Ask {
	long number; // counts the asks of a game from 1
	long ms;     // the time for the answer
	std::vector<Move> moves;
};

// The same numbers in all the kits: FNV-1a of `SEAT ID` is the state of a
// xorshift32 (Marsaglia 2003: 13, 17, 5).
class Random
{
      public:
	explicit Random(const std::string &text = "")
	{
		for (const char c : text)
			state = (state ^ static_cast<unsigned char>(c)) *
				16777619u;
		if (state == 0)
			state = 1;
	}

	// A number from 0 to n-1.
	std::uint32_t below(std::uint32_t n)
	{
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		return static_cast<std::uint32_t>(std::uint64_t{ state } * n >>
						  32);
	}

	template <class Items> const auto &pick(const Items &items)
	{
		return items[below(static_cast<std::uint32_t>(items.size()))];
	}

      private:
	std::uint32_t state = 2166136261u;
};

// A card and who laid it down.
struct Play {
	int seat;
	std::string card;
};

// A game as one seat knows it, by the event lines so far.  The fields are the
// same in all games and in all the kits.  A card that is shown with its fang
// covered ends in `?`: `Y3?`.
class Table
{
      public:
	long round = 0;		  // the number of the round that is on
	Words hand;		  // my cards; of doubles-dread the pawns of my
				  // barks
	std::vector<long> held;	  // by seat: how many cards each has
	std::vector<long> points; // by seat: as the last `score` said
	std::set<int> inside;	  // the seats that are still in the round
	long stake = 0;		  // toepen's stake, daupun's pot, the bid of
				  // doubles-dread
	long stock = 0;		  // how many cards are with nobody yet
	std::vector<Play> lying;  // on the table in this turn or trick; of
				  // daupun the two reserves
	std::set<std::string> seen; // the cards that I have seen in this round
	std::string trump;	    // of durnius the trump card

	static bool knows(const std::string &game)
	{
		return games().count(game) > 0;
	}

	explicit Table(const Game &of) : game(of), known(games().at(of.name))
	{
		points.assign(static_cast<std::size_t>(game.seats), 0);
		for (int seat = 0; seat < game.seats; seat++)
			alive.insert(seat);
		begin(0);
	}

	void event(const std::string &verb, const Words &words)
	{
		const Handlers &handlers = all_handlers();
		const auto found = handlers.find(verb);

		if (found != handlers.end() && !words.empty())
			found->second(*this, words);
	}

      private:
	using Handlers = std::map<std::string,
				  std::function<void(Table &, const Words &)>>;

	// Of a game: how many cards a round has (so many, and so many for each
	// seat, times the number of an option), and which card of a move goes
	// from the hand onto the table.
	struct Known {
		long fixed, each_seat;
		const char *times;
		std::map<std::string, std::size_t> lays;
	};

	static const std::map<std::string, Known> &games()
	{
		// clang-format off
		static const std::map<std::string, Known> all = {
		// made by make-tables.py:
	{ "daumen-drauf", { 12, 6, "", {  } } },
	{ "daupun", { 40, 0, "", { { "discard", 1 }, { "swap", 1 } } } },
	{ "doubles-dread", { 32, 0, "", { { "play", 1 } } } },
	{ "durnius", { 36, 0, "decks", { { "attack", 1 }, { "beat", 2 }, { "transfer", 1 }, { "add", 1 } } } },
	{ "toepen", { 32, 0, "", { { "play", 1 } } } },
		// end of what make-tables.py makes
		};
		// clang-format on

		return all;
	}

	Game game;
	const Known &known;
	std::set<int> alive;
	std::map<std::string, Words> barks;

	long deck() const
	{
		return (known.fixed + known.each_seat * game.seats) *
		       game.option(known.times, 1);
	}

	void begin(long number)
	{
		round = number;
		hand.clear();
		held.assign(static_cast<std::size_t>(game.seats), 0);
		inside = alive;
		stake = game.name == "toepen";
		stock = deck();
		lying.clear();
		seen.clear();
		trump.clear();
		barks.clear();
	}

	static int seat_of(const std::string &word)
	{
		return static_cast<int>(number(word));
	}

	long &held_by(int seat)
	{
		return held.at(static_cast<std::size_t>(seat));
	}

	void see(const std::string &card)
	{
		if (card.find('?') == std::string::npos)
			seen.insert(card);
	}

	void see(const Words &words, std::size_t first)
	{
		for (std::size_t i = first; i < words.size(); i++)
			see(words[i]);
	}

	// Into a hand.
	void give(int seat, const std::string &card)
	{
		held_by(seat)++;
		see(card);
		if (seat == game.seat)
			hand.push_back(card);
	}

	// Out of a hand.
	void leave(int seat, const std::string &card)
	{
		held_by(seat)--;
		see(card);
		const auto mine = std::find(hand.begin(), hand.end(), card);

		if (seat == game.seat && mine != hand.end())
			hand.erase(mine);
	}

	void lay(int seat, const std::string &card)
	{
		leave(seat, card);
		lying.push_back({ seat, card });
	}

	// Off the table.
	void lift(const std::string &card)
	{
		lying.erase(std::remove_if(lying.begin(), lying.end(),
					   [&](const Play &play) {
						   return play.card == card;
					   }),
			    lying.end());
	}

	void draw(const Words &words)
	{
		for (std::size_t i = 1; i < words.size(); i++)
			give(seat_of(words[0]), words[i]);
		stock -= static_cast<long>(words.size()) - 1;
	}

	void move(int seat, const Words &words)
	{
		const std::string &verb = words.at(0);

		if (known.lays.count(verb) > 0)
			lay(seat, words.at(known.lays.at(verb)));
		if (verb == "fold") {
			inside.erase(seat);
		} else if (verb == "swap") {
			lift(words.at(2));
			give(seat, words.at(2));
		} else if (verb == "show" || verb == "twin") {
			if (game.name == "daumen-drauf")
				lying.push_back({ seat, words.at(1) });
			else
				see(words.at(1));
		}
	}

	// What a seat has shown in this turn.
	std::vector<Play *> shown(int seat)
	{
		std::vector<Play *> found;

		for (Play &play : lying)
			if (play.seat == seat)
				found.push_back(&play);
		return found;
	}

	// The card that a seat has shown before its last one.
	void open(int seat, const std::string &card)
	{
		const std::vector<Play *> mine = shown(seat);

		if (mine.size() > 1)
			mine[mine.size() - 2]->card = card;
		leave(seat, card);
	}

	// The last card that each seat has shown leaves its hand.
	void take(const Words &words)
	{
		for (int seat = 0; seat < game.seats; seat++) {
			const std::vector<Play *> mine = shown(seat);

			if (!mine.empty())
				leave(seat, mine.back()->card);
		}
		see(words, 1);
		lying.clear();
	}

	void pickup(int seat, long cards)
	{
		held_by(seat) += cards;
		if (seat == game.seat)
			for (const Play &play : lying)
				hand.push_back(play.card);
		lying.clear();
	}

	static const Handlers &all_handlers();
};

inline const Table::Handlers &
Table::all_handlers()
{
	static const auto stake = [](Table &t, const Words &w) {
		t.stake = number(w.back());
	};
	static const auto clear = [](Table &t, const Words &) {
		t.lying.clear();
	};
	static const Handlers handlers = {
		{ "round",
		  [](Table &t, const Words &w) {
			  t.begin(number(w[0]));
			  if (t.game.name == "daupun")
				  t.stake = number(w.at(8));
		  } },
		{ "deal",
		  [](Table &t, const Words &w) {
			  t.held_by(seat_of(w[0])) = 0;
			  if (seat_of(w[0]) == t.game.seat)
				  t.hand.clear();
			  t.draw(w);
		  } },
		{ "draw", [](Table &t, const Words &w) { t.draw(w); } },
		{ "bark",
		  [](Table &t, const Words &w) {
			  t.barks[w[0]].assign(w.begin() + 1, w.end());
			  t.stock -= static_cast<long>(w.size()) - 1;
			  t.see(w, 1);
		  } },
		{ "at",
		  [](Table &t, const Words &w) {
			  for (const auto &pawn : t.barks[w.at(1)])
				  t.give(seat_of(w.at(2)), pawn);
		  } },
		{ "move",
		  [](Table &t, const Words &w) {
			  t.move(seat_of(w[0]), split(w.at(1), ':'));
		  } },
		{ "stake", stake },
		{ "pot", stake },
		{ "south", stake },
		{ "trump",
		  [](Table &t, const Words &w) {
			  t.trump = w[0];
			  t.see(w[0]);
		  } },
		{ "reveal", [](Table &t, const Words &w) { t.see(w, 1); } },
		{ "show", [](Table &t, const Words &w) { t.see(w, 2); } },
		{ "score",
		  [](Table &t, const Words &w) {
			  t.points.at(static_cast<std::size_t>(seat_of(w[0]))) =
				  number(w.at(1));
		  } },
		{ "out",
		  [](Table &t, const Words &w) {
			  t.inside.erase(seat_of(w[0]));
			  if (t.game.name == "toepen")
				  t.alive.erase(seat_of(w[0]));
		  } },
		{ "swallow",
		  [](Table &t, const Words &w) {
			  for (const std::string &pawn : w)
				  t.lift(pawn);
		  } },
		{ "trick",
		  [](Table &t, const Words &) {
			  if (t.game.name != "daupun")
				  t.lying.clear();
		  } },
		{ "turn", clear },
		{ "discard", clear },
		{ "pickup",
		  [](Table &t, const Words &w) {
			  t.pickup(seat_of(w[0]), number(w.at(1)));
		  } },
		{ "open",
		  [](Table &t, const Words &w) {
			  t.open(seat_of(w[0]), w.at(1));
		  } },
		{ "take", [](Table &t, const Words &w) { t.take(w); } },
	};

	return handlers;
}

// Derive your bot from this class.
class Bot
{
      public:
	Game game;
	std::unique_ptr<Table> table; // null in a game that is not known here
	Random random; // the same numbers whenever game and seat are the same

	virtual ~Bot() = default;
	// A game begins.
	virtual void start()
	{
	}
	// Something happened, as your seat may see it.
	virtual void event(const std::string & /* verb */,
			   const Words & /* words */)
	{
	}
	// Your turn: return the token of one of the moves.
	virtual std::string choose(const Ask &ask) = 0;
	// An ask needs no answer any more.
	virtual void voided(long /* number */)
	{
	}
	// Your seat made its last fault.
	virtual void retired()
	{
	}
	// The game is over, or, if `why` is not empty, aborted.
	virtual void over(const std::string & /* why */)
	{
	}

	// A remark, kept in the record.
	void say(const std::string &text)
	{
		remark(text);
	}

      private:
	friend class Session;
	std::function<void(const std::string &)> remark;
};

// What a bot says of itself.
struct Config {
	std::string name = {}; // shown in place of the file's name
	bool entropy = false;  // ask the referee to mix my dice into the deal
};

using Maker = std::function<std::unique_ptr<Bot>()>;

// The conversation, apart from what carries it: feed() takes what has arrived,
// `send` is given what is to leave.
class Session
{
      public:
	Words ladders; // of a referee elsewhere
	bool quitting = false;
	bool welcome = false;  // the referee has said who it is
	bool moved = false;    // a line of a game has come
	bool failed = false;   // it has said why the connection ends
	bool unwanted = false; // and does not want us to come again
	bool ended = false;    // it has said `bye`

	Session(Config of, Maker make,
		std::function<void(const std::string &)> carry)
	    : config(std::move(of)), maker(std::move(make)),
	      send(std::move(carry))
	{
	}

	bool playing() const
	{
		return bot != nullptr;
	}

	// Nothing has been heard on a connection yet.
	void clear()
	{
		welcome = moved = ended = skipping = false;
		failed = unwanted = false;
		rest.clear();
		out.clear();
	}

	// A connection is there; a game that was on before still is.
	void begin(const std::string &name, const std::string &token = "")
	{
		clear();
		if (name.empty())
			return;
		std::string line = "bot 1 " + name;

		if (!token.empty())
			line += " token=" + token;
		if (config.entropy)
			line += " entropy=yes";
		if (bot)
			line += " resume=" + bot->game.id + ":" +
				std::to_string(read);
		put(line);
		flush();
	}

	// No game after this one.
	void quit()
	{
		quitting = true;
		if (welcome)
			put("quit");
		flush();
	}

	void feed(const std::string &data)
	{
		rest += data;
		std::size_t at = 0, lf;

		while (!ended &&
		       (lf = rest.find('\n', at)) != std::string::npos) {
			if (!skipping && lf - at <= line_bytes)
				take(rest.substr(at, lf - at), lf + 1);
			skipping = false;
			at = lf + 1;
		}
		rest.erase(0, at);
		if (skipping || rest.size() > line_bytes) {
			rest.clear();
			skipping = true;
		}
		flush();
	}

      private:
	Config config;
	Maker maker;
	std::function<void(const std::string &)> send;
	std::unique_ptr<Bot> bot; // of the game that is on
	unsigned long read = 0;	  // lines of that game
	std::string answer;	  // the last one in it, as it was sent
	unsigned remarks = 0;
	bool failing = false;  // told since the last ask
	bool skipping = false; // a line that is too long
	std::string rest, out;

	void put(const std::string &line)
	{
		out += line + "\n";
	}

	// Elsewhere a line may come late: it must not count in the next game.
	std::string put_in_game(const std::string &line)
	{
		const std::string whole =
			!ladders.empty() && bot
				? "@" + bot->game.id + " " + line
				: line;

		put(whole);
		return whole;
	}

	void flush()
	{
		const std::string data = std::exchange(out, {});

		if (!data.empty())
			send(data);
	}

	// TYPE: TEXT of what work() throws; empty if it does not.
	template <class Work> static std::string attempt(Work work)
	{
		std::string why;

		try {
			work();
			return why;
		} catch (const std::exception &error) {
			why = std::string("exception: ") + error.what();
		} catch (...) {
			why = "exception: of an unknown kind";
		}
		std::cerr << why << '\n';
		return why;
	}

	// A mistake of the bot's author ends neither bot nor game.
	template <class Work> void guard(Work work)
	{
		const std::string why = attempt(work);

		if (why.empty())
			return;
		if (bot && !failing)
			say("failed " + why);
		failing = true;
	}

	// `next` is where in `rest` the line after it begins.
	void take(const std::string &line, std::size_t next)
	{
		const Words words = split_words(line);

		if (words.empty() || take_outside(words))
			return;
		if (bot) {
			read++;
			moved = true;
		}
		if (words[0] == "game")
			start_game(words);
		else if (words[0] == "entropy?")
			put_entropy();
		else if (bot && words[0] != "commit")
			take_in_game(words, next);
	}

	// Lines that belong to no game.  False: not one of them.
	bool take_outside(const Words &words)
	{
		const std::string &verb = words[0];

		if (verb == "referee") {
			greet();
		} else if (verb == "ping") {
			put(words.size() > 1 ? "pong " + join(words, 1)
					     : "pong");
		} else if (verb == "error") {
			take_error(words);
		} else if (verb == "bye") {
			ended = true;
		} else if (verb == "gone") {
			if (bot && words.size() > 1 && words[1] == bot->game.id)
				over("nothing is known of it any more");
		} else {
			return false;
		}
		return true;
	}

	// Pairs, of which we know one, then a sentence.
	void take_error(const Words &words)
	{
		const char *letters = "abcdefghijklmnopqrstuvwxyz-";
		std::size_t i;

		failed = true;
		for (i = 1; i < words.size(); i++) {
			const std::size_t key =
				words[i].find_first_not_of(letters);

			if (key == 0 || key == std::string::npos ||
			    words[i][key] != '=' || key + 1 == words[i].size())
				break;
			unwanted = unwanted || words[i] == "again=no";
		}
		std::cerr << "the referee says: " << join(words, i) << '\n';
	}

	void greet()
	{
		welcome = true;
		if (ladders.empty())
			return;
		put(quitting ? "quit" : "sit " + join(ladders));
		if (bot && !answer.empty()) // it may not have arrived
			put(answer);
	}

	void take_in_game(const Words &words, std::size_t next)
	{
		const std::string &verb = words[0];
		const Words others(words.begin() + 1, words.end());

		if (verb == "ask") {
			ask(words, next);
		} else if (verb == "void") {
			if (!others.empty())
				guard([&] { bot->voided(number(others[0])); });
		} else if (verb == "retired") {
			guard([&] { bot->retired(); });
		} else if (verb == "over") {
			over("");
		} else if (verb == "abort") {
			over(words.size() > 2 ? join(words, 2) : "aborted");
		} else {
			if (bot->table)
				attempt([&] {
					bot->table->event(verb, others);
				});
			guard([&] { bot->event(verb, others); });
		}
	}

	void start_game(const Words &words)
	{
		const std::optional<Game> game = Game::read(words);

		if (!game)
			return;
		bot = maker();
		bot->game = *game;
		bot->random =
			Random(std::to_string(game->seat) + " " + game->id);
		if (Table::knows(game->name))
			bot->table = std::make_unique<Table>(*game);
		bot->remark = [this](const std::string &text) { remark(text); };
		read = 1;
		moved = true;
		answer.clear();
		remarks = 0;
		failing = false;
		guard([&] { bot->start(); });
	}

	void ask(const Words &words, std::size_t next)
	{
		if (words.size() < 4 || is_void(words[1], next))
			return;
		Ask question{ number(words[1]), number(words[2]), {} };

		for (std::size_t i = 3; i < words.size(); i++)
			question.moves.emplace_back(words[i]);
		answer = put_in_game("do " + words[1] + " " + choose(question));
		failing = false;
		flush();
	}

	// The token; the first one, and a word about it, if there is none.
	std::string choose(const Ask &question)
	{
		std::string token;
		std::string why =
			attempt([&] { token = bot->choose(question); });

		if (why.empty() &&
		    std::any_of(question.moves.begin(), question.moves.end(),
				[&](const Move &move) {
					return move.allows(token);
				}))
			return token;
		if (why.empty())
			why = "illegal: " + token + " is " +
			      (token.find("..") != std::string::npos
				       ? "a range: answer with one number of it"
				       : "not in the list");
		std::cerr << why << "; making the first move instead\n";
		say("fallback " + why);
		return question.moves[0].token;
	}

	// A slow bot finds asks in its pipe that are void by now.
	bool is_void(const std::string &ask, std::size_t at) const
	{
		std::size_t lf;

		for (; (lf = rest.find('\n', at)) != std::string::npos;
		     at = lf + 1) {
			const Words words =
				split_words(rest.substr(at, lf - at));

			if (!words.empty() && words[0] == "ask")
				return false;
			if (words == Words{ "void", ask })
				return true;
		}
		return false;
	}

	void over(const std::string &why)
	{
		const std::unique_ptr<Bot> done = std::move(bot);

		guard([&] { done->over(why); });
	}

	void put_entropy()
	{
		static const char hex[] = "0123456789abcdef";
		std::random_device dice;
		std::string line = "entropy ";

		for (int i = 0; i < 64; i++)
			line += hex[dice() % 16];
		put_in_game(line);
	}

	void remark(const std::string &text)
	{
		if (remarks < say_count && say(text))
			remarks++;
	}

	// Whether there was anything to say.
	bool say(std::string text)
	{
		std::replace_if(
			text.begin(), text.end(),
			[](char c) { return c < ' ' || c > '~'; }, ' ');
		text.erase(0,
			   std::min(text.find_first_not_of(' '), text.size()));
		text.erase(text.find_last_not_of(' ') + 1);
		if (!text.empty())
			put_in_game("say " + text.substr(0, say_bytes));
		return !text.empty();
	}
};

// It is no use to try, or to try again.
struct Refused : std::runtime_error {
	using std::runtime_error::runtime_error;
};

// A referee elsewhere: connections, one after the other.
class Remote
{
      public:
	// Throws Refused if the arguments are wrong.
	Remote(const Config &config, const Maker &maker, const Words &arguments)
	    : session(config, maker,
		      [this](const std::string &data) { send(data); }),
	      name(config.name)
	{
		read_options(arguments);
		const std::size_t colon = address.rfind(':');

		if (colon == std::string::npos || colon == 0)
			throw Refused("--connect wants HOST:PORT");
		host = address.substr(0, colon);
		port = address.substr(colon + 1);
		if (host.front() == '[' && host.back() == ']')
			host = host.substr(1, host.size() - 2);
		if (!is_name(name))
			throw Refused("--name is missing, or no name");
		if (token_file.empty())
			throw Refused("--token-file is missing");
		if (session.ladders.empty())
			throw Refused("--ladder is missing");
		if (!std::all_of(session.ladders.begin(), session.ladders.end(),
				 is_name))
			throw Refused("--ladder is no name");
		read_token();
	}

	~Remote()
	{
		hang_up();
	}
	Remote(const Remote &) = delete;
	Remote &operator=(const Remote &) = delete;

	// The exit status.
	int run()
	{
		heed_signals();
		while (!may_leave()) {
			std::string why = "it closed the connection";

			try {
				talk();
			} catch (const Refused &error) {
				std::cerr << "refused: " << error.what()
					  << '\n';
				return 1;
			} catch (const std::exception &error) {
				why = error.what();
			}
			hang_up();
			if (is_over())
				return session.unwanted ? 1 : 0;
			pause(why);
		}
		return 0;
	}

      private:
	using Clock = std::chrono::steady_clock;
	static constexpr int connect_ms = 10000;
	static constexpr int silent_ms = 75000; // one that lives says more
	static constexpr double wait_s = 0.1;	// doubled after each loss
	static constexpr double wait_s_max = 15;

	Session session;
	std::string address, host, port, name, token_file;
	int fd = -1;
	sigset_t unblocked = {};
	double wait = wait_s;
	inline static volatile std::sig_atomic_t signalled = 0;

	static bool is_name(const std::string &text)
	{
		const auto fits = [](char c) {
			return std::isalnum(static_cast<unsigned char>(c)) ||
			       c == '.' || c == '_' || c == '-';
		};

		return !text.empty() && text.size() <= 32 &&
		       std::isalnum(static_cast<unsigned char>(text[0])) &&
		       std::all_of(text.begin(), text.end(), fits);
	}

	void read_options(const Words &arguments)
	{
		const std::map<std::string, std::string *> values = {
			{ "--connect", &address },
			{ "--name", &name },
			{ "--token-file", &token_file },
		};

		for (std::size_t i = 0; i < arguments.size(); i++) {
			const std::string &option = arguments[i];
			const auto found = values.find(option);

			if (option == "--tls" || option == "--ca" ||
			    option == "--fingerprint")
				throw Refused(option +
					      ": there is no TLS in "
					      "this kit, use referee connect");
			if (found == values.end() && option != "--ladder")
				throw Refused("there is no " + option);
			if (++i == arguments.size())
				throw Refused(option + " wants a value");
			if (option == "--ladder")
				session.ladders.push_back(arguments[i]);
			else
				*found->second = arguments[i];
		}
	}

	std::string read_token() const
	{
		std::ifstream file(token_file);
		std::string token, more;

		if (!file)
			throw Refused(token_file + ": " + std::strerror(errno));
		file >> token >> more;
		if (token.empty() || token.size() > 128 || !more.empty())
			throw Refused(token_file + ": not a token");
		return token;
	}

	// Signals come while we wait for something, and at no other time.
	void heed_signals()
	{
		sigset_t both;
		struct sigaction action = {};

		action.sa_handler = [](int) { signalled = 1; };
		action.sa_flags = static_cast<int>(SA_RESETHAND);
		sigemptyset(&both);
		for (const int number : { SIGTERM, SIGINT }) {
			sigaction(number, &action, nullptr);
			sigaddset(&both, number);
		}
		sigprocmask(SIG_BLOCK, &both, &unblocked);
		std::signal(SIGPIPE, SIG_IGN);
	}

	// A referee that we have just lost may have begun another game.
	bool may_leave() const
	{
		return signalled && !session.playing() && !session.welcome;
	}

	// Whether the referee wants no more of us.  One that is full for a
	// moment, or stops, says `error`, too.
	bool is_over() const
	{
		return session.unwanted || (session.ended && !session.failed);
	}

	void pause(const std::string &why)
	{
		std::minstd_rand dice(std::random_device{}());

		if (session.moved)
			wait = wait_s;
		const double seconds =
			wait * std::uniform_real_distribution<>(0.5, 1)(dice);

		wait = std::min(2 * wait, wait_s_max);
		std::fprintf(stderr,
			     "no connection to %s: %s; again in %.1f s\n",
			     address.c_str(), why.c_str(), seconds);
		wait_for(-1, 0, static_cast<int>(1000 * seconds));
		session.quitting = session.quitting || signalled;
	}

	// Until something can be done, a signal comes or time is over.
	bool wait_for(int on, short events, int ms) const
	{
		pollfd one = { on, events, 0 };
		const timespec time = { ms / 1000, ms % 1000 * 1000000L };

		return ppoll(&one, 1, &time, &unblocked) > 0;
	}

	void hang_up()
	{
		if (fd >= 0)
			close(fd);
		fd = -1;
	}

	// One connection, from its beginning to its end.
	void talk()
	{
		session.clear();
		const std::string token = read_token();

		connect();
		session.begin(name, token);
		while (!session.ended) {
			const std::string data = receive();

			if (data.empty())
				return;
			session.feed(data);
		}
	}

	void connect()
	{
		addrinfo hints = {}, *found = nullptr;

		hints.ai_socktype = SOCK_STREAM;
		if (const int error = getaddrinfo(host.c_str(), port.c_str(),
						  &hints, &found))
			throw std::runtime_error(gai_strerror(error));
		const std::unique_ptr<addrinfo, void (*)(addrinfo *)> all(
			found, freeaddrinfo);
		int error = 0;

		for (const addrinfo *one = found; one; one = one->ai_next) {
			error = try_address(*one);
			if (error == 0) {
				check_address(*one);
				return;
			}
			hang_up();
		}
		throw std::runtime_error(std::strerror(error));
	}

	// 0, or what went wrong.
	int try_address(const addrinfo &one)
	{
		const int on = 1;
		int error = 0;
		socklen_t n = sizeof(error);

		fd = socket(one.ai_family,
			    one.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (fd < 0)
			return errno;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		if (::connect(fd, one.ai_addr, one.ai_addrlen) == 0)
			return 0;
		if (errno != EINPROGRESS)
			return errno;
		const Clock::time_point end =
			Clock::now() + std::chrono::milliseconds(connect_ms);

		while (!wait_for(fd, POLLOUT, connect_ms))
			if (Clock::now() >= end)
				return ETIMEDOUT;
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n);
		return error;
	}

	static void check_address(const addrinfo &one)
	{
		char text[NI_MAXHOST] = "";

		getnameinfo(one.ai_addr, one.ai_addrlen, text, sizeof(text),
			    nullptr, 0, NI_NUMERICHOST);
		const std::string number = text;

		if (number.rfind("127.", 0) != 0 && number != "::1" &&
		    number.rfind("::ffff:127.", 0) != 0)
			throw Refused("beyond this machine a token needs tls: "
				      "use referee connect");
	}

	// What has arrived; nothing at the end.
	std::string receive()
	{
		const Clock::time_point end =
			Clock::now() + std::chrono::milliseconds(silent_ms);
		std::string data(65536, '\0');

		while (Clock::now() < end) {
			if (signalled && !session.quitting)
				session.quit();
			const ssize_t n = recv(fd, data.data(), data.size(), 0);

			if (n >= 0) {
				data.resize(static_cast<std::size_t>(n));
				return data;
			}
			if (errno != EAGAIN && errno != EINTR)
				throw std::runtime_error(std::strerror(errno));
			wait_for(fd, POLLIN, silent_ms);
		}
		throw std::runtime_error("no word of it any more");
	}

	// What cannot be said now is said when we are back.
	void send(const std::string &data)
	{
		std::size_t done = 0;

		while (done < data.size()) {
			const ssize_t n =
				::send(fd, data.data() + done,
				       data.size() - done, MSG_NOSIGNAL);

			if (n >= 0)
				done += static_cast<std::size_t>(n);
			else if (errno != EAGAIN ||
				 !wait_for(fd, POLLOUT, silent_ms))
				return;
		}
	}
};

// Standard input and output, until the referee says bye or goes away.
inline int
run_here(const Config &config, const Maker &maker)
{
	std::cout.flush();
	const int out = dup(STDOUT_FILENO);

	if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return 1;
	std::signal(SIGPIPE, SIG_IGN);
	Session session(config, maker, [&](const std::string &data) {
		for (std::size_t done = 0; done < data.size();) {
			const ssize_t n = write(out, data.data() + done,
						data.size() - done);

			if (n >= 0)
				done += static_cast<std::size_t>(n);
			else if (errno != EINTR)
				std::_Exit(0); // the referee is gone
		}
	});
	std::string data;

	session.begin(config.name);
	while (!session.ended) {
		data.resize(65536);
		const ssize_t n = read(STDIN_FILENO, data.data(), data.size());

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		data.resize(static_cast<std::size_t>(n));
		session.feed(data);
	}
	return 0;
}

// Plays until the referee says bye or goes away; returns main()'s exit status.
template <class Mine>
int
run(int argc, char **argv, const Config &config = {})
{
	const Words arguments(argv + 1, argv + argc);
	const auto first =
		std::find(arguments.begin(), arguments.end(), "--connect");
	const Maker maker = [] { return std::make_unique<Mine>(); };

	if (first == arguments.end())
		return run_here(config, maker);
	try {
		return Remote(config, maker, { first, arguments.end() }).run();
	} catch (const Refused &error) {
		std::cerr << argv[0] << ": " << error.what() << '\n';
		return 2;
	}
}

} // namespace referee

#endif
