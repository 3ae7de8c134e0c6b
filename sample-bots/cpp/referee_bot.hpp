// referee_bot.hpp - the C++ kit: write a bot and never see a protocol line.
//
// It stands on the kit in C.  Copy this file beside your bot, and referee-bot.c
// and referee-bot.h.  It needs C++17 and POSIX:
//
//	cc -O2 -c referee-bot.c
//	c++ -std=c++17 -O2 -o mine mine.cpp referee-bot.o
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
// The arguments of the program (--connect HOST:PORT and those that follow), and
// how it gets TLS, referee-bot.h describes.
#ifndef REFEREE_BOT_HPP
#define REFEREE_BOT_HPP

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "referee-bot.h"
}

namespace referee
{

using Words = std::vector<std::string>;

inline Words
split(const std::string &text, char separator)
{
	Words words;
	std::istringstream in(text);

	for (std::string word; std::getline(in, word, separator);)
		words.push_back(word);
	return words;
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

// Holds what is settled before a game begins.
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

	void read(const bot_game &game)
	{
		id = game.id;
		name = game.name;
		seat = static_cast<int>(game.seat);
		seats = static_cast<int>(game.seats);
		for (unsigned i = 0; i < game.pairs; i++)
			set(game.pair[i].key, game.pair[i].value);
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

	explicit Move(const bot_move &move)
	    : token(move.token), is_range(move.range)
	{
		if (!is_range)
			return;
		low = move.low;
		high = move.high;
		start = move.at;
		bytes = move.at_bytes;
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
		return std::string(token).replace(start, bytes,
						  std::to_string(n));
	}

	bool allows(const std::string &answer) const
	{
		if (!is_range)
			return answer == token;
		const long n = number_of(answer);

		return n >= low && n <= high && answer == with_number(n);
	}

	// Returns the number that an answer has in place of the range.
	long number_of(const std::string &answer) const
	{
		return answer.size() > start ? number(answer.substr(start)) : 0;
	}

      private:
	std::size_t start = 0, bytes = 0; // where the range stands
};

// A question.  The first move is the house move.
struct Ask {
	long number; // counts the asks of a game from 1
	long ms;     // the time for the answer
	std::vector<Move> moves;
};

// Draws the same numbers in all the kits.
class Random
{
      public:
	// A number from 0 to n-1.
	std::uint32_t below(std::uint32_t n)
	{
		if (!game)
			throw std::logic_error("the game has not begun");
		return bot_random(game, n);
	}

	template <class Items> const auto &pick(const Items &items)
	{
		return items[below(static_cast<std::uint32_t>(items.size()))];
	}

      private:
	friend class Seat;
	bot_game *game = nullptr;
};

// A card and who laid it down.
struct Play {
	int seat;
	std::string card;
};

// A game as one seat knows it, by the event lines so far.  The fields are the
// same in all games and in all the kits.  A card that is shown with its fang
// covered ends in `?`: `Y3?`.
struct Table {
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

	void read(const bot_game &game)
	{
		round = game.round;
		hand.assign(game.hand, game.hand + game.cards);
		held.assign(game.held, game.held + game.seats);
		points.assign(game.points, game.points + game.seats);
		inside.clear();
		for (unsigned seat = 0; seat < game.seats; seat++)
			if (game.inside[seat])
				inside.insert(static_cast<int>(seat));
		stake = game.stake;
		stock = game.stock;
		lying.clear();
		for (unsigned i = 0; i < game.lies; i++)
			lying.push_back({ static_cast<int>(game.lying[i].seat),
					  game.lying[i].card });
		seen = std::set<std::string>(game.seen, game.seen + game.sees);
		trump = game.trump;
	}
};

// Derive your bot from this class.
class Bot
{
      public:
	Game game;
	std::unique_ptr<Table> table; // from start() on
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
	void say(std::string text)
	{
		if (!kit)
			throw std::logic_error("the game has not begun");
		std::replace_if(
			text.begin(), text.end(),
			[](char c) { return c < ' ' || c > '~'; }, ' ');
		text.erase(0,
			   std::min(text.find_first_not_of(' '), text.size()));
		text.erase(text.find_last_not_of(' ') + 1);
		bot_say(kit, text.c_str());
	}

      private:
	friend class Seat;
	bot_game *kit = nullptr;
};

// Holds what a bot says of itself.
struct Config {
	std::string name = {}; // shown in place of the file's name
};

using Maker = std::function<std::unique_ptr<Bot>()>;

// The kit in C calls this.  Nothing is thrown into it.
class Seat
{
      public:
	explicit Seat(Maker make) : maker(std::move(make))
	{
	}

	// Returns main()'s exit status.
	int run(int argc, char **argv, const Config &config)
	{
		struct bot calls = {};

		calls.name =
			config.name.empty() ? nullptr : config.name.c_str();
		calls.start = start;
		calls.event = event;
		calls.choose = choose;
		calls.voided = voided;
		calls.retired = retired;
		calls.over = over;
		return bot_main(argc, argv, &calls, this);
	}

      private:
	Maker maker;
	std::unique_ptr<Bot> bot; // of the game that is on
	bool failing = false;	  // told since the last ask

	// A word of the kit: it does not count among the author's remarks.
	static void tell(bot_game *game, const std::string &text)
	{
		const unsigned remarks = std::exchange(game->remarks, 0);

		bot_say(game, text.c_str());
		game->remarks = remarks;
	}

	// TYPE: TEXT of what work() throws; empty if it does not.
	template <class Work> std::string attempt(bot_game *game, Work work)
	{
		std::string why;

		try {
			if (!bot)
				throw std::logic_error("its constructor threw");
			if (bot->table)
				bot->table->read(*game);
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
	template <class Work>
	void guard(bot_game *game, Work work, bool last = false)
	{
		const std::string why = attempt(game, work);

		if (why.empty())
			return;
		if (!last && !failing)
			tell(game, "failed " + why);
		failing = true;
	}

	static void start(void *own, bot_game *game)
	{
		Seat &seat = *static_cast<Seat *>(own);

		seat.failing = false;
		seat.bot.reset();
		try {
			seat.bot = seat.maker();
		} catch (...) { // guard() tells
		}
		seat.guard(game, [&] {
			Bot &bot = *seat.bot;

			bot.game.read(*game);
			bot.table = std::make_unique<Table>();
			bot.table->read(*game);
			bot.random.game = bot.kit = game;
			bot.start();
		});
	}

	static void event(void *own, bot_game *game, unsigned words,
			  char *const word[])
	{
		Seat &seat = *static_cast<Seat *>(own);

		seat.guard(game, [&] {
			seat.bot->event(word[0], Words(word + 1, word + words));
		});
	}

	static bot_answer choose(void *own, bot_game *game, const bot_ask *ask)
	{
		Seat &seat = *static_cast<Seat *>(own);
		const Ask question{ ask->number,
				    ask->ms,
				    { ask->move, ask->move + ask->moves } };
		std::string token;
		std::string why = seat.attempt(
			game, [&] { token = seat.bot->choose(question); });

		seat.failing = false;
		for (unsigned i = 0; why.empty() && i < ask->moves; i++) {
			const Move &move = question.moves[i];

			if (move.allows(token))
				return { i, static_cast<std::uint32_t>(
						    move.number_of(token)) };
		}
		if (why.empty())
			why = "illegal: " + token + " is " +
			      (token.find("..") != std::string::npos
				       ? "a range: answer with one number of it"
				       : "not in the list");
		std::cerr << why << "; making the first move instead\n";
		tell(game, "fallback " + why);
		return { 0, static_cast<std::uint32_t>(
				    question.moves.front().low) };
	}

	static void voided(void *own, bot_game *game, std::uint32_t number)
	{
		Seat &seat = *static_cast<Seat *>(own);

		seat.guard(game, [&] { seat.bot->voided(number); });
	}

	static void retired(void *own, bot_game *game)
	{
		Seat &seat = *static_cast<Seat *>(own);

		seat.guard(game, [&] { seat.bot->retired(); });
	}

	static void over(void *own, bot_game *game, const char *why)
	{
		Seat &seat = *static_cast<Seat *>(own);

		seat.guard(
			game, [&] { seat.bot->over(why ? why : ""); }, true);
		seat.bot.reset();
	}
};

// Plays until the referee says bye or goes away; returns main()'s exit status.
template <class Mine>
int
run(int argc, char **argv, const Config &config = {})
{
	std::cout.flush();
	return Seat([] { return std::make_unique<Mine>(); })
		.run(argc, argv, config);
}

} // namespace referee

#endif
