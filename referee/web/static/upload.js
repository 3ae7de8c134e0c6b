// referee/web/static/upload.js - the form that uploads the program of a bot.
import { sentence } from "./account.js";
import { make } from "./elements.js";
import { headersOf } from "./token.js";

// Makes the form.  It tells by `say` what happens, and calls `taken` when the
// archive waits for its import.
export function uploadForm({ root, bot, token, id, say, taken })
{
	const file = make("input", { id, type: "file", required: "",
		accept: ".tar,.gz,.tgz" });
	const progress = make("progress", { max: "1", value: "0",
		"aria-label": "Sent", hidden: "" });
	const button = make("button", {}, "Upload");
	const sends = make("form", {}, make("label", { for: id },
		"A new version, as tar.gz"), " ", file, " ", button, " ", progress);

	sends.addEventListener("submit", (event) => {
		event.preventDefault();
		button.disabled = true;
		progress.hidden = false;
		send(file.files[0]);
	});
	return sends;

	// fetch() does not report the progress of an upload.
	function send(archive)
	{
		const request = new XMLHttpRequest();

		request.open("PUT", `${root}bots/${bot}`);
		for (const [name, value] of Object.entries(headersOf(bot, token)))
			request.setRequestHeader(name, value);
		request.upload.addEventListener("progress", ({ loaded, total }) => {
			progress.value = total > 0 ? loaded / total : 0;
		});
		request.addEventListener("loadend", () => {
			button.disabled = false;
			progress.hidden = true;
			if (request.status === 0)
				say("The upload broke off; try again.", true);
			else if (request.status >= 400)
				say(sentence(request.responseText), true);
			else
				say("The upload was taken, and is being imported.");
			if (request.status === 202)
				setTimeout(taken, 0);
		});
		say(`Sending ${archive.name}.`);
		request.send(archive);
	}
}
