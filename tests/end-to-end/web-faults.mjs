// tests/end-to-end/web-faults.mjs - fails outside of its tests, for
// test-web-faults.py.
import { end, given, loads, ok, test } from "./web.mjs";

await test("a listener throws", {}, async (page) => {
	const thrown = new Promise((done) => page.on("request", () => {
		setImmediate(done);
		throw new Error("thrown in a listener");
	}));

	await page.goto(given.page);
	await thrown;
});

await test("a promise fails", {}, async (page) => {
	Promise.reject(new Error("rejected beside a test"));
	await page.goto(given.page);
});

await test("a page is closed while it loads", {}, async (page) => {
	const loaded = loads(page);

	await page.route("**/late", (route) => route.fulfill({ body: "late" }));
	await page.goto(given.page);
	await page.evaluate(() => {
		for (let i = 0; i < 20; i++)
			fetch("/late");
	});
	ok((await loaded()).length > 0, "what has come is told");
});

if (given.throws)
	throw new Error("thrown by the script");
await end();
