// tests/end-to-end/web-author.mjs - for test-web-author.py.
import { DESKTOP, PHONE, NO_SCRIPT, given, test, ok, equal, ask, axe, fits, show, end }
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

// A client of its own: each wrong token of one is answered later than the one before.
let strangers = 0;

function stranger(page)
{
	return page.setExtraHTTPHeaders({ "X-Forwarded-For": `192.0.2.${++strangers}` });
}

await test("a token", { keep: true }, async (page) => {
	await page.goto(PAGE);
	await paste(page, given.token);
	await says(page, "The token fits");
	equal(await kept(page), given.token, "it is kept for the tab");
	const text = await page.locator("#author").textContent();
	ok(text.includes(given.wrote.replace("\\xff", "")) &&
		text.includes("Standard error"),
		"what the bot wrote is text", text);
	equal(await page.locator("#author script").count(), 0, "and only that");
	ok(text.includes("2 games by the rules of quick, against random. It is over."),
		"a trial is told", text);
	equal(await page.locator("#author tbody tr").count(), 2, "with its table");
	ok(text.includes("Elo") && await page.locator("#author svg.cell-bar").count() > 0,
		"and with Elo, also as a bar", text);
	const game = page.locator("#author details", { hasText: ", seat" }).first();
	await game.locator("summary").click();
	const link = await game.locator("a").getAttribute("href");
	ok(/^\.\.\/games\/[0-9a-f]{32}$/.test(link), "with its replay", link);
	await axe(page);
	await show(page, "author");
	await page.reload();
	await game.waitFor();
	ok(true, "it is there after a reload");
	await page.getByRole("button", { name: "Forget" }).click();
	await says(page, "forgotten");
	equal(await kept(page), null, "until it is forgotten");
	equal(await page.locator("#author details").count(), 0,
		"with all that it opened");
	equal(await page.context().cookies(), [], "no cookies");
});

await test("a wrong token", { keep: true }, async (page) => {
	await page.goto(PAGE);
	for (const token of ["\u{1f600}", given.sleepy]) {
		await stranger(page);
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
	await says(page, "The upload of sam failed:");
	ok((await page.locator("#author").textContent()).includes(
		"Its last upload failed on"), "the page says so, too");
	ok(await page.locator("#log[open] pre").isVisible(), "and the log is open");
	await page.getByLabel("A new version").focus();
	await choose(given.archive);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await says(page, "The upload is imported: sam has this version now.");
	equal(await page.locator("#author").getByText("failed on").count(), 0,
		"nothing failed");
	ok(await page.locator("#log:not([open])").count() === 1, "and the log is folded");
	await page.getByRole("button", { name: "Let sam play again" }).focus();
	await fits(page);
	await axe(page);
	await page.keyboard.press("Enter");
	await says(page, "sam plays again.");
	await show(page, "author-phone");
});

// Forgets the token while the page asks for the state of a trial that plays.
async function forgetWhileAsked(page)
{
	const notes = "**/api/1/bots/sam/notes", trial = "**/api/1/bots/sam/trial";
	let answer;
	const freed = new Promise((done) => (answer = done));

	await page.route(notes, async (route) => {
		const found = await (await route.fetch()).json();

		found.trial.state = "plays";
		await route.fulfill({ json: found });
	});
	await page.route(trial, async (route) => {
		await freed;
		await route.fulfill({ json: { state: "over" } });
	});
	const asks = page.waitForRequest(trial);

	await page.reload();
	await asks;
	await page.getByRole("button", { name: "Forget" }).press("Enter");
	answer();
	await (await (await asks).response()).finished();
	await caughtUp(page);
	equal(await kept(page), null, "a token that is forgotten while a trial plays stays so");
	await page.unroute(notes);
	await page.unroute(trial);
}

await test("a trial by the form", { keep: true }, async (page) => {
	await page.goto(PAGE);
	await paste(page, given.token);
	await says(page, "The token fits");
	await page.getByLabel("A new version").setInputFiles(given.archive);
	await page.getByText("Try it in games").click();
	await page.getByLabel("Games", { exact: true }).fill("4");
	await page.getByLabel("Opponents").fill("random");
	await fits(page);
	await axe(page);
	await page.getByLabel("Opponents").press("Enter");
	await says(page, "The trial was taken");
	await page.getByText("4 games by the rules of quick, against random. It is over.")
		.waitFor();
	await says(page, "The trial of sam is over.");
	await forgetWhileAsked(page);
	await paste(page, given.token);
	await says(page, "The token fits");
	await page.getByText("Its games, lost first").click();
	const games = page.locator("#author details", { hasText: "Its games, lost first" });
	const places = (await games.locator("p").allTextContents()).map((text) =>
		/^Place ([12]) in ([1-4]) games?:$/.exec(text)?.slice(1).map(Number));
	equal([places.map(([place]) => place).sort((a, b) => b - a),
		places.reduce((sum, [, count]) => sum + count, 0),
		await games.locator("li a").count()],
	[places.map(([place]) => place), 4, 4], "its games stand by their places");
	await fits(page);
	await games.locator("li a").first().click();
	await page.locator("#views a[data-view='0'], #views a[data-view='1']")
		.first().waitFor();
	ok(true, "and a game of it is shown as the version saw it");
	equal([await page.getByText("A game of a trial").count(),
		await page.locator(".seated a").count()], [1, 0],
	"which says so, and links no bot that has no page");
	let asks = 0, free;
	const freed = new Promise((done) => (free = done));
	const entered = "**/trial/entered";
	const enter = page.getByRole("button", { name: "Enter this version" });

	await page.goto(PAGE);
	await page.route(entered, async (route) => {
		asks++;
		await freed;
		await route.continue();
	});
	await enter.press("Enter");
	await enter.press("Enter");
	free();
	await says(page, "The version of the trial plays.");
	equal(asks, 1, "a button that is pressed twice asks once");
	await page.unroute(entered);
	const old = page.getByRole("button", { name: "Let sam play again" });
	await old.press("Enter");
	await says(page, "sam plays again.");
	await old.waitFor({ state: "detached" });
	const version = "**/bots/sam/version?*";
	const change = page.waitForRequest(/version\?number=/);
	let answer;
	const stays = new Promise((done) => (answer = done));

	await page.route(version, async (route) => {
		await stays;
		await route.fulfill({ body: "{}\n" });
	});
	await page.getByRole("button", { name: /^Let sam\.\d play again$/ }).first()
		.press("Enter");
	await change;
	await page.getByRole("button", { name: "Forget" }).press("Enter");
	answer();
	await (await (await change).response()).finished();
	await caughtUp(page);
	equal([await kept(page), await status(page).textContent()],
		[null, "The token is forgotten."],
		"a token that is forgotten meanwhile stays so");
	await page.unroute(version);
});

await test("an answer that comes late", {}, async (page) => {
	const notes = "**/api/1/bots/sam/notes";
	let hold, free;
	const held = new Promise((done) => (hold = done));
	const freed = new Promise((done) => (free = done));

	await page.goto(PAGE);
	await paste(page, given.token);
	await says(page, "The token fits");
	await page.route(notes, async (route) => {
		hold();
		await freed;
		await route.continue();
	});
	await page.clock.install();
	await page.reload();
	await held;
	await page.clock.runFor(2000);
	await says(page, "Still asking");
	const answer = page.waitForResponse(notes);
	free();
	await (await answer).finished();
	await caughtUp(page);
	await status(page).filter({ hasText: /^The token fits\.$/ }).waitFor();
	ok(true, "what was said of it is not said any more");
	await page.unroute(notes);
});

// Waits until the account's part says so.
async function told(page, text)
{
	await page.waitForFunction((text) => document.querySelector(
		"#account [role=status]").textContent.includes(text), text);
	return ok(true, `it says "${text}"`);
}

// axe looks at each part once, on a desktop or on a phone by turns.
const SEEN = ["sign-up-desktop", "token-phone", "owner-desktop", "asks-phone",
	"forgotten-desktop"];

// Looks at the page as it is on a desktop and on a phone, and leaves it on the phone.
async function both(page, part)
{
	for (const [screen, { viewport }] of [["desktop", DESKTOP], ["phone", PHONE]]) {
		const name = `${part}-${screen}`;

		await page.setViewportSize(viewport);
		if (process.env.CHECK_ALL || SEEN.includes(name))
			await axe(page, `${name}: nothing serious for axe`);
		await fits(page, `${name} fits`);
		await show(page, name);
	}
}

// Waits until the page has taken the answers that came: it has this one after them.
function caughtUp(page)
{
	return page.evaluate(async () => (await fetch("/")).text());
}

// Acts while an answer with the owner's bots is on its way, until the page has it.
async function late(page, owner, act)
{
	const path = `/api/1/owners/${owner}`;
	let go;
	const gone = new Promise((resolve) => {
		go = resolve;
	});
	const came = page.waitForEvent("requestfinished",
		(request) => request.url().endsWith(path));

	await page.route(`**${path}`, async (route) => {
		const response = await route.fetch();

		await gone;
		await route.fulfill({ response });
	}, { times: 1 });
	await act();
	go();
	await came;
	await caughtUp(page);
}

// Acts, until the page has taken the answer to the question for games that this brings.
async function gamesAfter(page, act)
{
	const answer = page.waitForResponse(/\/games\?from=/);

	await act();
	await (await answer).finished();
	await caughtUp(page);
}

// Holds and fails requests for the games of an owner: what stands on the page, and what is
// downloaded, are the last games that came.  Keys press the buttons, because what is said
// above moves them.
async function gamesAsked(page, owner)
{
	const filter = async (name) => {
		await page.getByLabel("opponent", { exact: true }).fill(name);
		await page.getByRole("button", { name: "Show" }).press("Enter");
	};
	const more = page.getByRole("button", { name: "More games" });
	const none = page.getByText("No such game");
	const refuse = (route) => route.fulfill({ status: 503, body: "503: not now\n" });
	let answer = (route) => route.continue();

	await page.route(`**/api/1/owners/${owner}/*?*`, (route) => answer(route));
	const held = new Promise((done) => {
		answer = (route) => route.request().url().includes("other=") ?
			route.continue() : done(route);
	});
	await filter("");
	const older = await held;
	await filter("nobody");
	await none.waitFor();
	await gamesAfter(page, () => older.continue());
	ok(await none.isVisible(),
		"the games of an older filter do not replace those of a newer one");
	// The bot may have played less than a page of games, or more.
	answer = async (route) => {
		const response = await route.fetch();

		await route.fulfill({ response, json: { ...await response.json(),
			next: 101 } });
	};
	await filter("");
	await more.waitFor();
	answer = refuse;
	await gamesAfter(page, () => more.press("Enter"));
	const records = page.waitForRequest(/\/records\?/);
	// The request is enough.
	await page.getByRole("button", { name: "Download" }).press("Enter");
	const { searchParams } = new URL((await records).url());
	equal([searchParams.get("from"), searchParams.get("other")], ["1", null],
		"if more games do not come, the records are those of the shown ones");
	await (await (await records).response()).finished();
	await gamesAfter(page, () => filter("nobody"));
	await told(page, "Not now.");
	answer = (route) => route.continue();
	await gamesAfter(page, () => filter(""));
	equal(await page.locator("#account [role=status]").textContent(), "",
		"that they did not come is not said of those that came");
	await page.unroute(`**/api/1/owners/${owner}/*?*`);
	page.said = page.said.filter((one) => !one.includes(" 503"));
}

// Goes from the front page to an account, makes a bot, uploads its program, and
// looks at its games.
async function comeIn(page, owner, bot)
{
	await page.goto(given.base);
	await page.getByRole("link", { name: "make an account" }).click();
	await page.getByLabel("Code").fill("0".repeat(16));
	await page.getByLabel("Your name").fill(owner);
	await stranger(page);
	await page.getByRole("button", { name: "Make the account" }).click();
	await told(page, "Wrong code, or one that has ended");
	page.said = page.said.filter((one) => !one.includes(" 401"));
	await both(page, "sign-up");
	await page.getByLabel("Code").fill(given.code);
	await page.getByLabel("Your name").press("Enter");
	await told(page, "The account is made");
	const token = await page.locator(".new-token pre").textContent();
	ok(/^[0-9a-f]{32,}$/.test(token), "a token", token);
	ok((await page.locator(".new-token").textContent()).includes("only this once"),
		"a sentence says to keep it");
	await page.getByRole("button", { name: "Copy" }).click();
	await told(page, "copied");
	equal(await page.evaluate(() => navigator.clipboard.readText()), token,
		"it can be copied");
	await both(page, "token");
	await page.getByRole("link", { name: "Go on" }).click();
	equal(await page.locator(".top").getByRole("link", { name: "Your bots" })
		.getAttribute("href"), `../owners/${owner}`, "a link in the head");
	await page.getByLabel("Name of a new bot").fill(bot);
	await page.getByRole("button", { name: "Make the bot" }).click();
	await told(page, `The bot ${bot} is made`);
	ok((await page.locator(".new-token").textContent()).includes(bot),
		"its token is shown");
	await page.locator(`select[name=bot] option[value="${bot}"]`)
		.waitFor({ state: "attached" });
	ok(true, "and its games can be chosen");
	const part = page.locator(`[data-bot="${bot}"]`);
	await part.locator("[type=file]").setInputFiles(given.broken);
	await part.getByRole("button", { name: "Upload" }).click();
	await told(page, `The upload of ${bot} failed:`);
	ok((await part.textContent()).includes("Its last upload failed on"),
		"an upload that failed is told");
	equal(await part.getByRole("link", { name: "Its log" }).getAttribute("href"),
		`../bots/${bot}#log`, "with its log");
	const other = await page.context().newPage();
	await other.goto(`${given.base}/bots/${bot}`);
	const fresh = other.getByText("It has no rated game yet.");
	await fresh.waitFor();
	await part.locator("[type=file]").setInputFiles(
		`${given.folder}/${bot}.tar.gz`);
	await part.getByRole("button", { name: "Upload" }).click();
	await told(page, `The upload is imported: ${bot} has this version now.`);
	ok(await ask("rated", bot), "it plays");
	await fresh.waitFor({ state: "detached" });
	await other.locator("#now #games").waitFor();
	ok(true, "a page of the bot that is open shows its first games by itself");
	await other.close();
	await part.locator("tbody tr svg.cell-bar").first().waitFor({ state: "attached" });
	ok(true, "so does the owner's page");
	await page.locator("table.games tbody tr").first().waitFor();
	ok(true, "with the games");
	await part.locator("[type=file]").setInputFiles(
		`${given.folder}/${bot}.tar.gz`);
	await part.getByText("Try it in games").click();
	await part.getByLabel("Games", { exact: true }).fill("2");
	await part.getByLabel("Opponents").fill("random,house");
	await part.getByLabel("Opponents").press("Enter");
	await told(page, "The table has 1 other seat: name 1 opponent.");
	page.said = page.said.filter((one) => !one.includes(" 400"));
	await part.getByLabel("Opponents").fill("random");
	await part.getByLabel("Opponents").press("Enter");
	await told(page, `The trial of ${bot} is over.`);
	await part.getByText("against random. It is over.").waitFor();
	ok(true, "its card says how a trial went");
	await page.reload();
	await part.locator("tbody tr svg.cell-bar").first().waitFor({ state: "attached" });
	const game = page.locator("table.games tbody tr").first();
	await game.waitFor();
	equal(await page.locator("table.games thead th").allTextContents(),
		["game", "places and points", "ended (UTC)"], "no worst decisions");
	equal(await page.locator("option[value=worst]").count(), 0, "here there are none");
	ok(/^[0-9a-f]{8}/.test(await game.locator("th").textContent()),
		"a game has the name that all pages use");
	equal(await page.locator(".new-token").count(), 0, "the token is shown once");
	await both(page, "owner");
	await gamesAsked(page, owner);
	await game.waitFor();
	const download = page.waitForEvent("download");
	await page.getByRole("button", { name: "Download" }).press("Enter");
	equal((await download).suggestedFilename(), `${owner}.tar`, "its records");
	await part.getByText("Withdraw it", { exact: true }).click();
	await part.getByText("It leaves the ladders").waitFor();
	await both(page, "asks");
	// The bots' parts are made again, and the question stays.
	await page.getByLabel("Name of a new bot").fill(`${bot}-two`);
	await page.getByRole("button", { name: "Make the bot" }).click();
	await page.locator(`[data-bot="${bot}-two"]`).waitFor();
	ok(await part.getByText("It leaves the ladders").isVisible(),
		"a question stays while the rest changes");
	await part.getByRole("button", { name: "Yes, withdraw it" }).click();
	await told(page, "is withdrawn");
	await part.getByText("It is withdrawn").waitFor();
	await part.getByRole("button", { name: "play again" }).click();
	await told(page, "plays again");
	await part.getByText("Withdraw it", { exact: true }).waitFor();
	equal(await page.evaluate(() => document.activeElement.textContent),
		"Withdraw it", "the focus stays where it was");
	await page.getByText("Replace my token", { exact: true }).click();
	await page.getByRole("button", { name: "Yes, replace my token" }).click();
	await told(page, "You have a new token");
	const tokens = await page.locator(".new-token pre").allTextContents();
	equal([tokens.length, tokens[0] !== token], [2, true],
		"another token, beside that of the bot that was made");
	await game.locator("a").click();
	await page.locator("#views a[data-view='0'], #views a[data-view='1']")
		.first().waitFor();
	ok(true, "and the replay as the bot saw it");
	await page.goto(`${given.base}/bots/${bot}`);
	await page.getByLabel("A new version").waitFor();
	ok(true, "the bot's page is open to the owner, too");
	await page.getByRole("button", { name: "Forget" }).click();
	const fields = page.locator("#author form");
	await fields.getByLabel("or of the owner").fill(owner);
	await paste(page, await page.evaluate((key) => sessionStorage.getItem(key),
		`referee-owner:${owner}`));
	await says(page, "The token fits");
	// This is what another tab has after the token was replaced.
	await page.evaluate(([key, old]) => sessionStorage.setItem(key, old),
		[`referee-owner:${owner}`, token]);
	const valid = await page.evaluate((key) => sessionStorage.getItem(key).split(" ")[1],
		`referee-token:${bot}`);
	await stranger(page);
	await page.goto(`${given.base}/owners/${owner}`);
	await page.getByLabel("Token of the owner").waitFor();
	await told(page, "is not valid any more");
	page.said = page.said.filter((one) => !one.includes(" 401"));
	equal(await page.evaluate((key) => sessionStorage.getItem(key),
		`referee-owner:${owner}`), null, "a token that was replaced is dropped");
	await page.getByLabel("Token of the owner").fill(valid);
	await page.getByLabel("Token of the owner").press("Enter");
	await told(page, "The token fits");
	await ask("ban", owner);
	await page.reload();
	await told(page, "You are banned: two accounts; ask the organiser.");
	page.said = page.said.filter((one) => !one.includes(" 403"));
	await page.getByLabel("Token of the owner").waitFor();
	await ask("unban", owner);
	await page.reload();
	await part.waitFor();
	ok(true, "the token is kept while its owner is banned");
	await page.goto(`${given.base}/sign-up`);
	await page.getByLabel("Name of your account").fill(owner);
	await page.getByRole("button", { name: "Go to your bots" }).click();
	const two = page.locator(`[data-bot="${bot}-two"]`);
	await two.waitFor();
	const path = `**/api/1/owners/${owner}`;
	const missed = page.waitForResponse((one) => one.status() === 503);
	await page.route(path, (route) => route.fulfill({ status: 503,
		body: "503: not now\n" }));
	await two.getByText("Replace its token", { exact: true }).click();
	await two.getByRole("button", { name: "Yes, replace its token" }).click();
	await (await missed).finished();
	await caughtUp(page);
	equal(await page.locator("#account [role=status]").textContent(),
		`${bot}-two has a new token; the old one is invalid.`,
		"a look that fails says nothing in the place of what was done");
	await page.unroute(path);
	ok(await page.waitForResponse((one) => one.ok() &&
		one.url().endsWith(`/api/1/owners/${owner}`)), "and comes again");
	page.said = page.said.filter((one) => !one.includes(" 503"));
	await late(page, owner, async () => {
		await two.getByText("Replace its token", { exact: true }).click();
		await two.getByRole("button", { name: "Yes, replace its token" }).click();
		await told(page, "has a new token");
		await page.getByRole("button", { name: "Forget" }).click();
		await told(page, "forgotten");
	});
	equal(await page.evaluate(() => Object.keys(sessionStorage).filter(
		(key) => !key.startsWith("referee-called:"))), [], "nothing is left");
	await both(page, "forgotten");
}

await test("from a code to games", { screen: PHONE }, async (page) => {
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await comeIn(page, "ann", "ace");
});

await test("without JavaScript", NO_SCRIPT, async (page) => {
	await page.goto(PAGE);
	ok((await page.locator("#author").textContent())
		.includes("/api/1/bots/sam/log"), "a page says what to ask for");
	equal(await page.locator("#author form").count(), 0, "no dead form");
});

// `sam` is `samuel` now.
await test("a bot that was renamed", {}, async (page) => {
	const game = await ask("rename");

	await page.goto(PAGE);
	await paste(page, given.token);
	await says(page, "The token fits");
	const asked = page.waitForRequest((one) =>
		one.url().endsWith("/api/1/bots/samuel/notes") &&
		one.headers()["x-bot"] === "samuel");

	await page.goto(`${given.base}/games/${game}`);
	await asked;
	ok(true, "and its games, which call it sam, ask with it");
});
await end();
