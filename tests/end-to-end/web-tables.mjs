// tests/end-to-end/web-tables.mjs - for test-web-tables.py: what table.c and
// table.js make of the same tables.  `moments` are {name, viewer, html, table}.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { DARK, DESKTOP, PHONE, axe, end, equal, fits, given, ok, show, test }
	from "./web.mjs";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; base-uri 'none'; " +
	"form-action 'self'; frame-ancestors 'none'";
const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" };

function page(body)
{
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>A table</title>
<link rel="stylesheet" href="../static/style.css">
<link rel="stylesheet" href="../static/table.css">
<link rel="icon" href="../static/icon.svg" type="image/svg+xml"></head><body>
<main><h1>A table</h1><h2>A moment</h2>${body}</main></body></html>`;
}

// As the daemon would: pages in one folder, what they load in another.
const server = createServer(async (request, response) => {
	const [folder, name] = request.url.split("/").slice(1);
	const found = folder === "static" ?
		await readFile(`${given.folder}/${name}`) :
		page(given.moments[Number(name)]?.html ?? "");

	response.setHeader("Content-Security-Policy", POLICY);
	response.setHeader("Content-Type",
		TYPES[name.split(".")[1]] ?? "text/html; charset=utf-8");
	response.end(found);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const base = `http://127.0.0.1:${server.address().port}`;

// In the browser: the first of the moments that the two draw in different ways.
async function compare(moments)
{
	const { drawTable } = await import("/static/table.js");
	const parser = new DOMParser();

	for (const { name, viewer, html, table } of moments) {
		const wanted = parser.parseFromString(html, "text/html")
			.body.firstChild;
		const drawn = drawTable(table, viewer);

		for (const use of wanted.querySelectorAll("use"))
			use.setAttribute("href", new URL(
				use.getAttribute("href"), location.href).href);
		if (!wanted.isEqualNode(drawn))
			return { name, c: wanted.outerHTML,
				js: drawn.outerHTML };
	}
	return null;
}

// The first place where two texts differ.
function differ({ name, c, js })
{
	let at = 0;

	while (c[at] === js[at])
		at++;
	at = Math.max(0, at - 150);
	return `${name}\nC:  ${c.slice(at, at + 400)}\nJS: ${js.slice(at, at + 400)}`;
}

await test("both draw alike", {}, async (page) => {
	await page.goto(`${base}/games/none`);
	const wrong = await page.evaluate(compare, given.moments);

	ok(wrong === null, `${given.moments.length} tables are the same in C and ` +
		"in JavaScript", wrong && differ(wrong));
});

const SCREENS = { desktop: { screen: DESKTOP },
	phone: { screen: PHONE, ...DARK } };

for (const [screen, options] of Object.entries(SCREENS))
	await test(`tables on a ${screen}`, options, async (page) => {
		for (const name of given.shown[screen]) {
			const at = given.moments.findIndex((one) =>
				one.name === name);

			await page.goto(`${base}/games/${at}`);
			await fits(page, `${name} fits a ${screen}`);
			await axe(page);
			await show(page, `${name}-${screen}`);
		}
	});

// In the browser: which pieces glide from one moment to the next, and from where:
// from above (-1) or below; likewise those that are not drawn any more.
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

for (const reducedMotion of ["no-preference", "reduce"])
	await test(`steps with ${reducedMotion}`, { reducedMotion }, async (page) => {
		await page.goto(`${base}/games/none`);
		const calm = reducedMotion === "reduce";

		for (const { what, moments, moving, leaving } of given.steps)
			equal(await page.evaluate(glide, moments), { there: true,
				moving: calm ? [] : moving,
				leaving: calm ? [] : leaving, stay: 0 },
			`${what}: what moves with ${reducedMotion}`);
	});

// In the browser: a box to tick, and whether a card shows its large index.
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

await test("large indices", {}, async (page) => {
	const at = given.moments.findIndex(({ html }) => html.includes("#large-"));

	await page.goto(`${base}/games/${at}`);
	equal(await page.evaluate(like, false), [false, false], "at first not");
	equal(await page.evaluate(like, true), [true, true], "once it is ticked");
	await page.reload();
	equal(await page.evaluate(like, false), [true, true], "and from then on");
});

server.close();
await end();
