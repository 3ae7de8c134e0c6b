//! Every legal move is as likely as any other; so is every number of a range.
//! What it does follows from the game's ID and its seat alone.

mod referee_bot;

use referee_bot::{Ask, Bot, Config, Game};

struct RandomBot;

impl Bot for RandomBot {
    fn choose(&mut self, game: &mut Game, ask: &Ask) -> String {
        let choice = game.random.pick(&ask.moves);
        match choice.range {
            Some((low, high)) => choice.with_number(low + game.random.below(high - low + 1)),
            None => choice.token.clone(),
        }
    }
}

fn main() {
    referee_bot::run(Config::default(), |_game| RandomBot);
}
