// referee/web/static/owner.js - an owner's page: with the owner's token it shows the
// bots and their games, makes bots and tokens, withdraws bots and uploads programs.
import { ask, makeSaid, NAME, tokenShown } from "./account.js";
import { make, words } from "./elements.js";
import { gamesPart } from "./owner-games.js";
import { forgetOwner, keepOwner, ownerHeaders, ownerToken, tokenForm, tokenOf }
	from "./token.js";
import { uploadForm } from "./upload.js";

const ASK_MS = 2000; // between two requests while an upload waits
const part = document.getElementById("account");
const { root, owner } = part.dataset;
const { said, say } = makeSaid();
const fresh = make("div"); // a token that is shown once
const shown = make("div"), bots = make("div");
const form = tokenForm("owner", open);
const later = { timer: 0 }; // of the next look at an upload that waits

function begin()
{
	forgetOwner(owner);
	fresh.replaceChildren();
	shown.replaceChildren(form);
}

function press(text, act)
{
	const button = make("button", { type: "button" }, text);

	button.addEventListener("click", act);
	return button;
}

// Asks for a change, says that it is `done`, and shows what is there now.  If the
// answer is a token, shows it once as that of `what`.
async function change(path, what, done)
{
	const answer = await ask(say, root + path, { method: "PUT",
		headers: ownerHeaders(owner, ownerToken(owner)) });

	if (!answer?.ok)
		return;
	const { token } = JSON.parse(answer.said);

	if (token && what === owner)
		keepOwner(owner, token, []);
	fresh.replaceChildren(...token ? [tokenShown(what, token, say)] : []);
	say(done);
	await refresh();
	fresh.querySelector("button")?.focus();
}

// ---- a bot --------------------------------------------------------------------

function elo(value)
{
	return make("td", { class: "n" }, typeof value === "number" ?
		words(value.toFixed(0)) : "\u2013");
}

function standing(bot, { ladder, elo: fitted, live_elo_milli, from, to, games,
	faults })
{
	const charged = Object.values(faults).reduce((sum, n) => sum + n, 0);

	return make("tr", {}, make("th", { scope: "row" },
		make("a", { href: `${root}ladders/${ladder}` }, ladder)),
	elo(fitted ?? live_elo_milli / 1000), elo(from), elo(to),
	make("td", { class: "n middling" }, String(games)),
	make("td", { class: "n" }, charged === 0 ? "0" : make("a", {
		href: `${root}bots/${bot}?ladder=${ladder}#faults` },
	String(charged))));
}

// Returns where the bot stands, and why it is suspended where it is.
function standings({ ladders, plays_as })
{
	const title = (text, kind) => make("th", { scope: "col", class: kind }, text);

	if (ladders.length === 0)
		return [make("p", {}, "It has not played yet.")];
	return [make("table", {}, make("thead", {}, make("tr", {}, title("ladder"),
		title("Elo", "n"), title("from", "n"), title("to", "n"),
		title("games", "n middling"), title("faults", "n"))),
	make("tbody", {}, ...ladders.map((at) => standing(plays_as, at)))),
	...ladders.filter(({ suspended }) => suspended).map(({ ladder, why }) =>
		make("p", { class: "wrong" }, `On the ladder ${ladder}: ${why}.`))];
}

// Returns what runs and waits for a bot, as a sentence with links.
function doing({ running, before })
{
	const links = running.map(({ id, ladder, elsewhere }) => elsewhere ?
		`${ladder} (on another machine)` :
		make("a", { href: `${root}live?game=${id}` }, `on ${ladder}`));

	return make("p", {}, ...links.length === 0 ? ["It plays no game now. "] :
		["It plays now: ", ...links.flatMap((one) => [one, " "])],
	before === undefined ? null : before === 0 ?
		"An upload is being imported now." :
		`An upload waits; ${before} before it.`);
}

function state({ state, why, version, token, token_used })
{
	return `It is ${state}${why ? ` (${why})` : ""}` +
		(version ? `, version ${version}` : "") + ". " +
		(!token ? "It has no token." : token_used ?
			`Its token was last used on ${token_used}.` :
			"Its token was never used.");
}

function botPart(one, uploads)
{
	const { bot } = one;
	const off = one.state === "disabled";

	return make("section", { class: "card", "data-bot": bot },
		make("h3", {}, make("a", { href: `${root}bots/${bot}` }, bot)),
		make("p", {}, state(one)), ...standings(one), doing(one),
		make("p", { class: "tools" },
			press("Replace its token", () => change(`bots/${bot}/token`, bot,
				`${bot} has a new token; the old one is invalid.`)),
			off ? press("Let it play again", () => change(
				`bots/${bot}/playing`, bot, `${bot} plays again.`)) :
				press("Withdraw it", () => change(`bots/${bot}/withdrawn`,
					bot, `${bot} is withdrawn.`))),
		uploads && !off ? uploadForm({ root, bot, token: tokenOf(bot),
			id: `archive-${bot}`, say, taken: refresh }) : null);
}

function newBot()
{
	const name = make("input", { id: "new-bot", ...NAME });
	const made = make("form", {}, make("label", { for: "new-bot" },
		"Name of a new bot"), " ", name, " ", make("button", {}, "Make the bot"));

	made.addEventListener("submit", (event) => {
		const bot = name.value.trim();

		event.preventDefault();
		if ([...bots.children].some((one) => one.dataset.bot === bot))
			return say(`You have a bot ${bot} already.`, true);
		name.value = "";
		change(`bots/${encodeURIComponent(bot)}/token`, bot,
			`The bot ${bot} is made.`);
	});
	return made;
}

// ---- all of it ----------------------------------------------------------------

async function look(token)
{
	const answer = await ask(say, `${root}api/1/owners/${owner}`,
		{ headers: ownerHeaders(owner, token) });

	if (answer?.ok)
		return JSON.parse(answer.said);
	if (answer && answer.status < 500 && answer.status !== 429)
		begin();
	return null;
}

// Calls `act`, which makes the bots' parts again, and gives the focus back to the same
// place.
function keepFocus(act)
{
	const places = (one) => [...one?.querySelectorAll("h3 a, button, input") ?? []];
	const had = document.activeElement;
	const within = bots.contains(had) ? had.closest("[data-bot]") : null;
	const place = places(within).indexOf(had);

	act();
	if (within)
		places(bots.querySelector(`[data-bot="${within.dataset.bot}"]`))[place]
			?.focus();
}

function showBots(found)
{
	// A chosen file is kept while the rest changes.
	const chosen = new Map([...bots.querySelectorAll("[type=file]")]
		.filter((file) => file.files.length > 0)
		.map((file) => [file.id, file.closest("form")]));

	bots.replaceChildren(...found.bots.map((one) =>
		botPart(one, found.uploads)));
	for (const [id, form] of chosen)
		bots.querySelector(`#${CSS.escape(id)}`)?.closest("form")
			.replaceWith(form);
	if (found.bots.length === 0)
		bots.replaceChildren(make("p", {}, "You have no bot yet."));
	clearTimeout(later.timer);
	if (found.bots.some(({ before }) => before !== undefined))
		later.timer = setTimeout(refresh, ASK_MS);
}

// Shows again what the owner has now.
async function refresh()
{
	const token = ownerToken(owner);
	const found = token && await look(token);

	if (!found)
		return;
	keepOwner(owner, token, found.bots);
	keepFocus(() => showBots(found));
}

async function open(token)
{
	const first = ownerToken(owner) !== token;
	const found = await look(token);

	if (!found)
		return;
	keepOwner(owner, token, found.bots);
	shown.replaceChildren(make("h2", {}, "Bots"), bots, newBot(),
		make("h2", { id: "games" }, "Games"),
		gamesPart({ root, owner, say, bots: found.bots }),
		make("h2", {}, "Your token"),
		make("p", {}, found.token_used ?
			`It was last used on ${found.token_used}.` : null),
		make("p", { class: "tools" },
			press("Replace my token", () => change(`owners/${owner}/token`,
				owner, "You have a new token; the old one is invalid.")),
			press("Forget the token", () => {
				begin();
				say("The token is forgotten.");
				form.querySelector("input").focus();
			})));
	showBots(found);
	if (first)
		say("The token fits.");
}

part.replaceChildren(said, fresh, shown);
if (ownerToken(owner) === null)
	begin();
else
	open(ownerToken(owner));
