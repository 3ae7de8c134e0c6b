// tests/end-to-end/web-replay.mjs - tests the page of a game, for
// test-web-replay.py.
import { readFile } from "node:fs/promises";
import { DARK, DESKTOP, NO_SCRIPT, PHONE, axe, end, equal, fits, given, ok, show,
	test as run } from "./web.mjs";

const DARK_PHONE = { screen: PHONE, ...DARK };
const { base, ids, games, token } = given;

function test(what, options, body)
{
	return run(what, { keep: true, ...options }, async (page) => {
		if (!page.shows)
			await page.addInitScript(`window.shown = ${shown};
				window.written = ${written}`);
		page.shows = true;
		await body(page);
		// The next test must not see what the page stores.
		await page.evaluate(() => {
			localStorage.clear();
			sessionStorage.clear();
		});
	});
}

// Gives the tab the token of alice, as her bot's page does.
async function becomeAlice(page)
{
	await page.goto(`${base}/about`);
	await page.evaluate((token) => sessionStorage.setItem(
		"referee-token:alice", token), token);
}

// ---- what a page shows ------------------------------------------------------

const path = (game, query) => `${base}/games/${ids[game]}?${query}`;

async function open(page, game, query = "view=all&at=1")
{
	await page.goto(path(game, query));
	await page.waitForSelector(".alive");
}

// Returns what the page shows of a moment: the table, the lines of its round,
// the faults.
function shown(page)
{
	const parts = ["#moment-title", ".told", ".felt", ".steps", ".strip", "ol.lines",
		"#faults ul", "#views", "#view-note", "#files .links"];

	return parts.map((part) => page.querySelector(part)?.outerHTML);
}

// Returns the part that the server also writes.  Scripts mark what screen
// readers say, and list only the lines of the round.
function written(page, from, count)
{
	const main = page.querySelector("main").cloneNode(true);
	const parts = ["#moment-title", ".told", "#faults ul", "#views", "#view-note",
		"#files .links"];
	const lines = [...main.querySelectorAll("ol.lines > li")];

	main.querySelector(".told").removeAttribute("aria-live");
	return [...parts.map((part) => main.querySelector(part)?.outerHTML),
		...lines.slice(from, from + count).map((line) => line.outerHTML)];
}

// Compares two of them and prints only where they begin to differ.
function same(found, expected, what)
{
	const i = found.findIndex((one, i) => one !== expected[i]);

	if (i < 0)
		return ok(found.length === expected.length, what);
	const [one, other] = [found[i] ?? "", expected[i] ?? ""];
	let at = 0;

	while (one[at] === other[at])
		at++;
	return ok(false, what, [other, one].map((text) =>
		text.slice(Math.max(0, at - 60), at + 100)).join("\n"));
}

const line = (page) => page.evaluate(() => Number(/line (\d+) of/i.exec(
	document.querySelector("#moment-title").textContent)[1]));
const lines = (page) => page.evaluate(() => Number(/of (\d+)/.exec(
	document.querySelector("#moment-title").textContent)[1]));
const status = (page) => page.locator(".status").textContent();
const focused = (page) => page.evaluate(() =>
	document.activeElement !== document.body);

async function press(page, ...keys)
{
	for (const key of keys)
		await page.keyboard.press(key);
}

// ---- steps ------------------------------------------------------------------

async function stepsBack(page, game)
{
	const [different, alike] = await page.evaluate(() => {
		const seen = [];
		const press = (key) => document.dispatchEvent(
			new KeyboardEvent("keydown", { key }));
		let alike = 0;

		press("ArrowRight");
		seen.push(String(shown(document)));
		for (let i = 0; i < 3; i++) {
			press("ArrowRight");
			seen.push(String(shown(document)));
		}
		for (let i = 2; i >= 0; i--) {
			press("ArrowLeft");
			alike += String(shown(document)) === seen[i];
		}
		return [new Set(seen).size, alike];
	});
	equal(different, 4, `${game}: every step shows something else`);
	equal(alike, 3, `${game}: a step back is one forward`);
}

// Goes to a moment as a link does, and compares with the server's page.
async function compare(page, game, view, at)
{
	await page.evaluate(([view, at]) => {
		const link = document.createElement("a");

		link.href = `?view=${view}&at=${at}`;
		document.querySelector(".replay").append(link);
		link.click();
		link.remove();
	}, [view, at]);
	await page.waitForFunction((view) => document.querySelector(
		"#views [aria-current]").dataset.view === view, view);
	const [found, expected] = await page.evaluate(async (path) => {
		const answer = await fetch(path);
		const page = new DOMParser().parseFromString(
			await answer.text(), "text/html");

		const { start, children } = document.querySelector("ol.lines");

		return [written(document, 0, children.length),
			written(page, start - 1, children.length)];
	}, path(game, `view=${view}&at=${at}`));

	same(found, expected,
		`${game}: line ${at} of view ${view} as the server tells it`);
}

// ---- keys -------------------------------------------------------------------

await test("every key", { reducedMotion: "no-preference" }, async (page) => {
	await open(page, "toepen");
	const last = await lines(page);
	await press(page, "End");
	equal(await line(page), last, "End is the last line");
	await press(page, "Home");
	equal(await line(page), 1, "Home is the first line");
	await press(page, ".");
	equal(await line(page), 2, "a dot is one line on");
	await press(page, ",");
	equal(await line(page), 1, "a comma is one line back");
	await press(page, "Shift+ArrowRight");
	const second = await line(page);
	ok((await page.locator("#moment-title").textContent()).startsWith("Round 2"),
		"Shift and right is the next round");
	await press(page, "ArrowRight", "Shift+ArrowLeft");
	equal(await line(page), second, "Shift and left is where it began");
	await press(page, "Shift+ArrowLeft");
	equal(await line(page), 1, "and then the one before");
	await press(page, "f");
	const fault = await line(page);
	ok((await page.locator("ol.lines [aria-current]").getAttribute("class")) ===
		"fault", "f is a fault");
	ok(/^Fault 1 of/.test(await status(page)), "and says which one");
	await press(page, "f");
	ok(await line(page) > fault, "f again is the next one");
	await press(page, "v");
	await page.waitForFunction(() => document.querySelector(
		"#view-note").textContent.startsWith("You see what everyone"));
	ok(await line(page) > fault, "v is another view of the same moment");
	equal(await status(page), "Public", "and says which one");
	await press(page, "5");
	equal(await status(page), "Speed 5 of 5.", "5 is the highest speed");
	await press(page, "Home", " ");
	ok(/^Playing/.test(await status(page)), "space plays");
	await page.waitForFunction(() => / line [5-9]/.test(
		document.querySelector("#moment-title").textContent));
	await press(page, " ");
	equal(await status(page), "Stopped.", "and stops");
	await press(page, "?");
	ok(await page.locator("dialog.help").isVisible(), "? is help");
	await press(page, "Escape");
	ok(!await page.locator("dialog.help").isVisible(), "Escape closes it");
});

await test("a game begins", {}, async (page) => {
	await open(page, "durnius", "view=all");
	equal(await line(page), 1, "it opens at its beginning");
	ok(!await page.locator(".result").evaluate((one) => one.open) &&
		!await page.locator(".result p").isVisible(),
	"and does not give the result away");
	ok((await page.locator(".seated").textContent()).includes(", "),
		"who plays is told");
	await press(page, "End");
	equal(await page.locator("[data-zone=talon]").getAttribute("data-pieces"),
		"0", "at its end the talon is gone");
	ok((await page.locator("[data-zone=talon]").innerText())
		.includes("are trumps"), "but not what trumps are");
	ok(await page.locator("[data-zone=discard] .piece:not(.back)")
		.count() === 0, "what was discarded is not to be examined");
});

// Returns {at, told, panel} for the lines at which the strip and the decision that
// the server tells are not about the same seat and time.
async function differing(path)
{
	const { src } = document.querySelector("script[type=module]");
	const { goTo } = await import(new URL("replay.js", src));
	const wrong = [], lines = document.querySelector("#moment-title")
		.textContent.match(/of (\d+)/)[1];

	for (let at = 1; at <= Math.min(lines, 60); at++) {
		const answer = await fetch(`${path}&at=${at}`);
		const panel = new DOMParser().parseFromString(await answer.text(),
			"text/html").querySelector("#decision");
		const all = [...panel.querySelectorAll("h3 bdi")].map((name) =>
			name.textContent);

		goTo(at);
		const told = document.querySelector(".strip .now").textContent;
		const name = /^Decision [^:]+: (\S+?)(?: thought|,|\.$)/
			.exec(told)?.[1];
		const time = / thought ([0-9.]+ m?s)/.exec(told)?.[1];

		if ((all.length > 0) !== (name !== undefined) ||
		    (name && !all.includes(name)) ||
		    (name && time && !panel.textContent.includes(time)))
			wrong.push({ at, told, panel: panel.textContent });
	}
	return wrong;
}

await test("the decision follows", {}, async (page) => {
	await open(page, "toepen", "view=all&at=9");
	for (const key of ["ArrowRight", "End"]) {
		await press(page, key);
		const at = await line(page);

		await page.waitForFunction((at) => location.search.endsWith(
			`at=${at}`), at);
		ok(await page.waitForFunction(async (path) => {
			const answer = await fetch(path);
			const page = new DOMParser().parseFromString(
				await answer.text(), "text/html");

			return page.querySelector("#decision").outerHTML ===
				document.querySelector("#decision").outerHTML;
		}, path("toepen", `view=all&at=${at}`)),
		`line ${at} has the decision that the server tells`);
	}
	const asked = `**/games/${ids.toepen}?view=*`;
	const decision = page.locator("#decision");

	ok((await decision.textContent()).length > 0, "a decision is told");
	await page.route(asked, (route) => route.fulfill({ status: 503 }));
	await press(page, "Home");
	ok(await page.waitForFunction(() => document.querySelector(
		"#decision").textContent === ""),
	"a decision that does not come leaves no other one in its place");
	await page.unroute(asked);
	await press(page, "End");
	await page.waitForSelector("#decision > *");
	page.said = page.said.filter((one) => !one.includes(" 503"));
	// The strip tells the decision that stands beside it, at every line.
	for (const game of ["durnius", "daupun"])
		for (const view of ["all", "1"]) {
			await open(page, game, `view=${view}&at=1`);
			await page.waitForSelector(".strip .now:not(:empty)");
			equal(await page.evaluate(differing,
				path(game, `view=${view}`)), [],
			`${game}: strip and decision agree, view ${view}`);
		}
	equal(await page.evaluate(async (times) => {
		const { src } = document.querySelector("script[type=module]");
		const { timeText } = await import(new URL("replay-text.js", src));

		return times.map(([us]) => timeText(us));
	}, given.times), given.times.map(([, text]) => text),
	"its time is told as the program tells it");
});

await test("what would you do", {}, async (page) => {
	const fails = (route) => route.fulfill({ status: 503, body: "503: not now\n" });
	const frames = /\/frames\?view=[0-9]$/;

	await open(page, "toepen", "view=all&at=8");
	await page.route(frames, fails);
	await press(page, "h");
	await page.waitForSelector(".status:not(:empty)");
	ok((await status(page)).startsWith("This view cannot be shown"),
		"a hand that does not come is not announced", await status(page));
	equal(await page.getByRole("button", { name: "What would you do?" })
		.getAttribute("aria-pressed"), "false", "nor is it guessed");
	const view = (seat) => page.locator(`#views a[data-view="${seat}"]`);
	const comes = (seat) => page.waitForFunction((seat) => document.querySelector(
		"#views a[aria-current=true]").dataset.view === seat, String(seat));
	await page.unroute(frames);
	await view(0).click();
	await comes(0);
	equal(await status(page), "", "that is not said of a view that comes later");
	let free;
	const freed = new Promise((done) => (free = done));
	const late = page.waitForResponse(/\/frames\?view=1$/);
	await page.route(frames, async (route) => {
		await freed;
		await fails(route);
	});
	await view(1).click();
	await view("all").click();
	await comes("all");
	free();
	await (await late).finished();
	// The page has taken the answer before it has this one.
	await page.evaluate(async () => (await fetch(location)).text());
	equal(await status(page), "", "nor of one that nobody wants any more");
	await page.unroute(frames);
	page.said = page.said.filter((one) => !one.includes(" 503"));
	await open(page, "toepen", "view=all&at=8");
	await press(page, "h");
	await page.waitForFunction(() => document.querySelector(
		"#view-note").textContent.includes("this seat"));
	const hands = await page.evaluate(() => [...document.querySelectorAll(
		'.felt [data-zone="hand"]')].filter((zone) =>
		zone.querySelector(".piece:not(.back)")).length);
	equal(hands, 1, "h leaves one hand");
	equal(await page.locator("ol.lines li").count(), 8,
		"and nothing that comes later");
	await press(page, "h");
	await page.waitForFunction(() => document.querySelector(
		"#view-note").textContent === "You see all cards.");
	ok(await page.locator("ol.lines li").count() > 8, "h again shows all");
});

await test("lines by words", {}, async (page) => {
	await open(page, "toepen");
	const all = await page.locator("ol.lines li").count();
	await press(page, "/");
	await page.keyboard.type("knocks");
	const found = await page.locator("ol.lines li").allTextContents();
	ok(found.length > 1 && found.every((one) => one.includes("knocks")),
		"only lines with these words", found);
	await page.locator("ol.lines a").last().click();
	ok(await line(page) > 1, "each leads to its moment");
	await press(page, "/", "Escape", "Home");
	equal(await page.locator("ol.lines li").count(), all,
		"Escape brings the others back");
	ok(await focused(page), "and the focus is not lost");
});

await test("only the keyboard", {}, async (page) => {
	await open(page, "durnius");
	const reached = new Set();
	const wanted = ["on", "slider", "▶Play", "Copy position", "Keys"];
	for (let i = 0; i < 60 && !wanted.every((one) => reached.has(one)); i++) {
		await press(page, "Tab");
		reached.add(await page.evaluate(() =>
			document.activeElement.closest(".steps .on") ? "on" :
				document.activeElement.getAttribute("role") ??
				document.activeElement.textContent));
	}
	for (const one of wanted)
		ok(reached.has(one), `Tab comes to ${one}`, [...reached]);
	await page.locator(".steps .on").focus();
	await press(page, "Enter", "Enter");
	ok(await line(page) > 2, "Enter steps");
	await press(page, "End", "Enter", "Home", "Shift+ArrowRight");
	ok(await page.evaluate(() => document.activeElement.matches(".steps .on")),
		"and the focus stays");
	// Two seats that are asked together share a step.
	const told = [];
	await page.locator("[role=slider]").focus();
	await press(page, "Home");
	for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) {
		await press(page, key);
		told.push(Number((await page.locator("[role=slider]").getAttribute(
			"aria-valuetext")).match(/^Decision (\d+) of /)?.[1]));
	}
	ok(told[0] === 1 && told.every((n, i) => i === 0 || n > told[i - 1]),
		"the strip goes from ask to ask", told);
	await page.locator("ol.lines a").first().focus();
	await press(page, "End");
	ok(await focused(page), "nor is it when the list is another one");
});

await test("wheel and swipe", DARK_PHONE, async (page) => {
	await open(page, "toepen");
	await page.evaluate(() => document.querySelector(".felt").dispatchEvent(
		new WheelEvent("wheel", { deltaY: 120, bubbles: true })));
	const after = await line(page);
	ok(after > 1, "the wheel steps");
	await page.evaluate(() => {
		const felt = document.querySelector(".felt");
		const swipe = (type, x) => {
			const touch = new Touch({ identifier: 1, target: felt,
				clientX: x, clientY: 300 });
			felt.dispatchEvent(new TouchEvent(type, { bubbles: true,
				touches: type === "touchend" ? [] : [touch],
				changedTouches: [touch] }));
		};
		swipe("touchstart", 250);
		swipe("touchend", 150);
	});
	ok(await line(page) > after, "and a swipe");
});

// ---- addresses --------------------------------------------------------------

await test("links to a moment", {}, async (page) => {
	await open(page, "daupun", "view=public#12");
	equal(await line(page), 12, "#12 is line 12");
	await press(page, "ArrowRight");
	const at = await line(page);
	await page.waitForFunction((at) => location.search ===
		`?view=public&at=${at}`, at);
	await page.reload();
	await page.waitForSelector(".alive");
	equal(await line(page), at, "the address follows");
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await press(page, "c");
	await page.waitForFunction(() => document.querySelector(".status")
		.textContent.includes("copied"));
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	ok(copied.startsWith(`${base}/games/${ids.daupun}?view=public&at=${at}`) &&
		copied.includes(`line ${at} of`) && /\nseat 0 /.test(copied),
	"a position can be copied", copied);
});

await test("faults lead to the table", {}, async (page) => {
	await open(page, "toepen");
	await page.locator("ol.lines").evaluate((list) => {
		list.style.height = "2em";
		list.style.overflow = "auto";
		list.scrollTop = list.scrollHeight; // away from line 1
	});
	await page.locator("#faults a").nth(1).click();
	ok(await page.evaluate(() => document.querySelector("ol.lines .fault" +
		"[aria-current]") !== null), "a fault is a link to its moment");
	ok(await page.locator(".told").evaluate((told) => {
		const box = told.getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight;
	}), "where it is told");
	ok(await page.locator("ol.lines [aria-current]").evaluate((item) => {
		const box = item.parentElement.getBoundingClientRect();
		const { top, bottom } = item.getBoundingClientRect();
		return bottom > box.top && top < box.bottom;
	}), "and the list scrolls to it");
	await page.getByRole("button", { name: "Next fault" }).click();
	ok(/^Fault 3 of/.test(await status(page)), "and there is a next one");
});

await test("the view of a seat", {}, async (page) => {
	const seats = page.locator("#views a");

	await open(page, "toepen");
	await seats.nth(3).click();
	await page.waitForFunction(() => document.querySelector(
		"#view-note").textContent.startsWith("You see what this seat"));
	await page.getByRole("button", { name: "My faults" }).click();
	const told = await page.locator(".told").textContent();
	ok(told.includes("random1"), "my faults are those of the seat", told);
	ok((await page.locator("#files .frames").getAttribute("href")).endsWith(
		"view=1"), "and the files are those of the view");
});

await test("a token opens a view", {}, async (page) => {
	await becomeAlice(page);
	await open(page, "own", "view=public&at=9");
	await page.waitForSelector('#views a[data-view="0"]');
	equal(await page.locator('#views a[data-view="1"]').count(), 1,
		"what the server allows");
	await page.locator('#views a[data-view="0"]').click();
	await page.waitForFunction(() => document.querySelector(
		"#view-note").textContent.includes("alice"));
	equal(await page.evaluate(() => document.querySelectorAll(
		'[data-seat="0"] [data-zone="hand"] .piece:not(.back)').length > 0),
	true, "the hand is seen");
	for (const [name, begin] of [["of-view", "record "],
		["frames", "{"]]) {
		const [file] = await Promise.all([page.waitForEvent("download"),
			page.locator(`#files .${name}`).click()]);
		const text = await file.failure() ??
			(await readFile(await file.path())).toString();

		ok(text.startsWith(begin), `and ${name} can be downloaded`, text);
		ok(file.suggestedFilename().startsWith(`${ids.own}.0.`),
			"with its name", file.suggestedFilename());
	}
});

await test("the author reads standard error", {}, async (page) => {
	await becomeAlice(page);
	await page.route("**/api/1/bots/alice/notes", (route) =>
		route.fulfill({ json: { games: [
			{ id: ids.own, seat: 0, told: "", stderr: "so tired\n" },
			{ id: ids.toepen, seat: 0, told: "", stderr: "no" }] } }));
	await open(page, "own", "view=public&at=9");
	const [file] = await Promise.all([page.waitForEvent("download"),
		page.locator("#files .stderr").click()]);
	equal((await readFile(await file.path())).toString(), "so tired\n",
		"of this game alone");
	await page.unroute("**/api/1/bots/alice/notes");
});

await test("keys can be off", {}, async (page) => {
	await open(page, "daupun");
	await press(page, "?");
	await page.getByRole("checkbox", { name: "Keys" }).click();
	await press(page, "Escape", "End");
	equal(await line(page), 1, "then a key does nothing");
	await page.getByRole("button", { name: "Keys" }).click();
	await page.getByRole("checkbox", { name: "Keys" }).click();
	await press(page, "Escape", "End");
	ok(await line(page) > 1, "and they are on again");
});

await test("a link to the own view", {}, async (page) => {
	const own = path("own", "view=0&at=9");

	await becomeAlice(page);
	for (const visit of [() => page.goto(own), () => page.reload()]) {
		await visit();
		await page.waitForFunction(() => document.querySelector(
			"#view-note").textContent.includes("alice"));
		await page.waitForSelector("#refused", { state: "detached" });
		equal(await line(page), 9, "it leads to its line");
	}
	ok(page.url().includes("view=0"), "and the address stays", page.url());
});

await test("a link to a view without its token", {}, async (page) => {
	await page.goto(path("own", "view=0&at=9"));
	await page.waitForSelector(".felt .piece");
	const told = await page.locator("#refused").textContent();
	ok(told.includes("alice") && told.includes("paste the token"),
		"tells what it is", told);
	equal(await page.evaluate(() => document.querySelectorAll(
		'[data-zone="hand"] .piece:not(.back)').length), 0,
	"and shows no hand");
});

// ---- what strangers say -----------------------------------------------------

await test("remarks are only text", DARK_PHONE, async (page) => {
	await open(page, "remarks", "view=all&at=1");
	const remarks = await page.locator("ol.lines .remark").allTextContents();
	equal(remarks.length, 3, "three remarks");
	ok(remarks[0].includes("<script>alert(1)</script>"), "a script is text");
	await fits(page);
	await page.goto(path("remarks", "view=public&at=1"));
	equal(await page.locator(".remark").count(), 0,
		"the public does not know them");
});

// ---- screens ----------------------------------------------------------------

// Returns the parts of a table that are outside of its felt.
const outside = (page) => page.evaluate(() => {
	const felt = document.querySelector(".felt").getBoundingClientRect();

	return [...document.querySelectorAll(".felt :is(.piece, .gauges, .gauges *)")]
		.filter((one) => {
			const box = one.getBoundingClientRect();

			return box.width > 0 && (box.left < felt.left ||
				box.right > felt.right || box.bottom > felt.bottom);
		}).map((one) => one.outerHTML.slice(0, 80));
});

// axe looks at one game on each.
async function looksWell(page, game, name, { viewport }, examined)
{
	const top = await page.evaluate(() => document.querySelector(
		".felt").getBoundingClientRect().top);
	ok(top <= viewport.height - 280,
		`${game}: the table is in sight on ${name}`, top);
	equal(await outside(page), [], `${game}: all is on the felt on ${name}`);
	if (examined)
		await axe(page, `axe, ${game} on ${name}`);
	await fits(page, `${game} fits on ${name}`);
	await show(page, `replay-${game}-${name.slice(2)}`);
}

await test("on a desktop", {}, async (page) => {
	for (const game of games) {
		await open(page, game, "view=all&at=40");
		await looksWell(page, game, "a desktop", DESKTOP, game === "toepen");
		await stepsBack(page, game);
		// The last line has all zones, the other view hides some of them.
		await compare(page, game, games.indexOf(game) % 2 ? "0" : "all",
			await lines(page));
	}
});

await test("on a phone", DARK_PHONE, async (page) => {
	for (const game of games) {
		await open(page, game, "view=all&at=40");
		await looksWell(page, game, "a phone", PHONE, game === "daupun");
	}
});

await test("without a script", { screen: PHONE, ...NO_SCRIPT }, async (page) => {
	await page.goto(path("durnius", "view=all&at=25"));
	await fits(page);
	equal(await page.locator("button").count(), 0, "no buttons without use");
	equal(await page.locator(".steps, .strip, svg").count(), 0, "nor pictures");
	await show(page, "replay-durnius-no-script");
	equal(await page.locator("ol.lines li").count(), await lines(page),
		"all lines are told");
	equal(await page.locator("ol.lines [aria-current] a").textContent(),
		await page.locator(".told").textContent(), "and which is the moment");
	const table = page.locator(".felt");
	ok(/hand: [a-z ,]+ of (clubs|diamonds|hearts|spades)/.test(
		await table.textContent()), "hands are told",
	await table.textContent());
	ok(/1\. /.test((await page.locator(".result p").textContent()).trim()),
		"and the result");
	const hands = await table.textContent();
	await page.locator("ol.lines a").nth(59).press("Enter");
	await page.waitForURL("**at=60*");
	equal(await line(page), 60, "a line is a link to its moment");
	ok(await table.textContent() !== hands, "with the hands of that moment");
});

await test("a long game", {}, async (page) => {
	await open(page, "long");
	const last = await lines(page);
	await page.evaluate(() => {
		const key = (key) => document.dispatchEvent(new KeyboardEvent(
			"keydown", { key, bubbles: true }));

		for (let i = 0; i < 2; i++) {
			key("End");
			key("ArrowLeft");
			key("Home");
			key("ArrowRight");
		}
	});
	ok(last > 1000, "it is long", last);
	const at = await line(page);
	ok(at > 1 && at < last / 2, "and one goes from its end to its beginning", at);
	await fits(page);
});

await end();
