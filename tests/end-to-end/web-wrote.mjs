// tests/end-to-end/web-wrote.mjs - standard error beside the decisions of a game,
// for test-decision.py.  With `gone` the daemon keeps none of it any more.
import { readFile } from "node:fs/promises";
import { DARK, PHONE, axe, end, equal, fits, given, ok, show, test } from "./web.mjs";

const path = `${given.base}/games/${given.id}?view=${given.seat}&at=1`;
const marks = (page) => page.locator(".strip .wrote").getAttribute("d");

// Opens the page as the author, who has pasted the token on the bot's page.
async function open(page)
{
	await page.addInitScript((token) => sessionStorage.setItem(
		"referee-token:ann", token), given.token);
	await page.goto(path);
	await page.waitForFunction(() =>
		document.querySelector(".strip .wrote")?.getAttribute("d"));
}

if (given.gone)
	await test("the author, later", {}, async (page) => {
		await open(page);
		await page.locator("#files .gone").first().waitFor();
		equal((await page.locator("#files .gone").allTextContents()).map((text) =>
			text.split(":")[0]),
		["What ann wrote to standard error is no longer kept"],
		"what was written is gone, and a sentence says so");
		await axe(page);
	});

const SCREENS = given.gone ? [] :
	[["desktop", {}], ["phone", { screen: PHONE, ...DARK }]];

for (const [name, options] of SCREENS)
	await test(`the author, ${name}`, options, async (page) => {
		await open(page);
		ok((await page.locator(".strip figcaption").textContent()).includes(
			"A dot below is standard error."), "the strip has marks");
		await page.locator(".strip [role=slider]").focus();
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("ArrowLeft");
		await page.waitForSelector("#decision pre.wrote");
		const text = await page.locator("#decision pre.wrote").textContent();
		ok(/^ann sits <down>\ufffd\ufffd\[2Jand\ufffd\nann answers 1\n$/.test(text),
			"beside the decision stands what the bot wrote", text);
		ok((await page.locator(".strip [role=slider]").getAttribute(
			"aria-valuetext")).includes("wrote to standard error"),
		"and the strip says that there is something");
		await axe(page);
		await fits(page);
		await show(page, `wrote-${name}`);
		const [saved] = await Promise.all([page.waitForEvent("download"),
			page.getByRole("link", { name: "The whole record" }).click()]);
		equal([saved.suggestedFilename(), await readFile(await saved.path(),
			"utf-8")], [`${given.id}.rec`, given.record],
		"a link saves the whole record");
		equal(await page.locator("#files a.record").count(), 1, "there is one");
		await page.keyboard.press("End");
		await page.waitForFunction(() => document.querySelector(
			"#decision")?.textContent.includes("ann is done"));
		ok(true, "what was written after the last answer stands last");
	});

await test("a stranger", {}, async (page) => {
	await page.goto(path);
	await page.waitForSelector(".alive");
	await page.keyboard.press("End");
	equal([await page.locator("pre.wrote, p.wrote").count(), await marks(page)],
		[0, ""], "reads and sees nothing of it");
	ok(!(await page.content()).includes("standard error"), "not even the word");
	equal(await page.locator("#files a.record").count(), 0,
		"and finds no link to what is not for him");
});
await end();
