// tests/end-to-end/web.mjs - the functions of tests that look at pages in
// headless Chromium. web.py starts it; one browser for a whole program, and a
// context of its own, without a history, for each test that does not `keep`
// one: import { given, test, ok, equal, axe, fits } from "./web.mjs"; await
// test("the ladder on a phone", { screen: PHONE }, async (page) => { await
// page.goto(given.base + "/ladders/quick"); equal(await
// page.locator("tr").count(), 3, "it has two bots"); await axe(page); await
// fits(page); }); await end(); A test fails, too, if it throws, if a page logs
// anything, breaks its policy (CSP), or throws.  Then there is a picture of the
// page; its name is told.  What goes wrong outside of it, in a listener or in a
// promise that nothing waits for, is a failed check of its own.  Pages with a
// stream of events never stop loading: wait for what they show, never for
// "networkidle".
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(process.env.NODE_MODULES + "/");
const { chromium } = require("playwright-core");
// Half as much as axe.js, and each page has to read it.
const AXE = readFileSync(`${process.env.NODE_MODULES}/axe-core/axe.min.js`, "utf8");
const AXE_ROWS = 200; // a page with more takes axe too long
const WAIT_MS = 900000; // ends a test that hangs
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic",
	"--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync",
	"--disable-dev-shm-usage"];

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true };
export const DARK = { colorScheme: "dark" };
export const NO_SCRIPT = { javaScriptEnabled: false };

// ---- what web.py hears and says ---------------------------------------------

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

function say(line)
{
	process.stdout.write(JSON.stringify(line) + "\n");
}

async function hear()
{
	const { value } = await answers.next();

	return JSON.parse(value);
}

// The values that the test gave to web.play().
export const given = await hear();

export function ok(truth, what, details = "")
{
	// The picture shows the failure of a test that goes on.
	if (!truth)
		now.failed = true;
	say({ ok: Boolean(truth), what, details: typeof details === "string" ?
		details : JSON.stringify(details, null, " ") });
	return Boolean(truth);
}

export function equal(found, expected, what)
{
	const [one, other] = [found, expected].map((it) => JSON.stringify(it));

	return ok(one === other, what, `expected ${other}\nfound    ${one}`);
}

export function note(text)
{
	say({ note: String(text) });
}

// Calls one of the functions that the test's program gave to web.play();
// returns its result.
export async function ask(name, ...args)
{
	say({ ask: name, args });
	return hear();
}

// ---- what goes wrong outside of a test ----------------------------------------

const now = { failed: false };
let browser;

function unseen(error)
{
	ok(false, "nothing goes wrong beside the tests",
		String(error?.stack ?? error));
}

process.on("unhandledRejection", unseen);
process.on("uncaughtException", async (error, origin) => {
	unseen(error);
	// The script itself threw, and nothing goes on after it.
	if (origin === "unhandledRejection") {
		await browser?.close();
		process.exit(1);
	}
});

// ---- a page -----------------------------------------------------------------

browser = await chromium.launch({
	executablePath: process.env.CHROMIUM, args: FLAGS });

// Tests that axe finds nothing serious or critical; only rules of these impacts run.
export async function axe(page, what = "axe finds nothing serious")
{
	const rows = await page.locator("tr").count();

	if (rows > AXE_ROWS)
		return note(`${what}: not tried, with ${rows} rows`);
	if (!await page.evaluate(() => "axe" in window))
		await page.evaluate(`${AXE};0`);
	const found = await page.evaluate(() => axe.run(document, {
		resultTypes: ["violations"],
		rules: Object.fromEntries(axe._audit.rules
			.filter(({ impact }) => ["minor", "moderate"].includes(impact))
			.map(({ id }) => [id, { enabled: false }])),
	}));
	return equal(found.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`),
		[], what);
}

// Returns how many pixels a page is wider than its screen, and the links and
// buttons outside running text that are too small for thumbs.  A label can also
// be pressed.
function measure(touched)
{
	const inText = "p, .prose td, .prose li, details li, .skip, .lines";
	const root = document.documentElement;

	return {
		wide: Math.max(0, root.scrollWidth - root.clientWidth),
		small: [...document.querySelectorAll("a, button, input, select")]
			.filter((one) => touched && one.checkVisibility() &&
				!one.closest(inText))
			.map((one) => [(one.closest("label") ?? one)
				.getBoundingClientRect(), one.textContent])
			.filter(([box]) => box.width > 0 &&
				(box.height < 43.5 || box.width < 24))
			.map(([box, text]) =>
				`${text}: ${box.width} x ${box.height}`),
	};
}

// Tests that a page does not scroll horizontally and, on a touch screen, that
// targets are large enough for thumbs.
export async function fits(page, what = "it fits")
{
	const touched = await page.evaluate(() => navigator.maxTouchPoints > 0);

	return equal(await page.evaluate(measure, touched),
		{ wide: 0, small: [] }, what);
}

// Clicks a link to another page, and waits until that is loaded: click() alone waits
// only for its first bytes.
export async function follow(page, link)
{
	await Promise.all([page.waitForEvent("load"), link.click()]);
}

// Milliseconds until something was to be seen.
export async function painted(page)
{
	const name = "first-contentful-paint";
	const get = (name) => performance.getEntriesByName(name)[0]?.startTime;

	return (await page.waitForFunction(get, name)).jsonValue();
}

// Watches what the page loads; returns a function that waits and returns {url,
// bytes, type} of each file, with the transferred bytes.
export function loads(page)
{
	const all = [];

	page.on("requestfinished", (request) => all.push(request.sizes().then(
		(sizes) => ({ url: request.url(), bytes: sizes.responseBodySize,
			type: request.resourceType() }),
		() => null))); // the page is closed
	return async () => (await Promise.all(all)).filter(Boolean);
}

// Collects the page's complaints in page.said.  A test that expects some of
// them removes them.
function listen(page)
{
	page.asks = new Set(); // addresses that have no answer yet
	page.on("request", (one) => page.asks.add(one.url()));
	for (const event of ["requestfinished", "requestfailed"])
		page.on(event, (one) => page.asks.delete(one.url()));
	page.said = [];
	page.on("console", (one) => page.said.push(one.text()));
	page.on("pageerror", (one) => page.said.push(String(one)));
	page.on("crash", () => page.said.push("the page crashed"));
}

async function picture(page, what)
{
	const path = `${given.failed}/${given.program}-` +
		what.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 80) + ".png";

	await page.screenshot({ path });
	note(`what was seen then: ${path}`);
	note(`no answer yet: ${[...page.asks].join(" ")}`);
	note(`pressed last: ${await page.evaluate(() => window.pressed?.join(", "))}`);
}

// Takes a picture of the whole page in the folder `given.pictures`, if there is
// one.
export async function show(page, name)
{
	if (given.pictures)
		await page.screenshot({ path: `${given.pictures}/${name}.png`,
			fullPage: true });
}

const kept = new Map(); // pages, by the options of their contexts

// A press that misses what it is for is seen nowhere else, so the last ones are kept.
// A page that is still scrolling moves the button away between down and up, so pages
// jump.
function watchPresses()
{
	window.addEventListener("DOMContentLoaded", () => {
		document.documentElement.style.scrollBehavior = "auto";
	});
	window.pressed = [];
	for (const kind of ["pointerdown", "pointerup", "click", "submit"])
		window.addEventListener(kind, ({ target }) => {
			window.pressed.push(`${kind} ${target.nodeName}`);
			window.pressed.splice(0, window.pressed.length - 8);
		}, true);
}

async function openPage(options)
{
	// Drawing what moves takes long.
	const context = await browser.newContext({ reducedMotion: "reduce", ...options });
	const page = await context.newPage();

	context.setDefaultTimeout(WAIT_MS);
	// Chromium may not intercept the first requests of a loaded page after it says that
	// it intercepts all, so it does from the beginning.
	await context.route("**/no-such-path", (route) => route.fallback());
	await context.addInitScript(watchPresses);
	listen(page);
	return page;
}

// One test: a page of its own, for body(page).  Options: screen (DESKTOP), more
// of a context (`...DARK, ...NO_SCRIPT`).  With `keep` it is the page of the test
// before that had the same options, with its history and what it stores: a page of
// its own, and axe there, take Chromium half a second of a processor.
export async function test(what, { screen = DESKTOP, keep = false, ...more }, body)
{
	const options = { ...screen, ...more };
	const key = JSON.stringify(options);
	const page = (keep && kept.get(key)) || await openPage(options);

	if (keep)
		kept.delete(key);
	now.failed = false;
	page.said = [];
	try {
		await body(page);
		equal(page.said, [], `${what}: nothing to complain of`);
	} catch (error) {
		ok(false, what, `${error.stack}\n${page.said.join("\n")}`);
	}
	if (now.failed)
		await picture(page, what).catch((error) => note(error));
	if (keep && !now.failed)
		kept.set(key, page);
	else
		await page.context().close();
}

// Ends the script; call it last.
export async function end()
{
	await browser.close();
	say({ end: true });
	process.stdin.destroy();
}
