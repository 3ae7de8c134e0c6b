// referee/web/static/author.js - the author's section of a bot's page: with the
// token of the bot or of its owner it shows the log and the output of games, and
// uploads versions.
import { ask, makeSaid } from "./account.js";
import { make, partText } from "./elements.js";
import { forgetToken, headersOf, keepToken, tokenForm, tokenOf } from "./token.js";
import { uploadForm } from "./upload.js";

const ASK_MS = 2000; // between two requests for the state of an upload
const part = document.getElementById("author");
const { bot, root } = part.dataset;

const { said, say } = makeSaid();
const shown = make("div");
const now = { text: "", sends: null }; // the shown text, and the element that sends

// ---- the token ----------------------------------------------------------------

const form = tokenForm("bot", open, true);
const forget = make("button", { type: "button" }, "Forget the token");

function begin()
{
	forgetToken(bot);
	now.text = "";
	shown.replaceChildren(form);
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

const STATES = { comes: "Its archive is being imported.",
	waits: "It waits for its turn.", plays: "It plays now.", over: "It is over." };

// Returns what a trial has come to: the version is called `trial` in its table.
function tried(token, { state, ladder, games, against, failed, table })
{
	const text = `${games} games by the rules of ${ladder}, against ` +
		`${against.join(", ")}. ${failed ? sentence(failed) : STATES[state]}`;
	const enter = make("button", { type: "button" }, "Enter this version");
	const cells = (kind, row) => make("tr", {}, ...row.map((cell) =>
		make(kind, {}, String(cell))));

	if (!table)
		return [make("p", {}, text)];
	enter.addEventListener("click", () =>
		change(token, "trial/entered", "The version of the trial plays."));
	return [make("p", {}, text), make("table", {},
		make("thead", {}, cells("th",
			["bot", "games", "wins", "score", "faults"])),
		make("tbody", {}, ...table.map((row) => cells("td", [row.bot, row.games,
			row.wins, row.score.toFixed(3), row.faults])))),
	make("p", {}, enter)];
}

function notes(token, { imports, uploading, before, suspensions, versions, trial, games })
{
	// A chosen file is kept while the rest changes.
	if (now.text === "")
		now.sends = uploadForm({ root, bot, token, id: "archive", say,
			taken: () => follow(token) });
	const all = suspensions.map(({ ladder, now, why }) =>
		make("p", { class: now ? "wrong" : null },
			`On the ladder ${ladder}: ${why}.`));

	all.push(make("h3", {}, "Upload"), now.sends);
	if (trial)
		all.push(make("h3", {}, "Trial of a version"), ...tried(token, trial));
	if (versions.length > 1)
		all.push(make("h3", {}, "Earlier versions"),
			make("ul", {}, ...versions.slice(1).map((version) =>
				earlier(token, version))));
	if (uploading)
		all.push(make("p", {}, place(before)));
	if (imports)
		all.push(make("h3", {}, "Log of its imports"),
			output(imports));
	all.push(make("h3", {}, "Its last games"));
	if (games.length === 0)
		all.push(make("p", {}, "No output since the daemon started."));
	return [...all, ...games.map(game), make("p", {}, forget)];
}

// Shows what the token opens; returns true if it is valid.
async function open(token)
{
	const answer = await ask(say, `${root}api/1/bots/${bot}/notes`,
		{ headers: headersOf(bot, token) });

	if (!answer?.ok) {
		if (answer && answer.status < 500 && answer.status !== 429)
			begin();
		return false;
	}
	const text = answer.said;
	const found = JSON.parse(text);
	const first = tokenOf(bot) !== token;

	keepToken(bot, token, found.names);
	if (text !== now.text)
		shown.replaceChildren(...notes(token, found));
	now.text = text;
	if (first) {
		say("The token fits.");
		shown.querySelector("input").focus();
	}
	if (found.uploading)
		setTimeout(follow, ASK_MS, token);
	return found;
}

// Changes the bot, says what was done, and shows what is so now.
async function change(token, what, done)
{
	let answer;

	try {
		answer = await fetch(`${root}bots/${bot}/${what}`,
			{ method: "PUT", headers: headersOf(bot, token) });
	} catch {
		return say("There was no answer; try again.", true);
	}
	if (!answer.ok)
		return say(sentence(await answer.text()), true);
	await open(token);
	say(done);
}

// Waits until the log has the outcome.
async function follow(token)
{
	if (tokenOf(bot) !== token)
		return;
	const found = await open(token);

	if (found && !found.uploading)
		say("The upload was imported, or refused: the log says which.");
}

part.append(said, shown);
if (tokenOf(bot) === null)
	begin();
else
	open(tokenOf(bot));
