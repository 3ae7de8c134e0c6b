// referee/web/static/replay-files.js - offers the files of a game in the view
// that a replay shows.
import { make, partText } from "./elements.js";
import { Refused } from "./frames.js";

const SAVE_MS = 60000; // time for a browser to save a file

export class Files {
	constructor(replay)
	{
		this.replay = replay;
		for (const link of document.querySelectorAll("#files a[download]"))
			link.addEventListener("click",
				(event) => this.download(event));
	}

	paint()
	{
		const { id, root, view } = this.replay;
		const files = this.replay.find("#files");

		for (const [name, path, end] of [
			["of-view", `records/${id}`, "rec"],
			["frames", `games/${id}/frames`, "ndjson"]]) {
			const link = files?.querySelector(`a.${name}`);

			link?.setAttribute("href",
				`${root}api/1/${path}?view=${view}`);
			link?.setAttribute("download", `${id}.${view}.${end}`);
		}
	}

	// A link cannot send the token that has opened its view.
	async download(event)
	{
		const { href, download } = event.currentTarget;
		const headers = this.replay.source.headers?.(
			new URL(href).searchParams.get("view"));

		if (headers === undefined)
			return;
		event.preventDefault();
		try {
			const answer = await fetch(href, { headers });

			if (!answer.ok)
				throw new Refused(answer.status,
					(await answer.text()).trim());
			const url = URL.createObjectURL(await answer.blob());

			make("a", { href: url, download }).click();
			setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
		} catch (error) {
			this.replay.announce("This file cannot be downloaded: " +
				error.message);
		}
	}

	// Offers the standard error of these bots, if their tokens are here.
	async offer(names)
	{
		const { id, source } = this.replay;
		const list = this.replay.find("#files ul");

		for (const { bot, seat, text, from } of
			await source.errors?.(names) ?? [])
			list?.append(make("li", {}, make("a", {
				class: "stderr",
				href: URL.createObjectURL(new Blob([text],
					{ type: "text/plain" })),
				download: `${id}.${seat}.stderr.txt`,
			}, "Standard error of ", make("bdi", {}, bot),
			partText(from))));
	}
}
