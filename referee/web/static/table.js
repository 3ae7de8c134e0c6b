// referee/web/static/table.js - draws a table from the JSON of `referee replay --json
// --tables` with all changes taken in.
//
//	felt.replaceWith(drawTable(table, 0));
//
// `viewer` is the seat that sits in front; -1 (public), -2 (all cards): seat 0.
import { make, makeSvg, words } from "./elements.js";

const CARDS = new URL("cards.svg", import.meta.url).href;
const PILE = 8; // pieces of a pile: of a larger one only the top is drawn
const BEADS = 40; // beads of a gauge: a larger value is a number

// ---- pictures -----------------------------------------------------------------

function use(name, kind = null)
{
	return makeSvg("use", { class: kind, href: `${CARDS}#${name}` });
}

function picture(kind, name)
{
	return makeSvg("svg", { class: kind, "aria-hidden": "true" }, use(name));
}

const AROUND = [
	"S",
	"S N",
	"S NW NE",
	"S W N E",
	"S W NW NE E",
	"S W NW N NE E",
	"S SW W NW NE E SE",
	"S SW W NW N NE E SE",
].map((places) => places.split(" "));

// Returns the place of a seat at a round table: the viewer's own in the south,
// the next one to the left of it.
function placeOf({ table, viewer }, seat)
{
	const seats = table.seats.length;

	return AROUND[seats - 1][(seat + seats - Math.max(viewer, 0)) % seats];
}

// ---- pieces -------------------------------------------------------------------

const RANKS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six",
	7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen",
	K: "king", A: "ace" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const PAWNS = { R: "red", G: "green", B: "blue", Y: "yellow" };
const SNAKES = { Y: "yellow", G: "green", B: "black" };
const FANGS = { t: "toxic ", n: "harmless ", "?": "" };

// For each kind: its picture's box, the letter of its colour, its name, the
// parts of its picture, and its text.
const KINDS = {
	card: {
		box: "0 0 50 70",
		colour: (code) => code[1],
		name: (code) => `${RANKS[code[0]]} of ${SUITS[code[1]]}`,
		face: ({ code }) => [use(`card-${code[1]}${code[0]}`, "full"),
			use(`large-${code[1]}${code[0]}`, "large")],
		sign: () => null,
	},
	pawn: {
		box: "0 0 50 60",
		colour: (code) => code[0],
		name: (code) => `${PAWNS[code[0]]} ${code[1]}`,
		face: ({ code }) => [use(`pawn-${code[0]}`)],
		sign: (code) => [code[1], make("i", {}, code[0])],
	},
	snake: {
		box: "0 0 60 60",
		colour: (code) => code[0],
		name: (code) =>
			`${FANGS[code[2]]}${SNAKES[code[0]]} ${code[1]}`,
		face: drawSnake,
		sign: (code) => [code[1], make("i", {}, code[0])],
	},
	piece: {
		box: "0 0 50 70",
		colour: () => null,
		name: (code) => code,
		face: () => [],
		sign: (code) => [code],
	},
};

function drawSnake({ code, marks })
{
	return [use(`snake-${code[0]}`),
		code[2] === "?" ? null :
			use(code[2] === "t" ? "toxic" : "harmless"),
		marks.includes("thumb") ? use("thumb", "thumb") : null];
}

// A piece without properties is only its code.
function whole(piece)
{
	return typeof piece === "string" ? { code: piece, marks: [] } :
		{ marks: [], ...piece };
}

function classOf({ pieces: kind }, { code, marks })
{
	const colour = code === "?" ? null : KINDS[kind].colour(code);

	return ["piece",
		...(code === "?" ? ["back"] : colour ? [`${kind}-${colour}`] : []),
		...marks.map((mark) => `is-${mark}`)].join(" ");
}

function drawSign(kind, code)
{
	const sign = code === "?" ? null : KINDS[kind].sign(code);

	return sign && make("span", { class: "sign", "aria-hidden": "true" },
		...sign);
}

function drawPiece({ table }, zone, piece)
{
	const kind = table.pieces;
	const hidden = piece.code === "?";
	const name = hidden ? `hidden ${kind}` : KINDS[kind].name(piece.code);
	const drawn = make("span", { class: classOf(table, piece),
		"data-piece": piece.code },
	makeSvg("svg", { class: "face", viewBox: KINDS[kind].box,
		"aria-hidden": "true" },
	...(hidden ? [use(`back-${kind}`)] : KINDS[kind].face(piece)),
	!hidden && piece.marks.includes("down") ?
		use(`back-${kind}`, "veil") : null),
	drawSign(kind, piece.code),
	make("span", { class: "sr" }, [name, ...piece.marks].join(", ")));

	if (piece.by === undefined || piece.by === zone.owner)
		return [drawn];
	return [drawn, make("small", {},
		make("bdi", {}, table.seats[piece.by].name))];
}

// ---- zones --------------------------------------------------------------------

// Draws a piece with the pieces on it, and marks who played it.
function drawGroup(draw, zone, pieces, bottom)
{
	const by = pieces[bottom].by;
	const drawn = [pieces[bottom],
		...pieces.filter((piece) => piece.on === bottom)]
		.flatMap((piece) => drawPiece(draw, zone, piece));

	return make("li", { "data-at": by === undefined ? null :
		placeOf(draw, by) }, ...drawn);
}

// Returns true if a piece is drawn: of a large pile, or one of hidden pieces,
// only the top and an open piece at the bottom.
function isDrawn(zone, pieces, at)
{
	if (pieces[at].on !== undefined)
		return false; // drawn with the piece that it lies on
	if (at === 0 || zone.layout !== "pile" || (pieces.length <= PILE &&
	    pieces.some((piece) => piece.code !== "?")))
		return true;
	return at === pieces.length - 1 && pieces[at].marks.includes("shown");
}

function drawPieces(draw, zone)
{
	const pieces = zone.pieces.map(whole);

	if (pieces.length === 0)
		return null;
	return make("ul", { class: "pieces", "data-layout": zone.layout },
		...pieces.map((_, at) => isDrawn(zone, pieces, at) ?
			drawGroup(draw, zone, pieces, at) : null));
}

// "your hand"; "Anna: taken"; "trick".
function nameZone({ table, viewer }, zone)
{
	if (zone.owner === undefined)
		return zone.label;
	if (zone.owner === viewer && zone.kind === "hand")
		return "your hand";
	return `${table.seats[zone.owner].name}: ${zone.label}`;
}

// Zones that have a picture of their own behind the pieces.
const SCENES = { monster: "monster", bark: "boat" };

// Returns true for zones without a seat and for those at a spot.
function isInMiddle(zone)
{
	return zone.owner === undefined || zone.spot !== undefined;
}

function drawZone(draw, zone)
{
	const scene = SCENES[zone.kind];
	const owner = zone.owner !== undefined && isInMiddle(zone) ?
		draw.table.seats[zone.owner].name : null;

	return make("div", { class: zone.dim ? "zone dim" : "zone",
		"data-zone": zone.kind, "data-spot": zone.spot ?? null,
		"data-pieces": zone.pieces.length, role: "group",
		"aria-label": nameZone(draw, zone) },
	scene ? picture("scene", scene) : null,
	make("p", { class: "zone-label" }, words(zone.label),
		make("b", {}, make("i", {}, ": "), `${zone.pieces.length}`)),
	owner && make("p", { class: "zone-owner" }, make("bdi", {}, owner)),
	drawPieces(draw, zone));
}

// ---- gauges -------------------------------------------------------------------

// Draws a line as long as the larger of goal and value, with both marked on it.
function drawBar(gauge)
{
	const value = Math.max(gauge.value, 0);
	const goal = Math.max(gauge.goal ?? 0, 1);
	const [at, end] = [value, goal].map((it) =>
		Math.floor(100 * it / Math.max(value, goal)));

	return makeSvg("svg", { class: "bar", viewBox: "-6 0 112 12",
		"aria-hidden": "true" },
	makeSvg("path", { class: "trough", d: "M0 6H100" }),
	makeSvg("path", { class: "fill", d: `M0 6H${at}` }),
	makeSvg("path", { class: "goal", d: `M${end} 0V12` }),
	makeSvg("circle", { cx: at, cy: 6, r: 4 }));
}

// Draws a bead for each unit, and empty ones up to the goal; above ten, a bead
// for each ten comes first, and so on with hundreds.
function drawBeads({ value, goal = 0 })
{
	const beads = [];
	const all = Math.max(value, 0);
	let left = all;

	for (const [worth, kind] of [[100, "hundred"], [10, "ten"], [1, null]])
		for (; left >= worth && beads.length < BEADS; left -= worth)
			beads.push(make("i", { class: kind }));
	for (left = all; left < goal && beads.length < BEADS; left++)
		beads.push(make("i", { class: "none" }));
	return make("span", { class: "beads", "aria-hidden": "true" }, ...beads);
}

// Draws the other seat's answers to an offer.
function drawLadder()
{
	return make("span", { class: "ladder" },
		...["raise", "accept", "give up"].flatMap((rung) =>
			[" ", make("span", {}, rung)]));
}

// Returns "7" or "7 of 15"; a value above the goal has no "of".
export function gaugeText({ value, goal = 0 })
{
	return goal <= 0 ? `${value}` :
		value > goal ? `${value} (over ${goal})` : `${value} of ${goal}`;
}

function drawGauge(gauge)
{
	if (gauge.value === undefined)
		return null;
	return make("div", { "data-gauge": gauge.kind },
		make("dt", {}, gauge.label),
		make("dd", {}, words(gaugeText(gauge)),
		gauge.layout === "bar" ? drawBar(gauge) :
			gauge.layout === "beads" ? drawBeads(gauge) : null,
		gauge.kind === "offer" ? drawLadder() : null));
}

// ---- seats and the middle -----------------------------------------------------

// Draws everything that belongs to a seat; undefined: to no seat.
function drawOwned(draw, owner)
{
	return [make("dl", { class: "gauges" }, ...draw.table.gauges
		.filter((gauge) => gauge.owner === owner)
		.map(drawGauge)),
	make("div", { class: "zones" }, ...draw.table.zones
		.filter((zone) => owner ===
			(isInMiddle(zone) ? undefined : zone.owner))
		.map((zone) => drawZone(draw, zone)))];
}

// Draws facts such as "seat 2", "team 1", "7 stones", each in its own place.
function drawFacts({ table }, seat)
{
	const gauged = table.gauges.some((gauge) =>
		gauge.kind === "points" && gauge.owner === seat.number);
	const count = (number, noun) =>
		`${number} ${noun}${number === 1 ? "" : "s"}`;
	const facts = [["seat", `seat ${seat.number}`],
		seat.team && ["team", `team ${seat.team}`],
		seat.points !== undefined && !gauged &&
			["point", count(seat.points, table.unit)],
		seat.place && ["place", `place ${seat.place}`],
		seat.faults && ["fault", count(seat.faults, "fault")]];

	return make("p", { class: "standing" }, ...facts
		.filter((fact) => fact)
		.flatMap(([kind, text]) => [" ",
			make("span", { "data-fact": kind }, words(text))]));
}

function drawSeat(draw, seat)
{
	const flags = seat.flags ?? [];
	const classes = ["seat", flags.includes("turn") && "turn",
		flags.some((flag) => ["out", "folded"].includes(flag)) && "dim"];

	return make("section", { class: classes.filter((one) => one).join(" "),
		"data-seat": seat.number, "data-at": placeOf(draw, seat.number) },
	make("h3", {},
		seat.team ? picture("team", `team-${seat.team}`) :
			null,
		make("bdi", {}, seat.name),
		...flags.flatMap((flag) => [" ",
			make("span", { class: "tag", "data-flag": flag }, flag)])),
	drawFacts(draw, seat),
	...drawOwned(draw, seat.number));
}

// Draws an arrow from the middle to each attacked seat.
function drawArrows(draw)
{
	return draw.table.seats
		.filter((seat) => seat.flags?.includes("defender"))
		.map((seat) => make("div", { class: "arrow",
			"data-at": placeOf(draw, seat.number) },
		picture(null, "arrow")));
}

// Draws the table; each call returns a new element.
export function drawTable(table, viewer)
{
	const draw = { table, viewer };
	const own = Math.max(viewer, 0);

	return make("div", { class: "felt", "data-pieces": table.pieces,
		// The style depends on the kinds of these zones.
		"data-middle": table.zones.filter(isInMiddle)
			.map((zone) => zone.kind).join(" ") },
	make("div", { class: "round", "data-seats": table.seats.length },
		make("section", { class: "middle", "aria-label":
			"Middle of the table" },
		...drawArrows(draw), ...drawOwned(draw, undefined)),
		...[...table.seats.slice(own), ...table.seats.slice(0, own)]
			.map((seat) => drawSeat(draw, seat))));
}
