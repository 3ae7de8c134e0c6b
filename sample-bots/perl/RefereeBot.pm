# RefereeBot - the Perl kit: write a bot and never see a protocol line.
#
# Copy this file beside your bot.  It needs Perl 5.14 and nothing else; for TLS
# also IO::Socket::SSL (Debian: libio-socket-ssl-perl).
#
#     package Mine;
#     use strict;
#     use warnings;
#     use FindBin;
#     use lib $FindBin::Bin;
#     use parent 'RefereeBot';
#
#     sub choose {
#         my ($self, $ask) = @_;
#         return $ask->{moves}[0];
#     }
#
#     Mine->run;
#
# For each game that begins, a new object of your class is made.  It may define:
#
#     start()              a game begins; $self->{game} tells which
#     event($verb, @words) something happened, as your seat may see it
#     choose($ask)         your turn: return one of $ask->{moves}, or its token
#     void($number)        ask $number needs no answer any more
#     retired()            your seat made its last fault
#     over($why)           the game is over ($why is undef) or was aborted
#     name(), entropy()    of the class: shown in place of the file's name;
#                          true: ask the referee to mix my dice into the deal
#
# and finds in $self:
#
#     game    { id, name, seat, seats, options, names, open, time, bank,
#               increment, total, faults }; names is undef unless the match tells
#               them, total (for the whole game) 0 if there is no such bound
#     table   what the events so far amount to, see RefereeBot::Table; undef in
#             a game that this file does not know
#     random  numbers that are the same whenever game and seat are the same
#
# An ask is { number, ms, moves }, a move an object with token, low, high (of a
# range, else undef), verb(), args(), is_range() and with_number($n).
# $self->say($text) leaves a remark in the record.
#
# Standard output belongs to the protocol: print goes to standard error.  If
# choose() dies or returns what is not allowed, the kit shows why on standard
# error, tells the referee (`say fallback TYPE: TEXT`) and makes the first move of
# the list, so that the game goes on.  What else dies is told by `say failed`.
#
# A referee starts this program for each game.  With these arguments, which are
# the kit's, it goes to a referee that runs elsewhere instead and plays game
# after game there; what stands before --connect is yours:
#
#     --connect HOST:PORT   where the referee listens
#     --name NAME           who this bot is there (else: name() of your class)
#     --token-file FILE     the secret that it was given
#     --ladder LADDER       where to play; may be repeated
#     --tls                 the connection is TLS; beyond this machine it must be
#     --ca FILE             TLS; authorities to believe, not the system's
#     --fingerprint HEX     TLS; believe the certificate with this SHA-256 only
#
# A lost connection is made anew, and the game goes on where it was.  SIGTERM or
# SIGINT: the last game is played to its end; the second one ends all at once.

package RefereeBot;

use 5.014;
use strict;
use warnings;

use constant {
    LINE_BYTES => 8191,    # the longest line a referee sends
    SAY_BYTES  => 200,     # of one remark
    SAY_COUNT  => 100,     # remarks in one game
};

sub new     { return bless {}, shift }
sub name    { return }
sub entropy { return 0 }
sub start   { return }
sub event   { return }
sub void    { return }
sub retired { return }
sub over    { return }

sub choose {
    my ($self, $ask) = @_;
    return $ask->{moves}[0];
}

sub say {
    my ($self, $text) = @_;
    return $self->{session}->remark($text);
}

# Plays until the referee says bye or goes away.
sub run {
    my ($class) = @_;

    if (grep { $_ eq '--connect' } @ARGV) {
        my $remote = eval { RefereeBot::Remote->new($class, @ARGV) };
        if (!$remote) {
            print STDERR "$0: $@";
            exit 2;
        }
        exit $remote->run;
    }
    open my $out, '>&', \*STDOUT or die "standard output: $!\n";
    open STDOUT, '>&', \*STDERR  or die "standard error: $!\n";
    binmode STDIN;
    local $SIG{PIPE} = sub { exit 0 };
    my $session = RefereeBot::Session->new($class, sub {
        my ($data) = @_;
        while (length $data) {
            my $n = syswrite $out, $data;
            exit 0 if !defined $n && !$!{EINTR};
            substr $data, 0, $n // 0, '';
        }
    });
    $session->begin(scalar $class->name);
    until ($session->{ended}) {
        my $n = sysread STDIN, my $data, 65536;
        next if !defined $n && $!{EINTR};
        last if !$n;
        $session->feed($data);
    }
    exit 0;
}

# Numbers that are the same in all the kits: FNV-1a of `SEAT ID` is the state of
# a xorshift32 (Marsaglia 2003: 13, 17, 5).
package RefereeBot::Random;

sub new {
    my ($class, $text) = @_;
    my $state = 2166136261;
    for my $byte (unpack 'C*', $text) {
        $state = ($state ^ $byte) * 16777619 & 0xFFFFFFFF;
    }
    return bless { state => $state || 1 }, $class;
}

# A number from 0 to $n-1.
sub below {
    my ($self, $n) = @_;
    my $x = $self->{state};
    $x ^= $x << 13 & 0xFFFFFFFF;
    $x ^= $x >> 17;
    $x ^= $x << 5 & 0xFFFFFFFF;
    $self->{state} = $x;
    return $x * $n >> 32;
}

sub pick {
    my ($self, @items) = @_;
    return $items[ $self->below(scalar @items) ];
}

# One entry of a legal list: a move, or a range of moves.
package RefereeBot::Move;

use overload '""' => sub { $_[0]{token} }, fallback => 1;

sub new {
    my ($class, $token) = @_;
    my $self = bless { token => $token }, $class;
    if ($token =~ /^(.*?)([0-9]+)\.\.([0-9]+)(.*)$/) {
        @{$self}{qw(before low high after)} = ($1, $2, $3, $4);
    }
    return $self;
}

sub is_range { return defined $_[0]{low} }
sub verb     { return (split /:/, $_[0]{token})[0] }

sub args {
    my ($self) = @_;
    my ($verb, @args) = split /:/, $self->{token};
    return @args;
}

# The token with this number in place of the range.
sub with_number {
    my ($self, $number) = @_;
    die "$number is not in $self->{token}\n"
        if $number < $self->{low} || $number > $self->{high};
    return $self->{before} . $number . $self->{after};
}

sub allows {
    my ($self, $token) = @_;
    return $token eq $self->{token} if !$self->is_range;
    return 0
        if $token !~ /^\Q$self->{before}\E(0|[1-9][0-9]{0,9})\Q$self->{after}\E$/;
    return $1 >= $self->{low} && $1 <= $self->{high};
}

# A game as one seat knows it, by the event lines so far.  These fields are the
# same in all games and in all the kits:
#
#     me, seats   my seat, and how many there are
#     round       the number of the round that is on
#     hand        my cards; of doubles-dread the pawns of my barks
#     held        by seat: how many cards each has in its hand
#     points      by seat: as the last `score` said
#     inside      a hash: the seats that are still in the round
#     stake       what it is about: toepen's stake, daupun's pot, the bid of
#                 doubles-dread; else 0
#     stock       how many cards are with nobody yet
#     lying       [seat, card]: on the table in this turn or trick; of daupun
#                 the two reserves
#     seen        a hash: the cards that I have seen in this round
#     trump       of durnius the trump card; else undef
#
# A card that is shown with its fang covered ends in `?`: `Y3?`.
package RefereeBot::Table;

# Of each game: how many cards a round has (so many, and so many for each seat,
# times the number of an option), and which card of a move goes from the hand
# onto the table.
my %GAMES = (
    # made by make-tables.py:
    'daumen-drauf' => [ 12, 6, '', {  } ],
    'daupun' => [ 40, 0, '', { discard => 1, swap => 1 } ],
    'doubles-dread' => [ 32, 0, '', { play => 1 } ],
    'durnius' => [ 36, 0, 'decks', { attack => 1, beat => 2, transfer => 1, add => 1 } ],
    'toepen' => [ 32, 0, '', { play => 1 } ],
    # end of what make-tables.py makes
);

# The table of a game, or undef if this file does not know the game.
sub new {
    my ($class, $game) = @_;
    my $known = $GAMES{ $game->{name} } or return;
    my ($fixed, $each_seat, $times, $lays) = @{$known};
    my $self = bless {
        game   => $game,
        me     => $game->{seat},
        seats  => $game->{seats},
        points => [ (0) x $game->{seats} ],
        alive  => { map { $_ => 1 } 0 .. $game->{seats} - 1 },
        lays   => $lays,
        cards  => ($fixed + $each_seat * $game->{seats})
            * ($game->{options}{$times} // 1),
    }, $class;
    $self->begin(0);
    return $self;
}

# A round begins.
sub begin {
    my ($self, $number) = @_;
    my $game = $self->{game};
    $self->{round}  = $number;
    $self->{hand}   = [];
    $self->{held}   = [ (0) x $self->{seats} ];
    $self->{inside} = { %{ $self->{alive} } };
    $self->{stake}  = $game->{name} eq 'toepen' ? 1 : 0;
    $self->{stock}  = $self->{cards};
    $self->{lying}  = [];
    $self->{seen}   = {};
    $self->{trump}  = undef;
    $self->{barks}  = {};
    return;
}

sub see {
    my ($self, @cards) = @_;
    $self->{seen}{$_} = 1 for grep { !/[?]/ } @cards;
    return;
}

# Into a hand.
sub give {
    my ($self, $seat, @cards) = @_;
    $self->{held}[$seat] += @cards;
    $self->see(@cards);
    push @{ $self->{hand} }, @cards if $seat == $self->{me};
    return;
}

# Out of a hand.
sub leave {
    my ($self, $seat, $card) = @_;
    my $hand = $self->{hand};
    $self->{held}[$seat]--;
    $self->see($card);
    return if $seat != $self->{me};
    my ($at) = grep { $hand->[$_] eq $card } 0 .. $#{$hand};
    splice @{$hand}, $at, 1 if defined $at;
    return;
}

sub lay {
    my ($self, $seat, $card) = @_;
    $self->leave($seat, $card);
    push @{ $self->{lying} }, [ $seat, $card ];
    return;
}

# Off the table.
sub lift {
    my ($self, @cards) = @_;
    my %lifted = map { $_ => 1 } @cards;
    $self->{lying} = [ grep { !$lifted{ $_->[1] } } @{ $self->{lying} } ];
    return;
}

sub move {
    my ($self, $seat, $token) = @_;
    my ($verb, $card, $other) = split /:/, $token;
    my $lays = $self->{lays}{$verb};
    $self->lay($seat, $lays == 1 ? $card : $other) if $lays;
    if ($verb eq 'fold') { delete $self->{inside}{$seat} }
    elsif ($verb eq 'swap') {
        $self->lift($other);
        $self->give($seat, $other);
    }
    elsif ($verb eq 'show' || $verb eq 'twin') {
        if ($self->{game}{name} eq 'daumen-drauf') {
            push @{ $self->{lying} }, [ $seat, $card ];
        }
        else { $self->see($card) }
    }
    return;
}

# What a seat has shown in this turn.
sub shown {
    my ($self, $seat) = @_;
    return grep { $_->[0] == $seat } @{ $self->{lying} };
}

my %ON = (
    round => sub {
        my ($self, $number, @pairs) = @_;
        $self->begin($number);
        $self->{stake} = $pairs[7] if $self->{game}{name} eq 'daupun';
    },
    deal => sub {
        my ($self, $seat, @cards) = @_;
        $self->{held}[$seat] = 0;
        $self->{hand} = [] if $seat == $self->{me};
        $self->event('draw', $seat, @cards);
    },
    draw => sub {
        my ($self, $seat, @cards) = @_;
        $self->{stock} -= @cards;
        $self->give($seat, @cards);
    },
    bark => sub {
        my ($self, $bark, @pawns) = @_;
        $self->{barks}{$bark} = \@pawns;
        $self->{stock} -= @pawns;
        $self->see(@pawns);
    },
    at => sub {
        my ($self, $position, $bark, $seat) = @_;
        $self->give($seat, @{ $self->{barks}{$bark} });
    },
    trump => sub {
        my ($self, $card) = @_;
        $self->{trump} = $card;
        $self->see($card);
    },
    out => sub {
        my ($self, $seat) = @_;
        delete $self->{inside}{$seat};
        delete $self->{alive}{$seat} if $self->{game}{name} eq 'toepen';
    },
    trick => sub {
        my ($self) = @_;
        $self->{lying} = [] if $self->{game}{name} ne 'daupun';
    },
    pickup => sub {
        my ($self, $seat, $n) = @_;
        $self->{held}[$seat] += $n;
        push @{ $self->{hand} }, map { $_->[1] } @{ $self->{lying} }
            if $seat == $self->{me};
        $self->{lying} = [];
    },
    open => sub {
        my ($self, $seat, $card) = @_;
        my @shown = $self->shown($seat);
        $shown[-2][1] = $card if @shown > 1;
        $self->leave($seat, $card);
    },
    take => sub {
        my ($self, $taker, @cards) = @_;
        for my $seat (0 .. $self->{seats} - 1) {
            my @shown = $self->shown($seat);
            $self->leave($seat, $shown[-1][1]) if @shown;
        }
        $self->see(@cards);
        $self->{lying} = [];
    },
    move    => \&move,
    stake   => sub { $_[0]{stake} = $_[1] },
    pot     => sub { $_[0]{stake} = $_[1] },
    south   => sub { $_[0]{stake} = $_[2] },
    reveal  => sub { my ($self, $seat, @cards) = @_; $self->see(@cards) },
    show    => sub { my ($self, $seat, $sum, @cards) = @_; $self->see(@cards) },
    score   => sub { $_[0]{points}[ $_[1] ] = $_[2] },
    swallow => \&lift,
    turn    => sub { $_[0]{lying} = [] },
    discard => sub { $_[0]{lying} = [] },
);

sub event {
    my ($self, $verb, @words) = @_;
    my $method = $ON{$verb};
    $method->($self, @words) if $method && @words;
    return;
}

# The conversation, apart from what carries it: feed() takes what has arrived,
# `send` is given what is to leave.  `ladders` are for a referee elsewhere, with
# whom it has one connection or several.
package RefereeBot::Session;

my %OUTSIDE = map { $_ => 1 } qw(referee ping error bye gone);    # of any game

sub new {
    my ($class, $make, $send, $ladders) = @_;
    my $self = bless {
        make     => $make,
        send     => $send,
        ladders  => $ladders,
        bot      => undef,       # of the game that is on
        read     => 0,           # lines of that game
        answer   => undef,       # the last one in that game, as it was sent
        remarks  => 0,
        failing  => 0,           # told since the last ask
        quitting => 0,
    }, $class;
    $self->clear;
    return $self;
}

# Nothing has been heard on a connection yet.
sub clear {
    my ($self) = @_;
    @{$self}{qw(welcome moved error unwanted ended rest skipping out)} =
        (0, 0, undef, 0, 0, '', 0, '');
    return;
}

# A connection is there; a game that was on before still is.
sub begin {
    my ($self, $name, $token) = @_;
    $self->clear;
    if (defined $name) {
        my @words = ("bot 1 $name");
        push @words, "token=$token" if defined $token;
        push @words, 'entropy=yes' if $self->{make}->entropy;
        push @words, "resume=$self->{bot}{game}{id}:$self->{read}"
            if $self->{bot};
        $self->put("@words");
    }
    $self->flush;
    return;
}

# No game after this one.
sub quit {
    my ($self) = @_;
    $self->{quitting} = 1;
    $self->put('quit') if $self->{welcome};
    $self->flush;
    return;
}

sub feed {
    my ($self, $data) = @_;
    my @lines = split /\n/, $self->{rest} . $data, -1;
    $self->{rest} = pop @lines;
    if ($self->{skipping} && @lines) {
        shift @lines;
        $self->{skipping} = 0;
    }
    while (@lines && !$self->{ended}) {
        my $line = shift @lines;
        $self->line($line, \@lines)
            if length $line <= RefereeBot::LINE_BYTES;
    }
    if ($self->{skipping} || length $self->{rest} > RefereeBot::LINE_BYTES) {
        $self->{rest}     = '';
        $self->{skipping} = 1;
    }
    $self->flush;
    return;
}

sub put {
    my ($self, $line) = @_;
    $self->{out} .= "$line\n";
    return $line;
}

# Elsewhere a line may come late: it must not count in the next game.
sub put_in_game {
    my ($self, $line) = @_;
    $line = "\@$self->{bot}{game}{id} $line" if $self->{ladders} && $self->{bot};
    return $self->put($line);
}

sub flush {
    my ($self) = @_;
    my $out = $self->{out};
    $self->{out} = '';
    $self->{send}->($out) if length $out;
    return;
}

# A mistake of the bot's author ends neither bot nor game.
sub guard {
    my ($self, $object, $method, @args) = @_;
    my $why = attempt(sub { $object->$method(@args) }) or return;
    $self->say("failed $why") if $self->{bot} && !$self->{failing};
    $self->{failing} = 1;
    return;
}

# TYPE: TEXT of what it dies of; nothing if it does not.
sub attempt {
    my ($work) = @_;
    return if eval { $work->(); 1 };
    print STDERR $@;
    return (ref $@ || 'die') . ": $@";
}

my %CONTROL = (
    'commit'   => sub { },
    'game'     => \&game,
    'ask'      => \&ask,
    'entropy?' => \&send_entropy,
    'referee'  => \&welcome,
    'void'     => sub {
        my ($self, undef, $number) = @_;
        $self->guard($self->{bot}, 'void', $number) if $self->{bot};
    },
    'retired' => sub {
        my ($self) = @_;
        $self->guard($self->{bot}, 'retired') if $self->{bot};
    },
    'over'  => sub { $_[0]->game_over(undef) },
    'abort' => sub {
        my ($self, undef, undef, @why) = @_;
        $self->game_over("@why");
    },
    'gone' => sub {
        my ($self, undef, $id) = @_;
        $self->game_over('nothing is known of it any more')
            if $self->{bot} && defined $id && $id eq $self->{bot}{game}{id};
    },
    'ping' => sub {
        my ($self, undef, @text) = @_;
        $self->put(join ' ', 'pong', @text);
    },
    'error' => sub {
        my ($self, undef, @text) = @_;
        # Pairs, of which we know one, then a sentence.
        while (@text && $text[0] =~ /^[a-z-]+=./) {
            $self->{unwanted} = 1 if shift @text eq 'again=no';
        }
        $self->{error} = "@text";
        print STDERR "the referee says: @text\n";
    },
    'bye' => sub { $_[0]{ended} = 1 },
);

sub line {
    my ($self, $line, $later) = @_;
    my @words = split ' ', $line;
    return if !@words;
    if ($self->{bot} && !$OUTSIDE{ $words[0] }) {
        $self->{read}++;
        $self->{moved} = 1;
    }
    if (my $control = $CONTROL{ $words[0] }) {
        local $self->{later} = $later;
        $control->($self, @words);
    }
    elsif (my $bot = $self->{bot}) {
        attempt(sub { $bot->{table}->event(@words) }) if $bot->{table};
        $self->guard($bot, 'event', @words);
    }
    return;
}

# The words of a `game` line; undef if it is none.
sub read_game {
    my (undef, $id, $name, $is_seat, $seat, $is_of, $seats, @pairs) = @_;
    return if !defined $seats || $is_seat ne 'seat' || $is_of ne 'of';
    return if "$seat $seats" !~ /^[0-9]+ [0-9]+$/;
    my $game = {
        id   => $id,        name    => $name, seat => $seat, seats => $seats,
        open => 'priority', options => {},    names     => undef,
        time => 0,          bank    => 0,     increment => 0, total => 0,
        faults => 0,
    };
    for my $pair (@pairs) {
        my ($key, $value) = split /=/, $pair, 2;
        next if !defined $value;
        if ($key eq 'names') {
            $game->{names} = [ split /,/, $value ];
        }
        elsif ($key =~ /^(?:open|time|bank|increment|total|faults)$/) {
            $game->{$key} = $value;
        }
        else {
            $game->{options}{$key} = $value;
        }
    }
    return $game;
}

sub game {
    my ($self, @words) = @_;
    my $game = read_game(@words) or return;
    my $bot  = $self->{make}->new;
    $bot->{game}    = $game;
    $bot->{session} = $self;
    $bot->{random}  = RefereeBot::Random->new("$game->{seat} $game->{id}");
    $bot->{table}   = RefereeBot::Table->new($game);
    @{$self}{qw(bot read moved answer remarks failing)} =
        ($bot, 1, 1, undef, 0, 0);
    $self->guard($bot, 'start');
    return;
}

sub ask {
    my ($self, undef, $number, $ms, @tokens) = @_;
    my $bot = $self->{bot};
    return if !$bot || !@tokens || $self->is_void($number);
    my @moves = map { RefereeBot::Move->new($_) } @tokens;
    my $token = $self->choose({ number => $number, ms => $ms, moves => \@moves });
    $self->{failing} = 0;
    $self->{answer} = $self->put_in_game("do $number $token");
    $self->flush;
    return;
}

# The token; the first one, and a word about it, if there is none.
sub choose {
    my ($self, $ask) = @_;
    my $token;
    my $why = attempt(sub { $token = q{} . ($self->{bot}->choose($ask) // 'undef') });
    return $token if !$why && grep { $_->allows($token) } @{ $ask->{moves} };
    $why ||= "illegal: $token is "
        . ($token =~ /[.][.]/ ? 'a range: answer with one number of it' : 'not in the list');
    print STDERR "$why; making the first move instead\n";
    $self->say("fallback $why");
    return "$ask->{moves}[0]";
}

# A slow bot finds asks in its pipe that are void by now.
sub is_void {
    my ($self, $number) = @_;
    for my $line (@{ $self->{later} }) {
        return 0 if $line =~ /^ask /;
        return 1 if $line =~ /^void \Q$number\E\s*$/;
    }
    return 0;
}

sub game_over {
    my ($self, $why) = @_;
    my $bot = $self->{bot};
    $self->{bot} = undef;
    $self->guard($bot, 'over', $why) if $bot;
    return;
}

sub welcome {
    my ($self) = @_;
    $self->{welcome} = 1;
    return if !$self->{ladders};
    $self->put($self->{quitting} ? 'quit' : "sit @{ $self->{ladders} }");
    # It may not have arrived.
    $self->put($self->{answer}) if $self->{bot} && defined $self->{answer};
    return;
}

sub send_entropy {
    my ($self) = @_;
    open my $dice, '<:raw', '/dev/urandom' or return;
    sysread $dice, my $bytes, 32;
    $self->put_in_game('entropy ' . unpack 'H*', $bytes);
    return;
}

sub remark {
    my ($self, $text) = @_;
    $self->{remarks}++
        if $self->{remarks} < RefereeBot::SAY_COUNT && $self->say($text);
    return;
}

# Whether there was anything to say.
sub say {
    my ($self, $text) = @_;
    $text =~ s/[^ -~]+/ /g;
    $text =~ s/^ +| +$//g;
    $text = substr $text, 0, RefereeBot::SAY_BYTES;
    $self->put_in_game("say $text") if length $text;
    return length $text;
}

# A referee elsewhere: connections, one after the other.
package RefereeBot::Remote;

use Errno;
use IO::Select;
use IO::Socket::IP;
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes qw(sleep time);

use constant {
    CONNECT_S  => 10,
    SILENT_S   => 75,     # a referee that lives is never silent for so long
    WAIT_S     => 0.1,    # after a loss, twice as long after each further one
    WAIT_S_MAX => 15,
    LOOK_S     => 0.5,    # how soon we look for a signal
};

my $NAME = qr/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

# Dies with a line if the arguments are wrong.
sub new {
    my ($class, $make, @arguments) = @_;
    my $options = read_options(@arguments);
    my $self    = bless {
        make     => $make,
        options  => $options,
        name     => $options->{name} // scalar($make->name) // '',
        quitting => 0,         # a signal has come
        wait     => WAIT_S,
    }, $class;
    die "--name is missing, or no name\n" if $self->{name} !~ $NAME;
    for my $ladder (@{ $options->{ladder} }) {
        die "--ladder is no name\n" if $ladder !~ $NAME;
    }
    ($self->{host}, $self->{port}) = $options->{connect} =~ /^(.+):([0-9]+)$/
        or die "--connect wants HOST:PORT\n";
    $self->{host} =~ s/^\[|\]$//g;
    $self->{tls} = $self->tls_options
        if $options->{tls} || $options->{ca} || $options->{fingerprint};
    $self->token;
    $self->{session} = RefereeBot::Session->new($make,
        sub { $self->send(@_) }, $options->{ladder});
    return $self;
}

sub read_options {
    my @rest    = @_;
    my %options = (ladder => []);
    shift @rest while $rest[0] ne '--connect';
    while (@rest) {
        my $option = shift @rest;
        if ($option eq '--tls') { $options{tls} = 1; next }
        my ($key) = $option =~
            /^--(connect|name|token-file|ladder|ca|fingerprint)$/
            or die "there is no $option\n";
        die "$option wants a value\n" if !@rest;
        if ($key eq 'ladder') { push @{ $options{ladder} }, shift @rest }
        else                  { $options{$key} = shift @rest }
    }
    die "--token-file is missing\n" if !defined $options{'token-file'};
    die "--ladder is missing\n"     if !@{ $options{ladder} };
    return \%options;
}

sub token {
    my ($self) = @_;
    my $path = $self->{options}{'token-file'};
    open my $file, '<', $path or die "$path: $!\n";
    my $token = do { local $/; <$file> } // '';
    $token =~ s/^\s+|\s+$//g;
    die "$path: not a token\n" if $token !~ /^[!-~]{1,128}$/;
    return $token;
}

sub tls_options {
    my ($self) = @_;
    my ($ca, $pin) = @{ $self->{options} }{qw(ca fingerprint)};
    die "--tls needs IO::Socket::SSL, which is not here\n"
        if !eval { require IO::Socket::SSL };
    my %tls = (
        SSL_version      => '!SSLv2:!SSLv3:!TLSv1:!TLSv1_1',
        SSL_verify_mode  => IO::Socket::SSL::SSL_VERIFY_PEER(),
        SSL_verifycn_scheme => 'http',
        SSL_verifycn_name   => $self->{host},
        SSL_hostname        => $self->{host} =~ /[a-z]/i ? $self->{host} : '',
    );
    if (defined $ca) {
        open my $file, '<', $ca or die "ca: $ca: $!\n";
        $tls{SSL_ca_file} = $ca;
    }
    if (defined $pin) {
        $self->{pin} = lc $pin =~ s/://gr;
        die "--fingerprint wants 64 hex digits\n"
            if $self->{pin} !~ /^[0-9a-f]{64}$/;
        $tls{SSL_verify_mode} = IO::Socket::SSL::SSL_VERIFY_NONE();
        delete @tls{qw(SSL_ca_file SSL_verifycn_scheme SSL_verifycn_name)};
    }
    return \%tls;
}

# The exit status.
sub run {
    my ($self) = @_;
    my $session = $self->{session};
    local $SIG{PIPE} = 'IGNORE';
    for my $name (qw(TERM INT)) {
        $SIG{$name} = sub {
            $self->{quitting} = 1;
            $SIG{$name} = 'DEFAULT';
        };
    }
    until ($self->may_leave) {
        my $why = 'it closed the connection';
        if (!eval { $self->talk; 1 }) {
            $why = $@ =~ s/\n.*//sr;
            if ($why =~ /^refused: /) {
                print STDERR "$why\n";
                return 1;
            }
        }
        close $self->{socket} if $self->{socket};
        $self->{socket} = undef;
        return $session->{unwanted} ? 1 : 0 if $self->is_over;
        $self->pause($why);
    }
    return 0;
}

# A referee that we have just lost may have begun another game.
sub may_leave {
    my ($self) = @_;
    my $session = $self->{session};
    return $self->{quitting} && !$session->{bot} && !$session->{welcome};
}

# Whether the referee wants no more of us.  One that is full for a moment, or
# stops, says `error`, too.
sub is_over {
    my ($self) = @_;
    my $session = $self->{session};
    return $session->{unwanted}
        || $session->{ended} && !defined $session->{error};
}

sub pause {
    my ($self, $why) = @_;
    $self->{wait} = WAIT_S if $self->{session}{moved};
    my $seconds = $self->{wait} * (0.5 + rand 0.5);
    $self->{wait} = 2 * $self->{wait};
    $self->{wait} = WAIT_S_MAX if $self->{wait} > WAIT_S_MAX;
    printf STDERR "no connection to %s: %s; again in %.1f s\n",
        $self->{options}{connect}, $why, $seconds;
    my $end = time + $seconds;
    while (!$self->may_leave && (my $left = $end - time) > 0) {
        sleep($left < LOOK_S ? $left : LOOK_S);
    }
    $self->{session}{quitting} ||= $self->{quitting};
    return;
}

# One connection, from its beginning to its end.
sub talk {
    my ($self)  = @_;
    my $session = $self->{session};
    my $token   = $self->token;
    $session->clear;
    $self->connect;
    $session->begin($self->{name}, $token);
    until ($session->{ended}) {
        my $data = $self->receive;
        return if !length $data;
        $session->feed($data);
    }
    return;
}

sub connect {
    my ($self) = @_;
    my $socket = IO::Socket::IP->new(
        PeerHost => $self->{host},
        PeerPort => $self->{port},
        Timeout  => CONNECT_S,
    ) or die "$@\n";
    setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1;
    if ($self->{tls}) {
        IO::Socket::SSL->start_SSL($socket, %{ $self->{tls} },
            Timeout => CONNECT_S)
            or die $self->distrust, "\n";
        die "refused: the certificate has another fingerprint\n"
            if $self->{pin}
            && $socket->get_fingerprint('sha256') ne "sha256\$$self->{pin}";
    }
    elsif ($socket->peerhost !~ /^(?:::ffff:)?127\.|^::1$/) {
        die "refused: beyond this machine a token needs --tls\n";
    }
    $socket->blocking(0);
    $self->{socket} = $socket;
    return;
}

# Why there is no TLS: a certificate that we do not believe is for good.
sub distrust {
    no warnings 'once';
    my $why = $IO::Socket::SSL::SSL_ERROR // $!;
    return $why =~ /certificate|verif|hostname/i ? "refused: $why" : "TLS: $why";
}

# What has arrived; nothing at the end.
sub receive {
    my ($self) = @_;
    my $socket = $self->{socket};
    my $end    = time + SILENT_S;
    while (time < $end) {
        if ($self->{quitting} && !$self->{session}{quitting}) {
            $self->{session}->quit;
        }
        my $n = sysread $socket, my $data, 65536;
        return $data if defined $n;
        die "$!\n" if !$!{EAGAIN} && !$!{EWOULDBLOCK} && !$!{EINTR};
        IO::Select->new($socket)->can_read(LOOK_S);
    }
    die "no word of it any more\n";
}

# What cannot be said now is said when we are back.
sub send {
    my ($self, $data) = @_;
    my $socket = $self->{socket};
    my $end    = time + SILENT_S;
    while (length $data && time < $end) {
        my $n = syswrite $socket, $data;
        if (defined $n) { substr $data, 0, $n, '' }
        elsif ($!{EAGAIN} || $!{EWOULDBLOCK} || $!{EINTR}) {
            IO::Select->new($socket)->can_write(LOOK_S);
        }
        else { return }
    }
    return;
}

1;
