// referee/web/static/author.js - the author's section of a bot's page: with the
// bot's token it shows the log and the output of games, and uploads versions.
import { make } from "./elements.js";
import { forgetToken, headersOf, keepToken, tokenOf } from "./token.js";

const ASK_MS = 2000; // between two requests for the state of an upload
const part = document.getElementById("author");
const { bot, root } = part.dataset;

// The last event, for readers and for screen readers.
const said = make("p", { role: "status" });
const shown = make("div");
const now = { text: "", sends: null }; // the shown text, and the element that sends

function say(text, wrong = false)
{
	said.textContent = text;
	said.classList.toggle("wrong", wrong);
}

// A refusal is `NUMBER: SENTENCE` and a line feed.
function sentence(text)
{
	const plain = text.trim().replace(/^\d+: /, "");

	return plain.charAt(0).toUpperCase() + plain.slice(1) +
		(plain.endsWith(".") ? "" : ".");
}

// ---- the token ----------------------------------------------------------------

const field = make("input", { id: "token", type: "password", required: "",
	autocomplete: "off", spellcheck: "false" });
const form = make("form", {}, make("label", { for: "token" }, "Token of the bot"),
	" ", field, " ", make("button", {}, "Show"));
const forget = make("button", { type: "button" }, "Forget the token");

function ask()
{
	forgetToken(bot);
	now.text = "";
	shown.replaceChildren(form);
	field.value = "";
}

form.addEventListener("submit", (event) => {
	event.preventDefault();
	open(field.value.trim());
});

forget.addEventListener("click", () => {
	ask();
	say("The token is forgotten.");
	field.focus();
});

// ---- what it opens ------------------------------------------------------------

function game({ id, seat, told, stderr })
{
	const more = [];

	if (told)
		more.push(make("pre", {}, told));
	if (stderr)
		more.push(make("p", {}, "Standard error:"),
			make("pre", {}, stderr));
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

function notes(token, { imports, uploading, before, suspensions, games })
{
	// A chosen file is kept while the rest changes.
	if (now.text === "")
		now.sends = upload(token);
	const all = suspensions.map(({ ladder, now, why }) =>
		make("p", { class: now ? "wrong" : null },
			`On the ladder ${ladder}: ${why}.`));

	all.push(make("h3", {}, "Upload"), now.sends);
	if (uploading)
		all.push(make("p", {}, place(before)));
	if (imports)
		all.push(make("h3", {}, "Log of its imports"),
			make("pre", {}, imports));
	all.push(make("h3", {}, "Its last games"));
	if (games.length === 0)
		all.push(make("p", {}, "No output since the daemon started."));
	return [...all, ...games.map(game), make("p", {}, forget)];
}

// Shows what the token opens; returns true if it is valid.
async function open(token)
{
	let answer;

	try {
		answer = await fetch(`${root}api/1/bots/${bot}/notes`,
			{ headers: headersOf(bot, token), cache: "no-store" });
	} catch {
		// fetch() throws if there is no answer, or if the token has characters that a
		// header must not have.
		return say("There was no answer; is the token pasted whole?", true);
	}
	if (!answer.ok) {
		if (answer.status < 500 && answer.status !== 429)
			ask();
		return say(sentence(await answer.text()), true);
	}
	const text = await answer.text();
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

// Waits until the log has the outcome.
async function follow(token)
{
	if (tokenOf(bot) !== token)
		return;
	const found = await open(token);

	if (found && !found.uploading)
		say("The upload was imported, or refused: the log says which.");
}

// ---- an upload ----------------------------------------------------------------

function upload(token)
{
	const file = make("input", { id: "archive", type: "file", required: "",
		accept: ".tar,.gz,.tgz" });
	const progress = make("progress", { max: "1", value: "0",
		"aria-label": "Sent", hidden: "" });
	const button = make("button", {}, "Upload");
	const sends = make("form", {}, make("label", { for: "archive" },
		"A new version, as tar.gz"), " ", file, " ", button, " ", progress);

	sends.addEventListener("submit", (event) => {
		event.preventDefault();
		button.disabled = true;
		progress.hidden = false;
		send(token, file.files[0], progress, () => {
			button.disabled = false;
			progress.hidden = true;
		});
	});
	return sends;
}

// fetch() does not report the progress of an upload.
function send(token, file, progress, done)
{
	const request = new XMLHttpRequest();

	request.open("PUT", `${root}bots/${bot}`);
	for (const [name, value] of Object.entries(headersOf(bot, token)))
		request.setRequestHeader(name, value);
	request.upload.addEventListener("progress", ({ loaded, total }) => {
		progress.value = total > 0 ? loaded / total : 0;
	});
	request.addEventListener("loadend", () => {
		done();
		if (request.status === 0)
			say("The upload broke off; try again.", true);
		else if (request.status >= 400)
			say(sentence(request.responseText), true);
		else
			say("The upload was taken, and is being imported.");
		if (request.status === 202)
			setTimeout(follow, 0, token);
	});
	say(`Sending ${file.name}.`);
	request.send(file);
}

part.append(said, shown);
if (tokenOf(bot) === null)
	ask();
else
	open(tokenOf(bot));
