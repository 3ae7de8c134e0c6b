// referee/serve/static/token.js - the tokens of bots that their author has pasted.
//
// A token is in sessionStorage, until the tab is closed or it is forgotten, and goes
// nowhere but into the headers of requests to this referee.

const TOKEN = "referee-token:"; // and the name of the bot

// null: none is here.
export function tokenOf(bot)
{
	return sessionStorage.getItem(TOKEN + bot);
}

export function keepToken(bot, token)
{
	sessionStorage.setItem(TOKEN + bot, token);
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
