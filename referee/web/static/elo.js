// referee/web/static/elo.js - cells of a table with an Elo and its 95 % interval, drawn as
// pages/plot.c draws it.
import { make, makeSvg, words } from "./elements.js";

const WIDTH = 160, HEIGHT = 14, EDGE = 4;
const known = (value) => typeof value === "number";

// The titles of the cells.
export const ELO_TITLES = [["Elo", "n"], ["from", "n"], ["to", "n"],
	["interval", "middling"]];

// Returns the scale of rows with elo, from and to; an end that is no number is open, and
// gets as much room as the other end.
export function scaleOf(rows)
{
	const all = rows.filter(({ elo }) => known(elo)).flatMap(({ elo, from, to }) => {
		const room = known(from) ? elo - from : known(to) ? to - elo : 0;

		return [elo - room, known(to) ? to : elo + room];
	});

	return { low: Math.min(...all) - 5, high: Math.max(...all) + 5 };
}

function bar({ low, high }, { elo, from, to })
{
	const at = (value) => (EDGE + (value - low) / (high - low) *
		(WIDTH - 2 * EDGE)).toFixed(1);
	const y = HEIGHT / 2;
	const left = known(from) ? `M${at(from)} ${y}` : `M${EDGE} ${y}m4-4l-4 4 4 4m-4-4`;
	const right = known(to) ? `H${at(to)}` : `H${WIDTH - EDGE}m-4-4l4 4-4 4`;

	return makeSvg("svg", { class: "cell-bar", viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
		"aria-hidden": "true" },
	known(from) || known(to) ?
		makeSvg("path", { class: "bar", d: left + right }) : null,
	makeSvg("circle", { cx: at(elo), cy: y, r: "3.5" }));
}

// Returns the cells of a row.
export function eloCells(scale, row)
{
	return [...[row.elo, row.from, row.to].map((value) =>
		make("td", { class: "n" }, known(value) ?
			words(value.toFixed(0)) : "\u2013")),
	make("td", { class: "middling" }, known(row.elo) ? bar(scale, row) : "")];
}
