//! referee_bot.rs - the Rust kit: write a bot and never see a protocol line.
//!
//! Copy this file beside your bot.  It needs rustc 1.56 and no crates:
//! `rustc --edition 2021 -O mine.rs`
//!
//! ```ignore
//! mod referee_bot;
//! use referee_bot::{Ask, Bot, Game};
//!
//! struct Mine;
//!
//! impl Bot for Mine {
//!     fn choose(&mut self, _game: &mut Game, ask: &Ask) -> String {
//!         ask.moves[0].token.clone()
//!     }
//! }
//!
//! fn main() {
//!     referee_bot::run(referee_bot::Config::default(), |_game| Mine);
//! }
//! ```
//!
//! For each game that begins, your closure makes a new bot.  What it may define
//! beside `choose`, the trait Bot tells.
//!
//! Standard output belongs to the protocol: println!() goes to standard error.
//! If choose() panics or returns what is not allowed, the kit shows why on
//! standard error, tells the referee (`say fallback TYPE: TEXT`) and makes the
//! first move of the list, so that the game goes on.  What else panics is told
//! by `say failed`.
//!
//! A referee starts this program for each game.  With these arguments, which are
//! the kit's, it goes to a referee that runs elsewhere on this machine instead
//! and plays game after game there; what stands before --connect is yours:
//!
//! ```text
//! --connect HOST:PORT   where the referee listens
//! --name NAME           who this bot is there (else: the name in Config)
//! --token-file FILE     the secret that it was given
//! --ladder LADDER       where to play; may be repeated
//! ```
//!
//! There is no TLS in this kit, and no token leaves the machine without it:
//! `referee connect` takes this bot anywhere.  A lost connection is made again,
//! and the game goes on where it was.  SIGTERM or SIGINT: the last game is played
//! to its end; the second one ends all at once.

#![allow(dead_code)] // a bot need not use all of it

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::io::FromRawFd;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const LINE_BYTES: usize = 8191; // the longest line a referee sends
const SAY_BYTES: usize = 200; // of one remark
const SAY_COUNT: usize = 100; // remarks in one game

/// Holds what is settled before a game begins, and what goes with it.
pub struct Game {
    pub id: String,
    pub name: String,
    pub seat: usize,
    pub seats: usize,
    /// All pairs of the `game` line: points=15, time=10000, open=priority.
    pub options: BTreeMap<String, String>,
    /// The bots by seat, if the match tells.
    pub names: Vec<String>,
    /// None in a game that this file does not know.
    pub table: Option<Table>,
    /// Draws the same numbers whenever game and seat are the same.
    pub random: Random,
    remarks: Vec<String>,
    said: usize,
}

impl Game {
    fn read(words: &[&str]) -> Option<Game> {
        if words.len() < 7 || words[3] != "seat" || words[5] != "of" {
            return None;
        }
        let seat = words[4].parse().ok()?;
        let seats = words[6].parse().ok()?;
        if seat >= seats {
            return None;
        }
        let options: BTreeMap<String, String> = words[7..]
            .iter()
            .filter_map(|word| word.split_once('='))
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        let names = match options.get("names") {
            Some(names) => names.split(',').map(String::from).collect(),
            None => Vec::new(),
        };
        let table = Table::new(words[2], seat, seats, &options);
        Some(Game {
            id: words[1].to_string(),
            name: words[2].to_string(),
            seat,
            seats,
            options,
            names,
            table,
            random: Random::new(&format!("{} {}", seat, words[1])),
            remarks: Vec::new(),
            said: 0,
        })
    }

    /// A pair of the `game` line as a number.
    pub fn option(&self, key: &str) -> Option<u32> {
        self.options.get(key)?.parse().ok()
    }

    /// A remark, kept in the record.
    pub fn say(&mut self, text: &str) {
        let clean = clean(text);
        if !clean.is_empty() && self.said < SAY_COUNT {
            self.said += 1;
            self.remarks.push(clean);
        }
    }
}

/// Returns the text as a remark may have it.
fn clean(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if (' '..='~').contains(&c) { c } else { ' ' })
        .collect();
    let clean = clean.trim();
    clean[..clean.len().min(SAY_BYTES)].to_string()
}

/// One entry of a legal list: a move, or a range of moves.
pub struct Move {
    pub token: String,
    /// The lowest and the highest number of a range.
    pub range: Option<(u32, u32)>,
    before: String,
    after: String,
}

impl Move {
    fn new(token: &str) -> Move {
        let mut this = Move {
            token: token.to_string(),
            range: None,
            before: String::new(),
            after: String::new(),
        };
        if let Some((left, right)) = token.split_once("..") {
            let before = left.trim_end_matches(|c: char| c.is_ascii_digit());
            let after = right.trim_start_matches(|c: char| c.is_ascii_digit());
            let low = left[before.len()..].parse();
            let high = right[..right.len() - after.len()].parse();
            if let (Ok(low), Ok(high)) = (low, high) {
                this.range = Some((low, high));
                this.before = before.to_string();
                this.after = after.to_string();
            }
        }
        this
    }

    /// Returns what stands before the first colon.
    pub fn verb(&self) -> &str {
        self.token.split(':').next().unwrap_or("")
    }

    /// Returns what stands between the colons behind the verb.
    pub fn args(&self) -> Vec<&str> {
        self.token.split(':').skip(1).collect()
    }

    /// The token with this number in place of the range.
    pub fn with_number(&self, number: u32) -> String {
        format!("{}{}{}", self.before, number, self.after)
    }

    fn allows(&self, token: &str) -> bool {
        let (low, high) = match self.range {
            Some(range) => range,
            None => return token == self.token,
        };
        token
            .strip_prefix(self.before.as_str())
            .and_then(|rest| rest.strip_suffix(self.after.as_str()))
            .and_then(|number| number.parse().ok())
            .map_or(false, |n: u32| {
                n >= low && n <= high && token == self.with_number(n)
            })
    }
}

/// A question.  The first move is the house move.
pub struct Ask {
    /// Counts the asks of a game from 1.
    pub number: u64,
    /// The time for the answer, in milliseconds.
    pub ms: u64,
    pub moves: Vec<Move>,
}

/// Draws the same numbers in all the kits: FNV-1a of `SEAT ID` is the state of a
/// xorshift32 (Marsaglia 2003: 13, 17, 5).
pub struct Random(u32);

impl Random {
    fn new(text: &str) -> Random {
        let state = text.bytes().fold(2166136261u32, |state, byte| {
            (state ^ u32::from(byte)).wrapping_mul(16777619)
        });
        Random(state.max(1))
    }

    /// A number from 0 to n-1.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (u64::from(self.0) * u64::from(n) >> 32) as u32
    }

    /// One of some items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}

/// Your bot.
pub trait Bot {
    /// Something happened, as your seat may see it.
    fn event(&mut self, _game: &mut Game, _verb: &str, _words: &[&str]) {}
    /// Your turn: return the token of one of the moves.
    fn choose(&mut self, game: &mut Game, ask: &Ask) -> String;
    /// An ask needs no answer any more.
    fn void(&mut self, _game: &mut Game, _number: u64) {}
    /// Your seat made its last fault.
    fn retired(&mut self, _game: &mut Game) {}
    /// The game is over, or, if there is a reason, aborted.
    fn over(&mut self, _game: &mut Game, _why: Option<&str>) {}
}

/// Holds what a bot says of itself.
#[derive(Default, Clone)]
pub struct Config {
    /// Shown in place of the file's name.
    pub name: Option<String>,
}

// ---- the table -------------------------------------------------------------

/// Tells of each game how many cards a round has (so many, and so many for each seat,
/// times the number of an option), and which card of a move goes from the hand onto the
/// table.
#[rustfmt::skip]
type Known = (&'static str, usize, usize, &'static str, &'static [(&'static str, usize)]);
#[rustfmt::skip]
const GAMES: &[Known] = &[
    // made by make-tables.py:
    ("daumen-drauf", 12, 6, "", &[]),
    ("daupun", 40, 0, "", &[("discard", 1), ("swap", 1)]),
    ("doubles-dread", 32, 0, "", &[("play", 1)]),
    ("durnius", 36, 0, "decks", &[("attack", 1), ("beat", 2), ("transfer", 1), ("add", 1)]),
    ("toepen", 32, 0, "", &[("play", 1)]),
    // end of what make-tables.py makes
];

/// A game as one seat knows it, by the event lines so far.  The fields are the
/// same in all games and in all the kits.  A card that is shown with its fang
/// covered ends in `?`: `Y3?`.
pub struct Table {
    /// The number of the round that is on.
    pub round: u32,
    /// My cards; of doubles-dread the pawns of my barks.
    pub hand: Vec<String>,
    /// The number of cards that each seat has in its hand.
    pub held: Vec<usize>,
    /// The points of each seat, as the last `score` said.
    pub points: Vec<i64>,
    /// The seats that are still in the round.
    pub inside: BTreeSet<usize>,
    /// Toepen's stake, daupun's pot, the bid of doubles-dread; else 0.
    pub stake: u32,
    /// The number of cards that no seat has yet.
    pub stock: usize,
    /// (seat, card): on the table in this turn or trick; daupun's reserves.
    pub lying: Vec<(usize, String)>,
    /// The cards that I have seen in this round.
    pub seen: BTreeSet<String>,
    /// The trump card in durnius.
    pub trump: Option<String>,
    game: String,
    me: usize,
    deck: usize,
    lays: &'static [(&'static str, usize)],
    alive: BTreeSet<usize>,
    barks: BTreeMap<String, Vec<String>>,
}

impl Table {
    fn new(
        game: &str,
        me: usize,
        seats: usize,
        options: &BTreeMap<String, String>,
    ) -> Option<Table> {
        let &(_, fixed, each_seat, times, lays) = GAMES.iter().find(|known| known.0 == game)?;
        let times = options.get(times).and_then(|n| n.parse().ok());
        let deck = (fixed + each_seat * seats) * times.unwrap_or(1);
        let mut table = Table {
            round: 0,
            hand: Vec::new(),
            held: vec![0; seats],
            points: vec![0; seats],
            inside: BTreeSet::new(),
            stake: 0,
            stock: deck,
            lying: Vec::new(),
            seen: BTreeSet::new(),
            trump: None,
            game: game.to_string(),
            me,
            deck,
            lays,
            alive: (0..seats).collect(),
            barks: BTreeMap::new(),
        };
        table.begin(0);
        Some(table)
    }

    /// A round begins.
    fn begin(&mut self, round: u32) {
        self.round = round;
        self.hand.clear();
        self.held.iter_mut().for_each(|held| *held = 0);
        self.inside = self.alive.clone();
        self.stake = u32::from(self.game == "toepen");
        self.stock = self.deck;
        self.lying.clear();
        self.seen.clear();
        self.trump = None;
        self.barks.clear();
    }

    fn see(&mut self, cards: &[&str]) {
        for card in cards.iter().filter(|card| !card.contains('?')) {
            self.seen.insert(card.to_string());
        }
    }

    /// Into a hand.
    fn give(&mut self, seat: usize, cards: &[&str]) {
        self.held[seat] += cards.len();
        self.see(cards);
        if seat == self.me {
            self.hand.extend(cards.iter().map(|card| card.to_string()));
        }
    }

    /// Out of a hand.
    fn leave(&mut self, seat: usize, card: &str) {
        self.held[seat] = self.held[seat].saturating_sub(1);
        self.see(&[card]);
        if seat == self.me {
            if let Some(at) = self.hand.iter().position(|mine| mine == card) {
                self.hand.remove(at);
            }
        }
    }

    fn lay(&mut self, seat: usize, card: &str) {
        self.leave(seat, card);
        self.lying.push((seat, card.to_string()));
    }

    /// Off the table.
    fn lift(&mut self, cards: &[&str]) {
        self.lying
            .retain(|(_, card)| !cards.contains(&card.as_str()));
    }

    /// Where the cards lie that a seat has shown in this turn.
    fn shown(&self, seat: usize) -> Vec<usize> {
        let lies = |at: &usize| self.lying[*at].0 == seat;
        (0..self.lying.len()).filter(lies).collect()
    }

    fn on_move(&mut self, seat: usize, token: &str) {
        let words: Vec<&str> = token.split(':').collect();
        if let Some(&(_, at)) = self.lays.iter().find(|lays| lays.0 == words[0]) {
            self.lay(seat, words[at]);
        }
        match words[..] {
            ["fold"] => {
                self.inside.remove(&seat);
            }
            ["swap", _, back] => {
                self.lift(&[back]);
                self.give(seat, &[back]);
            }
            ["show" | "twin", card] if self.game == "daumen-drauf" => {
                self.lying.push((seat, card.to_string()))
            }
            ["show", card] => self.see(&[card]),
            _ => {}
        }
    }

    /// The card that a seat has shown before its last one.
    fn on_open(&mut self, seat: usize, card: &str) {
        if let [.., former, _] = self.shown(seat)[..] {
            self.lying[former].1 = card.to_string();
        }
        self.leave(seat, card);
    }

    /// The last card that each seat has shown leaves its hand.
    fn on_take(&mut self, cards: &[&str]) {
        for seat in 0..self.held.len() {
            if let Some(at) = self.shown(seat).pop() {
                let card = self.lying[at].1.clone();
                self.leave(seat, &card);
            }
        }
        self.see(cards);
        self.lying.clear();
    }

    fn on_pickup(&mut self, seat: usize, cards: usize) {
        self.held[seat] += cards;
        let lying = std::mem::take(&mut self.lying);
        if seat == self.me {
            self.hand.extend(lying.into_iter().map(|(_, card)| card));
        }
    }

    fn on_out(&mut self, seat: usize) {
        self.inside.remove(&seat);
        if self.game == "toepen" {
            self.alive.remove(&seat);
        }
    }

    fn on_draw(&mut self, seat: usize, cards: &[&str]) {
        self.stock -= cards.len();
        self.give(seat, cards);
    }

    fn on_deal(&mut self, seat: usize, cards: &[&str]) {
        self.held[seat] = 0;
        if seat == self.me {
            self.hand.clear();
        }
        self.on_draw(seat, cards);
    }

    fn on_bark(&mut self, bark: &str, pawns: &[&str]) {
        self.stock -= pawns.len();
        self.see(pawns);
        let pawns = pawns.iter().map(|pawn| pawn.to_string()).collect();
        self.barks.insert(bark.to_string(), pawns);
    }

    fn on_at(&mut self, bark: &str, seat: usize) {
        let pawns = self.barks.get(bark).cloned().unwrap_or_default();
        let pawns: Vec<&str> = pawns.iter().map(String::as_str).collect();
        self.give(seat, &pawns);
    }

    fn event(&mut self, verb: &str, words: &[&str]) {
        match (verb, words) {
            ("round", [number, pairs @ ..]) => {
                self.begin(read(number));
                if let Some(at) = pairs.iter().position(|&word| word == "pot") {
                    self.stake = read(pairs[at + 1]);
                }
            }
            ("deal", [seat, cards @ ..]) => self.on_deal(read(seat), cards),
            ("draw", [seat, cards @ ..]) => self.on_draw(read(seat), cards),
            ("bark", [bark, pawns @ ..]) => self.on_bark(bark, pawns),
            ("at", [_, bark, seat]) => self.on_at(bark, read(seat)),
            ("move", [seat, token]) => self.on_move(read(seat), token),
            ("stake" | "pot", [number]) => self.stake = read(number),
            ("south", [_, bid]) => self.stake = read(bid),
            ("trump", [card]) => {
                self.trump = Some(card.to_string());
                self.see(&[card]);
            }
            ("reveal", [_, cards @ ..]) => self.see(cards),
            ("show", [_, _, cards @ ..]) => self.see(cards),
            ("score", [seat, points]) => self.points[read::<usize>(seat)] = read(points),
            ("out", [seat]) => self.on_out(read(seat)),
            ("swallow", pawns) => self.lift(pawns),
            ("trick", [..]) if self.game != "daupun" => self.lying.clear(),
            ("turn" | "discard", _) => self.lying.clear(),
            ("pickup", [seat, n]) => self.on_pickup(read(seat), read(n)),
            ("open", [seat, card]) => self.on_open(read(seat), card),
            ("take", [_, cards @ ..]) => self.on_take(cards),
            _ => {}
        }
    }
}

/// A number, or 0.
fn read<T: std::str::FromStr + Default>(text: &str) -> T {
    text.parse().unwrap_or_default()
}

// ---- the conversation ------------------------------------------------------

type Maker = Box<dyn FnMut(&mut Game) -> Box<dyn Bot>>;

/// The conversation, apart from what carries it: feed() takes what has arrived,
/// `out` is what is to leave, take_out() hands it over.
struct Session {
    config: Config,
    make: Maker,
    ladders: Vec<String>,               // of a referee elsewhere
    game: Option<(Game, Box<dyn Bot>)>, // that is on
    read: usize,                        // lines of that game
    answer: Option<String>,             // the last one in it, as it was sent
    failing: bool,                      // told since the last ask
    quitting: bool,
    welcome: bool,  // the referee has said who it is
    moved: bool,    // a line of a game has come
    failed: bool,   // it has said why the connection ends
    unwanted: bool, // and does not want us to come again
    ended: bool,    // it has said `bye`
    awaits: Option<(String, u32)>, // a game, and the ask of it that counts
    rest: Vec<u8>,
    skipping: bool,
    out: String,
}

impl Session {
    fn new(config: Config, make: Maker) -> Session {
        Session {
            config,
            make,
            ladders: Vec::new(),
            game: None,
            read: 0,
            answer: None,
            failing: false,
            quitting: false,
            welcome: false,
            moved: false,
            failed: false,
            unwanted: false,
            awaits: None,
            ended: false,
            rest: Vec::new(),
            skipping: false,
            out: String::new(),
        }
    }

    /// Nothing has been heard on a connection yet.
    fn clear(&mut self) {
        self.welcome = false;
        self.moved = false;
        self.failed = false;
        self.unwanted = false;
        self.awaits = None;
        self.ended = false;
        self.rest.clear();
        self.skipping = false;
        self.out.clear();
    }

    /// A connection is there; a game that was on before still is.
    fn begin(&mut self, name: Option<&str>, token: Option<&str>) {
        self.clear();
        let name = match name {
            Some(name) => name,
            None => return,
        };
        let mut line = format!("bot 1 {}", name);
        if let Some(token) = token {
            line += &format!(" token={} entropy=yes", token);
        }
        if let Some((game, _)) = &self.game {
            line += &format!(" resume={}:{}", game.id, self.read);
        }
        self.put(&line);
    }

    /// No game after this one.
    fn quit(&mut self) {
        self.quitting = true;
        if self.welcome {
            self.put("quit");
        }
    }

    /// `carry` is given each answer at once.
    fn feed(&mut self, data: &[u8], carry: &mut dyn FnMut(&str)) {
        let mut rest = std::mem::take(&mut self.rest);
        rest.extend_from_slice(data);
        let mut lines: Vec<&[u8]> = rest.split(|&byte| byte == b'\n').collect();
        let last = lines.pop().unwrap_or(&[]).to_vec();
        let first = usize::from(self.skipping && !lines.is_empty());
        if first == 1 {
            self.skipping = false;
        }
        for at in first..lines.len() {
            if self.ended {
                break;
            }
            if lines[at].len() <= LINE_BYTES {
                self.line(lines[at], &lines[at + 1..]);
                carry(&std::mem::take(&mut self.out));
            }
        }
        if self.skipping || last.len() > LINE_BYTES {
            self.skipping = true;
        } else {
            self.rest = last;
        }
    }

    fn put(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Elsewhere a line may come late: it must not count in the next game.
    fn put_in_game(&mut self, line: &str) -> String {
        let whole = match &self.game {
            Some((game, _)) if !self.ladders.is_empty() => {
                format!("@{} {}", game.id, line)
            }
            _ => line.to_string(),
        };
        self.put(&whole);
        whole
    }

    /// A mistake of the bot's author ends neither bot nor game.
    fn with_bot(&mut self, work: impl FnOnce(&mut dyn Bot, &mut Game)) {
        if let Some(Err(why)) = self.attempt(work) {
            if !self.failing {
                self.failing = true;
                self.say(&format!("failed {}", why));
            }
        }
    }

    /// TYPE: TEXT of what it does not do, or None if there is no game.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Bot, &mut Game) -> T,
    ) -> Option<Result<T, String>> {
        let (game, bot) = self.game.as_mut()?;
        let result = catch_unwind(AssertUnwindSafe(|| work(bot.as_mut(), game)));
        for remark in std::mem::take(&mut game.remarks) {
            self.put_in_game(&format!("say {}", remark));
        }
        Some(result.map_err(|panic| {
            let text = match panic.downcast_ref::<String>() {
                Some(text) => Some(&text[..]),
                None => panic.downcast_ref::<&str>().copied(),
            };
            format!("panic: {}", text.unwrap_or("of an unknown kind"))
        }))
    }

    fn say(&mut self, text: &str) {
        self.put_in_game(&format!("say {}", clean(text)));
    }

    fn line(&mut self, line: &[u8], later: &[&[u8]]) {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.is_empty() || self.outside(&words) {
            return;
        }
        if self.game.is_some() {
            self.read += 1;
            self.moved = true;
        }
        match words[0] {
            "game" => self.start(&words),
            "entropy?" => self.send_entropy(),
            "ask" => self.ask(&words, later),
            "void" if words.len() > 1 => {
                self.with_bot(|bot, game| bot.void(game, read(words[1])));
            }
            "retired" => {
                self.with_bot(|bot, game| bot.retired(game));
            }
            "over" => self.over(None),
            "abort" => self.over(Some(&words[words.len().min(2)..].join(" "))),
            "commit" | "void" => {}
            verb => {
                self.attempt(|_, game| {
                    if let Some(table) = &mut game.table {
                        table.event(verb, &words[1..]);
                    }
                });
                self.with_bot(|bot, game| bot.event(game, verb, &words[1..]));
            }
        }
    }

    /// Lines that belong to no game.  False: not one of them.
    fn outside(&mut self, words: &[&str]) -> bool {
        match words[0] {
            "referee" => self.greet(),
            "ping" => self.put(&[&["pong"], &words[1..]].concat().join(" ")),
            "error" => self.take_error(&words[1..]),
            "bye" => self.ended = true,
            "awaits" if words.len() > 2 => {
                self.awaits = Some((words[1].to_string(), read(words[2])));
            }
            "awaits" => {}
            "gone" => {
                let mine = |(game, _): &(Game, _)| words.get(1) == Some(&&game.id[..]);
                if self.game.as_ref().map_or(false, mine) {
                    self.over(Some("nothing is known of it any more"));
                }
            }
            _ => return false,
        }
        true
    }

    /// Pairs, of which we know one, then a sentence.
    fn take_error(&mut self, words: &[&str]) {
        let is_pair = |word: &&str| match word.split_once('=') {
            Some((key, value)) => {
                let fits = |c: char| c.is_ascii_lowercase() || c == '-';
                !key.is_empty() && key.chars().all(fits) && !value.is_empty()
            }
            None => false,
        };
        let pairs = words.iter().take_while(|word| is_pair(word)).count();
        self.failed = true;
        self.unwanted |= words[..pairs].contains(&"again=no");
        eprintln!("the referee says: {}", words[pairs..].join(" "));
    }

    fn greet(&mut self) {
        self.welcome = true;
        if self.ladders.is_empty() {
            return;
        }
        if self.quitting {
            self.put("quit");
        } else {
            let line = format!("sit {}", self.ladders.join(" "));
            self.put(&line);
        }
        if let (Some(_), Some(answer)) = (&self.game, self.answer.clone()) {
            self.put(&answer); // it may not have arrived
        }
    }

    fn start(&mut self, words: &[&str]) {
        let mut game = match Game::read(words) {
            Some(game) => game,
            None => return,
        };
        let bot = (self.make)(&mut game);
        self.game = Some((game, bot));
        self.read = 1;
        self.moved = true;
        self.answer = None;
        self.failing = false;
        self.with_bot(|_, _| ()); // says what it has said so far
    }

    fn ask(&mut self, words: &[&str], later: &[&[u8]]) {
        if words.len() < 4 || self.game.is_none() || is_void(words[1], later) {
            return;
        }
        if let (Some((id, first)), Some((game, _))) = (&self.awaits, &self.game) {
            if *id == game.id && read::<u32>(words[1]) < *first {
                return;
            }
        }
        let ask = Ask {
            number: read(words[1]),
            ms: read(words[2]),
            moves: words[3..].iter().map(|token| Move::new(token)).collect(),
        };
        let token = self.choose(&ask);
        self.failing = false;
        self.answer = Some(self.put_in_game(&format!("do {} {}", words[1], token)));
    }

    /// The token; the first one, and a word about it, if there is none.
    fn choose(&mut self, ask: &Ask) -> String {
        let why = match self.attempt(|bot, game| bot.choose(game, ask)) {
            Some(Ok(token)) if ask.moves.iter().any(|one| one.allows(&token)) => return token,
            Some(Ok(token)) if token.contains("..") => {
                format!("illegal: {} is a range: answer with one number of it", token)
            }
            Some(Ok(token)) => format!("illegal: {} is not in the list", token),
            Some(Err(why)) => why,
            None => "game: there is none".to_string(),
        };
        eprintln!("{}; making the first move instead", why);
        self.say(&format!("fallback {}", why));
        ask.moves[0].token.clone()
    }

    fn over(&mut self, why: Option<&str>) {
        self.failing = true; // too late to tell
        self.with_bot(|bot, game| bot.over(game, why));
        self.game = None;
    }

    fn send_entropy(&mut self) {
        let mut dice = [0u8; 32];
        let read = File::open("/dev/urandom").and_then(|mut f| f.read_exact(&mut dice));
        if read.is_ok() {
            let hex: String = dice.iter().map(|byte| format!("{:02x}", byte)).collect();
            self.put_in_game(&format!("entropy {}", hex));
            if let (Some((game, _)), false) = (&self.game, self.ladders.is_empty()) {
                eprintln!("entropy {} {}", game.id, hex);
            }
        }
    }
}

/// A slow bot finds asks in its pipe that are void by now.
fn is_void(number: &str, later: &[&[u8]]) -> bool {
    for line in later {
        if line.starts_with(b"ask ") {
            return false;
        }
        let line = String::from_utf8_lossy(line);
        if line.split_ascii_whitespace().eq(["void", number]) {
            return true;
        }
    }
    false
}

// ---- a referee elsewhere ---------------------------------------------------

const CONNECT: Duration = Duration::from_secs(10);
const SILENT: Duration = Duration::from_secs(75); // one that lives says more
const WAIT: Duration = Duration::from_millis(100); // doubled after each loss
const WAIT_MAX: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_millis(200); // for a signal

const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;
const SIG_DFL: usize = 0;

// The standard library has no word for these.
extern "C" {
    fn dup(fd: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
    fn signal(number: i32, handler: usize) -> usize;
}

static SIGNALLED: AtomicBool = AtomicBool::new(false);

/// The next signal ends all.
extern "C" fn heed(_number: i32) {
    SIGNALLED.store(true, Ordering::SeqCst);
    unsafe {
        signal(SIGTERM, SIG_DFL);
        signal(SIGINT, SIG_DFL);
    }
}

fn signalled() -> bool {
    SIGNALLED.load(Ordering::SeqCst)
}

/// Why the bot does not go on.
enum Problem {
    /// It is no use to try again.
    Refused(String),
    Lost(String),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem::Lost(error.to_string())
    }
}

struct Remote {
    session: Session,
    address: String,
    name: String,
    token_file: String,
    wait: Duration,
}

fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    text.len() <= 32
        && text.chars().all(fits)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}

impl Remote {
    fn new(session: Session, arguments: &[String]) -> Result<Remote, String> {
        let mut remote = Remote {
            address: String::new(),
            name: session.config.name.clone().unwrap_or_default(),
            token_file: String::new(),
            wait: WAIT,
            session,
        };
        let mut rest = arguments.iter();
        while let Some(option) = rest.next() {
            if ["--tls", "--ca", "--fingerprint"].contains(&&option[..]) {
                return Err(format!(
                    "{}: there is no TLS in this kit, use referee connect",
                    option
                ));
            }
            if !["--connect", "--name", "--token-file", "--ladder"].contains(&&option[..]) {
                return Err(format!("there is no {}", option));
            }
            let value = match rest.next() {
                Some(value) => value.clone(),
                None => return Err(format!("{} wants a value", option)),
            };
            match &option[..] {
                "--connect" => remote.address = value,
                "--name" => remote.name = value,
                "--token-file" => remote.token_file = value,
                _ => remote.session.ladders.push(value),
            }
        }
        remote.check()?;
        Ok(remote)
    }

    fn check(&self) -> Result<(), String> {
        let port = self.address.rsplit_once(':').map(|(_, port)| port);
        if !port.map_or(false, |port| port.parse::<u16>().is_ok()) {
            return Err("--connect wants HOST:PORT".to_string());
        }
        if !is_name(&self.name) {
            return Err("--name is missing, or no name".to_string());
        }
        if self.token_file.is_empty() {
            return Err("--token-file is missing".to_string());
        }
        let ladders = &self.session.ladders;
        if ladders.is_empty() || !ladders.iter().all(|ladder| is_name(ladder)) {
            return Err("--ladder is missing, or no name".to_string());
        }
        self.token().map(|_| ())
    }

    fn token(&self) -> Result<String, String> {
        let text = std::fs::read_to_string(&self.token_file)
            .map_err(|error| format!("{}: {}", self.token_file, error))?;
        let token = text.trim();
        let fits = token.chars().all(|c| c.is_ascii_graphic());
        if token.is_empty() || token.len() > 128 || !fits {
            return Err(format!("{}: not a token", self.token_file));
        }
        Ok(token.to_string())
    }

    /// The exit status.
    fn run(&mut self) -> i32 {
        unsafe {
            signal(SIGTERM, heed as extern "C" fn(i32) as usize);
            signal(SIGINT, heed as extern "C" fn(i32) as usize);
        }
        while !self.may_leave() {
            let why = match self.talk() {
                Ok(()) => "it closed the connection".to_string(),
                Err(Problem::Lost(why)) => why,
                Err(Problem::Refused(why)) => {
                    eprintln!("refused: {}", why);
                    return 1;
                }
            };
            let session = &self.session;
            if session.unwanted {
                return 1;
            }
            if session.ended && !session.failed {
                return 0;
            }
            self.pause(&why);
        }
        0
    }

    /// A referee that we have just lost may have begun another game.
    fn may_leave(&self) -> bool {
        signalled() && self.session.game.is_none() && !self.session.welcome
    }

    fn pause(&mut self, why: &str) {
        if self.session.moved {
            self.wait = WAIT;
        }
        let mut dice = [0u8];
        let _ = File::open("/dev/urandom").and_then(|mut f| f.read_exact(&mut dice));
        let wait = self.wait.mul_f64(0.5 + f64::from(dice[0]) / 512.0);
        self.wait = (2 * self.wait).min(WAIT_MAX);
        eprintln!(
            "no connection to {}: {}; again in {:.1} s",
            self.address,
            why,
            wait.as_secs_f64()
        );
        let end = Instant::now() + wait;
        while !self.may_leave() && Instant::now() < end {
            std::thread::sleep(LOOK.min(end - Instant::now()));
        }
        self.session.quitting |= signalled();
    }

    /// One connection, from its beginning to its end.
    fn talk(&mut self) -> Result<(), Problem> {
        self.session.clear();
        let token = self.token().map_err(Problem::Refused)?;
        let mut stream = self.connect()?;
        self.session.begin(Some(&self.name), Some(&token));
        self.flush(&mut stream);
        let mut data = vec![0; 65536];
        while !self.session.ended {
            let n = self.receive(&mut stream, &mut data)?;
            if n == 0 {
                return Ok(());
            }
            // A line that cannot be said now is said when we are back.
            self.session.feed(&data[..n], &mut |text| {
                let _ = stream.write_all(text.as_bytes());
            });
        }
        Ok(())
    }

    fn flush(&mut self, stream: &mut TcpStream) {
        let text = std::mem::take(&mut self.session.out);
        let _ = stream.write_all(text.as_bytes());
    }

    fn connect(&self) -> Result<TcpStream, Problem> {
        let mut why = Problem::Lost("there is no such address".to_string());
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT) {
                Ok(stream) => {
                    if !address.ip().is_loopback() {
                        return Err(Problem::Refused(
                            "beyond this machine a token needs tls: use referee connect"
                                .to_string(),
                        ));
                    }
                    stream.set_nodelay(true)?;
                    stream.set_read_timeout(Some(LOOK))?;
                    stream.set_write_timeout(Some(SILENT))?;
                    return Ok(stream);
                }
                Err(error) => why = error.into(),
            }
        }
        Err(why)
    }

    /// Returns how much has arrived; 0 at the end.
    fn receive(&mut self, stream: &mut TcpStream, data: &mut [u8]) -> Result<usize, Problem> {
        let end = Instant::now() + SILENT;
        while Instant::now() < end {
            if signalled() && !self.session.quitting {
                self.session.quit();
                self.flush(stream);
            }
            match stream.read(data) {
                Ok(n) => return Ok(n),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
        Err(Problem::Lost("no word of it any more".to_string()))
    }
}

// ---- the beginning ---------------------------------------------------------

/// Standard input and output; what is printed from now on goes to standard
/// error.
fn run_here(mut session: Session) {
    let mut out = unsafe {
        let out = dup(1);
        dup2(2, 1);
        File::from_raw_fd(out)
    };
    let mut carry = |text: &str| {
        if out.write_all(text.as_bytes()).is_err() {
            exit(0); // the referee is gone
        }
    };
    let name = session.config.name.clone();
    session.begin(name.as_deref(), None);
    carry(&std::mem::take(&mut session.out));
    let mut input = unsafe { File::from_raw_fd(0) };
    let mut data = vec![0; 65536];
    while !session.ended {
        match input.read(&mut data) {
            Ok(0) => break,
            Ok(n) => session.feed(&data[..n], &mut carry),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
}

/// Plays until the referee says bye or goes away, and ends the program.
pub fn run<B: Bot + 'static>(config: Config, mut make: impl FnMut(&mut Game) -> B + 'static) -> ! {
    let arguments: Vec<String> = std::env::args().collect();
    let maker: Maker = Box::new(move |game| Box::new(make(game)));
    let session = Session::new(config, maker);
    match arguments.iter().position(|word| word == "--connect") {
        None => run_here(session),
        Some(first) => match Remote::new(session, &arguments[first..]) {
            Ok(mut remote) => exit(remote.run()),
            Err(why) => {
                eprintln!("{}: {}", arguments[0], why);
                exit(2)
            }
        },
    }
    exit(0)
}
