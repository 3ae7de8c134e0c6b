// tests/bench/first-paint.mjs - for pages.py: each page has a new context, so
// that nothing is cached.
import { given, test, ask, end, painted } from "../end-to-end/web.mjs";

for (let i = 0; i < given.count; i++)
	for (const path of given.paths)
		await test(path, {}, async (page) => {
			await page.goto(given.base + path);
			await ask("painted", path, await painted(page));
		});
await end();
