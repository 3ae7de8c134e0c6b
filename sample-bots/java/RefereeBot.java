import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * RefereeBot.java - the Java kit: write a bot and never see a protocol line.
 *
 * <p>Copy this file beside your bot. It needs Java 17 and nothing else. Build the two
 * together with {@code javac Mine.java}, and start them with {@code java Mine}:
 *
 * <pre>
 * public class Mine extends RefereeBot {
 *     public String choose(Ask ask) {
 *         return ask.moves.get(0).token;
 *     }
 *
 *     public static void main(String[] args) {
 *         run(Mine.class, args);
 *     }
 * }
 * </pre>
 *
 * For each game that begins, a new object of your class is made; so nothing of one game
 * can leak into the next. Your class must have {@link #choose}, and may have the other
 * methods below. What it finds are {@link #game}, {@link #table} and {@link #draws}, from
 * {@link #start} on, and {@link #say}.
 *
 * <p>Standard output belongs to the protocol: System.out is System.err. If choose()
 * throws or returns what is not allowed, the kit shows why on standard error, tells the
 * referee (`say fallback TYPE: TEXT`) and makes the first move of the list, so that the
 * game goes on. What else throws is told by `say failed`.
 *
 * <p>A referee starts this program for each game. With these arguments, which are the
 * kit's, it goes to a referee that runs elsewhere instead and plays game after game
 * there; what stands before --connect is yours:
 *
 * <pre>
 * --connect HOST:PORT   where the referee listens
 * --name NAME           who this bot is there (else: what run() was given)
 * --token-file FILE     the secret that it was given
 * --ladder LADDER       where to play; may be repeated
 * --tls                 the connection is TLS; beyond this machine it must be
 * --ca FILE             TLS; authorities to believe, in place of Java's own
 * --fingerprint HEX     TLS; believe the certificate with this SHA-256 only
 * </pre>
 *
 * A lost connection is made again, and the game goes on where it was. SIGTERM or
 * SIGINT: the last game is played to its end; the second one ends all at once.
 *
 * <p>A process starts quickest with the options -XX:+UseSerialGC and
 * -XX:TieredStopAtLevel=1. For the same reason there are no lambdas, no patterns and no
 * sums of strings on the way to the first answer.
 */
public abstract class RefereeBot {
    /** The game holds what is settled before it begins. */
    public Game game;

    /** The table is what all the events so far amount to; it is null in a game that
     * this file does not know. */
    public Table table;

    /** Numbers that are the same whenever game and seat are the same. */
    public Draws draws;

    private Session session;

    /** Your turn: return the token of one of ask.moves. */
    public abstract String choose(Ask ask) throws Exception;

    /** A game begins. */
    public void start() throws Exception {}

    /** Something happened, as your seat may see it. */
    public void event(String verb, List<String> words) throws Exception {}

    /** An ask needs no answer any more. */
    public void voided(long number) throws Exception {}

    /** Your seat made its last fault; nothing more is asked. */
    public void retired() throws Exception {}

    /** The game is over (why is null) or was aborted. */
    public void over(String why) throws Exception {}

    /** A remark, kept in the record. */
    public final void say(String text) {
        if (session == null) {
            throw new IllegalStateException("the game has not begun");
        }
        session.remark(text);
    }

    /** Plays until the referee says bye or goes away, and ends the program. */
    public static void run(Class<? extends RefereeBot> mine, String[] args) {
        run(mine, args, null);
    }

    /**
     * Plays under a name, until the referee says bye or goes away, and ends the program.
     *
     * @param name shown in place of the file's name, or null
     */
    public static void run(Class<? extends RefereeBot> mine, String[] args, String name) {
        Session session = new Session(mine);
        int first = Arrays.asList(args).indexOf("--connect");
        if (first < 0) {
            OutputStream out = new FileOutputStream(FileDescriptor.out);
            System.setOut(System.err);
            System.exit(session.playHere(out, name));
        }
        System.setOut(System.err);
        try {
            Remote remote = new Remote(session, name, args, first);
            System.exit(remote.run());
        } catch (Refused | IOException | GeneralSecurityException error) {
            System.err.println(reason(error));
            System.exit(2);
        }
    }

    // ---- the game --------------------------------------------------------------------

    /** A game, from its `game` line. */
    public static final class Game {
        public final String id;
        public final String name;
        public final int seat;
        public final int seats;
        /** The options of the game: "points" is "15". */
        public final Map<String, String> options = new HashMap<>();
        /** The names of the bots, by seat; null if the match does not tell. */
        public List<String> names;
        public String open = "priority";
        /** Milliseconds for a move. */
        public long time;
        /** Milliseconds that a game has beside. */
        public long bank;
        /** Milliseconds that a move adds to the bank. */
        public long increment;
        /** Milliseconds for the whole game; 0: no bound. */
        public long total;
        /** A seat is retired when it has so many faults. */
        public long faults;

        private Game(List<String> words) {
            id = words.get(1);
            name = words.get(2);
            seat = (int) number(words.get(4));
            seats = (int) number(words.get(6));
            for (String word : words.subList(7, words.size())) {
                int equals = word.indexOf('=');
                if (equals >= 0) {
                    set(word.substring(0, equals), word.substring(equals + 1));
                }
            }
        }

        /** Null if the line is none. */
        private static Game read(List<String> words) {
            if (words.size() < 7 || !words.get(3).equals("seat") || !words.get(5).equals("of")) {
                return null;
            }
            Game game = new Game(words);
            return game.seat >= 0 && game.seat < game.seats ? game : null;
        }

        private void set(String key, String value) {
            switch (key) {
                case "names":
                    names = split(value, ',');
                    break;
                case "open":
                    open = value;
                    break;
                case "time":
                    time = number(value);
                    break;
                case "bank":
                    bank = number(value);
                    break;
                case "increment":
                    increment = number(value);
                    break;
                case "total":
                    total = number(value);
                    break;
                case "faults":
                    faults = number(value);
                    break;
                default:
                    options.put(key, value);
            }
        }

        /** The number that an option has. */
        public long option(String key, long otherwise) {
            String value = options.get(key);
            return value == null ? otherwise : number(value);
        }
    }

    /** A question. */
    public static final class Ask {
        /** Counts the asks of a game from 1. */
        public final long number;
        /** The time for the answer. */
        public final long ms;
        /** The first one is the house move. */
        public final List<Move> moves = new ArrayList<>();

        private Ask(List<String> words) {
            number = number(words.get(1));
            ms = number(words.get(2));
            for (String token : words.subList(3, words.size())) {
                moves.add(new Move(token));
            }
        }

        private boolean allows(String token) {
            for (Move move : moves) {
                if (move.allows(token)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** One entry of a legal list: a move, or a range of moves. */
    public static final class Move {
        public final String token;
        public final boolean isRange;
        /** The bounds of a range. */
        public final long low;
        public final long high;

        private final String before;
        private final String after;

        private Move(String token) {
            int dots = token.indexOf("..");
            int start = dots;
            int end = dots + 2;
            while (start > 0 && isDigit(token.charAt(start - 1))) {
                start--;
            }
            while (dots >= 0 && end < token.length() && isDigit(token.charAt(end))) {
                end++;
            }
            this.token = token;
            isRange = dots >= 0 && start < dots && end > dots + 2;
            low = isRange ? number(token.substring(start, dots)) : 0;
            high = isRange ? number(token.substring(dots + 2, end)) : 0;
            before = isRange ? token.substring(0, start) : token;
            after = isRange ? token.substring(end) : "";
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        /** Returns what stands before the first colon. */
        public String verb() {
            return split(token, ':').get(0);
        }

        /** Returns what stands between the colons behind the verb. */
        public List<String> args() {
            List<String> words = split(token, ':');
            return words.subList(1, words.size());
        }

        /** The token with this number in place of the range. */
        public String withNumber(long n) {
            return before.concat(Long.toString(n)).concat(after);
        }

        private boolean allows(String answer) {
            if (!isRange) {
                return token.equals(answer);
            }
            if (answer == null || answer.length() <= before.length() + after.length()) {
                return false;
            }
            long n = number(answer.substring(before.length(), answer.length() - after.length()));
            return n >= low && n <= high && answer.equals(withNumber(n));
        }
    }

    /**
     * Draws the same numbers in all the kits: FNV-1a of `SEAT ID` is the state of a xorshift32
     * (Marsaglia 2003: 13, 17, 5).
     */
    public static final class Draws {
        private int state = (int) 2166136261L;

        private Draws(String text) {
            for (int i = 0; i < text.length(); i++) {
                state = (state ^ text.charAt(i)) * 16777619;
            }
            if (state == 0) {
                state = 1;
            }
        }

        /** A number from 0 to n-1. */
        public long below(long n) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            return (state & 0xffffffffL) * n >>> 32;
        }

        /** One of them. */
        public <T> T pick(List<T> items) {
            return items.get((int) below(items.size()));
        }
    }

    /** 0 if it is none. */
    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException error) {
            return 0;
        }
    }

    private static List<String> split(String text, char separator) {
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int end; (end = text.indexOf(separator, start)) >= 0; start = end + 1) {
            words.add(text.substring(start, end));
        }
        words.add(text.substring(start));
        return words;
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringTokenizer tokens = new StringTokenizer(line, " \r");
        while (tokens.hasMoreTokens()) {
            words.add(tokens.nextToken());
        }
        return words;
    }

    // ---- the table -------------------------------------------------------------------

    /** A card and who laid it down. */
    public static final class Play {
        public final int seat;
        public String card;

        private Play(int seat, String card) {
            this.seat = seat;
            this.card = card;
        }
    }

    /**
     * A game as one seat knows it, by the event lines so far. The fields are the same in
     * all games and in all the kits. A card that is shown with its fang covered ends in
     * `?`: `Y3?`.
     */
    public static final class Table {
        /** The number of the round that is on. */
        public long round;
        /** My cards; of doubles-dread the pawns of my barks. */
        public List<String> hand;
        /** The number of cards that each seat has. */
        public int[] held;
        /** The points of each seat, as the last `score` said. */
        public long[] points;
        /** True for each seat that is still in the round. */
        public boolean[] inside;
        /** Toepen's stake, daupun's pot, the bid of doubles-dread. */
        public long stake;
        /** The number of cards that no seat has yet. */
        public long stock;
        /** The cards on the table in this turn or trick; in daupun the two reserves. */
        public List<Play> lying;
        /** The cards that I have seen in this round. */
        public Set<String> seen;
        /** The trump card in durnius; else null. */
        public String trump;

        private final Game game;
        private final Known known;
        private final boolean[] alive;
        private Map<String, List<String>> barks;

        /**
         * Tells of a game how many cards a round has (so many, and so many for each seat,
         * times the number of an option), and which card of a move goes from the hand
         * onto the table.
         */
        private static final class Known {
            final String name;
            final int fixed;
            final int eachSeat;
            final String times;
            final Object[] lays;

            Known(String name, int fixed, int eachSeat, String times, Object... lays) {
                this.name = name;
                this.fixed = fixed;
                this.eachSeat = eachSeat;
                this.times = times;
                this.lays = lays;
            }
        }

        private static final Known[] GAMES = {
            // made by make-tables.py:
            new Known("daumen-drauf", 12, 6, ""),
            new Known("daupun", 40, 0, "", "discard", 1, "swap", 1),
            new Known("doubles-dread", 32, 0, "", "play", 1),
            new Known("durnius", 36, 0, "decks", "attack", 1, "beat", 2, "transfer", 1, "add", 1),
            new Known("toepen", 32, 0, "", "play", 1),
            // end of what make-tables.py makes
        };

        private Table(Game game, Known known) {
            this.game = game;
            this.known = known;
            points = new long[game.seats];
            alive = new boolean[game.seats];
            Arrays.fill(alive, true);
            begin(0);
        }

        private static Table of(Game game) {
            for (Known known : GAMES) {
                if (known.name.equals(game.name)) {
                    return new Table(game, known);
                }
            }
            return null;
        }

        private void begin(long number) {
            round = number;
            hand = new ArrayList<>();
            held = new int[game.seats];
            inside = alive.clone();
            stake = game.name.equals("toepen") ? 1 : 0;
            stock = (known.fixed + known.eachSeat * game.seats) * game.option(known.times, 1);
            lying = new ArrayList<>();
            seen = new LinkedHashSet<>();
            trump = null;
            barks = new HashMap<>();
        }

        private void see(String card) {
            if (card.indexOf('?') < 0) {
                seen.add(card);
            }
        }

        private void see(List<String> cards) {
            for (String card : cards) {
                see(card);
            }
        }

        /** Into a hand. */
        private void give(int seat, List<String> cards) {
            held[seat] += cards.size();
            see(cards);
            if (seat == game.seat) {
                hand.addAll(cards);
            }
        }

        /** Out of a hand. */
        private void leave(int seat, String card) {
            held[seat]--;
            see(card);
            if (seat == game.seat) {
                hand.remove(card);
            }
        }

        private void lay(int seat, String card) {
            leave(seat, card);
            lying.add(new Play(seat, card));
        }

        /** Off the table. */
        private void lift(List<String> cards) {
            for (Iterator<Play> plays = lying.iterator(); plays.hasNext(); ) {
                if (cards.contains(plays.next().card)) {
                    plays.remove();
                }
            }
        }

        private void draw(int seat, List<String> cards) {
            stock -= cards.size();
            give(seat, cards);
        }

        private void move(int seat, List<String> words) {
            String verb = words.get(0);
            for (int i = 0; i < known.lays.length; i += 2) {
                if (known.lays[i].equals(verb)) {
                    lay(seat, words.get((Integer) known.lays[i + 1]));
                }
            }
            if (verb.equals("fold")) {
                inside[seat] = false;
            } else if (verb.equals("swap")) {
                lift(words.subList(2, 3));
                give(seat, words.subList(2, 3));
            } else if (verb.equals("show") || verb.equals("twin")) {
                if (game.name.equals("daumen-drauf")) {
                    lying.add(new Play(seat, words.get(1)));
                } else {
                    see(words.get(1));
                }
            }
        }

        /** Returns what a seat has shown in this turn. */
        private List<Play> shown(int seat) {
            List<Play> found = new ArrayList<>();
            for (Play play : lying) {
                if (play.seat == seat) {
                    found.add(play);
                }
            }
            return found;
        }

        /** The card that a seat has shown before its last one. */
        private void open(int seat, String card) {
            List<Play> mine = shown(seat);
            if (mine.size() > 1) {
                mine.get(mine.size() - 2).card = card;
            }
            leave(seat, card);
        }

        /** The last card that each seat has shown leaves its hand. */
        private void take(List<String> cards) {
            for (int seat = 0; seat < game.seats; seat++) {
                List<Play> mine = shown(seat);
                if (!mine.isEmpty()) {
                    leave(seat, mine.get(mine.size() - 1).card);
                }
            }
            see(cards);
            lying.clear();
        }

        private void pickup(int seat, long cards) {
            held[seat] += (int) cards;
            for (Play play : lying) {
                if (seat == game.seat) {
                    hand.add(play.card);
                }
            }
            lying.clear();
        }

        private void event(String verb, List<String> words) {
            if (words.isEmpty()) {
                return;
            }
            int seat = (int) number(words.get(0));
            List<String> rest = words.subList(1, words.size());
            switch (verb) {
                case "round":
                    begin(number(words.get(0)));
                    if (game.name.equals("daupun")) {
                        stake = number(words.get(8));
                    }
                    break;
                case "deal":
                    held[seat] = 0;
                    if (seat == game.seat) {
                        hand.clear();
                    }
                    draw(seat, rest);
                    break;
                case "draw":
                    draw(seat, rest);
                    break;
                case "bark":
                    barks.put(words.get(0), rest);
                    stock -= rest.size();
                    see(rest);
                    break;
                case "at":
                    give((int) number(words.get(2)), barks.get(words.get(1)));
                    break;
                case "move":
                    move(seat, split(words.get(1), ':'));
                    break;
                case "stake":
                case "pot":
                    stake = number(words.get(0));
                    break;
                case "south":
                    stake = number(words.get(1));
                    break;
                case "trump":
                    trump = words.get(0);
                    see(trump);
                    break;
                case "reveal":
                    see(rest);
                    break;
                case "show":
                    see(rest.subList(1, rest.size()));
                    break;
                case "score":
                    points[seat] = number(words.get(1));
                    break;
                case "out":
                    inside[seat] = false;
                    if (game.name.equals("toepen")) {
                        alive[seat] = false;
                    }
                    break;
                case "swallow":
                    lift(words);
                    break;
                case "trick":
                    if (!game.name.equals("daupun")) {
                        lying.clear();
                    }
                    break;
                case "turn":
                case "discard":
                    lying.clear();
                    break;
                case "pickup":
                    pickup(seat, number(words.get(1)));
                    break;
                case "open":
                    open(seat, words.get(1));
                    break;
                case "take":
                    take(rest);
                    break;
                default:
            }
        }
    }

    // ---- the conversation ------------------------------------------------------------

    /** The author's functions. */
    private enum Call { START, EVENT, VOIDED, RETIRED, OVER }

    /**
     * The conversation, apart from what carries it. A signal comes in a thread of its own,
     * and waits until the author's function has returned. Remarks may come from any thread,
     * also while that function waits for it: they need nothing but `out`.
     */
    private static final class Session {
        static final int LINE_BYTES = 8191; // the longest line a referee sends
        static final int SAY_BYTES = 200; // of one remark
        static final int SAY_COUNT = 100; // remarks in one game

        final Class<? extends RefereeBot> mine;
        final byte[] input = new byte[65536];
        int used; // bytes in it
        OutputStream carrier; // null: there is no connection
        List<String> ladders; // of a referee elsewhere; else null
        boolean quitting;

        boolean welcome; // the referee has said who it is
        boolean moved; // a line of a game has come
        boolean failed; // it has said why the connection ends
        boolean unwanted; // and does not want us to come again
        boolean ended; // it has said `bye`

        private final StringBuilder out = new StringBuilder();
        private boolean skipping; // a line that is too long
        private Game game; // that is on
        private RefereeBot bot;
        private long read; // lines of that game
        private String awaited; // a game, and the ask of it that counts
        private long awaits;
        private String answer; // the last one in it, as it was sent
        private int remarks;
        private boolean failing; // told since the last ask

        Session(Class<? extends RefereeBot> mine) {
            this.mine = mine;
        }

        /** Standard input and output. Returns the exit status. */
        int playHere(OutputStream out, String name) {
            InputStream in = new FileInputStream(FileDescriptor.in);
            carrier = out;
            try {
                begin(name, null);
                while (!ended) {
                    int n = in.read(input, used, input.length - used);
                    if (n < 0) {
                        break;
                    }
                    feed(n);
                }
            } catch (IOException error) {
                return 0; // the referee is gone
            }
            return 0;
        }

        boolean playing() {
            return game != null;
        }

        /** Nothing has been heard on a connection yet. */
        synchronized void clear() {
            welcome = moved = ended = skipping = false;
            failed = unwanted = false;
            awaited = null;
            used = 0;
            synchronized (out) {
                out.setLength(0);
            }
        }

        /** A connection is there; a game that was on before still is. */
        synchronized void begin(String name, String token) throws IOException {
            if (name == null) {
                return;
            }
            StringBuilder line = new StringBuilder("bot 1 ").append(name);
            if (token != null) {
                line.append(" token=").append(token).append(" entropy=yes");
            }
            if (game != null) {
                line.append(" resume=").append(game.id).append(':').append(read);
            }
            put(line.toString());
            flush();
        }

        /** No game after this one. */
        synchronized void quit() {
            quitting = true;
            if (welcome) {
                put("quit");
            }
            try {
                flush();
            } catch (IOException error) {
                // whoever reads hears of it, too
            }
            notifyAll();
        }

        /** So many more bytes are in the input. */
        synchronized void feed(int n) throws IOException {
            int at = 0;
            int lf = used;
            used += n;
            for (; !ended && (lf = find(lf)) < used; at = ++lf) {
                if (!skipping && lf - at <= LINE_BYTES) {
                    line(new String(input, at, lf - at, StandardCharsets.ISO_8859_1), lf + 1);
                }
                skipping = false;
            }
            used -= at;
            if (skipping || used > LINE_BYTES) {
                used = 0;
                skipping = true;
            }
            System.arraycopy(input, at, input, 0, used);
            flush();
        }

        /** Where the line from there on ends; the end of the input if it does not. */
        private int find(int at) {
            while (at < used && input[at] != '\n') {
                at++;
            }
            return at;
        }

        private void put(String line) {
            synchronized (out) {
                out.append(line).append('\n');
            }
        }

        /** Elsewhere a line may come late: it must not count in the next game. */
        private String putInGame(String line) {
            if (ladders != null && game != null) {
                line = "@".concat(game.id).concat(" ").concat(line);
            }
            put(line);
            return line;
        }

        private void flush() throws IOException {
            byte[] bytes;
            synchronized (out) {
                bytes = out.toString().getBytes(StandardCharsets.ISO_8859_1);
                out.setLength(0);
            }
            if (carrier != null && bytes.length > 0) {
                carrier.write(bytes);
                carrier.flush();
            }
        }

        /** A mistake of the bot's author ends neither bot nor game. */
        private void guard(Call call, String verb, List<String> words) {
            try {
                if (bot == null) {
                    throw new IllegalStateException("its constructor has failed");
                }
                call(bot, call, verb, words);
            } catch (Throwable error) {
                tellFailure(error);
            }
        }

        private static void call(RefereeBot bot, Call call, String verb, List<String> words)
                throws Exception {
            switch (call) {
                case START:
                    bot.start();
                    break;
                case EVENT:
                    bot.event(verb, words);
                    break;
                case VOIDED:
                    bot.voided(number(words.get(0)));
                    break;
                case RETIRED:
                    bot.retired();
                    break;
                default:
                    bot.over(verb);
            }
        }

        private void tellFailure(Throwable error) {
            error.printStackTrace();
            if (game != null && !failing) {
                say("failed " + described(error));
            }
            failing = true;
        }

        /** TYPE: TEXT. */
        private static String described(Throwable error) {
            return error.getClass().getSimpleName() + ": " + error.getMessage();
        }

        /** The input from `next` on follows the line. */
        private void line(String line, int next) throws IOException {
            List<String> words = words(line);
            if (words.isEmpty() || outside(words)) {
                return;
            }
            if (game != null) {
                read++;
                moved = true;
            }
            switch (words.get(0)) {
                case "commit":
                    break;
                case "game":
                    startGame(words);
                    break;
                case "entropy?":
                    putEntropy();
                    break;
                default:
                    if (game != null) {
                        inGame(words, next);
                    }
            }
        }

        /** Lines that belong to no game. False: not one of them. */
        private boolean outside(List<String> words) {
            switch (words.get(0)) {
                case "referee":
                    greet();
                    return true;
                case "ping":
                    words.set(0, "pong");
                    put(String.join(" ", words));
                    return true;
                case "error":
                    takeError(words);
                    return true;
                case "bye":
                    ended = true;
                    return true;
                case "awaits":
                    if (words.size() > 2) {
                        awaited = words.get(1);
                        awaits = number(words.get(2));
                    }
                    return true;
                case "gone":
                    if (game != null && words.size() > 1 && words.get(1).equals(game.id)) {
                        over("nothing is known of it any more");
                    }
                    return true;
                default:
                    return false;
            }
        }

        /** Pairs, of which we know one, then a sentence. */
        private void takeError(List<String> words) {
            failed = true;
            words.remove(0);
            while (!words.isEmpty() && words.get(0).matches("[a-z-]+=.+")) {
                unwanted |= words.remove(0).equals("again=no");
            }
            System.err.println("the referee says: " + String.join(" ", words));
        }

        private void greet() {
            welcome = true;
            if (ladders == null) {
                return;
            }
            put(quitting ? "quit" : "sit " + String.join(" ", ladders));
            if (game != null && answer != null) {
                put(answer); // it may not have arrived
            }
        }

        private void inGame(List<String> words, int next) throws IOException {
            List<String> rest = words.subList(1, words.size());
            switch (words.get(0)) {
                case "ask":
                    ask(words, next);
                    break;
                case "void":
                    if (!rest.isEmpty()) {
                        guard(Call.VOIDED, null, rest);
                    }
                    break;
                case "retired":
                    guard(Call.RETIRED, null, rest);
                    break;
                case "over":
                    over(null);
                    break;
                case "abort":
                    over(words.size() > 2
                            ? String.join(" ", words.subList(2, words.size())) : "aborted");
                    break;
                default:
                    follow(words.get(0), rest);
                    guard(Call.EVENT, words.get(0), rest);
            }
        }

        private void follow(String verb, List<String> words) {
            try {
                if (bot != null && bot.table != null) {
                    bot.table.event(verb, words);
                }
            } catch (RuntimeException error) {
                error.printStackTrace(); // a line that no game has
            }
        }

        private void startGame(List<String> words) {
            Game begun = Game.read(words);
            if (begun == null) {
                return;
            }
            game = begun;
            bot = null;
            read = 1;
            moved = true;
            answer = null;
            remarks = 0;
            failing = false;
            try {
                bot = make();
            } catch (InvocationTargetException error) {
                tellFailure(error.getCause());
                return;
            } catch (ReflectiveOperationException error) {
                tellFailure(error);
                return;
            }
            guard(Call.START, null, null);
        }

        private RefereeBot make() throws ReflectiveOperationException {
            Constructor<? extends RefereeBot> constructor = mine.getDeclaredConstructor();
            constructor.setAccessible(true);
            RefereeBot made = constructor.newInstance();
            made.game = game;
            made.table = Table.of(game);
            made.draws = new Draws(Integer.toString(game.seat).concat(" ").concat(game.id));
            made.session = this;
            return made;
        }

        private void ask(List<String> words, int next) throws IOException {
            if (words.size() < 4 || isVoid(words.get(1), next)) {
                return;
            }
            if (game.id.equals(awaited) && number(words.get(1)) < awaits) {
                return;
            }
            String token = choose(new Ask(words));
            answer = putInGame("do ".concat(words.get(1)).concat(" ").concat(token));
            failing = false;
            flush();
        }

        /** The token; the first one, and a word about it, if there is none. */
        private String choose(Ask ask) {
            String why;
            try {
                if (bot == null) {
                    throw new IllegalStateException("its constructor has failed");
                }
                String token = bot.choose(ask);
                if (ask.allows(token)) {
                    return token;
                }
                why = "illegal: " + token + " is " + (token != null && token.contains("..")
                        ? "a range: answer with one number of it" : "not in the list");
            } catch (Throwable error) {
                error.printStackTrace();
                why = described(error);
            }
            System.err.println(why + "; making the first move instead");
            say("fallback " + why);
            return ask.moves.get(0).token;
        }

        /** A slow bot finds asks in its pipe that are void by now. */
        private boolean isVoid(String number, int at) {
            for (int lf; (lf = find(at)) < used; at = lf + 1) {
                List<String> words =
                        words(new String(input, at, lf - at, StandardCharsets.ISO_8859_1));
                if (!words.isEmpty() && words.get(0).equals("ask")) {
                    return false;
                }
                if (words.size() == 2 && words.get(0).equals("void")
                        && words.get(1).equals(number)) {
                    return true;
                }
            }
            return false;
        }

        private void over(String why) {
            game = null;
            guard(Call.OVER, why, null);
            bot = null;
        }

        private void putEntropy() {
            byte[] dice = new byte[32];
            new SecureRandom().nextBytes(dice);
            putInGame("entropy " + hex(dice));
            if (ladders != null && game != null) {
                System.err.println("entropy " + game.id + " " + hex(dice));
            }
        }

        void remark(String text) {
            if (remarks < SAY_COUNT && say(text)) {
                remarks++;
            }
        }

        /** Returns true if there was anything to say. */
        private boolean say(String text) {
            StringBuilder clean = new StringBuilder(text);
            for (int i = 0; i < clean.length(); i++) {
                if (clean.charAt(i) < ' ' || clean.charAt(i) > '~') {
                    clean.setCharAt(i, ' ');
                }
            }
            String line = clean.toString().trim();
            if (!line.isEmpty()) {
                putInGame("say ".concat(line.substring(0, Math.min(line.length(), SAY_BYTES))));
            }
            return !line.isEmpty();
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) {
            text.append(Character.forDigit(one >> 4 & 15, 16));
            text.append(Character.forDigit(one & 15, 16));
        }
        return text.toString();
    }

    private static String reason(Throwable error) {
        return error.getMessage() == null ? error.toString() : error.getMessage();
    }

    // ---- a referee elsewhere ---------------------------------------------------------

    /** It is no use to try, or to try again. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    /** A referee elsewhere: connections, one after the other. */
    private static final class Remote {
        static final int CONNECT_MS = 10000;
        static final int SILENT_MS = 75000; // one that lives is never silent for so long
        static final long WAIT_MS = 100; // after a loss; doubled after each further one
        static final long WAIT_MS_MAX = 15000;
        static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,31}";

        private final Session session;
        private String name;
        private String address;
        private String tokenFile;
        private String ca;
        private String pin;
        private boolean tls;
        private String host;
        private int port;
        private SSLContext secure; // null: no TLS
        private Socket plain;
        private Socket socket; // the same, or TLS over it
        private long wait = WAIT_MS;

        Remote(Session session, String name, String[] args, int first)
                throws Refused, IOException, GeneralSecurityException {
            this.session = session;
            this.name = name;
            session.ladders = new ArrayList<>();
            for (int i = first; i < args.length; i++) {
                if (args[i].equals("--tls")) {
                    tls = true;
                } else {
                    i = takeOption(args, i);
                }
            }
            check();
        }

        /** Takes the option and its value; returns where the value stands. */
        private int takeOption(String[] args, int at) throws Refused {
            String value = at + 1 < args.length ? args[at + 1] : null;
            switch (args[at]) {
                case "--connect":
                    address = value;
                    break;
                case "--name":
                    name = value;
                    break;
                case "--token-file":
                    tokenFile = value;
                    break;
                case "--ca":
                    ca = value;
                    break;
                case "--fingerprint":
                    pin = value;
                    break;
                case "--ladder":
                    session.ladders.add(value);
                    break;
                default:
                    throw new Refused("there is no " + args[at]);
            }
            if (value == null) {
                throw new Refused(args[at] + " wants a value");
            }
            return at + 1;
        }

        private void check() throws Refused, IOException, GeneralSecurityException {
            if (!address.matches(".+:[0-9]{1,5}")) {
                throw new Refused("--connect wants HOST:PORT");
            }
            int colon = address.lastIndexOf(':');
            host = address.substring(0, colon);
            port = Integer.parseInt(address.substring(colon + 1));
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            if (port > 65535) {
                throw new Refused("--connect wants HOST:PORT");
            }
            if (name == null || !name.matches(NAME)) {
                throw new Refused("--name is missing, or no name");
            }
            if (tokenFile == null) {
                throw new Refused("--token-file is missing");
            }
            if (session.ladders.isEmpty()) {
                throw new Refused("--ladder is missing");
            }
            for (String ladder : session.ladders) {
                if (!ladder.matches(NAME)) {
                    throw new Refused("--ladder is no name");
                }
            }
            if (tls || ca != null || pin != null) {
                prepareTls();
            }
            token();
        }

        private String token() throws Refused {
            String token;
            try {
                token = new String(Files.readAllBytes(Paths.get(tokenFile)),
                        StandardCharsets.ISO_8859_1).trim();
            } catch (IOException error) {
                throw new Refused(tokenFile + ": " + error);
            }
            if (!token.matches("[!-~]{1,128}")) {
                throw new Refused(tokenFile + ": not a token");
            }
            return token;
        }

        /** Returns the exit status. */
        int run() {
            heedSignals();
            while (!mayLeave()) {
                String why;
                try {
                    why = talk();
                } catch (Refused error) {
                    System.err.println("refused: " + error.getMessage());
                    return 1;
                } catch (SocketTimeoutException error) {
                    why = "no word of it";
                } catch (IOException error) {
                    why = reason(error);
                }
                hangUp();
                if (session.unwanted || (session.ended && !session.failed)) {
                    return session.unwanted ? 1 : 0;
                }
                pause(why);
            }
            return 0;
        }

        /** A referee that we have just lost may have begun another game. */
        private boolean mayLeave() {
            synchronized (session) {
                return session.quitting && !session.playing() && !session.welcome;
            }
        }

        private void hangUp() {
            synchronized (session) {
                session.carrier = null;
            }
            try {
                if (plain != null) {
                    plain.close(); // TLS would wait until the other end closes, too
                }
            } catch (IOException error) {
                // it is closed
            }
            plain = null;
        }

        private void pause(String why) {
            if (session.moved) {
                wait = WAIT_MS;
            }
            long ms = Math.round(wait * (0.5 + Math.random() / 2));
            wait = Math.min(2 * wait, WAIT_MS_MAX);
            System.err.println("no connection to " + address + ": " + why + "; again in " + ms
                    + " ms");
            long end = System.nanoTime() + ms * 1000000;
            synchronized (session) {
                boolean before = session.quitting;
                while (session.quitting == before && ms > 0) {
                    try {
                        session.wait(ms);
                    } catch (InterruptedException error) {
                        return;
                    }
                    ms = (end - System.nanoTime()) / 1000000;
                }
            }
        }

        /** One connection, from its beginning to its end, and why that came. */
        private String talk() throws Refused, IOException {
            session.clear();
            String token = token();
            dial();
            socket.setSoTimeout(SILENT_MS);
            synchronized (session) {
                session.carrier = socket.getOutputStream();
                session.begin(name, token);
            }
            InputStream in = socket.getInputStream();
            while (!session.ended) {
                int n = in.read(session.input, session.used,
                        session.input.length - session.used);
                if (n < 0) {
                    return "it closed the connection";
                }
                session.feed(n);
            }
            return "";
        }

        private void dial() throws Refused, IOException {
            IOException last = new UnknownHostException(host);
            for (InetAddress one : InetAddress.getAllByName(host)) {
                plain = new Socket();
                try {
                    plain.connect(new InetSocketAddress(one, port), CONNECT_MS);
                    last = null;
                    break;
                } catch (IOException error) {
                    plain.close();
                    last = error;
                }
            }
            if (last != null) {
                throw last;
            }
            socket = plain;
            socket.setTcpNoDelay(true);
            if (secure != null) {
                shakeHands();
            } else if (!socket.getInetAddress().isLoopbackAddress()) {
                throw new Refused("beyond this machine a token needs --tls");
            }
        }

        /**
         * The first signal is for us; the next one ends all. Java tells of signals by
         * sun.misc.Signal alone, of which the compiler warns: so it is asked for by its name.
         */
        private void heedSignals() {
            try {
                Class<?> kind = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object[] signals = {
                    kind.getConstructor(String.class).newInstance("TERM"),
                    kind.getConstructor(String.class).newInstance("INT"),
                };
                Method handle = kind.getMethod("handle", kind, handler);
                Object first = Proxy.newProxyInstance(RefereeBot.class.getClassLoader(),
                        new Class<?>[] {handler}, new OnSignal(session, handle, signals,
                                handler.getField("SIG_DFL").get(null)));
                for (Object signal : signals) {
                    handle.invoke(null, signal, first);
                }
            } catch (ReflectiveOperationException error) {
                System.err.println("the first signal will end the game: " + error);
            }
        }

        // ---- TLS ---------------------------------------------------------------------

        private void prepareTls() throws Refused, IOException, GeneralSecurityException {
            TrustManager[] trusted = null; // Java's own
            if (ca != null) {
                trusted = authorities();
            }
            if (pin != null) {
                pin = pin.replace(":", "").toLowerCase();
                if (!pin.matches("[0-9a-f]{64}")) {
                    throw new Refused("--fingerprint wants 64 hex digits");
                }
                trusted = new TrustManager[] {new Pinned(pin)};
            }
            secure = SSLContext.getInstance("TLS");
            secure.init(null, trusted, null);
        }

        private TrustManager[] authorities() throws Refused, IOException, GeneralSecurityException {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            try (InputStream file = new FileInputStream(ca)) {
                for (Certificate one
                        : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                    store.setCertificateEntry(Integer.toString(store.size()), one);
                }
            } catch (IOException | CertificateException error) {
                throw new Refused("--ca: " + reason(error));
            }
            if (store.size() == 0) {
                throw new Refused("--ca: no certificate in " + ca);
            }
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        }

        private void shakeHands() throws Refused, IOException {
            socket.setSoTimeout(CONNECT_MS);
            SSLSocket over =
                    (SSLSocket) secure.getSocketFactory().createSocket(socket, host, port, true);
            socket = over;
            over.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            if (pin == null) {
                SSLParameters parameters = over.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name, too
                over.setSSLParameters(parameters);
            }
            try {
                over.startHandshake();
                if (pin == null) {
                    ((X509Certificate) over.getSession().getPeerCertificates()[0])
                            .checkValidity();
                }
            } catch (CertificateException error) {
                throw new Refused(reason(error));
            } catch (SSLException error) {
                for (Throwable one = error; one != null; one = one.getCause()) {
                    if (one instanceof CertificateException
                            || one instanceof InvalidAlgorithmParameterException) {
                        throw new Refused(reason(one));
                    }
                }
                throw error;
            }
        }
    }

    /** Quits at the first signal. */
    private static final class OnSignal implements InvocationHandler {
        private final Session session;
        private final Method handle;
        private final Object[] signals;
        private final Object byDefault;

        OnSignal(Session session, Method handle, Object[] signals, Object byDefault) {
            this.session = session;
            this.handle = handle;
            this.signals = signals;
            this.byDefault = byDefault;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("handle")) { // of Object
                return method.invoke(this, args);
            }
            for (Object signal : signals) {
                handle.invoke(null, signal, byDefault);
            }
            session.quit();
            return null;
        }
    }

    /** Believes one certificate, whoever vouches for it. */
    private static final class Pinned extends X509ExtendedTrustManager {
        private final String pin;

        Pinned(String pin) {
            this.pin = pin;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            try {
                byte[] digest =
                        MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
                if (hex(digest).equals(pin)) {
                    return;
                }
            } catch (GeneralSecurityException error) {
                throw new CertificateException(error);
            }
            throw new CertificateException("the certificate has another fingerprint");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
