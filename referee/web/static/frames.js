// referee/web/static/frames.js - the lines of a game with the table after each,
// as /api/1/games/ID/frames gives them.  The table after line n depends only on
// the lines up to n, so a step back shows the same table as before.

const SPACING = 64; // lines between two tables that are kept
const EMPTY = { pieces: "", unit: "", seats: [], gauges: [], zones: [] };

export class Refused extends Error {
	constructor(code, sentence)
	{
		super(sentence);
		this.code = code;
	}
}

// Parses JSON Lines.
export function parseLines(text)
{
	return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// Fetches JSON Lines; throws Refused with the server's sentence.
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

// Returns the table after `line`; `state` is the one before.  Unchanged parts
// are the same objects in both.
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

// Holds all lines of a view, numbered from 1.
export class Timeline {
	constructor(lines = [])
	{
		this.lines = [];
		this.kept = [EMPTY]; // the table before every SPACING lines
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

	// Returns the table after line n, or after the last one; 0: before the first
	// one.
	table(n)
	{
		n = Math.min(n, this.length);
		let at = Math.floor(n / SPACING);
		let state = this.kept[at];

		for (at *= SPACING; at < n; at++)
			state = applyFrame(state, this.lines[at]);
		return state;
	}

	// Returns true if steps stop at line n: at the first and the last line, at
	// moves, faults and rounds, and where the next decision begins.
	isStop(n)
	{
		const line = this.line(n);

		return n === 1 || n === this.length || marked(line, "move") ||
			marked(line, "fault") || marked(line, "round") ||
			marked(this.line(n + 1), "move");
	}

	// Returns the next line after n, or before it with step -1, for which
	// `wanted(n)` is true; 0: there is none.
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

	// Returns where the round of line n begins; 0: there is none. next() does the
	// same for the round after it.
	first(n)
	{
		return this.find(n, -1, (at) =>
			this.round(at) !== this.round(n)) + 1;
	}

	after(n)
	{
		return this.find(n, 1, (at) => this.round(at) !== this.round(n));
	}

	// Returns the target of "round before": the beginning of this round, or of the
	// one before it; 0: there is none.
	roundBack(n)
	{
		const first = this.first(n);

		if (n > first)
			return first;
		return first > 1 && this.round(first - 1) > 0 ?
			this.first(first - 1) : 0;
	}

	// Returns the numbers of the lines with this mark.
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
