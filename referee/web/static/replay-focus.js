// referee/web/static/replay-focus.js - keeps the focus when a page loads itself
// again, so that a keyboard user can go on.

const KEY = "referee-focus"; // in sessionStorage

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
		sessionStorage.setItem(KEY, nameOf(one));
	location.reload();
}

// Restores the focus; call it when the page is complete.
export function restoreFocus()
{
	const name = sessionStorage.getItem(KEY);

	sessionStorage.removeItem(KEY);
	if (name !== null && document.activeElement === document.body)
		[...document.querySelectorAll("main :is(a, button, input, select, " +
			"[tabindex])")].find((one) => nameOf(one) === name)?.focus(
			{ preventScroll: true });
}
