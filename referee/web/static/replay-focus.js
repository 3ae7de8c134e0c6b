// referee/web/static/replay-focus.js - a page that loads itself again keeps the
// focus: a reader who steps by the keyboard goes on from there.

const KEY = "referee-focus"; // in sessionStorage

// The same for the same control of both pages.  What a step leads to may change; of a
// line it is the name.
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

// For a page that is complete.
export function restoreFocus()
{
	const name = sessionStorage.getItem(KEY);

	sessionStorage.removeItem(KEY);
	if (name !== null && document.activeElement === document.body)
		[...document.querySelectorAll("main :is(a, button, input, select, " +
			"[tabindex])")].find((one) => nameOf(one) === name)?.focus(
			{ preventScroll: true });
}
