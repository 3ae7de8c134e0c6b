// tests/end-to-end/web-term.mjs - tests how pages count down, for test-term.py.
import { ask, axe, end, equal, fits, given, ok, show, test, DARK, NO_SCRIPT, PHONE }
	from "./web.mjs";

const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/;
const LEFT = /^\d{4}-\d\d-\d\d \d\d:\d\d UTC \(in \d+ (minute|hour)s\)$/;

function dates(page)
{
	return page.locator("time.until").allTextContents();
}

for (const path of ["/", "/live", "/ladders/main", "/projector/main"]) {
	await test(`${path} counts down`, { screen: PHONE, keep: true, ...DARK }, async (page) => {
		await page.goto(given.base + path);
		await page.locator("time.until").first().waitFor({ state: "attached" });
		await page.waitForFunction(() => document.querySelector("time.until")
			.textContent.includes("(in "));
		const found = await dates(page);

		equal(found.length, 3, `${path} has the three dates`);
		ok(found.every((text) => LEFT.test(text)), "and how long it is", found);
		await fits(page);
		// The others are like those of test-web-pages.py and test-web-live.py.
		if (process.env.CHECK_ALL || path === "/ladders/main")
			await axe(page);
		await show(page, `term${path.replaceAll("/", "-")}`);
	});
}
// Parts of a projector's page are replaced now and then.
await test("a projector keeps counting", {}, async (page) => {
	await page.addInitScript(() => {
		window.lost = window.replaced = 0;
		new MutationObserver((all) => {
			if (!all.some(({ addedNodes }) => [...addedNodes].some((one) =>
				one.id === "standings")) ||
				!document.documentElement.dataset.shows)
				return;
			window.replaced++;
			window.lost += !document.querySelector("time.until")
				.textContent.includes("(in ");
		}).observe(document, { childList: true, subtree: true });
	});
	await page.goto(`${given.base}/projector/main`);
	await page.waitForFunction(() => window.replaced > 1);
	equal(await page.evaluate(() => window.lost), 0, "the time that is left stays");
});

// The time of the pages is moved, and then that of the daemon.  They hear of no game.
await test("a date that passes", {}, async (page) => {
	const context = page.context();

	await context.addInitScript(() => {
		window.EventSource = class {
			addEventListener() {}

			close() {}
		};
	});
	const paths = ["/ladders/main", "/", "/live"];
	const pages = [page, await context.newPage(), await context.newPage()];
	const each = (what) => Promise.all(pages.map(what));
	const old = (page) => page.locator("main").textContent().then((text) =>
		/The games begin|when the games have begun/.test(text));

	await each((one, i) => one.goto(given.base + paths[i]));
	await each((one) => one.waitForFunction(() => document.querySelector("time.until")
		.textContent.includes("(in ")));
	equal(await each(old), [true, true, true], "the games have not begun");
	await each((one) => one.evaluate(() => {
		const now = Date.now; // luck: it moves the page's clock

		Date.now = () => now() + 4200000; // luck: the same
	}));
	await ask("begin");
	await each((one) => one.waitForFunction(() =>
		!/The games begin|when the games have begun/.test(
			document.querySelector("main").textContent)));
	equal((await each((one) => one.locator("time.until").count())).slice(0, 2),
		[2, 2], "pages that are open say what is so now");
});

await test("without scripts", { ...NO_SCRIPT }, async (page) => {
	await page.goto(`${given.base}/ladders/main`);
	const found = await dates(page);

	ok(found.length === 2 && found.every((text) => DATE.test(text)),
		"there are the dates alone", found);
});
await end();
