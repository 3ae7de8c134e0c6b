// referee/web/static/token.js - the tokens of bots that their author has pasted.
//
// A token is in sessionStorage, until the tab is closed or it is forgotten, and goes
// nowhere but into the headers of requests to this referee.

const TOKEN = "referee-token:"; // and the name of the bot

// Records go on calling a bot as it was called first, and its versions FIRST.N; who
// it is now is kept beside its token.
const CALLED = "referee-called:"; // and what a record calls the bot

// null: none is here.
export function tokenOf(bot)
{
	return sessionStorage.getItem(TOKEN + bot);
}

// `names`: what records call the bot.
export function keepToken(bot, token, names)
{
	sessionStorage.setItem(TOKEN + bot, token);
	for (const name of names)
		sessionStorage.setItem(CALLED + name, bot);
}

// What the bot is called now that records call so, as far as that is known here.
export function calledNow(name)
{
	return sessionStorage.getItem(CALLED + name) ?? name;
}

export function forgetToken(bot)
{
	sessionStorage.removeItem(TOKEN + bot);
}

// Of a request by who has this token.
export function headersOf(bot, token)
{
	return { "X-Bot": bot, Authorization: `Bearer ${token}` };
}
