// referee/web/static/token.js - keeps the tokens of bots that their author has
// pasted.  A token is in sessionStorage until the tab is closed or it is
// forgotten, and is only sent in headers of requests to this referee.

const TOKEN = "referee-token:"; // followed by the name of the bot

// Records keep the first name of a bot, and call its versions FIRST.N; its
// present name is kept beside its token.
const CALLED = "referee-called:"; // followed by the bot's name in records

// Returns the token of a bot; null: it is not here.
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

// Returns the headers of a request with this token.
export function headersOf(bot, token)
{
	return { "X-Bot": bot, Authorization: `Bearer ${token}` };
}
