#!/usr/bin/perl
# Every legal move is as likely as any other; so is every number of a range.
# What it does follows from the game's ID and its seat alone.
package RandomBot;

use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use parent 'RefereeBot';

sub choose {
    my ($self, $ask) = @_;
    my $move = $self->{random}->pick(@{ $ask->{moves} });
    return $move if !$move->is_range;
    my $size = $move->{high} - $move->{low} + 1;
    return $move->with_number($move->{low} + $self->{random}->below($size));
}

RandomBot->run;
