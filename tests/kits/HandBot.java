import java.util.Arrays;
import java.util.List;

/**
 * Does what an author should not do, to see the kit put up with it: prints, throws,
 * answers what is not allowed. At each ask it says its hand and its table, and unless it
 * throws makes the last move of the list.
 */
public class HandBot extends RefereeBot {
    private boolean used;

    @Override
    public void start() {
        System.out.println("a game begins");
        say("tab\there");
        if (used) {
            say("this object has played before");
        }
        used = true;
    }

    @Override
    public void event(String verb, List<String> words) {
        if (verb.equals("round")) {
            throw new RuntimeException("an author's mistake");
        }
    }

    private String described() {
        StringBuilder text = new StringBuilder("table ");
        text.append(table.round + " " + table.stake + " " + table.stock + " held");
        for (int n : table.held) {
            text.append(" " + n);
        }
        text.append(" points");
        for (long n : table.points) {
            text.append(" " + n);
        }
        text.append(" inside");
        for (int seat = 0; seat < table.inside.length; seat++) {
            text.append(table.inside[seat] ? " " + seat : "");
        }
        text.append(" seen " + table.seen.size());
        text.append(" " + (table.trump == null ? "-" : table.trump));
        for (Play play : table.lying) {
            text.append(" " + play.seat + ":" + play.card);
        }
        return text.toString();
    }

    @Override
    public String choose(Ask ask) {
        System.out.println("do 1 noise");
        String[] hand = table.hand.toArray(new String[0]);
        Arrays.sort(hand);
        say("hand " + String.join(" ", hand));
        say(described());
        if (ask.number % 6 == 0) {
            throw new RuntimeException("another one");
        }
        if (ask.number % 3 == 0) {
            return ask.number == 3 ? "non..sense" : "nonsense";
        }
        Move last = ask.moves.get(ask.moves.size() - 1);
        return last.isRange ? last.withNumber(last.low) : last.token;
    }

    public static void main(String[] args) {
        run(HandBot.class, args, "hand");
    }
}
