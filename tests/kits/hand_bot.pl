# Does what an author should not do, to see the kit put up with it: prints,
# dies, answers what is not allowed.  At each ask it says its hand and its
# table, and unless it dies makes the last move of the list.
package HandBot;

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../../sample-bots/perl";
use parent 'RefereeBot';

sub name    { return 'hand' }
sub entropy { return 1 }

sub start {
    my ($self) = @_;
    print "a game begins\n";
    $self->say("tab\there");
    $self->say('this object has played before') if $self->{used};
    $self->{used} = 1;
    return;
}

sub event {
    my ($self, $verb) = @_;
    die "an author's mistake\n" if $verb eq 'round';
    return;
}

sub choose {
    my ($self, $ask) = @_;
    my $table = $self->{table};
    print "do 1 noise\n";
    $self->say(join ' ', 'hand', sort @{ $table->{hand} });
    $self->say(join ' ', 'table', @{$table}{qw(round stake stock)},
        'held', @{ $table->{held} }, 'points', @{ $table->{points} },
        'inside', (sort keys %{ $table->{inside} }),
        'seen', scalar keys %{ $table->{seen} }, $table->{trump} // '-',
        map { join ':', @{$_} } @{ $table->{lying} });
    die "another one\n" if $ask->{number} % 6 == 0;
    return 'non..sense' if $ask->{number} == 3;
    return 'nonsense' if $ask->{number} % 3 == 0;
    my $last = $ask->{moves}[-1];
    return $last->is_range ? $last->with_number($last->{low}) : $last;
}

HandBot->run;
