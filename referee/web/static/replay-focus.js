// referee/web/static/replay-focus.js - keeps the focus, and the words that lines are
// searched for, when a page loads itself again, so that its reader can go on.

// In sessionStorage, for this page alone.
const FOCUS = `referee-focus ${location.pathname}`;
const WORDS = `referee-words ${location.pathname}`;

const search = () => document.querySelector(".filter input");

// Returns a name that is the same for one control of both pages.  The target of
// a step may change; the target of a line is its name.
function nameOf(one)
{
	const text = !one.matches("a, button, input, select") ? "" :
		one.closest(".lines") ? one.getAttribute("href") :
			(one.closest("label") ?? one).textContent;

	return [one.localName, one.id, one.className, one.getAttribute("role"),
		text].join(" ");
}

export function reloadPage()
{
	const one = document.activeElement;

	if (one !== null && one !== document.body)
		sessionStorage.setItem(FOCUS, nameOf(one));
	sessionStorage.setItem(WORDS, search()?.value ?? "");
	location.reload();
}

// Restores both; call it when the page is complete.
export function restorePage()
{
	const name = sessionStorage.getItem(FOCUS), words = sessionStorage.getItem(WORDS);

	sessionStorage.removeItem(FOCUS);
	sessionStorage.removeItem(WORDS);
	if (words) {
		search().value = words;
		search().dispatchEvent(new Event("input"));
	}
	if (name !== null && document.activeElement === document.body)
		[...document.querySelectorAll("main :is(a, button, input, select, " +
			"[tabindex])")].find((one) => nameOf(one) === name)?.focus(
			{ preventScroll: true });
}
