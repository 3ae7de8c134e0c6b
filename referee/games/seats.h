/* referee/games/seats.h - sets of seats, and who comes next clockwise.
 *
 * A set is an unsigned whose bit s is seat s; all its seats are below the
 * number of seats at the table. */
#ifndef REFEREE_GAMES_SEATS_H
#define REFEREE_GAMES_SEATS_H

/* Returns the seat on the left of `seat`. */
static inline unsigned
seat_left(unsigned seat, unsigned seats)
{
	return seat + 1 == seats ? 0 : seat + 1;
}

/* Returns the first seat of a set, which is not empty, clockwise from `seat`, itself
 * included. */
static inline unsigned
seats_first(unsigned set, unsigned seat, unsigned seats)
{
	unsigned turned = set >> seat | set << (seats - seat);
	unsigned first = seat + (unsigned)__builtin_ctz(turned);

	return first >= seats ? first - seats : first;
}

/* Takes the lowest seat out of a set that is not empty. */
static inline unsigned
seats_take(unsigned *set)
{
	unsigned seat = (unsigned)__builtin_ctz(*set);

	*set &= *set - 1;
	return seat;
}

/* Takes the first seat clockwise from `seat`, itself included. */
static inline unsigned
seats_take_first(unsigned *set, unsigned seat, unsigned seats)
{
	unsigned first = seats_first(*set, seat, seats);

	*set &= ~(1u << first);
	return first;
}

#endif
