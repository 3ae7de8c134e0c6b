// tests/end-to-end/web-queue.mjs - for test-queue.py: the pages of a daemon at
// `base` that tell of its queue, on a desktop and, dark and without a script, on a
// phone; pictures of them in the folder `pictures`, if one is given.
import { DARK, DESKTOP, NO_SCRIPT, PHONE, axe, end, fits, follow, given, ok, show, test }
	from "./web.mjs";

await test("the queue on a desktop", { screen: DESKTOP, keep: true },
	async (page) => {
		await page.goto(`${given.base}/`);
		await follow(page, page.locator('main a[href$="queue"]'));
		ok(await page.locator("#parked").isVisible(), "a link leads there");
		await fits(page, "the queue fits");
		await axe(page, "the queue: nothing serious for axe");
		await show(page, "queue-desktop");
	});

for (const path of ["/queue", given.bot, "/live"])
	await test(`${path} on a phone`, { screen: PHONE, keep: true, ...DARK,
		...NO_SCRIPT }, async (page) => {
		await page.goto(given.base + path);
		await fits(page, `${path} fits a phone`);
		ok(await page.locator('main a[href$="queue"]').count() > 0 ||
			path === "/queue", `${path} leads to the queue`);
		await show(page, `phone${path.replace(/\W+/g, "-")}`);
	});

await test("the queue in the dark", { screen: PHONE, ...DARK }, async (page) => {
	await page.goto(`${given.base}/queue`);
	await axe(page, "in the dark: nothing serious for axe");
});

await end();
