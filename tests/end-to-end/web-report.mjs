// tests/end-to-end/web-report.mjs - for test-web-report.py: tests the report in
// the file `report`, from a disk; `game` is the ID of a game in it, `lines` its
// number of lines.
import { DARK, DESKTOP, NO_SCRIPT, PHONE, axe, end, equal, fits, given, ok, show, test }
	from "./web.mjs";

const file = `file://${given.report}`;

// Returns the page's requests for other files.
function requests(page)
{
	const all = [];

	page.on("request", (one) => all.push(one.url()));
	return all;
}

async function shown(page)
{
	return page.locator(".part").evaluateAll((parts) => parts
		.filter((one) => one.getClientRects().length > 0)
		.map((one) => one.id));
}

for (const [screen, options] of [["desktop", { screen: DESKTOP }],
	["phone", { screen: PHONE, ...DARK }]])
	for (const part of given.parts)
		await test(`${part} on a ${screen}`, { ...options, keep: true },
			async (page) => {
			await page.goto(`${file}#${part}`);
			// The report hears of the new address after goto() has ended.
			await page.locator(`[id="${part}"]`).waitFor();
			equal(await shown(page), [part], `only ${part} is shown`);
			if (part.startsWith("game-"))
				await page.locator(".alive").waitFor();
			await fits(page, `${part} fits on a ${screen}`);
			const box = await page.locator("header.top").boundingBox();
			ok(box.y < 40, `${part} begins at the top`, `${box.y}`);
			// test-web-pages.py and test-web-replay.py have the others.
			if (screen === "desktop" && /^games-/.test(part))
				await axe(page,
					`${part} on a ${screen}: nothing serious`);
			await show(page, `report-${part}-${screen}`);
		});

await test("a game is stepped through", { keep: true }, async (page) => {
	const asked = requests(page);
	const title = page.locator("#moment-title");
	const felt = page.locator(`#game-${given.game} .felt`);

	await page.goto(file);
	await page.locator('a[href^="#games-"]').first().click();
	await page.locator(`a[href="#game-${given.game}"]`).first().click();
	await page.waitForSelector(".alive");
	ok((await title.textContent()).endsWith(
		`${given.lines} of ${given.lines}`), "it begins at its end",
	await title.textContent());
	await page.keyboard.press("Home");
	ok((await title.textContent()).endsWith(`1 of ${given.lines}`),
		"and goes to its beginning", await title.textContent());
	const before = await felt.innerHTML();
	for (let i = 0; i < 5; i++)
		await page.keyboard.press("ArrowRight");
	ok(await felt.innerHTML() !== before, "forward");
	for (let i = 0; i < 5; i++)
		await page.keyboard.press("ArrowLeft");
	equal(await felt.innerHTML(), before, "and back");
	await page.keyboard.press("v");
	equal(asked.filter((url) => !url.startsWith(file)), [],
		"nothing is loaded");
	equal(await page.evaluate(() => [...document.querySelectorAll("use")]
		.filter((one) => one.getBoundingClientRect().width === 0 &&
			one.closest(".part:not([hidden]) .felt")).length), 0, "its pictures are there");
});

await test("one game after the other", { keep: true }, async (page) => {
	await page.goto(`${file}#game-${given.game}`);
	await page.waitForSelector(".alive");
	await page.goto(`${file}#game-${given.other}`);
	await page.waitForSelector(`#game-${given.other} .alive`);
	equal(await shown(page), [`game-${given.other}`], "only that one");
	await page.goto(`${file}?game=${given.other}&at=7#game-${given.other}`);
	await page.waitForSelector(`#game-${given.other} .alive`);
	ok(/ine 7 of /.test(await page.locator("#moment-title").textContent()),
		"a link leads to a line");
});

await test("without a script", NO_SCRIPT, async (page) => {
	await page.goto(file);
	ok((await shown(page)).length > given.parts.length, "all is there");
	equal(await page.locator(`#game-${given.game} ol.lines li`).count(),
		given.lines, "with all lines of a game");
	ok((await page.locator(`#game-${given.game} .felt`).textContent())
		.startsWith("The middle of the table"),
	"and what lies on its last table");
});
await end();
