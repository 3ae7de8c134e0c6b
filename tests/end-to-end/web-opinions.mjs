// tests/end-to-end/web-opinions.mjs - finds the worst mistake of a game, for
// test-web-opinions.py.
import { DARK, PHONE, axe, end, equal, given, ok, test as run }
	from "./web.mjs";

const { base, closed } = given;

// A game without times may answer 404.
function test(what, options, body)
{
	return run(what, options, async (page) => {
		await body(page);
		page.said = page.said.filter((one) => !one.includes("404"));
	});
}

const SWING = "#opinions a.swing";

// Finds it in three clicks from the page of the ladder.
async function find(page)
{
	await page.goto(`${base}/ladders/quick`);
	await page.getByRole("link", { name: "Games", exact: true }).last().click();
	await page.locator("table a[href*='games/']:not([href*='api/'])").first().click();
	await page.locator(SWING).filter({ hasText: "random" }).click();
	await page.locator("#opinion table.opinion").waitFor();
}

// Tests that all of it is seen at once.
async function isBeside(page)
{
	// The chosen view may still be drawn.
	await page.waitForFunction(() => {
		document.querySelector(".replay").scrollIntoView();
		const felt = document.querySelector(".felt")
			.getBoundingClientRect();
		const panels = document.querySelector(".panels")
			.getBoundingClientRect();

		return panels.bottom <= innerHeight &&
			["#decision", "#opinion table.opinion", "#opinion > p.soft"].every(
				(what) => {
					const box = document.querySelector(what)
						?.getBoundingClientRect();

					return box?.height > 0 && box.left >= felt.right &&
						box.top >= panels.top &&
						box.bottom <= panels.bottom;
				});
	});
	ok(true, "decision and opinion stand beside the table");
}

// Tests that it is on the page and agrees with the server's JSON.
async function is_found(page)
{
	const panel = page.locator("#opinion");
	const id = /games\/([0-9a-f]{32})/.exec(page.url())[1];
	const seat = await page.locator("#views a[aria-current=true]")
		.getAttribute("data-view");
	const answer = await page.request.get(
		`${base}/api/1/games/${id}/opinions?view=${seat}`);
	const lines = (await answer.text()).trim().split("\n").map(JSON.parse);
	const { swing } = lines.at(-1);
	const worst = lines.find((one) => one.at === swing);

	ok((await page.locator("#moment-title").textContent())
		.includes(`line ${swing} of `), "the moment is that of the swing");
	equal(await panel.locator("p").first().textContent(), worst.sentence,
		"what would have been better");
	equal(await panel.locator("tbody tr").count(), worst.best.length +
		!worst.best.some((one) => one.token === worst.made.token),
	"the best three, and what was made");
	equal(await panel.getByText("(made)").count(), 1, "and which that is");
	return { id, seat, swing, lines };
}

await test("the worst mistake of random in three clicks", { keep: true }, async (page) => {
	await find(page);
	const { lines } = await is_found(page);

	await isBeside(page);
	const html = () => page.locator("#opinion").innerHTML();
	const drawn = await html();

	await axe(page);
	await page.keyboard.press("ArrowRight");
	await page.waitForFunction((old) =>
		document.querySelector("#opinion").innerHTML !== old, drawn);
	await page.keyboard.press("ArrowLeft");
	await page.waitForFunction((old) =>
		document.querySelector("#opinion").innerHTML === old, drawn);
	ok(true, "a step on and back shows the same");
	await page.waitForFunction(() => location.search.includes("at="));
	ok(!page.url().includes("swing"), "the address is that of the moment");

	// A known opinion is shown at once.
	const one = lines.find((one) => one.made === undefined) ?? lines[0];
	const seat = await page.locator("#views a[aria-current=true]")
		.getAttribute("data-view");
	const path = page.url().replace(/\?.*/, "");

	await page.goto(`${path}?view=${seat}&at=${one.at}`);
	await page.locator("#opinion table.opinion").waitFor();
	equal(await page.locator("#opinion p").first().textContent(), one.sentence,
		"an opinion that is known comes by itself");
	equal(await page.locator("#opinion tbody th").allTextContents(),
		[...one.best.map(({ token }) => token + (token === one.made?.token ?
			" (made)" : "")),
		...(one.made === undefined || one.best.some(({ token }) =>
			token === one.made.token) ? [] :
			[`${one.made.token} (made)`])], "with its moves");
});

await test("a reader who goes on while the strong bot thinks", { keep: true },
	async (page) => {
	await find(page);
	const other = page.locator(SWING).filter({ hasText: "house" });
	const seat = await other.getAttribute("data-seat");
	const path = `**/opinions?view=${seat}`;
	const moment = async () => [await page.locator("#moment-title").textContent(),
		await page.locator("#views a[aria-current=true]").getAttribute("data-view")];
	let asks = 0, hold, free;
	const held = new Promise((done) => (hold = done));
	const freed = new Promise((done) => (free = done));

	await page.route(path, async (route) => {
		if (asks++ === 0)
			return route.fulfill({ status: 202,
				headers: { "Retry-After": "0.05" } });
		hold();
		await freed;
		return route.fulfill({ body: '{"swing":5,"judged":1,"choices":1}\n' });
	});
	await other.click();
	await held;
	equal(await page.locator("#opinion table.opinion").count(), 1,
		"an opinion that is shown stays");
	await page.keyboard.press("ArrowRight");
	const there = await moment();
	const answer = page.waitForResponse((one) => one.status() === 200 &&
		one.url().endsWith(`/opinions?view=${seat}`));

	free();
	await (await answer).finished();
	// The page has taken the answer before it has this one.
	await page.evaluate(async () => (await fetch(location)).text());
	equal(await moment(), there, "the answer does not lead away");
	await page.locator("#opinions [role=status] a").evaluateAll(([one]) => one.click());
	await page.waitForFunction((seat) => document.querySelector(
		"#views a[aria-current=true]").dataset.view === seat, seat);
	const swing = await moment();

	ok(swing[0].includes("line 5 of"), "but a link leads to it", swing);
	await page.keyboard.press("End");
	await other.press("Enter"); // where it stands changes with the moment
	equal(await moment(), swing, "and so does the same link as before, at once");
	await page.unroute(path);
});

await test("opinions that do not come by themselves", { keep: true }, async (page) => {
	await find(page);
	const seat = await page.locator("#views a[aria-current=true]")
		.getAttribute("data-view");
	const path = `**/opinions?view=${seat}`;
	let asks = 0, free;
	const freed = new Promise((done) => (free = done));
	const late = page.waitForResponse((one) => one.status() === 503);

	await page.route(path, async (route) => {
		if (asks++ > 0)
			return route.continue();
		await freed;
		return route.fulfill({ status: 503, body: "503: not now\n" });
	});
	await page.goto(`${page.url().replace(/\?.*/, "")}?view=${seat}&at=1`);
	await page.locator(SWING).filter({ hasText: "random" }).click();
	await page.locator("#opinion table.opinion").waitFor();
	free();
	await (await late).finished();
	// The page has taken the answer before it has this one.
	await page.evaluate(async () => (await fetch(location)).text());
	equal(await page.locator("#opinions [role=status]").textContent(), "",
		"say nothing that is older than what was asked for");
	page.said = page.said.filter((one) => !one.includes(" 503"));
	await page.unroute(path);
});

await test("on a phone, in the dark", { screen: PHONE, ...DARK }, async (page) => {
	await find(page);
	const title = page.locator("#moment-title");
	const moment = await title.textContent();

	await page.getByRole("link", { name: "The table at this moment" }).click();
	await page.waitForFunction(() => {
		const { top } = document.querySelector(".felt").getBoundingClientRect();

		return top >= 0 && top < innerHeight / 2;
	});
	equal(await title.textContent(), moment,
		"from what would have been better one comes to the table");
	await is_found(page);
	for (const link of await page.locator(SWING).all())
		ok((await link.boundingBox()).height >= 43.5, "a link for thumbs");
	equal(await page.evaluate(() => document.documentElement.scrollWidth -
		document.documentElement.clientWidth), 0, "it fits");
});

await test("a report", { keep: true }, async (page) => {
	await page.goto(`file://${given.report}`);
	const link = page.locator("a[href*='#game-']").first();
	const [part] = /#.*/.exec(await link.getAttribute("href"));

	// The page is left first, because the report may load itself again for another
	// of its games.
	await page.goto("about:blank");
	await page.goto(`file://${given.report}${part}`);
	const item = page.locator("#opinions [data-swing]").first();

	await item.getByRole("button", { name: "Go there" }).click();
	ok((await page.locator("#moment-title").textContent()).includes(
		`line ${await item.getAttribute("data-swing")} of `),
	"leads to the worst decision");
});

await test("who may see no seat", { keep: true }, async (page) => {
	await page.goto(`${base}/games/${closed}?view=public`);
	await page.locator(".alive").first().waitFor();
	equal(await page.locator("#opinions").isVisible(), false,
		"is offered no opinion");
});

await end();
