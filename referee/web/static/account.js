// referee/web/static/account.js - what the scripts of authors share: they ask the
// referee and say what became of it.
import { make } from "./elements.js";

const LATE_MS = 1500;

// The attributes of a field for the name of an owner or a bot.
export const NAME = { required: "", maxlength: "32", autocomplete: "off",
	pattern: "\\s*[A-Za-z0-9][A-Za-z0-9._\\-]*\\s*", spellcheck: "false",
	autocapitalize: "none",
	title: "1 to 32 letters, digits, '.', '_' and '-', a letter or digit first" };

// Makes the line that tells the last event, also to screen readers; a link leads to what
// says more.  `say` returns a function that takes the sentence back if it still stands.
export function makeSaid()
{
	const said = make("p", { role: "status" });

	return { said, say: (text, wrong = false, link = null) => {
		const words = new Text(text);

		said.replaceChildren(words, ...link ? [" ", link] : []);
		said.classList.toggle("wrong", wrong);
		return () => words.isConnected && said.replaceChildren();
	} };
}

// Makes a button that asks once more: what it does is said first, and a second button
// calls `act`.
export function askingButton(text, what, act)
{
	const button = make("button", { type: "button" }, `Yes, ${text.toLowerCase()}`);
	const asks = make("details", { class: "asks" }, make("summary", {}, text),
		make("p", {}, what), button);

	button.addEventListener("click", () => {
		asks.open = false;
		act();
	});
	return asks;
}

// Returns `act` as a function that does nothing while it goes on with the same arguments:
// a button may be pressed twice, and be made again meanwhile.
export function once(act)
{
	const going = new Set();

	return async (...args) => {
		const what = args.join();

		if (going.has(what))
			return;
		going.add(what);
		await act(...args).finally(() => going.delete(what));
	};
}

const titleOf = (one) => one.querySelector("summary").textContent;

// Calls `act`, which makes the contents of `part` again, and unfolds again those of `which`
// that were unfolded; `name` tells one of them from the others.
export function keepUnfolded(part, act, { which = "details", name = titleOf } = {})
{
	const all = () => [...part.querySelectorAll(which)];
	const unfolded = new Set(all().filter(({ open }) => open).map(name));

	act();
	for (const one of all())
		one.open ||= unfolded.has(name(one));
}

// A refusal is `NUMBER: SENTENCE` and a line feed.
export function sentence(text)
{
	const plain = text.trim().replace(/^\d+: /, "");

	return plain.charAt(0).toUpperCase() + plain.slice(1) +
		(plain.endsWith(".") ? "" : ".");
}

// Said of a token that the referee refuses, although this tab has kept it.
export const REPLACED = "The token that this tab kept is not valid any more: paste the " +
	"one that is.";

// Asks the referee.  Returns the answer with its text as `said`, unless it is a `file`; or
// null, and says what is wrong with `say`.  Calls `late` while there is no answer yet.
export async function ask(say, path, options, { file = false, late } = {})
{
	// A wrong code or token is answered late, and later each time.
	const timer = setTimeout(() => {
		say("Still asking: after a wrong code or token the answer takes a while.");
		late?.();
	}, LATE_MS);
	let answer;

	try {
		answer = await fetch(path, { cache: "no-store", ...options });
		if (!answer.ok || !file)
			answer.said = await answer.text();
	} catch {
		// fetch() throws if there is no answer, or if a header has characters that
		// it must not have.
		say("There was no answer; is all of it pasted whole?", true);
		return null;
	} finally {
		clearTimeout(timer);
	}
	if (!answer.ok)
		say(sentence(answer.said), true);
	return answer;
}

// Shows a token once, with a button that copies it.
export function tokenShown(what, token, say)
{
	const copy = make("button", { type: "button" }, "Copy the token");

	copy.addEventListener("click", async () => {
		try {
			await navigator.clipboard.writeText(token);
			say("The token is copied.");
		} catch {
			say("The browser does not allow that; mark the token and " +
				"copy it.", true);
		}
	});
	return make("div", { class: "card new-token", "data-of": what },
		make("h2", {}, `The token of ${what}`),
		make("pre", { tabindex: "0" }, token),
		make("p", {}, "Keep it now, in a safe place: it is shown only this " +
			"once. Who has it can act in your name."),
		copy);
}
