// referee/web/static/replay-copy.js - copies a moment of a replay: its link,
// its sentence, and the table as text.
import { make, makeButton } from "./elements.js";
import { tableText } from "./replay-text.js";

// Shows the text if a page must not write to the clipboard.
function showText(title, text)
{
	const area = make("textarea", { readonly: "", rows: "12",
		"aria-label": title });
	const dialog = make("dialog", { "aria-label": title },
		make("h2", {}, title), area);

	area.value = text;
	dialog.append(makeButton("Close", null, () => dialog.close()));
	dialog.addEventListener("close", () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
	area.select();
}

export async function copyMoment(replay)
{
	const { n, timeline } = replay;
	const text = [new URL(replay.href(n), document.baseURI).href,
		replay.find("#moment-title").textContent + ": " +
		timeline.line(n).sentence,
		tableText(timeline.table(n))].join("\n");

	try {
		await navigator.clipboard.writeText(text);
		replay.announce("Link and position are copied.");
	} catch {
		showText("Copy this", text);
	}
}
