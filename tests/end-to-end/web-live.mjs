// tests/end-to-end/web-live.mjs - tests pages that change, for
// test-web-live.py.
import { given, test, ok, equal, ask, axe, fits, show, end,
	PHONE, DARK, NO_SCRIPT } from "./web.mjs";

const GAME = `${given.base}/games/${given.game}`;
const WALL = { viewport: { width: 1920, height: 1080 } };
const MOVING = { reducedMotion: "no-preference" };

// Returns the page's requests for events.
function streams(page)
{
	const all = [];

	page.on("request", (request) => {
		if (request.url().includes("/api/1/events"))
			all.push(request.url());
	});
	return all;
}

function lineOf(page)
{
	return page.locator("#moment-title").textContent().then((text) =>
		text.match(/line (\d+) of (\d+)/i).slice(1).map(Number));
}

async function moves(page, what)
{
	const [, before] = await lineOf(page);

	await ask("move");
	await page.waitForFunction((n) => Number(document.querySelector(
		"#moment-title").textContent.match(/of (\d+)/)[1]) > n, before);
	const [at, lines] = await lineOf(page);

	ok(lines > before, what, [before, lines]);
	return [at, lines];
}

// Hides the page from its reader, or shows it again.
function hide(page, hidden)
{
	return page.evaluate((hidden) => {
		Object.defineProperty(document, "hidden",
			{ configurable: true, get: () => hidden });
		document.dispatchEvent(new Event("visibilitychange"));
	}, hidden);
}

// ---- a running game -----------------------------------------------------------

await test("a running game", { ...DARK }, async (page) => {
	const all = streams(page);

	await page.goto(GAME);
	await page.locator(".alive").waitFor();
	const [at, lines] = await moves(page, "it goes on by itself");

	equal(at, lines, "who is at the end goes with it");
	await page.keyboard.press("ArrowLeft");
	const [back] = await lineOf(page);

	ok(back < lines, "one may step back");
	const [stays] = await moves(page, "and it still goes on");

	equal(stays, back, "but who is not at the end stays");
	await page.keyboard.press("End");
	const list = page.locator("ol.lines");

	await list.evaluate((list) => {
		list.style.height = "1em";
		list.style.overflow = "auto";
		list.scrollTop = 0;
	});
	await moves(page, "and while someone reads what happened");
	equal(await list.evaluate((list) => list.scrollTop), 0,
		"the list stays where it is read");
	equal(all.length, 1, "one stream for a page");
	await axe(page);
	await show(page, "game-running");
});

await test("a running game that cannot be watched", {}, async (page) => {
	const tells = (text) => page.waitForFunction((text) => document.getElementById(
		"running").textContent.includes(text), text);

	const events = "**/api/1/events?*", record = "**/games/*?view=public&at=*";
	const held = [];
	let hold;
	const question = new Promise((done) => (hold = done));

	await page.clock.install();
	await page.route(events, (route) => route.fulfill({ status: 404 }));
	await page.goto(GAME);
	await tells("cannot be watched now");
	ok(true, "says so");
	await page.unroute(events);
	await tells("shown as it comes");
	ok(true, "and no more when it can");
	// It is lost while no line comes; whether there is a record is answered late.
	await page.locator(".alive").waitFor();
	await page.route(record, (route) => hold(held.push(route)));
	await hide(page, true);
	await page.clock.runFor(61000);
	await page.route(events, (route) => route.fulfill({ status: 404 }));
	await hide(page, false);
	await tells("cannot be watched now");
	await page.unroute(events);
	await page.clock.runFor(5000);
	await tells("shown as it comes");
	ok(true, "nor after it was lost, although it stands still");
	await question;
	for (const route of held)
		await Promise.all([page.waitForEvent("requestfinished",
			(request) => request === route.request()),
		route.continue()]);
	// The page has taken the answer before it has this one.
	await page.evaluate(async () => (await fetch(location)).text());
	await tells("shown as it comes");
	ok(true, "and a late answer says nothing older");
	page.said = page.said.filter((one) => !one.includes("404"));
});

// ---- /live --------------------------------------------------------------------

await test("/live", { ...MOVING, keep: true }, async (page) => {
	const all = streams(page);

	await page.goto(`${given.base}/live?game=${given.game}`);
	const told = page.locator("#table .told");
	await page.locator("#table .felt .round").waitFor();
	const before = await page.locator("#table").getAttribute("data-line");

	await ask("move");
	await page.waitForFunction((line) => Number(document.querySelector(
		"#table").dataset.line) > Number(line), before);
	ok(await told.textContent(), "the large table goes on");
	equal(all.length, 1, "one stream for a page");
	const other = page.locator(`#tables a[data-game="${given.late}"]`);

	await other.click();
	await page.waitForFunction((game) => document.querySelector(
		"#table").dataset.game === game, given.late);
	ok((await page.locator("#table-title").textContent()).includes("lena"),
		"a click shows another table");
	equal(await other.getAttribute("aria-current"), "true",
		"which is marked in the list");
	await axe(page);
	await show(page, "live");
});

await test("/live, clicked twice", {}, async (page) => {
	const table = (game) => page.locator(`#tables a[data-game="${game}"]`);
	const shows = (game) => page.waitForFunction((game) => document.querySelector(
		"#table").dataset.game === game, game);
	const late = `**/live?game=${given.late}`;
	const held = [];
	let hold;
	const question = new Promise((done) => (hold = done));

	await page.clock.install();
	await page.goto(`${given.base}/live?game=${given.late}`);
	await page.route(late, (route) => hold(held.push(route)));
	await table(given.late).click();
	await table(given.game).click();
	await shows(given.game);
	await question;
	for (const route of held)
		await Promise.all([page.waitForEvent("requestfinished",
			(request) => request === route.request()),
		route.continue()]);
	await page.evaluate((url) => fetch(url).then((answer) => answer.text()),
		`${given.base}/live`);
	equal(await page.locator("#table").getAttribute("data-game"), given.game,
		"the answer to the first click comes last, and is dropped");
	await page.unroute(late);
	await page.route(late, (route) => route.abort());
	await Promise.all([page.waitForEvent("requestfailed", (request) =>
		request.url().endsWith(`live?game=${given.late}`)),
	table(given.late).click()]);
	await table(given.game).click();
	await page.waitForFunction(() =>
		document.activeElement.id === "table-title");
	const asked = [];

	page.on("request", (request) => asked.push(request.url()));
	await page.clock.runFor(6000);
	equal(asked.filter((url) => /live(\?game=.*)?$/.test(url) &&
		!url.endsWith(given.game)), [],
	"and after a click that had no answer, the next one counts");
	page.said = page.said.filter((one) => !one.includes("ERR_FAILED"));
});

await test("/live on a phone", { screen: PHONE, ...DARK }, async (page) => {
	await page.goto(`${given.base}/live?game=${given.game}`);
	await page.locator("#tables a").first().waitFor();
	await fits(page);
	await show(page, "live-phone");
});

await test("/live without a script", { ...NO_SCRIPT }, async (page) => {
	await page.goto(`${given.base}/live?game=${given.late}`);
	ok((await page.locator("#table .felt").textContent()).includes("lena, seat"),
		"it tells a table");
	await page.locator(`#tables a[data-game="${given.game}"]`).click();
	await page.waitForURL(`**/live?game=${given.game}`);
	equal(await page.locator("#table").getAttribute("data-game"), given.game,
		"links lead to the other tables");
});

await test("a page that is not seen", {}, async (page) => {
	const all = streams(page);

	await page.clock.install();
	await page.goto(GAME);
	await page.locator(".alive").waitFor();
	await hide(page, true);
	await page.clock.runFor(61000);
	const [, before] = await lineOf(page);

	await ask("move");
	await hide(page, false);
	await page.waitForFunction((n) => Number(document.querySelector(
		"#moment-title").textContent.match(/of (\d+)/)[1]) > n, before);
	const [at, lines] = await lineOf(page);

	equal([at, all.length], [lines, 2],
		"lets its stream go after a minute, and misses nothing");
});

await test("a stream that was away", { keep: true }, async (page) => {
	await page.goto(`${given.base}/about`);
	const told = await page.evaluate(async () => {
		const { listen } = await import(new URL("events.js",
			document.querySelector("script[src]").src));
		const told = [], sources = [];

		window.EventSource = class extends EventTarget {
			constructor()
			{
				super();
				sources.push(this);
			}

			close() {}
		};
		const stream = listen("/", ["frames:a"], {
			frames: (lines, first) => told.push([first, ...lines]),
			again: () => told.push("again"),
		});
		const tell = (lastEventId, ...lines) => sources.at(-1).dispatchEvent(
			new MessageEvent("frame", { lastEventId,
				data: lines.join("\n") }));
		const rest = () => {
			stream.rest();
			stream.wake();
		};

		tell("a:2", 1, 2);
		rest();
		tell("a:3", 1, 2, 3);
		rest();
		tell("a:4:1", 6, 7, 8, 9);
		rest();
		tell("a:5:1", 6, 7, 8, 9, 10);
		stream.close();
		return told;
	});

	equal(told, [[1, 1, 2], [3, 3], "again", [1, 6, 7, 8, 9], [5, 10]],
		"takes all lines again if the game is played once more");
});

// ---- a projector --------------------------------------------------------------

await test("a projector", { screen: WALL }, async (page) => {
	await page.clock.install();
	await page.goto(`${given.base}/projector/board`);
	const shows = () => page.evaluate(() => [
		document.documentElement.dataset.shows,
		document.querySelector("#table")?.dataset.game]);
	const [first, game] = await shows();

	equal(first, "table", "it begins with a table");
	await show(page, "projector-table");
	equal(await page.locator("header, nav, footer, form, button").count(), 0,
		"it has no controls");
	const { size, height } = await page.evaluate(() => ({
		size: parseFloat(getComputedStyle(document.querySelector(
			".told")).fontSize),
		height: document.documentElement.scrollHeight }));

	ok(size >= 40 && height <= 1080, "its sentence is large, and all of it shows",
		[size, height]);
	const letters = await page.locator(".felt :is(h3 bdi, .standing, .zone-label)")
		.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height)
			.filter((height) => height > 0));
	ok(Math.min(...letters) >= 22, "so are the letters on its table", letters);
	await page.clock.runFor(15500);
	await page.waitForFunction((game) =>
		document.documentElement.dataset.shows === "table" &&
		document.querySelector("#table").dataset.game !== game, game);
	ok(true, "then comes another table, as nothing was rated yet");
	await axe(page);
});

await test("a projector with standings", { screen: WALL }, async (page) => {
	await page.clock.install();
	await page.goto(`${given.base}/projector/slow`);
	await page.clock.runFor(15500);
	await page.waitForFunction(() =>
		document.documentElement.dataset.shows === "standings");
	ok(await page.locator("#standings tbody tr").first().isVisible(),
		"after a table come the standings");
	const { size, high, rows } = await page.evaluate(() => {
		const body = document.querySelector("#standings tbody");

		while (body.rows.length < 8)
			body.append(body.rows[0].cloneNode(true));
		return { rows: body.rows.length,
			size: parseFloat(getComputedStyle(body.rows[0]).fontSize),
			high: document.documentElement.scrollHeight };
	});
	ok(rows === 8 && size > 60 && high <= 1080, "eight bots fill the screen",
		[rows, size, high]);
	await show(page, "projector-standings");
	await page.clock.runFor(15500);
	await page.waitForFunction(() =>
		document.documentElement.dataset.shows === "table");
	ok(await page.locator("#table").isVisible(), "and then a table");
});

await test("a projector on a phone", { screen: PHONE }, async (page) => {
	await page.clock.install();
	await page.goto(`${given.base}/projector/slow`);
	await page.clock.runFor(15500);
	await page.waitForFunction(() =>
		document.documentElement.dataset.shows === "standings");
	const lines = await page.evaluate(() => {
		const name = document.querySelector("#standings th[scope=row] bdi");

		name.textContent = "a-name-of-thirty-two-characters.";
		return name.getBoundingClientRect().height /
			parseFloat(getComputedStyle(name).lineHeight);
	});
	ok(lines < 4.5, "a long name has few lines", lines);
	await fits(page);
	await show(page, "projector-phone");
});

// ---- standings ----------------------------------------------------------------

// Returns true if an event came first and then the rows changed.
function measure()
{
	const Source = window.EventSource;
	let count = 0;

	window.EventSource = class extends Source {
		constructor(url)
		{
			super(url);
			this.addEventListener("ladder", () => {
				window.heard ??= ++count;
			});
		}
	};
	new MutationObserver((all) => {
		if (all.some((one) => one.target.matches?.(".standings")))
			window.changed = ++count;
	}).observe(document, { childList: true, subtree: true });
}

await test("a ladder", {}, async (page) => {
	ok(await ask("play"), "a game is rated");
	await page.addInitScript(measure);
	await page.goto(`${given.base}/ladders/quick?sort=-games`);
	await page.waitForFunction(() => window.heard && window.changed);
	const first = page.locator(".standings tbody th a").first();
	const row = await page.locator(".standings tbody tr").first()
		.textContent();

	await first.focus();
	const focus = await page.evaluate(() => {
		window.heard = window.changed = undefined;
		document.getElementById("notes").textContent = "old";
		return document.activeElement.href;
	});

	ok(await ask("play"), "a game is rated");
	await page.waitForFunction(() => window.changed > window.heard);
	await page.waitForFunction((row) => document.querySelector(
		".standings tbody tr").textContent !== row, row);
	ok(true, "its rows are new after an event");
	ok((await page.locator("#notes").textContent()).startsWith("Elo is "),
		"and what is said of them");
	equal(await page.evaluate(() => document.activeElement.href), focus,
		"what had the focus has it");
	ok(page.url().endsWith("sort=-games"), "the order stays");
});

// A row that changes its place is visible on its way.
for (const [what, options, glides] of [["glides", MOVING, true],
	["does not where motion is not wanted", {}, false]])
	await test(`a row ${what}`, { ...options, keep: true }, async (page) => {
		await page.goto(`${given.base}/ladders/quick?sort=bot`);
		await page.locator(".standings tbody tr").nth(1).waitFor();
		await page.evaluate(() => {
			const body = document.querySelector(".standings tbody");

			window.ran = 0;
			window.old = body;
			body.append(...[...body.rows].reverse());
			Element.prototype.animate = () => window.ran++;
		});
		ok(await ask("play"), "a game is rated");
		await page.waitForFunction(() => document.querySelector(
			".standings tbody") !== window.old);
		equal(await page.evaluate(() => window.ran > 0), glides,
			`it ${what}`);
	});

// The events are the test's own, because those of the daemon would bring more fetches.
await test("a page that cannot be fetched", {}, async (page) => {
	await page.addInitScript(() => {
		window.EventSource = class extends EventTarget {
			constructor()
			{
				super();
				window.source = this;
			}

			close() {}
		};
	});
	await page.clock.install();
	// The first event tells a bot's page only how things are.
	for (const [path, part, ...rated] of [
		["/ladders/quick", ".standings tbody", 1000],
		["/bots/ella", "#now", 1000, 1001]]) {
		await page.goto(given.base + path);
		await page.route(given.base + path, (route) => route.abort());
		await Promise.all([page.waitForEvent("requestfailed"),
			page.evaluate(([part, all]) => {
				document.querySelector(part).dataset.old = "1";
				for (const rated of all)
					window.source.dispatchEvent(new MessageEvent(
						"ladder", { data: JSON.stringify({
							ladder: "quick", games_rated: rated,
							fits: 0 }) }));
			}, [part, rated])]);
		await page.unroute(given.base + path);
		await page.clock.runFor(11000);
		await page.waitForFunction((part) =>
			!document.querySelector(part).dataset.old, part);
		ok(true, `${path} is fetched again`);
	}
	page.said = page.said.filter((one) => !one.includes("ERR_FAILED"));
});

// ---- the end ------------------------------------------------------------------

await test("a game that ends", { keep: true }, async (page) => {
	await page.goto(GAME);
	await page.locator(".alive").waitFor();
	await page.keyboard.press("Home");
	await page.waitForFunction(() => /line 1 of/i.test(
		document.querySelector("#moment-title").textContent));
	await page.getByLabel("Only lines with").fill("is dealt");
	await page.getByRole("button", { name: "What would you do?" }).focus();
	await ask("finish");
	await page.locator("#moment[data-game].alive, .alive #moment[data-game]")
		.waitFor();
	const [at] = await lineOf(page);

	equal(at, 1, "becomes the page of its record, at the same moment");
	ok(await page.waitForFunction(() => document.activeElement.textContent ===
		"What would you do?"), "and the focus is where it was");
	equal(await page.locator("#files").count(), 1, "with its files");
	equal([await page.getByLabel("Only lines with").inputValue(),
		await page.locator("ol.lines li:not(:has-text('is dealt'))").count()],
	["is dealt", 0], "and only the wanted lines");
	// Times of asks may be missing.
	page.said = page.said.filter((one) => !one.includes("404"));
	await show(page, "game-over");
});
await end();
