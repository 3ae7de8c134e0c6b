// Does what an author should not do, to see the kit put up with it: prints,
// throws, answers what is not allowed.  At each ask it says its hand and its
// table, and unless it throws makes the last move of the list.
#include "sample-bots/cpp/referee_bot.hpp"

class HandBot : public referee::Bot
{
	bool used = false;

	void start() override
	{
		std::cout << "a game begins" << std::endl;
		say("tab\there");
		if (used)
			say("this object has played before");
		used = true;
	}

	void event(const std::string &verb, const referee::Words &) override
	{
		if (verb == "round")
			throw std::runtime_error("an author's mistake");
	}

	void say_hand()
	{
		referee::Words hand = table->hand;

		std::sort(hand.begin(), hand.end());
		hand.insert(hand.begin(), "hand");
		say(referee::join(hand));
	}

	void say_table()
	{
		std::ostringstream text;

		text << "table " << table->round << ' ' << table->stake << ' '
		     << table->stock << " held";
		for (const long n : table->held)
			text << ' ' << n;
		text << " points";
		for (const long n : table->points)
			text << ' ' << n;
		text << " inside";
		for (const int seat : table->inside)
			text << ' ' << seat;
		text << " seen " << table->seen.size() << ' '
		     << (table->trump.empty() ? "-" : table->trump);
		for (const referee::Play &play : table->lying)
			text << ' ' << play.seat << ':' << play.card;
		say(text.str());
	}

	std::string choose(const referee::Ask &ask) override
	{
		std::cout << "do 1 noise" << std::endl;
		say_hand();
		say_table();
		if (ask.number % 6 == 0)
			throw std::runtime_error("another one");
		if (ask.number == 3)
			return "non..sense";
		if (ask.number % 3 == 0)
			return "nonsense";
		const referee::Move &last = ask.moves.back();

		return last.is_range ? last.with_number(last.low) : last.token;
	}
};

int
main(int argc, char **argv)
{
	return referee::run<HandBot>(argc, argv, { "hand" });
}
