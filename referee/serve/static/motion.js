// referee/serve/static/motion.js - pieces glide from where they were.
//
//	move(felt, drawTable(table, viewer));
//
// puts the second table in the place of the first one, which is on the page; both are
// of one game and one viewer.  What came into another zone glides there: from the
// place of the same piece, or else from where so many left: the hand of the seat that
// played it, a pile.  Nothing glides for who wants less motion.

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// "Y3?" can be "Y3t", and "?" anything.
function fits(one, other)
{
	return one === "?" || other === "?" || [...one].every((letter, at) =>
		[letter, other[at]].includes("?") || letter === other[at]);
}

function take(list, wanted)
{
	const at = list.findIndex(wanted);

	return at < 0 ? undefined : list.splice(at, 1)[0];
}

// The zones of a table, each with the place of its seat and with its pieces: code,
// place of who played it, element, box.
function read(felt)
{
	return [...felt.querySelectorAll(".zone")].map((zone) => ({
		count: Number(zone.dataset.pieces),
		place: zone.closest(".seat")?.dataset.at,
		pieces: [...zone.querySelectorAll(".piece")].map((element) => ({
			code: element.dataset.piece,
			place: element.closest("li").dataset.at ??
				zone.closest(".seat")?.dataset.at,
			element,
			box: element.getBoundingClientRect(),
		})),
	}));
}

// What left a zone, and what came; of a pile, whose pieces are not all drawn, the
// top stands for those that left.
function compare(before, after)
{
	const left = [...before.pieces];
	const come = after.pieces.filter((piece) =>
		!take(left, ({ code }) => code === piece.code));
	const hidden = Math.min(before.count - after.count - left.length,
		before.pieces.length > 0 ? before.count : 0);

	for (let i = 0; i < hidden; i++)
		left.push({ ...before.pieces[0], code: "?" });
	return { left, come };
}

// From where a piece came: the more certain, the earlier.
function origin(piece, left)
{
	return take(left, ({ code }) => code === piece.code && code !== "?") ??
		take(left, ({ code, place }) => fits(code, piece.code) &&
			place !== undefined && place === piece.place) ??
		take(left, ({ code }) => fits(code, piece.code));
}

function glide({ element, box }, from, ms)
{
	const x = from.left + from.width / 2 - box.left - box.width / 2;
	const y = from.top + from.height / 2 - box.top - box.height / 2;

	// Where a phone hides a zone there is nothing to see.
	if (box.width === 0 || from.width === 0)
		return;
	element.animate({ translate: [`${x}px ${y}px`, "0 0"],
		scale: [from.width / box.width, 1], zIndex: [3, 3] },
	{ duration: ms, easing: "ease-out" });
}

export function move(before, after, ms = 350)
{
	const old = read(before);

	before.replaceWith(after);
	if (calm.matches)
		return;
	const changes = read(after).map((zone, at) =>
		compare(old[at] ?? { count: 0, pieces: [] }, zone));
	const left = changes.flatMap((change) => change.left);

	for (const piece of changes.flatMap((change) => change.come)) {
		const from = origin(piece, left);

		if (from)
			glide(piece, from.box, ms);
	}
}
