// referee/web/static/frames.js - the lines of a game with the table after each,
// as /api/1/games/ID/frames gives them.  The table after line n is a function of
// the lines up to n: one step back shows what was there before.

const SPACING = 64; // lines between two tables that are kept
const EMPTY = { pieces: "", unit: "", seats: [], gauges: [], zones: [] };

export class Refused extends Error {
	constructor(code, sentence)
	{
		super(sentence);
		this.code = code;
	}
}

// The objects of JSON Lines.
export function parseLines(text)
{
	return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// Throws Refused with the server's sentence.
export async function fetchLines(url, headers = {})
{
	const answer = await fetch(url, { headers });

	if (!answer.ok)
		throw new Refused(answer.status, (await answer.text()).trim());
	return parseLines(await answer.text());
}

export const fetchFrames = fetchLines;

function replaced(all, changed)
{
	if (changed.length === 0)
		return all;
	const next = all.slice();

	for (const one of changed)
		next[one.number] = one;
	return next;
}

// The table after `line`, where `state` was the one before; what has not changed
// is the same object in both.
export function applyFrame(state, line)
{
	const delta = line.table;

	return delta === undefined ? state : {
		pieces: delta.pieces,
		unit: delta.unit,
		seats: replaced(state.seats, delta.seats),
		gauges: replaced(state.gauges, delta.gauges),
		zones: replaced(state.zones, delta.zones),
	};
}

export function marked(line, mark)
{
	return line?.marks?.includes(mark) ?? false;
}

// All lines of a view.  Lines are numbered from 1.
export class Timeline {
	constructor(lines = [])
	{
		this.lines = [];
		this.kept = [EMPTY]; // before every line that is a multiple of
		this.last = EMPTY;
		this.append(lines);
	}

	get length()
	{
		return this.lines.length;
	}

	append(lines)
	{
		for (const line of lines) {
			this.lines.push(line);
			this.last = applyFrame(this.last, line);
			if (this.length % SPACING === 0)
				this.kept.push(this.last);
		}
	}

	line(n)
	{
		return this.lines[n - 1];
	}

	// The table after line n, or after the last one; 0: before the first one.
	table(n)
	{
		n = Math.min(n, this.length);
		let at = Math.floor(n / SPACING);
		let state = this.kept[at];

		for (at *= SPACING; at < n; at++)
			state = applyFrame(state, this.lines[at]);
		return state;
	}

	// One stops at the first and the last line, at moves, faults and rounds, and
	// where the table stands as it is when the next move is wanted.
	isStop(n)
	{
		const line = this.line(n);

		return n === 1 || n === this.length || marked(line, "move") ||
			marked(line, "fault") || marked(line, "round") ||
			marked(this.line(n + 1), "move");
	}

	// The next line from n on, that one left out, or with step -1 before it, for
	// which `wanted(n)` is true; 0: there is none.
	find(n, step, wanted)
	{
		for (n += step; n >= 1 && n <= this.length; n += step)
			if (wanted(n))
				return n;
		return 0;
	}

	stop(n, step)
	{
		return this.find(n, step, (at) => this.isStop(at));
	}

	round(n)
	{
		return this.line(n)?.round ?? 0;
	}

	// Where the round of line n begins, and where the one after it does; 0: there
	// is none.
	first(n)
	{
		return this.find(n, -1, (at) =>
			this.round(at) !== this.round(n)) + 1;
	}

	after(n)
	{
		return this.find(n, 1, (at) => this.round(at) !== this.round(n));
	}

	// Where "round before" leads: to the beginning of this one, or of the one
	// before it; 0: there is none.
	roundBack(n)
	{
		const first = this.first(n);

		if (n > first)
			return first;
		return first > 1 && this.round(first - 1) > 0 ?
			this.first(first - 1) : 0;
	}

	// The numbers of the lines with this mark.
	all(mark)
	{
		const found = [];

		this.lines.forEach((line, i) => {
			if (marked(line, mark))
				found.push(i + 1);
		});
		return found;
	}
}
