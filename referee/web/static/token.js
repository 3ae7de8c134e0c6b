// referee/web/static/token.js - keeps the tokens that an author has pasted: of
// bots, or of their owner.  A token is in sessionStorage until the tab is closed
// or it is forgotten, and is only sent in headers of requests to this referee.
import { make } from "./elements.js";
import { OWNER, showOwner } from "./head.js";

// Followed by the name of the bot.  The value is the bot's TOKEN, or OWNER TOKEN:
// the token of its owner.
const TOKEN = "referee-token:";

// Records keep the first name of a bot, and call its versions FIRST.N; its
// present name is kept beside its token.
const CALLED = "referee-called:"; // followed by the bot's name in records

// Returns the token of a bot, as headersOf() takes it; null: it is not here.
export function tokenOf(bot)
{
	return sessionStorage.getItem(TOKEN + bot);
}

// Keeps a token; `names` are the bot's names in records.
export function keepToken(bot, token, names)
{
	sessionStorage.setItem(TOKEN + bot, token);
	for (const name of names)
		sessionStorage.setItem(CALLED + name, bot);
}

// Returns the present name of a bot that records call `name`, if it is known
// here.
export function calledNow(name)
{
	return sessionStorage.getItem(CALLED + name) ?? name;
}

export function forgetToken(bot)
{
	sessionStorage.removeItem(TOKEN + bot);
}

// Returns the headers of a request as this bot.
export function headersOf(bot, token)
{
	const [owner, own] = token.split(" ");

	return own === undefined ?
		{ "X-Bot": bot, Authorization: `Bearer ${token}` } :
		{ "X-Bot": bot, ...ownerHeaders(owner, own) };
}

// ---- owners -------------------------------------------------------------------

export function ownerToken(owner)
{
	return sessionStorage.getItem(OWNER + owner);
}

// Keeps the token of an owner, who acts with it as each of these bots.
export function keepOwner(owner, token, bots)
{
	sessionStorage.setItem(OWNER + owner, token);
	for (const { bot, names } of bots)
		keepToken(bot, `${owner} ${token}`, names);
	showOwner();
}

export function forgetOwner(owner)
{
	sessionStorage.removeItem(OWNER + owner);
	for (const key of Object.keys(sessionStorage))
		if (key.startsWith(TOKEN) &&
			sessionStorage.getItem(key).startsWith(`${owner} `))
			sessionStorage.removeItem(key);
	showOwner();
}

export function ownerHeaders(owner, token)
{
	return { "X-Owner": owner, Authorization: `Bearer ${token}` };
}

// ---- the form -----------------------------------------------------------------

// Makes the form that asks for the token of `what`, and calls `open` with it.  With
// `owners` the token may also be that of the owner, whose name is asked for, too.
export function tokenForm(what, open, owners = false)
{
	const field = make("input", { id: "token", type: "password", required: "",
		autocomplete: "off", spellcheck: "false" });
	const name = make("input", { id: "owner", autocomplete: "off",
		spellcheck: "false" });
	const form = make("form", {},
		make("label", { for: "token" }, `Token of the ${what}`), " ", field,
		...owners ? [" ", make("label", { for: "owner" },
			"or of the owner, whose name is"), " ", name] : [],
		" ", make("button", {}, "Show"));

	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const token = field.value.trim(), owner = name.value.trim();

		field.value = "";
		open(owner === "" ? token : `${owner} ${token}`);
	});
	return form;
}
