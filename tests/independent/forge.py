"""Plays games at random by the rules alone, or by rules with a fault, and writes
their records, which are right in all that does not follow from the fault."""

import hashlib
import importlib.util
import pathlib
import random
import types

HERE = pathlib.Path(__file__).resolve().parent
FAULT_PART = 30  # one in so many decisions has a fault


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


checker = load("check-record")


def broken(game, old, new):
    """Returns the rules of a game in whose text `new` stands in place of `old`."""
    name = "rules_" + game.replace("-", "_")
    text = (HERE / f"{name}.py").read_text(encoding="ascii")
    if text.count(old) != 1:
        raise ValueError(f"{name}: {text.count(old)} times {old!r}")
    module = types.ModuleType(name)
    exec(text.replace(old, new), vars(module))  # pylint: disable=exec-used
    return getattr(module, checker.GAMES[game].__name__)


def options_of(rules, given):
    """Returns all options in order; those that are not given have their default."""
    return {name: str(given.get(name, values[0]))
            for name, values in rules.OPTIONS.items()}


def sealed(rules, game, seats, options, seed):
    """Returns the lines of a header, and the chance that follows from it."""
    secret = hashlib.blake2b(seed.encode(), digest_size=32).digest()
    ident = secret[:16].hex()
    lines = ["record 1", f"id {ident}", f"game {game}", f"seats {seats}"]
    lines += [f"option {name} {value}" for name, value in options.items()]
    lines += [f"bot {seat} forger{seat}" for seat in range(seats)]
    commit = checker.blake([b"referee commit 1", ident.encode(), secret])
    lines += [f"commit {commit.hex()}", f"secret {secret.hex()}"]
    return lines, checker.Dealt(checker.seed_of(checker.Header(lines)),
                                rules.pieces(seats, options))


def low(tokens, luck):
    """Chooses like a player of Daupun who stakes and collects the lowest cards: two of
    them tie often."""
    if "stake" in tokens and luck.randrange(3) == 0:
        return "stake"
    plain = [token for token in tokens
             if token.startswith("discard:") and not token.endswith(":stay")]
    if plain:
        return max(plain, key=lambda token: "A23456789T".index(token[8]))
    return "in" if "in" in tokens else "keep" if "keep" in tokens else "stay"


def by_chance(tokens, luck):
    token = luck.choice(tokens)
    verb, _, both = token.rpartition(":")
    if ".." not in both:
        return token
    return f"{verb}:{luck.randint(*map(int, both.split('..')))}"


def decide(lists, holder, luck, choose):
    """Returns the seat and the move of a decision; None: all pass."""
    seats = sorted(lists)
    luck.shuffle(seats)
    for seat in seats:
        token = choose(lists[seat], luck)
        if token != "pass" or seat == holder and len(seats) == 1:
            return seat, token
    return None if holder is None else (holder, lists[holder][0])


def record(rules, game, seats, given, seed, asks=False, defiant=False,
           choose=by_chance):
    """Returns a record's text.  If `defiant`, seats with a fault move as they like."""
    luck = random.Random(seed)  # luck: the caller's seed
    options = options_of(rules, given)
    lines, chance = sealed(rules, game, seats, options, seed)
    lines.append("")
    play = rules(seats, options, chance)
    play.begin()
    while not play.over:
        lines += play.told
        play.told.clear()
        lists, holder = play.ask()
        if asks:
            lines += [f"ask {seat} {' '.join(lists[seat])}"
                      for seat in sorted(lists)]
        move = decide(lists, holder, luck, choose)
        if luck.randrange(FAULT_PART) == 0 and holder is not None:
            lines.append(f"fault {holder} timeout")
            if not defiant:
                move = holder, lists[holder][0]
        if move is None:
            play.quiet()
        else:
            play.play(*move)
    return "\n".join(lines + play.told) + "\n"
