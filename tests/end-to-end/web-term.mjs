// tests/end-to-end/web-term.mjs - tests how pages count down, for test-term.py.
import { axe, end, equal, fits, given, ok, show, test, DARK, NO_SCRIPT, PHONE }
	from "./web.mjs";

const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/;
const LEFT = /^\d{4}-\d\d-\d\d \d\d:\d\d UTC \(in \d+ (minute|hour)s\)$/;

function dates(page)
{
	return page.locator("time.until").allTextContents();
}

for (const path of ["/", "/ladders/main", "/projector/main"]) {
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
await test("without scripts", { ...NO_SCRIPT }, async (page) => {
	await page.goto(`${given.base}/ladders/main`);
	const found = await dates(page);

	ok(found.length === 3 && found.every((text) => DATE.test(text)),
		"there are the dates alone", found);
});
await end();
