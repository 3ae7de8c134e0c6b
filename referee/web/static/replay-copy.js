// referee/web/static/replay-copy.js - a moment of a replay to send to others: its
// link, its sentence, what lies where.
import { make, makeButton } from "./elements.js";
import { tableText } from "./replay-text.js";

// Where a page may not write to the clipboard.
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
