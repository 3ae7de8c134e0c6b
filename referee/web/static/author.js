// referee/web/static/author.js - the author's section of a bot's page: with the
// token of the bot or of its owner it shows the log and the output of games, and
// uploads versions.
import { ask, keepUnfolded, makeSaid, once, REPLACED } from "./account.js";
import { freshen } from "./bot.js";
import { make, partText } from "./elements.js";
import { ELO_TITLES, eloCells, scaleOf } from "./elo.js";
import { forgetToken, headersOf, keepToken, tokenForm, tokenOf } from "./token.js";
import { failedUpload, sayEnd, sayTrialOver, trialGoes, trialText, uploadForm }
	from "./upload.js";

const ASK_MS = 2000; // between two requests for the state of an upload or a trial
const AGAIN_MS = 10000; // after one that failed
const SELF = "trial"; // TRIALS_SELF: the version of a trial in its table and records
const part = document.getElementById("author");
const { bot, root } = part.dataset;

const { said, say } = makeSaid();
const shown = make("div");
// The shown text, the element that sends, the timer of the next look, what was sent and
// waits (true: for a trial), and that a trial goes on.
const now = { text: "", sends: null, timer: 0, sent: null, tries: false };
let looks = 0; // how often it was asked; an older answer does not count

// ---- the token ----------------------------------------------------------------

const form = tokenForm("bot", open, true);
const forget = make("button", { type: "button" }, "Forget the token");

function begin()
{
	forgetToken(bot);
	looks++;
	clearTimeout(now.timer);
	Object.assign(now, { text: "", sent: null, tries: false });
	if (!form.isConnected)
		shown.replaceChildren(form);
}

// Asks with the token, and says what is wrong with `tell`.  If it is refused, shows the
// form at once, unless it was forgotten or another was pasted meanwhile.
async function asked(token, path, options = {}, tell = say)
{
	const kept = tokenOf(bot) === token;
	const answer = await ask(tell, root + path,
		{ ...options, headers: headersOf(bot, token) },
		{ late: () => shown.hasChildNodes() || shown.append(form) });

	if (answer?.status === 401 &&
		(tokenOf(bot) ?? (kept ? null : token)) === token) {
		begin();
		if (kept)
			say(REPLACED, true);
	}
	return answer;
}

// A token that opens nothing is forgotten, but not that of an owner who is banned: a
// ban may end.
function refused(answer)
{
	if (answer && ![401, 403, 429].includes(answer.status) && answer.status < 500)
		begin();
	else if (!shown.hasChildNodes())
		shown.append(form);
}

forget.addEventListener("click", () => {
	begin();
	say("The token is forgotten.");
	form.querySelector("input").focus();
});

// ---- what it opens ------------------------------------------------------------

// Returns lines of output.  The keyboard can scroll them, because they may be wide.
function output(text)
{
	return make("pre", { tabindex: "0" }, text);
}

function game({ id, seat, told, stderr, stderr_from })
{
	const more = [];

	if (told)
		more.push(output(told));
	if (stderr)
		more.push(make("p", {}, `Standard error${partText(stderr_from)}:`),
			output(stderr));
	return make("details", {},
		make("summary", {}, `Game ${id.slice(0, 8)}, seat ${seat}`),
		make("p", {}, make("a", { href: `${root}games/${id}` },
			"Replay of this game")), ...more);
}

// Returns a sentence about the imports before the upload.
function place(before)
{
	if (before === 0)
		return "An upload is being imported now.";
	return `An upload waits: ${before} ${
		       before === 1 ? "comes" : "come"} ` +
	       "before it.";
}

function earlier(token, { number, plays_as: name, version })
{
	const button = make("button", { type: "button" }, `Let ${name} play again`);

	button.addEventListener("click", () =>
		change(token, `version?number=${number}`, `${name} plays again.`));
	return make("li", {}, version ? `Version ${version}: ` : "", button);
}

function trialTable(table)
{
	const scale = scaleOf(table);

	return make("table", {}, make("thead", {}, make("tr", {}, ...[["bot"],
		["games", "n middling"], ["wins", "n middling"], ["score", "n"],
		...ELO_TITLES, ["faults", "n"]].map(([text, kind]) =>
		make("th", { scope: "col", class: kind }, text)))),
	make("tbody", {}, ...table.map((row) => make("tr", {},
		make("th", { scope: "row" }, row.bot),
		make("td", { class: "n middling" }, String(row.games)),
		make("td", { class: "n middling" }, String(row.wins)),
		make("td", { class: "n" }, row.score.toFixed(3)),
		...eloCells(scale, row),
		make("td", { class: "n" }, String(row.faults))))));
}

// Returns the games of a trial by places, the worst first.
function trialGames(played)
{
	const places = [...new Set(played.map(({ place }) => place))].sort((a, b) => b - a);

	return make("details", {}, make("summary", {}, "Its games, lost first"),
		...places.flatMap((place) => {
			const all = played.filter((one) => one.place === place);

			return [make("p", {}, `Place ${place} in ${all.length} ` +
				`game${all.length === 1 ? "" : "s"}:`),
			make("ul", { class: "links" }, ...all.map(({ id, seat }) =>
				make("li", {}, make("a", {
					href: `${root}games/${id}?view=${seat}` },
				id.slice(0, 8)))))];
		}));
}

// Returns what a trial has come to: the version is called `trial` in its table.
function tried(token, trial)
{
	const { table, played } = trial;
	const text = trialText(trial);
	const enter = make("button", { type: "button" }, "Enter this version");

	if (!table)
		return [make("p", {}, text)];
	enter.addEventListener("click", () =>
		change(token, "trial/entered", "The version of the trial plays."));
	return [make("p", {}, text), trialTable(table),
		played?.length > 0 ? trialGames(played) : null, make("p", {}, enter)];
}

// The log may be long: it is open if it says why an upload failed.
function log(imports, failed)
{
	return make("details", { id: "log", open: failed ? "" : null },
		make("summary", {}, "Log of its imports"), output(imports));
}

function notes(token, found)
{
	const { imports, uploading, before, suspensions, versions, trial, games } = found;

	// A chosen file is kept while the rest changes.
	if (now.text === "")
		now.sends = uploadForm({ root, bot, token: () => tokenOf(bot) ?? "",
			id: "archive", ladders: found.trial_ladders, say,
			taken: (_, forTrial) => {
				now.sent = forTrial;
				if (tokenOf(bot) !== null)
					open(tokenOf(bot));
			} });
	const all = suspensions.map(({ ladder, now, why }) =>
		make("p", { class: now ? "wrong" : null },
			`On the ladder ${ladder}: ${why}.`));

	all.push(make("h3", {}, "Upload"), now.sends, failedUpload(found, ""));
	if (uploading)
		all.push(make("p", {}, place(before)));
	if (trial)
		all.push(make("h3", { id: "trial" }, "Trial of a version"),
			...tried(token, trial));
	if (versions.length > 1)
		all.push(make("h3", {}, "Other versions"),
			make("ul", {}, ...versions.slice(1).map((version) =>
				earlier(token, version))));
	if (imports)
		all.push(log(imports, found.failed_upload));
	all.push(make("h3", {}, "Its last games"));
	if (games.length === 0)
		all.push(make("p", {}, "No output since the daemon started."));
	return [...all, ...games.map(game), make("p", {}, forget)]
		.filter((one) => one !== null);
}

// Goes to the part that the address names, which was not there when the page came.
function goToPart()
{
	const named = ["#log", "#trial"].includes(location.hash) ?
		shown.querySelector(location.hash) : null;

	if (!named)
		return;
	named.open = true;
	named.scrollIntoView();
}

addEventListener("hashchange", goToPart);

// Says what has become of an upload that waited, and looks again soon if an upload or a
// trial goes on.
function lookAgain(token, found)
{
	if (found.uploading) {
		now.sent ??= found.trial?.state === "comes";
	} else if (now.sent !== null) {
		sayEnd(say, found, now.sent, "");
		now.sent = null;
		freshen();
	}
	clearTimeout(now.timer);
	if (now.tries && found.trial?.state === "over")
		sayTrialOver(say, bot, "");
	now.tries = trialGoes(found.trial);
	if (found.uploading || now.tries)
		now.timer = setTimeout(follow, ASK_MS, token, found.trial);
}

// Shows what the token opens, if it is valid.
async function open(token)
{
	const turn = ++looks;
	// A later look makes up for one that failed, so only the first one says so.
	const answer = await asked(token, `api/1/bots/${bot}/notes`, {}, (...words) =>
		turn === looks && now.text === "" ? say(...words) : null);

	if (turn !== looks)
		return;
	if (!answer?.ok) {
		refused(answer);
		clearTimeout(now.timer);
		if (tokenOf(bot) === token && now.text !== "")
			now.timer = setTimeout(follow, AGAIN_MS, token);
		return;
	}
	const text = answer.said;
	const found = JSON.parse(text);
	const pasted = form.isConnected, begins = now.text === "";

	keepToken(bot, token, found.trial ? [...found.names, SELF] : found.names);
	const active = document.activeElement;

	if (text !== now.text)
		keepUnfolded(shown, () => shown.replaceChildren(...notes(token, found)),
			{ which: "details:not(#log)" });
	if (active !== document.activeElement && shown.contains(active))
		active.focus({ preventScroll: true });
	now.text = text;
	if (pasted)
		say("The token fits.");
	if (pasted && form.contains(active))
		shown.querySelector("input").focus();
	if (begins)
		goToPart();
	lookAgain(token, found);
}

// Changes the bot, says what was done, and shows what is so now.
const change = once(async (token, what, done) => {
	const answer = await asked(token, `bots/${bot}/${what}`, { method: "PUT" });

	if (!answer?.ok || tokenOf(bot) !== token)
		return;
	say(done);
	await open(token);
	freshen();
});

// Shows what has changed.  While a trial plays, only its state is asked for, because the
// notes may be long.
async function follow(token, trial)
{
	if (tokenOf(bot) !== token)
		return;
	if (trial && ["waits", "plays"].includes(trial.state)) {
		const turn = looks;
		const answer = await asked(token, `api/1/bots/${bot}/trial`, {},
			() => null);

		if (tokenOf(bot) !== token || turn !== looks)
			return;
		if (answer?.ok && JSON.parse(answer.said).state === trial.state) {
			now.timer = setTimeout(follow, ASK_MS, token, trial);
			return;
		}
	}
	open(token);
}

part.append(said, shown);
if (tokenOf(bot) === null)
	begin();
else
	open(tokenOf(bot));
