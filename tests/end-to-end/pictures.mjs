// tests/end-to-end/pictures.mjs - for pictures.py: shows each of `paths` on
// each screen.
import { DARK, DESKTOP, PHONE, end, given, show, test } from "./web.mjs";

const SCREENS = { desktop: { screen: DESKTOP },
	"desktop-dark": { screen: DESKTOP, ...DARK },
	phone: { screen: PHONE }, "phone-dark": { screen: PHONE, ...DARK } };

for (const [screen, options] of Object.entries(SCREENS))
	for (const [name, path] of Object.entries(given.paths))
		await test(`${name} ${screen}`, { ...options,
			reducedMotion: "reduce" }, async (page) => {
			await page.goto(given.base + path);
			await show(page, `${name}-${screen}`);
		});
await end();
