// referee/web/static/upload.js - the form that uploads the program of a bot, or sends it to
// a trial, and what has become of that.
import { sentence } from "./account.js";
import { make } from "./elements.js";
import { headersOf } from "./token.js";

const GAMES = 40; // of a trial, unless the author wants another number
const GAMES_MAX = 200; // SERVE_TRIAL_GAMES

// Says how an upload that waited has ended; `page` is the address of the bot's page.
export function sayEnd(say, { bot, failed_upload: failed, trial: found }, trial, page)
{
	if (failed)
		say(`The upload of ${bot} failed: ${failed.why}.`, true,
			make("a", { href: `${page}#log` }, "Its log"));
	else if (trial && found?.state === "over")
		sayTrialOver(say, bot, page);
	else if (trial)
		say(`The version of ${bot} is imported, and plays its trial next.`, false,
			make("a", { href: `${page}#trial` }, "Its trial"));
	else
		say(`The upload is imported: ${bot} has this version now.`);
}

export function sayTrialOver(say, bot, page)
{
	say(`The trial of ${bot} is over.`, false,
		make("a", { href: `${page}#trial` }, "Its trial"));
}

const STATES = { comes: "Its archive is being imported.",
	waits: "It waits for its turn.", plays: "It plays now.", over: "It is over." };

// Returns what a trial is, and how it goes.
export function trialText({ state, ladder, games, against, failed })
{
	return `${games} games by the rules of ${ladder}, against ` +
		`${against.join(", ")}. ${failed ? sentence(failed) : STATES[state]}`;
}

// Returns true while a trial goes on; `trial` may be undefined.
export function trialGoes(trial)
{
	return Boolean(trial) && !trial.failed && trial.state !== "over";
}

// Returns the paragraph about the last upload, if that failed; else null.
export function failedUpload({ failed_upload: failed }, page)
{
	return failed ? make("p", { class: "wrong" }, "Its last upload failed on ",
		failed.at.replace("T", " at ").replace(/:\d\dZ/, " UTC"),
		`: ${failed.why}. `, make("a", { href: `${page}#log` }, "Its log")) : null;
}

// Makes the form of a trial by the rules of one of the ladders.
function trialForm(id, ladders)
{
	const field = (label, name, element) => make("label", { for: `${id}-${name}` },
		label, element);
	const named = (name) => ({ id: `${id}-${name}`, name });

	return make("form", {},
		field("Rules of the ladder", "ladder", make("select", named("ladder"),
			...ladders.map((one) => make("option", {}, one)))),
		field("Games", "games", make("input", { ...named("games"),
			type: "number", min: "1", max: String(GAMES_MAX),
			value: String(GAMES) })),
		field("Opponents (A,B; none: of the ladder)", "against",
			make("input", { ...named("against"), autocomplete: "off",
				spellcheck: "false", autocapitalize: "none" })),
		make("button", {}, "Try it"));
}

// Makes the form, with one for trials by the rules of `ladders`, if there are any.  It tells
// by `say` what happens, and calls `taken` when the archive waits for its import.  `token`
// returns the token to send.
export function uploadForm({ root, bot, token, id, ladders, say, taken })
{
	const file = make("input", { id, type: "file", required: "",
		accept: ".tar,.gz,.tgz" });
	const progress = make("progress", { max: "1", value: "0",
		"aria-label": "Sent", hidden: "" });
	const sends = make("form", {}, make("label", { for: id },
		"A new version, as tar.gz"), " ", file, " ",
	make("button", {}, "Upload"), " ", progress);
	const tries = trialForm(id, ladders);
	const all = make("div", { class: "upload" }, sends, ladders.length === 0 ? null :
		make("details", {}, make("summary", {}, "Try it in games that do not count"),
			tries));

	sends.addEventListener("submit", (event) => {
		event.preventDefault();
		send(file.files[0], "", false);
	});
	tries.addEventListener("submit", (event) => {
		event.preventDefault();
		if (file.reportValidity())
			send(file.files[0], `/trial?${wish()}`, true);
	});
	return all;

	function busy(is)
	{
		for (const one of all.querySelectorAll("button"))
			one.disabled = is;
		progress.hidden = !is;
	}

	function wish()
	{
		const { ladder, games, against } = tries.elements;
		const names = against.value.split(",").map((one) => one.trim())
			.filter((one) => one !== "").join(",");

		return new URLSearchParams({ ladder: ladder.value, games: games.value,
			...names === "" ? {} : { against: names } });
	}

	// fetch() does not report the progress of an upload.
	function send(archive, path, trial)
	{
		const request = new XMLHttpRequest();

		busy(true);
		request.open("PUT", `${root}bots/${bot}${path}`);
		for (const [name, value] of Object.entries(headersOf(bot, token())))
			request.setRequestHeader(name, value);
		request.upload.addEventListener("progress", ({ loaded, total }) => {
			progress.value = total > 0 ? loaded / total : 0;
		});
		request.addEventListener("loadend", () => {
			busy(false);
			if (request.status === 0)
				say("The upload broke off; try again.", true);
			else if (request.status >= 400)
				say(sentence(request.responseText), true);
			else
				say(`The ${trial ? "trial" : "upload"} was taken, and its ` +
					"archive is being imported.");
			if (request.status === 202)
				setTimeout(taken, 0, bot, trial);
		});
		say(`Sending ${archive.name}.`);
		request.send(archive);
	}
}
