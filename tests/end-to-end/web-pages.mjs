// tests/end-to-end/web-pages.mjs - for test-web-pages.py: each of `paths` of the
// daemon at `base` on a desktop and, dark, on a phone; what people do there; and
// pictures of all of it in the folder `pictures`, if one is given.  `ladder` has a
// thousand bots, some with `odd` names; `game` is over.
import { DARK, DESKTOP, NO_SCRIPT, PHONE, axe, end, equal, fits, follow, given,
	loads, note, ok, painted, show, test } from "./web.mjs";

const WEIGHT = 100000; // transferred bytes of a page with all that it loads
const TABS = 60; // TABs to a link on any page

const SCREENS = { desktop: { screen: DESKTOP },
	phone: { screen: PHONE, ...DARK } };

for (const [screen, options] of Object.entries(SCREENS))
	for (const path of given.paths) {
		const where = `${path} on a ${screen}`;

		await test(where, { ...options, keep: true }, async (page) => {
			await page.goto(given.base + path);
			ok(await page.evaluate(() => getComputedStyle(
				document.body).maxWidth !== "none"),
			`${where} is styled`);
			await fits(page, `${where} fits`);
			// Each kind of page is tested once, in light or dark by turns.
			if (process.env.CHECK_ALL || path !== given.ladder &&
				(screen === "desktop") ===
					(given.paths.indexOf(path) % 2 === 0))
				await axe(page, `${where}: nothing serious for axe`);
			await show(page, `${screen}${path.replace(/\W+/g, "-")}`);
			if (path === given.ladder)
				note(`${where} is painted after ` +
					`${await painted(page)} ms`);
		});
	}

// ---- what people do -----------------------------------------------------------

// Returns the texts of a column of the standings.
async function column(page, title)
{
	const heads = await page.locator(".standings thead th").allTextContents();
	const at = heads.findIndex((one) => one.trim() === title);

	return page.locator(`.standings tbody tr > :nth-child(${at + 1})`)
		.allTextContents();
}

function sortBy(page, key)
{
	return follow(page, page.locator(`.standings thead a:is([href*="sort=${key}"],` +
		`[href*="sort=-${key}"])`));
}

// Two names in one link, as on the front page, have spaces between them.
await test("a link with names", { keep: true }, async (page) => {
	await page.goto(given.base + "/");
	for (const list of ["links", "plain"])
		equal(await page.evaluate((list) => {
			const main = document.querySelector("main");
			const html = `<ul class="${list}"><li><a href="#"><bdi>alma</bdi>` +
				" and <bdi>py</bdi></a></ul>";

			main.insertAdjacentHTML("beforeend", html);
			return main.lastElementChild.innerText.trim();
		}, list), "alma and py", `names in .${list} stand apart`);
});

await test("sorting", { keep: true }, async (page) => {
	await page.goto(given.base + given.ladder);
	await sortBy(page, "games");
	const games = (await column(page, "games")).map(Number);
	equal(games, [...games].sort((a, b) => b - a), "most games first");
	equal(await page.locator('th[aria-sort="descending"]').textContent(),
		"games", "the column says so");
	await sortBy(page, "bot");
	const bots = await column(page, "bot");
	ok(bots.length > 50 && bots.every((one, i) => i === 0 ||
		bots[i - 1].replace(/ .*/, "") <= one.replace(/ .*/, "")),
	"by their names", bots.slice(0, 5));
});

await test("odd names on a phone", { ...SCREENS.phone, keep: true }, async (page) => {
	page.on("dialog", (one) => {
		ok(false, "a name is a script", one.message());
		one.dismiss();
	});
	await page.goto(`${given.base}${given.ladder}?sort=games`);
	const shown = await page.locator(".standings tbody bdi").allTextContents();
	for (const name of given.odd)
		ok(shown.some((one) => one.trim() === name.slice(0, 32).trim()),
			`${JSON.stringify(name.slice(0, 12))} is a name`, shown.slice(0, 8));
	await fits(page, "odd names fit on a phone");
	equal(await page.evaluate(() => [...document.querySelectorAll(
		".standings tbody bdi")].every((one) =>
		getComputedStyle(one).unicodeBidi === "isolate")), true,
	"and turn no text around them");
});

await test("a game with every fault on a phone", { ...SCREENS.phone, keep: true },
	async (page) => {
		await page.goto(`${given.base}${given.ladder}/games`);
		const faults = page.locator("tbody tr").first().locator(".tag");
		equal(await faults.count(), 8, "two bots made each fault");
		await fits(page, "all faults of a game fit on a phone");
	});

// Presses TAB until something is focused whose text or address is this.
async function tabTo(page, wanted)
{
	for (let i = 0; i < TABS; i++) {
		await page.keyboard.press("Tab");
		const seen = await page.evaluate(() => {
			const one = document.activeElement;
			const style = getComputedStyle(one);

			return { text: one.textContent.trim(),
				to: one.getAttribute("href") ?? "",
				seen: style.outlineStyle !== "none" ||
					style.boxShadow !== "none" };
		});
		if (wanted.test(seen.text) || wanted.test(seen.to))
			return ok(seen.seen, `one sees that ${wanted} is focused`);
	}
	return ok(false, `TAB leads to ${wanted}`);
}

await test("only a keyboard", { keep: true }, async (page) => {
	await page.goto(given.base + "/");
	await page.keyboard.press("Tab");
	equal(await page.evaluate(() => document.activeElement.textContent),
		"Skip to content", "first one may skip what is on every page");
	for (const step of [/^quick$/, /^Games$/, /games\/[0-9a-f]{32}/]) {
		await tabTo(page, step);
		await Promise.all([page.waitForEvent("load"),
			page.keyboard.press("Enter")]);
	}
	await page.waitForSelector(".alive");
	await page.keyboard.press("Home");
	ok(/ine 1 of/.test(await page.locator("#moment-title").textContent()),
		"from the first page to the first line of a game");
});

await test("without a script", NO_SCRIPT, async (page) => {
	for (const path of given.paths) {
		await page.goto(given.base + path);
		ok(await page.locator("main h1").isVisible() && (
			path === "/about" || path.startsWith("/rules") || path === "/" ||
			await page.locator("main table tbody tr").count() > 0),
		`${path} has its tables`);
	}
	const title = page.locator("#moment-title");
	await page.goto(`${given.base}/games/${given.game}?at=5`);
	ok(/ine 5 of/.test(await title.textContent()), "a moment of a game");
	ok(await page.locator(".felt").isVisible() &&
		await page.locator("ol.lines li").count() > 6, "with its table, and all lines");
	await follow(page, page.locator("ol.lines li[aria-current=step] + li a"));
	ok(/ine 6 of/.test(await title.textContent()), "and the next one",
		await title.textContent());
	await show(page, "game-without-a-script");
});

for (const path of [given.ladder, `/games/${given.game}`])
	await test(`the weight of ${path}`, {}, async (page) => {
		const loaded = loads(page);

		await page.goto(given.base + path);
		// The script of a game loads its lines.
		if (path.startsWith("/games/"))
			await page.waitForSelector(".alive");
		const all = await loaded();
		const sum = all.reduce((sum, one) => sum + one.bytes, 0);
		ok(all.length > 1 && sum < WEIGHT,
			`${path} weighs ${sum} bytes in ${all.length} files`,
			JSON.stringify(all));
	});
await end();
