// tests/end-to-end/web-tables.mjs - for test-web-tables.py: tests how table.js
// draws tables.  `moments` are {name, viewer, table}.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { DARK, DESKTOP, PHONE, axe, end, equal, fits, given, show, test }
	from "./web.mjs";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; base-uri 'none'; " +
	"form-action 'self'; frame-ancestors 'none'";
const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" };

function page()
{
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>A table</title>
<link rel="stylesheet" href="../static/style.css">
<link rel="stylesheet" href="../static/table.css">
<link rel="icon" href="../static/icon.svg" type="image/svg+xml"></head><body>
<main><h1>A table</h1><h2>A moment</h2></main></body></html>`;
}

// Serves like the daemon: pages in one folder, the files that they load in
// another.
const server = createServer(async (request, response) => {
	const [folder, name] = request.url.split("/").slice(1);
	const found = folder === "static" ?
		await readFile(`${given.folder}/${name}`) :
		page();

	response.setHeader("Content-Security-Policy", POLICY);
	response.setHeader("Content-Type",
		TYPES[name.split(".")[1]] ?? "text/html; charset=utf-8");
	response.end(found);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const base = `http://127.0.0.1:${server.address().port}`;

// Runs in the browser: draws a moment.
async function draw({ table, viewer })
{
	const { drawTable } = await import("/static/table.js");

	document.querySelector(".felt")?.remove();
	document.querySelector("main").append(drawTable(table, viewer));
}

// Runs in the browser: returns the names of moments whose drawing lacks a
// piece, a seat or a name.
async function lacking(moments)
{
	const { drawTable } = await import("/static/table.js");
	const open = (pieces) => pieces.map((piece) => piece.code ?? piece)
		.filter((code) => code !== "?").sort().join();

	return moments.filter(({ table, viewer }) => {
		const drawn = drawTable(table, viewer);
		const zones = [...drawn.querySelectorAll(".zone")];
		const wanted = table.zones.filter((zone) => zone.layout !== "pile");

		return drawn.querySelectorAll(".seat").length !==
				table.seats.length ||
			table.seats.some(({ name }) =>
				!drawn.textContent.includes(name)) ||
			zones.length !== table.zones.length ||
			wanted.some(({ kind, pieces }) => !zones.some((zone) =>
				zone.dataset.zone === kind &&
				open([...zone.querySelectorAll(".piece")].map(
					(one) => one.dataset.piece)) ===
					open(pieces)));
	}).map(({ name }) => name);
}

await test("all is drawn", { keep: true }, async (page) => {
	await page.goto(`${base}/games/one`);
	equal(await page.evaluate(lacking, given.moments), [],
		`${given.moments.length} tables have all seats and pieces`);
});

const SCREENS = { desktop: { screen: DESKTOP },
	phone: { screen: PHONE, ...DARK } };

for (const [screen, options] of Object.entries(SCREENS))
	await test(`tables on a ${screen}`, { ...options, keep: true }, async (page) => {
		await page.goto(`${base}/games/one`);
		for (const name of given.shown[screen]) {
			await page.evaluate(draw, given.moments.find((one) =>
				one.name === name));
			await fits(page, `${name} fits a ${screen}`);
			// axe looks at each game, at these two in web-replay.mjs.
			if (process.env.CHECK_ALL || (screen === "desktop" ?
				!/^(toepen|daupun)-/.test(name) :
				name === given.shown[screen][0]))
				await axe(page, `${name}: nothing serious for axe`);
			await show(page, `${name}-${screen}`);
		}
	});

// Returns a moment with the trick alone, of the first two seats: one lies above the other.
function ofTwo({ name, table })
{
	return { name: `${name}, two seats`, viewer: 0, table: { ...table,
		seats: table.seats.slice(0, 2), gauges: [],
		zones: table.zones.filter(({ kind }) => kind === "trick").map((zone) =>
			({ ...zone, pieces: zone.pieces.slice(0, 2).map((one, by) =>
				({ ...one, by })) })) } };
}

// Returns the moments of tricks of several cards, with each card as the winner.
function won(moments)
{
	return [...moments, ...moments.map(ofTwo)].flatMap((moment) => {
		const trick = moment.table.zones.find(({ kind, pieces }) =>
			kind === "trick" && pieces.length > 1);

		return (trick?.pieces ?? []).map((_, i) => ({ ...moment,
			name: `${moment.name}, card ${i}`,
			table: { ...moment.table,
				zones: moment.table.zones.map((zone) => zone !== trick ?
					zone : { ...zone, pieces: trick.pieces.map((one, at) =>
						({ ...one, marks: [...one.marks ?? [],
							...at === i ? ["winning"] : []] })) }) } }));
	});
}

// Runs in the browser: returns whether cards win in the tables, and the names of those
// in which something lies on a badge.
async function covered(moments)
{
	const { drawTable } = await import("/static/table.js");
	const wrong = new Set();
	let all = 0;

	for (const { name, viewer, table } of moments) {
		document.querySelector(".felt")?.remove();
		document.querySelector("main").append(drawTable(table, viewer));
		for (const card of document.querySelectorAll(
			".zone:not([data-zone=earlier]) .is-winning")) {
			card.scrollIntoView({ block: "center", behavior: "instant" });
			const { left, top } = card.getBoundingClientRect();
			const badge = getComputedStyle(card, "::after");
			const at = (from, long, part) => parseFloat(badge[from]) +
				parseFloat(badge[long]) * part;

			all++;
			for (const part of [0.2, 0.5, 0.8])
				if (!card.contains(document.elementFromPoint(
					left + at("left", "width", part),
					top + at("top", "height", part))))
					wrong.add(name);
		}
	}
	return { some: all > 0, wrong: [...wrong] };
}

for (const [screen, options] of Object.entries(SCREENS))
	await test(`cards that win on a ${screen}`, { ...options, keep: true },
		async (page) => {
		await page.goto(`${base}/games/one`);
		equal(await page.evaluate(covered, won(given.moments)),
			{ some: true, wrong: [] }, "no card lies on a badge");
	});

// Runs in the browser: returns the pieces that glide from one moment to the
// next, each from above (-1) or below, and those that are no longer drawn.
async function glide([before, after])
{
	const [{ drawTable }, { move }] = await Promise.all(
		["table", "motion"].map((name) => import(`/static/${name}.js`)));
	const [old, now] = [before, after].map(({ table, viewer }) =>
		drawTable(table, viewer));

	document.querySelector("main").replaceChildren(old);
	move(old, now);
	const gliding = [...now.querySelectorAll(".piece")]
		.filter((piece) => piece.getAnimations().length > 0);
	const tell = (pieces) => pieces.map((piece) => [piece.dataset.piece,
		Math.sign(parseFloat(piece.getAnimations()[0].effect.getKeyframes()[0]
			.translate.split(" ")[1] ?? "0"))]);
	const ghosts = gliding.filter((piece) => piece.matches(".ghost"));
	const told = { there: now.isConnected && !old.isConnected,
		moving: tell(gliding.filter((one) => !ghosts.includes(one))),
		leaving: tell(ghosts) };

	for (const ghost of ghosts)
		ghost.getAnimations()[0].finish();
	await new Promise((done) => requestAnimationFrame(() => done()));
	return { ...told, stay: now.querySelectorAll(".ghost").length };
}

for (const [motion, calm] of [["no-preference", false], ["reduce", true]])
	await test(`steps with ${motion}`, { keep: true,
		...calm ? {} : { reducedMotion: motion } }, async (page) => {
		await page.goto(`${base}/games/one`);
		for (const { what, moments, moving, leaving } of given.steps)
			equal(await page.evaluate(glide, moments), { there: true,
				moving: calm ? [] : moving,
				leaving: calm ? [] : leaving, stay: 0 },
			`${what}: what moves with ${motion}`);
	});

// Runs in the browser: ticks a box; returns true if a card shows its large
// index.
async function like(tick)
{
	const { drawOptions } = await import("/static/table-options.js");
	const options = drawOptions();
	const box = options.querySelectorAll("input")[1];

	document.querySelector("main").append(options);
	if (tick)
		box.click();
	return [box.checked, getComputedStyle(document.querySelector(
		".large")).display !== "none"];
}

await test("large indices", { keep: true }, async (page) => {
	const cards = given.moments.find(({ name, table }) =>
		name.startsWith("toepen") && table.zones.some(({ pieces }) =>
			pieces.some((piece) => (piece.code ?? piece) !== "?")));

	await page.goto(`${base}/games/one`);
	await page.evaluate(draw, cards);
	equal(await page.evaluate(like, false), [false, false], "at first not");
	equal(await page.evaluate(like, true), [true, true], "once it is ticked");
	await page.reload();
	await page.evaluate(draw, cards);
	equal(await page.evaluate(like, false), [true, true], "and from then on");
});

server.close();
await end();
