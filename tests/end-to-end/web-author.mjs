// tests/end-to-end/web-author.mjs - for test-web-author.py.
import { PHONE, NO_SCRIPT, given, test, ok, equal, axe, fits, show, end }
	from "./web.mjs";

const PAGE = `${given.base}/bots/sam`;
const KEY = "referee-token:sam";
const status = (page) => page.locator("#author [role=status]");

async function paste(page, token)
{
	const field = page.getByLabel("Token of the bot");
	await field.fill(token);
	await field.press("Enter");
}

async function says(page, text)
{
	await page.waitForFunction((text) => document.querySelector(
		"#author [role=status]").textContent.includes(text), text);
	return ok(true, `it says "${text}"`);
}

function kept(page)
{
	return page.evaluate((key) => sessionStorage.getItem(key), KEY);
}

await test("a token", {}, async (page) => {
	await page.goto(PAGE);
	await paste(page, given.token);
	await says(page, "The token fits");
	equal(await kept(page), given.token, "it is kept for the tab");
	const text = await page.locator("#author").textContent();
	ok(text.includes(given.wrote.replace("\\xff", "")) &&
		text.includes("Standard error"),
		"what the bot wrote is text", text);
	equal(await page.locator("#author script").count(), 0, "and only that");
	const game = page.locator("#author details").first();
	await game.locator("summary").click();
	const link = await game.locator("a").getAttribute("href");
	ok(/^\.\.\/games\/[0-9a-f]{32}$/.test(link), "with its replay", link);
	await axe(page);
	await show(page, "author");
	await page.reload();
	await page.locator("#author details").first().waitFor();
	ok(true, "it is there after a reload");
	await page.getByRole("button", { name: "Forget" }).click();
	await says(page, "forgotten");
	equal(await kept(page), null, "until it is forgotten");
	equal(await page.locator("#author details").count(), 0,
		"with all that it opened");
	equal(await page.context().cookies(), [], "no cookies");
});

await test("a wrong token", {}, async (page) => {
	await page.goto(PAGE);
	// Each answer to a wrong token comes later than the one before.
	for (const token of ["\u{1f600}", given.sleepy]) {
		await paste(page, token);
		await page.waitForFunction(() => document.querySelector(
			"#author [role=status].wrong")?.textContent.length > 9);
		equal(await kept(page), null, "it is not kept");
		ok(/^[A-Z].*[.?]$/.test(await status(page).textContent()),
			"one sentence", await status(page).textContent());
		await page.evaluate(() => document.querySelector(
			"#author [role=status]").replaceChildren());
	}
	page.said = page.said.filter((one) => !one.includes(" 40"));
});

await test("an upload by keyboard alone, on a phone", { screen: PHONE },
	async (page) => {
	let file;
	// It is set for the whole test: otherwise the first key may come too early.
	page.on("filechooser", (chooser) => chooser.setFiles(file));
	const choose = async (path) => {
		file = path;
		await page.keyboard.press("Space");
		await page.waitForFunction((name) => document.querySelector(
			"#archive").files[0]?.name === name,
			path.split("/").pop());
	};

	await page.goto(PAGE);
	await page.getByLabel("Token of the bot").focus();
	await page.keyboard.insertText(given.token);
	await page.keyboard.press("Enter");
	await says(page, "The token fits");
	equal(await page.evaluate(() => document.activeElement.id), "archive",
		"the field of the file is next");
	await fits(page);
	await choose(given.broken);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await says(page, "the log says which");
	ok((await page.locator("#author").textContent()).includes("Its last upload"),
		"and the log is there");
	await page.getByLabel("A new version").focus();
	await choose(given.archive);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await says(page, "was taken");
	await show(page, "author-phone");
});

await test("without JavaScript", NO_SCRIPT, async (page) => {
	await page.goto(PAGE);
	ok((await page.locator("#author").textContent())
		.includes("/api/1/bots/sam/log"), "a page says what to ask for");
	equal(await page.locator("#author form").count(), 0, "no dead form");
});
await end();
