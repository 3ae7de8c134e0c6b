// referee/web/static/replay-files.js - offers the files of a game in the view
// that a replay shows.
import { make, partText } from "./elements.js";
import { Refused } from "./frames.js";

const SAVE_MS = 60000; // time for a browser to save a file

export class Files {
	constructor(replay)
	{
		this.replay = replay;
		replay.find("#files")?.addEventListener("click", (event) => {
			const link = event.target.closest("a[download]");

			if (link !== null)
				this.download(event, link);
		});
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
	async download(event, { href, download })
	{
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

	// Takes over what a page that was fetched with a token says in addition.
	takeOwn(page)
	{
		const files = this.replay.find("#files");
		const proof = page.querySelector("#proof")?.parentNode;

		for (const link of page.querySelectorAll("#files a.record"))
			if (!files?.querySelector(`[href="${link.getAttribute("href")}"].record`))
				files?.querySelector("ul").prepend(
					document.importNode(link.parentNode, true));
		for (const gone of page.querySelectorAll("#files .gone"))
			if (![...files?.querySelectorAll(".gone") ?? []].some(
				({ textContent }) => textContent === gone.textContent))
				files?.querySelector("ul").after(
					document.importNode(gone, true));
		if (proof)
			files?.querySelector("#proof")?.parentNode.replaceWith(
				document.importNode(proof, true));
	}

	// Offers the records and the standard error of these bots, if their tokens are
	// here.
	async offer(names)
	{
		const { id, source } = this.replay;
		const list = this.replay.find("#files ul");

		for (const page of source.own ?? [])
			this.takeOwn(page);

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
