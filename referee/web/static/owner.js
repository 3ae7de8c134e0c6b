// referee/web/static/owner.js - an owner's page: with the owner's token it shows the
// bots and their games, makes bots and tokens, withdraws bots and uploads programs.
import { ask, askingButton, keepUnfolded, makeSaid, NAME, once, REPLACED, tokenShown }
	from "./account.js";
import { make } from "./elements.js";
import { ELO_TITLES, eloCells, scaleOf } from "./elo.js";
import { listen } from "./events.js";
import { gamesPart } from "./owner-games.js";
import { forgetOwner, keepOwner, ownerHeaders, ownerToken, tokenForm, tokenOf }
	from "./token.js";
import { failedUpload, sayEnd, sayTrialOver, trialGoes, trialText, uploadForm }
	from "./upload.js";

const ASK_MS = 2000; // between two requests while an upload waits
const EACH_MS = 10000; // the least time between others: an answer reads all ladders
const IDLE_MS = 30000; // while a bot is on no ladder, of which the page would hear, or
			// after a look that failed
const TOPICS = 8; // of one stream of events
const part = document.getElementById("account");
const { root, owner } = part.dataset;
const { said, say } = makeSaid();
const fresh = make("div"); // a token that is shown once
const shown = make("div"), bots = make("div");
const form = tokenForm("owner", open);
const later = { timer: 0, at: Infinity }; // when the page looks again
const sent = new Map(); // bots whose uploads wait; true: for a trial
const trying = new Set(); // bots whose trials go on
const heard = { topics: "", stream: null, seen: new Map() }; // of ladders
let told = ""; // the answer that is shown
let looks = 0; // how often it was asked; an older answer does not count
let games = null, played = ""; // the part of the games, and how many there were

function begin()
{
	forgetOwner(owner);
	looks++;
	told = "";
	follow([]);
	clearTimeout(later.timer);
	later.at = Infinity;
	fresh.replaceChildren();
	if (!form.isConnected)
		shown.replaceChildren(form);
}

function press(text, act)
{
	const button = make("button", { type: "button" }, text);

	button.addEventListener("click", act);
	return button;
}

// Asks with the token, and says what is wrong with `tell`.  If it is refused, shows the
// form at once, unless it was forgotten or another was pasted meanwhile.
async function asked(path, options = {},
	{ file = false, token = ownerToken(owner), tell = say } = {})
{
	const kept = ownerToken(owner) === token;
	const answer = await ask(tell, root + path,
		{ ...options, headers: ownerHeaders(owner, token) }, { file,
			late: () => shown.hasChildNodes() || shown.append(form) });

	if (answer?.status === 401 &&
		(ownerToken(owner) ?? (kept ? null : token)) === token) {
		begin();
		if (kept)
			say(REPLACED, true);
	}
	return answer;
}

// Asks for a change, says that it is `done`, and shows what is there now.  If the
// answer is a token, shows it once as that of `what`, beside those of others.
const change = once(async (path, what, done) => {
	const old = ownerToken(owner);
	const answer = await asked(path, { method: "PUT" });

	if (!answer?.ok)
		return;
	const { token } = JSON.parse(answer.said);

	// A token that was forgotten meanwhile stays so, but its successor is shown.
	if (token && what === owner && ownerToken(owner) === old)
		keepOwner(owner, token, []);
	if (token) {
		[...fresh.children].find((one) => one.dataset.of === what)?.remove();
		fresh.prepend(tokenShown(what, token, say));
		fresh.querySelector("button").focus();
	}
	say(done);
	await refresh();
});

// ---- a bot --------------------------------------------------------------------

function standing(scale, bot, at)
{
	const { ladder, games, faults = {} } = at;
	const charged = Object.values(faults).reduce((sum, n) => sum + n, 0);

	return make("tr", {}, make("th", { scope: "row" },
		make("a", { href: `${root}ladders/${ladder}` }, ladder)),
	...eloCells(scale, at), make("td", { class: "n middling" }, String(games)),
	make("td", { class: "n" }, charged === 0 ? "0" : make("a", {
		href: `${root}bots/${bot}?ladder=${ladder}#faults` },
	String(charged))));
}

// Returns where the bot stands.  Before its first fit that is where it is paired: a new
// version where the version before it stands.
function rowsOf({ ladders })
{
	return ladders.map((at) => ({ ...at, elo: at.elo ?? at.paired_at }));
}

// Returns where the bot stands, and why it is suspended where it is.
function standings(scale, one)
{
	const rows = rowsOf(one);

	if (rows.length === 0)
		return [make("p", {}, "It has not played yet.")];
	return [make("table", {}, make("thead", {}, make("tr", {}, ...[["ladder"],
		...ELO_TITLES, ["games", "n middling"], ["faults", "n"]].map(
		([text, kind]) => make("th", { scope: "col", class: kind }, text)))),
	make("tbody", {}, ...rows.map((at) => standing(scale, one.plays_as, at)))),
	...rows.filter(({ suspended }) => suspended).map(({ ladder, why }) =>
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

// Returns how the bot's trial goes; null: it has none.
function trialNow({ bot, trial })
{
	return trial ? make("p", {}, make("a", { href: `${root}bots/${bot}#trial` },
		"Its trial"), `: ${trialText(trial)}`) : null;
}

function state({ state, why, version, token, token_used })
{
	return `It is ${state}${why ? ` (${why})` : ""}` +
		(version ? `, version ${version}` : "") + ". " +
		(!token ? "It has no token." : token_used ?
			`Its token was last used on ${token_used}.` :
			"Its token was never used.");
}

// Returns the button that withdraws the bot, or lets it play again; the organiser lets a
// disabled bot play.
function playing({ bot, state })
{
	if (state === "withdrawn")
		return press("Let it play again", () => change(`bots/${bot}/playing`, bot,
			`${bot} plays again.`));
	return state === "disabled" ? null : askingButton("Withdraw it",
		"It leaves the ladders, and loses its rank at once.",
		() => change(`bots/${bot}/withdrawn`, bot, `${bot} is withdrawn.`));
}

function botPart(one, scale, { uploads, trial_ladders: ladders })
{
	const { bot } = one;

	return make("section", { class: "card", "data-bot": bot },
		make("h3", {}, make("a", { href: `${root}bots/${bot}` }, bot)),
		make("p", {}, state(one)), failedUpload(one, `${root}bots/${bot}`),
		...standings(scale, one), doing(one), trialNow(one),
		make("div", { class: "tools" },
			askingButton("Replace its token", "The old token is invalid at once: " +
				"a program that plays with it has to get the new one.",
			() => change(`bots/${bot}/token`, bot,
				`${bot} has a new token; the old one is invalid.`)),
			playing(one)),
		uploads && one.state === "enabled" ? uploadForm({ root, bot, ladders,
			token: () => tokenOf(bot), id: `archive-${bot}`, say,
			taken }) : null);
}

function taken(bot, trial)
{
	sent.set(bot, trial);
	refresh();
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
	const turn = ++looks;
	// A later look makes up for one that failed, so only the first one says so.
	const answer = await asked(`api/1/owners/${owner}`, {}, { token, tell: (...words) =>
		turn === looks && told === "" ? say(...words) : null });

	if (turn !== looks)
		return null;
	if (answer?.ok)
		return answer.said;
	// The token is kept while its owner is banned: a ban may end.
	if (answer && ![401, 403, 429].includes(answer.status) && answer.status < 500)
		begin();
	else if (!shown.hasChildNodes())
		shown.append(form);
	return null;
}

// Calls `act`, which makes the bots' parts again, and gives the focus back to the same
// place.
function keepFocus(act)
{
	const places = (one) => [...one?.querySelectorAll("h3 a, summary, .tools > button, " +
		".asks button, form *") ?? []];
	const active = document.activeElement;
	// The button of a closed question cannot be seen.
	const had = active.closest(".asks:not([open])")?.querySelector("summary") ?? active;
	const within = bots.contains(had) ? had.closest("[data-bot]") : null;
	const place = places(within).indexOf(had);

	act();
	if (within)
		places(bots.querySelector(`[data-bot="${within.dataset.bot}"]`))[place]
			?.focus({ preventScroll: true });
}

const unfoldedOf = (one) => `${one.closest("[data-bot]").dataset.bot} ` +
	one.querySelector("summary").textContent;

function showBots(found)
{
	// A chosen file, and the wishes for a trial, are kept while the rest changes.
	const chosen = new Map([...bots.querySelectorAll("[type=file]")]
		.map((file) => [file.id, file.closest(".upload")]));
	const scale = scaleOf(found.bots.flatMap(rowsOf));

	bots.replaceChildren(...found.bots.map((one) => botPart(one, scale, found)));
	for (const [id, form] of chosen)
		bots.querySelector(`#${CSS.escape(id)}`)?.closest(".upload")
			.replaceWith(form);
	if (found.bots.length === 0)
		bots.replaceChildren(make("p", {}, "You have no bot yet."));
}

// Looks again when this time is over, or before if that was wanted.
function lookIn(ms)
{
	const at = performance.now() + ms;

	if (at >= later.at)
		return;
	clearTimeout(later.timer);
	later.at = at;
	later.timer = setTimeout(refresh, ms);
}

// Follows these ladders, and looks again when games begin or end there.
function follow(ladders)
{
	const topics = ladders.slice(0, TOPICS).map((name) => `ladder:${name}`);

	if (topics.join() === heard.topics)
		return;
	heard.stream?.close();
	heard.topics = topics.join();
	heard.seen.clear();
	heard.stream = topics.length === 0 ? null : listen(root, topics, {
		ladder({ ladder, ...rest }) {
			const before = heard.seen.get(ladder);

			heard.seen.set(ladder, JSON.stringify(rest));
			if (before !== undefined && before !== heard.seen.get(ladder))
				lookIn(EACH_MS);
		},
	});
}

// Says what has become of uploads that waited and of trials, and looks again soon if one
// goes on.
function lookAtUploads(found)
{
	for (const one of found.bots) {
		if (one.before !== undefined) {
			sent.set(one.bot, sent.get(one.bot) ?? false);
		} else if (sent.has(one.bot)) {
			sayEnd(say, one, sent.get(one.bot), `${root}bots/${one.bot}`);
			sent.delete(one.bot);
		} else if (trying.has(one.bot) && one.trial?.state === "over") {
			sayTrialOver(say, one.bot, `${root}bots/${one.bot}`);
		}
		if (trialGoes(one.trial))
			trying.add(one.bot);
		else
			trying.delete(one.bot);
	}
	if (sent.size > 0)
		lookIn(ASK_MS);
	else if (trying.size > 0)
		lookIn(EACH_MS);
	else if (found.bots.some(({ ladders }) => ladders.length === 0))
		lookIn(IDLE_MS);
}

// Shows again what the owner has now.
async function refresh()
{
	const token = ownerToken(owner);

	later.at = Infinity;
	clearTimeout(later.timer);
	const text = token && await look(token);

	if (text)
		show(token, text);
	else if (token && ownerToken(owner) === token)
		lookIn(sent.size + trying.size > 0 ? EACH_MS : IDLE_MS);
}

// Shows the games again if others were played.
function showGames({ bots: all })
{
	const now = JSON.stringify(all.map(({ bot, ladders }) =>
		[bot, ladders.map(({ games: n }) => n)]));

	games.offer(all);
	if (played === "" || played === now || games.again())
		played = now;
}

function show(token, text)
{
	const found = JSON.parse(text);

	keepOwner(owner, token, found.bots);
	if (text !== told)
		keepFocus(() => keepUnfolded(bots, () => showBots(found),
			{ name: unfoldedOf }));
	told = text;
	showGames(found);
	follow([...new Set(found.bots.flatMap(({ ladders }) =>
		ladders.map(({ ladder }) => ladder)))]);
	lookAtUploads(found);
}

async function open(token)
{
	const text = await look(token);

	if (!text)
		return;
	const found = JSON.parse(text), pasted = form.isConnected;

	keepOwner(owner, token, found.bots);
	told = played = "";
	games = gamesPart({ root, owner, say, asked, bots: found.bots });
	shown.replaceChildren(make("h2", {}, "Bots"), bots, newBot(),
		make("h2", { id: "games" }, "Games"),
		games.part,
		make("h2", {}, "Your token"),
		make("p", {}, found.token_used ?
			`It was last used on ${found.token_used}.` : null),
		make("div", { class: "tools" },
			askingButton("Replace my token", "The old token is invalid at once, " +
				"in other tabs and programs, too.",
			() => change(`owners/${owner}/token`,
				owner, "You have a new token; the old one is invalid.")),
			press("Forget the token", () => {
				begin();
				say("The token is forgotten.");
				form.querySelector("input").focus();
			})));
	show(token, text);
	if (pasted)
		say("The token fits.");
}

part.replaceChildren(said, fresh, shown);
if (ownerToken(owner) === null)
	begin();
else
	open(ownerToken(owner));
