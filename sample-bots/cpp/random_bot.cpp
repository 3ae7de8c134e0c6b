// Every legal move is as likely as any other; so is every number of a range.
// Its moves follow from the game's ID and its seat alone.
#include "referee_bot.hpp"

class RandomBot : public referee::Bot
{
	std::string choose(const referee::Ask &ask) override
	{
		const referee::Move &move = random.pick(ask.moves);

		if (!move.is_range)
			return move.token;
		const auto size =
			static_cast<std::uint32_t>(move.high - move.low + 1);

		return move.with_number(move.low + random.below(size));
	}
};

int
main(int argc, char **argv)
{
	return referee::run<RandomBot>(argc, argv);
}
