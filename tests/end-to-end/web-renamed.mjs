// tests/end-to-end/web-renamed.mjs - for test-web-author.py: `sam` is `samuel` now.
import { given, test, ok, end } from "./web.mjs";

await test("a bot that was renamed", {}, async (page) => {
	await page.goto(`${given.base}/bots/sam`);
	const field = page.getByLabel("Token of the bot");
	await field.fill(given.token);
	await field.press("Enter");
	await page.waitForFunction(() => document.querySelector(
		"#author [role=status]").textContent.includes("The token fits"));
	ok(true, "its token fits on the page of its old name");
	const asked = page.waitForRequest((one) =>
		one.url().endsWith("/api/1/bots/samuel/notes") &&
		one.headers()["x-bot"] === "samuel");

	await page.goto(`${given.base}/games/${given.game}`);
	await asked;
	ok(true, "and its games, which call it sam, ask with it");
});
await end();
