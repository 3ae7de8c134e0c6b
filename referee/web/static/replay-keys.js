// referee/web/static/replay-keys.js - the keys, wheel and swipes of a replay,
// and their help.
import { make } from "./elements.js";

const WHEEL_PIXELS = 60; // pixels of one step
const SWIPE_PIXELS = 40;

const HELP = [
	["← →", "a decision back or on"],
	["Shift ← →", "a round back or on"],
	[", .", "a line back or on"],
	["Home End", "the first or the last line"],
	["Space", "play or stop"],
	["1 … 5", "speed of play"],
	["v", "the next view"],
	["h", "only one hand: what would you do?"],
	["f", "the next fault"],
	["/", "only lines with some words"],
	["c", "copy the link and the position"],
	["?", "these keys"],
];

// Single keys can be in the way of speech input and of other tools.
const OFF = "referee-keys-off"; // in sessionStorage

function isOff()
{
	return sessionStorage.getItem(OFF) !== null;
}

function createSwitch()
{
	const box = make("input", { type: "checkbox" });

	box.checked = !isOff();
	box.addEventListener("change", () => box.checked ?
		sessionStorage.removeItem(OFF) : sessionStorage.setItem(OFF, "1"));
	return make("label", {}, box, " Keys work (until the tab is closed)");
}

// Makes a dialog that lists all keys and can turn them off.
export function createHelp()
{
	const close = make("button", { type: "button" }, "Close");
	const dialog = make("dialog", { class: "help",
		"aria-labelledby": "help-title" },
	make("h2", { id: "help-title" }, "Keys"),
	make("dl", {}, ...HELP.map(([keys, text]) => make("div", {},
		make("dt", {}, make("kbd", {}, keys)), make("dd", {}, text)))),
	make("p", {}, "The wheel over the table and a swipe step, too. On the " +
		"strip, ← and → go from ask to ask."),
	createSwitch(), close);

	close.addEventListener("click", () => dialog.close());
	return dialog;
}

// Returns true if the focused element uses keys itself.
function isTaken(event)
{
	const { target, key } = event;

	if (event.defaultPrevented || event.ctrlKey || event.altKey ||
	    event.metaKey || target.closest?.("dialog"))
		return true;
	if (target.closest?.("input, textarea"))
		return true;
	return target.closest?.("select, button, summary") !== null &&
		(key === " " || (target.localName === "select" &&
			/^(Arrow|Home|End|\w$)/.test(key)));
}

// Handles keys: `keys` has a function for each name, with Shift+ if that
// matters.
export function onKeys(keys)
{
	document.addEventListener("keydown", (event) => {
		const name = event.shiftKey && event.key.length > 1 ?
			`Shift+${event.key}` : event.key;

		if (isOff() || isTaken(event) || !Object.hasOwn(keys, name))
			return;
		event.preventDefault();
		keys[name]();
	});
}

// Steps with the wheel. step(by) returns true if there was a step: at the ends
// the page scrolls.
export function onWheel(area, within, step)
{
	let turned = 0;

	area.addEventListener("wheel", (event) => {
		if (event.ctrlKey || !event.target.closest(within) ||
		    Math.abs(event.deltaX) > Math.abs(event.deltaY))
			return;
		// Lines and pages are counted as browsers scroll them.
		turned += event.deltaY * [1, 20, 400][event.deltaMode];
		if (Math.abs(turned) < WHEEL_PIXELS) {
			event.preventDefault();
			return;
		}
		if (step(Math.sign(turned)))
			event.preventDefault();
		turned = 0;
	}, { passive: false });
}

export function onSwipe(area, within, step)
{
	let from = null;

	area.addEventListener("touchstart", (event) => {
		from = event.touches.length === 1 && event.target.closest(within) ?
			event.touches[0] : null;
	}, { passive: true });
	area.addEventListener("touchend", (event) => {
		if (from === null)
			return;
		const to = event.changedTouches[0];
		const right = to.clientX - from.clientX;
		const down = to.clientY - from.clientY;

		from = null;
		if (Math.abs(right) >= SWIPE_PIXELS &&
		    Math.abs(right) > 2 * Math.abs(down))
			step(right < 0 ? 1 : -1);
	}, { passive: true });
}
