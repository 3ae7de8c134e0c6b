// referee/web/static/motion.js - pieces glide from where they were. move(felt,
// drawTable(table, viewer)); replaces the first table, which is on the page, by
// the second one; both are of one game and one viewer.  A piece that came into
// another zone glides there from its old place, or else from a zone that pieces
// have left: the hand of the seat that played it, or a pile.  A piece that is
// no longer drawn glides into the pile that has grown, or to the seat that has
// won it, and disappears.  Nothing glides for users who prefer reduced motion.

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

// Returns the zones of a table, each with its element, the place of its seat
// and its pieces: code, place of the seat that played it, true if it wins,
// element, box.
function read(felt)
{
	return [...felt.querySelectorAll(".zone")].map((zone) => ({
		zone,
		count: Number(zone.dataset.pieces),
		place: zone.closest(".seat")?.dataset.at,
		pieces: [...zone.querySelectorAll(".piece")].map((element) => ({
			code: element.dataset.piece,
			place: element.closest("li").dataset.at ??
				zone.closest(".seat")?.dataset.at,
			wins: element.classList.contains("is-winning"),
			element,
			box: element.getBoundingClientRect(),
		})),
	}));
}

// Returns the pieces that left a zone and those that came; `room` is how many
// came that are not drawn.  In a pile, whose pieces are not all drawn, the top
// represents those that left.
function compare(before, after)
{
	const left = [...before.pieces];
	const come = after.pieces.filter((piece) =>
		!take(left, ({ code }) => code === piece.code));
	const hidden = Math.min(before.count - after.count - left.length,
		before.pieces.length > 0 ? before.count : 0);
	const more = after.count - before.count - come.length + left.length;
	// The pieces below the new top of a pile have not left it.
	const covered = left.splice(0, Math.max(0, more)).length;

	for (let i = 0; i < hidden; i++)
		left.push({ ...before.pieces[0], code: "?", drawn: true });
	return { left, come, room: more - covered, after,
		winner: before.pieces.find(({ wins }) => wins)?.place };
}

// Returns the origin of a piece; more certain ones are tried first.
function origin(piece, left)
{
	return take(left, ({ code }) => code === piece.code && code !== "?") ??
		take(left, ({ code, place }) => fits(code, piece.code) &&
			place !== undefined && place === piece.place) ??
		take(left, ({ code }) => fits(code, piece.code));
}

function middle({ left, top, width, height })
{
	return [left + width / 2, top + height / 2];
}

// Returns the way from the middle of one box to that of another, in the pixels
// of a table.
function way(from, to, zoom)
{
	const [[x, y], [toX, toY]] = [from, to].map(middle);

	return `${(x - toX) / zoom}px ${(y - toY) / zoom}px`;
}

function glide({ element, box }, from, ms, zoom)
{
	// A zone that a phone hides is not animated.
	if (box.width === 0 || from.width === 0)
		return;
	element.animate({ translate: [way(from, box, zoom), "0 0"],
		scale: [from.width / box.width, 1], zIndex: [3, 3] },
	{ duration: ms, easing: "ease-out" });
}

// A piece that is no longer drawn: a copy glides to its goal and fades.
function leave(felt, { element, box }, to, ms, zoom)
{
	const ghost = element.cloneNode(true);
	const on = felt.getBoundingClientRect();
	const [x, y] = middle(to);

	if (box.width === 0 || to.width === 0)
		return;
	ghost.classList.add("ghost");
	ghost.setAttribute("aria-hidden", "true");
	for (const [name, pixels] of [["--width", box.width],
		["left", x - on.left - felt.clientLeft - box.width / 2],
		["top", y - on.top - felt.clientTop - box.height / 2]])
		ghost.style.setProperty(name, `${pixels / zoom}px`);
	felt.append(ghost);
	ghost.animate({ translate: [way(box, to, zoom), "0 0"],
		scale: [1, Math.min(1, to.width / box.width)],
		opacity: [1, 1, 0] }, { duration: ms, easing: "ease-out" })
		.addEventListener("finish", () => ghost.remove());
}

// Returns the box where a piece that left this zone went.
function goal(felt, change, changes)
{
	const grown = changes.find((other) => other !== change && other.room > 0);

	if (grown) {
		const { zone, pieces } = grown.after;

		grown.room--;
		return pieces[0]?.box ?? zone.getBoundingClientRect();
	}
	return change.winner && felt.querySelector(
		`.seat[data-at="${change.winner}"] h3`)?.getBoundingClientRect();
}

export function move(before, after, ms = 350)
{
	const old = read(before);

	before.replaceWith(after);
	if (calm.matches)
		return;
	const zoom = after.currentCSSZoom ?? 1;
	const changes = read(after).map((zone, at) =>
		compare(old[at] ?? { count: 0, pieces: [] }, zone));
	const left = changes.flatMap((change) => change.left);

	for (const piece of changes.flatMap((change) => change.come)) {
		const from = origin(piece, left);

		if (from)
			glide(piece, from.box, ms, zoom);
	}
	for (const change of changes)
		for (const piece of change.left.filter((one) =>
			!one.drawn && left.includes(one))) {
			const to = goal(after, change, changes);

			if (to)
				leave(after, piece, to, ms, zoom);
		}
}
