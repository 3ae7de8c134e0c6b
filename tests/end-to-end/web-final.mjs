// tests/end-to-end/web-final.mjs - for test-final.py: the bracket of a final of eight
// bots at `base` + `path`, before its first game is over and, after ask("go"), at its
// end; pictures of it in the folder `pictures`, if one is given.
import { DARK, DESKTOP, NO_SCRIPT, PHONE, ask, axe, end, equal, fits, given, ok, show,
	test } from "./web.mjs";

const BEAMER = { viewport: { width: 1920, height: 1080 } };
const LEAST_PX = 44; // of names that are read from the last row

const rounds = (page) => page.locator("#bracket h3").allTextContents();

async function look(page, name)
{
	await page.goto(given.base + given.path);
	equal(await rounds(page), ["Quarter-finals", "Semi-finals", "Final"],
		`${name}: it has all rounds`);
	equal(await page.locator("#bracket bdi").first().textContent(), given.best,
		`${name}: the best comes first`);
	await fits(page, `${name}: it fits`);
	await axe(page, `${name}: nothing serious for axe`);
	await show(page, name);
}

await test("a final on a desktop", { keep: true }, (page) => look(page, "final-desktop"));

await test("a final on a phone", { screen: PHONE, ...DARK }, (page) =>
	look(page, "final-phone"));

await test("a final without scripts", { screen: PHONE, ...NO_SCRIPT },
	async (page) => {
		await page.goto(given.base + given.path);
		equal(await page.locator("#bracket bdi").count(), 8,
			"without scripts it has all bots");
		equal(await page.getByText("not known yet").count(), 6,
			"and says who is not known yet");
	});

await test("a final on a projector", { screen: BEAMER, ...DARK }, async (page) => {
	await page.goto(`${given.base}${given.path}/projector`);
	equal(await page.locator(".told").textContent(), "Now: Quarter-finals.",
		"the projector says what is played");
	equal(await page.locator("#standings").count(), 0, "and has no ranks yet");
	const sizes = await page.locator("#bracket bdi").evaluateAll((all) =>
		all.map((one) => parseFloat(getComputedStyle(one).fontSize)));
	ok(Math.min(...sizes) >= LEAST_PX, "names are large", sizes);
	ok(await page.evaluate(() => document.documentElement.scrollHeight <=
		innerHeight), "it fits without scrolling");
	await show(page, "final-projector-first");
	await ask("go");
	// The page loads itself again.
	await page.locator(".won").waitFor();
	equal(await page.locator("#bracket section:last-child .onward bdi").textContent() +
		" has won.", await page.locator(".told").textContent(),
	"it moves on to the winner by itself");
	equal(await page.getByText("not known yet").count(), 0, "all is known");
	ok(await page.evaluate(() => document.documentElement.scrollHeight <=
		innerHeight), "and still fits");
	await show(page, "final-projector-last");
});

for (const [name, screen] of Object.entries({ BEAMER, DESKTOP }))
	await test(`sixteen bots on a projector, ${name}`, { screen }, async (page) => {
		await page.goto(`${given.base}${given.sixteen}/projector`);
		const { names, cut, wide, high, least } = await page.evaluate(() => {
			const all = [...document.querySelectorAll("#bracket bdi")];
			const root = document.documentElement;

			return { names: all.length,
				cut: all.filter(({ parentNode }) =>
					parentNode.scrollWidth > parentNode.clientWidth).length,
				wide: root.scrollWidth / innerWidth,
				high: root.scrollHeight / innerHeight,
				least: Math.min(...all.map((one) =>
					parseFloat(getComputedStyle(one).fontSize))) / innerHeight };
		});

		equal([names, cut, wide, high], [16, 0, 1, 1], "all are seen at once");
		ok(least > 0.045, "their names fill the screen", least);
		await show(page, `final-sixteen-${name}`);
	});

await test("a final that is over", { keep: true }, (page) =>
	look(page, "final-desktop-over"));

await end();
