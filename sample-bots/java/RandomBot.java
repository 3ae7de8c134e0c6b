/**
 * Every legal move is as likely as any other; so is every number of a range. What it does
 * follows from the game's ID and its seat alone.
 */
public class RandomBot extends RefereeBot {
    @Override
    public String choose(Ask ask) {
        Move move = draws.pick(ask.moves);
        if (!move.isRange) {
            return move.token;
        }
        return move.withNumber(move.low + draws.below(move.high - move.low + 1));
    }

    public static void main(String[] args) {
        run(RandomBot.class, args);
    }
}
