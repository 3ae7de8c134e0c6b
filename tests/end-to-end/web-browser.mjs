// tests/end-to-end/web-browser.mjs - pages in headless Chromium, for
// test-web-pages.py:
//
//	node web-browser.mjs BASE PATH...
//
// prints a line of JSON for each page on each screen.  NODE_MODULES has
// playwright-core and axe-core.  With SHOTS, a folder, pictures go there.
import { createRequire } from "node:module";

const require = createRequire(process.env.NODE_MODULES + "/");
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;
const AXE_ROWS = 200; // a larger table takes axe too long
const screens = [
	{ screen: "desktop", viewport: { width: 1280, height: 800 } },
	{ screen: "phone", viewport: { width: 360, height: 640 },
	  hasTouch: true, colorScheme: "dark" },
];

// What a page looks like from inside.
function look() {
	const inText = "p, .prose td, .prose li, .skip, .lines";
	const small = [...document.querySelectorAll(
		"a, button, input, select")]
		.filter((one) => !one.closest(inText))
		.map((one) => [one.getBoundingClientRect(), one.textContent])
		.filter(([box]) => box.width > 0 &&
			(box.height < 43.5 || box.width < 24))
		.map(([box, text]) => `${text}: ${box.width} x ${box.height}`);
	const root = document.documentElement;
	return {
		wide: root.scrollWidth - root.clientWidth,
		styled: getComputedStyle(document.body).maxWidth !== "none",
		rows: document.querySelectorAll("tr").length,
		small,
	};
}

async function painted(page) {
	const name = "first-contentful-paint";
	const get = (name) => performance.getEntriesByName(name)[0]?.startTime;
	const handle = await page.waitForFunction(get, name, { timeout: 5000 })
		.catch(() => null);
	return handle && handle.jsonValue();
}

async function serious(page) {
	await page.evaluate(axe);
	const found = await page.evaluate(() => axe.run(document,
		{ resultTypes: ["violations"] }));
	return found.violations
		.filter((one) => ["serious", "critical"].includes(one.impact))
		.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`);
}

const [base, ...paths] = process.argv.slice(2);
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
	       "--no-first-run", "--disable-background-networking",
	       "--disable-component-update", "--disable-sync"],
});
for (const { screen, ...options } of screens) {
	const context = await browser.newContext(options);
	for (const path of paths) {
		const page = await context.newPage();
		const said = [];
		page.on("console", (one) => said.push(one.text()));
		page.on("pageerror", (one) => said.push(String(one)));
		await page.goto(base + path);
		const seen = { screen, path, painted: await painted(page),
			       ...await page.evaluate(look) };
		if (process.env.SHOTS)
			await page.screenshot({ path: `${process.env.SHOTS}/` +
				screen + path.replace(/[^a-z0-9]+/g, "-") +
				".png" });
		seen.serious = seen.rows > AXE_ROWS ? [] : await serious(page);
		console.log(JSON.stringify({ ...seen, said }));
		await page.close();
	}
	await context.close();
}
await browser.close();
