//! Does what an author should not do, to see the kit put up with it: prints,
//! panics, answers what is not allowed.  At each ask it says its hand and its
//! table, and unless it panics makes the last move of the list.

#[path = "../../sample-bots/rust/referee_bot.rs"]
mod referee_bot;

use referee_bot::{Ask, Bot, Config, Game, Table};

struct HandBot;

impl Bot for HandBot {
    fn event(&mut self, _game: &mut Game, verb: &str, _words: &[&str]) {
        if verb == "round" {
            panic!("an author's mistake");
        }
    }

    fn choose(&mut self, game: &mut Game, ask: &Ask) -> String {
        println!("do 1 noise");
        if let Some(table) = &game.table {
            let mut hand = table.hand.clone();
            hand.sort();
            hand.insert(0, "hand".to_string());
            let table = describe(table);
            game.say(&hand.join(" "));
            game.say(&table);
        }
        if ask.number % 6 == 0 {
            panic!("another one");
        }
        let last = &ask.moves[ask.moves.len() - 1];
        match last.range {
            _ if ask.number == 3 => "non..sense".to_string(),
            _ if ask.number % 3 == 0 => "nonsense".to_string(),
            Some((low, _)) => last.with_number(low),
            None => last.token.clone(),
        }
    }
}

fn describe(table: &Table) -> String {
    let mut words = vec![format!(
        "table {} {} {} held",
        table.round, table.stake, table.stock
    )];
    words.extend(table.held.iter().map(|n| n.to_string()));
    words.push("points".to_string());
    words.extend(table.points.iter().map(|n| n.to_string()));
    words.push("inside".to_string());
    words.extend(table.inside.iter().map(|seat| seat.to_string()));
    words.push(format!("seen {}", table.seen.len()));
    words.push(table.trump.clone().unwrap_or_else(|| "-".to_string()));
    words.extend(
        table
            .lying
            .iter()
            .map(|(seat, card)| format!("{}:{}", seat, card)),
    );
    words.join(" ")
}

fn main() {
    let config = Config {
        name: Some("hand".to_string()),
    };
    referee_bot::run(config, |game| {
        println!("a game begins");
        game.say("tab\there");
        HandBot
    });
}
