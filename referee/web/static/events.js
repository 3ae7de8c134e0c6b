// referee/web/static/events.js - reads current events from /api/1/events: one
// stream for a page.
//
//	const stream = listen(root, ["frames:ID", "ladder:NAME"], {
//		open() {}, // it is heard
//		frames(lines, first) {}, // of the game; `first`: the number of lines[0]
//		over() {}, // the game is over
//		again() {}, // it begins again with its first line
//		ladder(change) {},
//		refused() {}, // nothing of it can be watched now
//	});
//	stream.close();
//
// A page that is hidden for a minute closes its stream, and opens it again when it is
// visible.  Lines come once and in order, even if connections are lost.

const HIDDEN_MS = 60000;
const AGAIN_MS = 2000; // after a refusal; doubled each time, up to
const AGAIN_MAX_MS = 60000;

class Stream {
	constructor(root, topics, heard)
	{
		this.url = `${root}api/1/events?topic=${topics.join(",")}`;
		this.heard = heard;
		this.lines = 0; // lines of the game so far
		this.again = AGAIN_MS;
		this.seen = () => this.look();
		document.addEventListener("visibilitychange", this.seen);
		addEventListener("pageshow", this.seen);
		this.open();
	}

	open()
	{
		const source = new EventSource(this.url);

		this.source = source;
		source.addEventListener("open", () => {
			this.again = AGAIN_MS;
			this.heard.open?.();
		});
		source.addEventListener("frame", (event) => this.take(event));
		source.addEventListener("again", () => this.begin());
		source.addEventListener("over", () => this.heard.over?.());
		source.addEventListener("ladder", (event) =>
			this.heard.ladder?.(JSON.parse(event.data)));
		source.addEventListener("error", () => {
			// In other states the browser tries again by itself.
			if (source.readyState === EventSource.CLOSED)
				this.refused();
		});
	}

	begin()
	{
		this.lines = 0;
		this.heard.again?.();
	}

	// A new connection may send some lines again, or those of another life: the
	// game may be played once more since.
	take(event)
	{
		const lines = event.data.split("\n");
		const [, number, life] = event.lastEventId.split(":");
		const last = Number(number);

		if (this.lines > 0 && life !== this.life)
			this.begin();
		this.life = life;
		const old = Math.max(0, this.lines - (last - lines.length));

		if (old >= lines.length)
			return;
		this.lines = last;
		this.heard.frames?.(lines.slice(old).map((line) =>
			JSON.parse(line)), last - lines.length + old + 1);
	}

	refused()
	{
		this.source = null;
		this.heard.refused?.();
		if (this.closed)
			return;
		this.timer = setTimeout(() => this.open(), this.again);
		this.again = Math.min(2 * this.again, AGAIN_MAX_MS);
	}

	look()
	{
		clearTimeout(this.hidden);
		if (document.hidden)
			this.hidden = setTimeout(() => this.rest(), HIDDEN_MS);
		else if (this.resting)
			this.wake();
	}

	rest()
	{
		this.resting = true;
		clearTimeout(this.timer);
		this.source?.close();
	}

	wake()
	{
		this.resting = false;
		this.open();
	}

	close()
	{
		this.closed = true;
		document.removeEventListener("visibilitychange", this.seen);
		removeEventListener("pageshow", this.seen);
		clearTimeout(this.hidden);
		clearTimeout(this.timer);
		this.source?.close();
	}
}

export function listen(root, topics, heard)
{
	return new Stream(root, topics, heard);
}

// Fetches the current version of a page.
export async function fetchPage(url)
{
	const answer = await fetch(url, { cache: "no-cache" });

	if (!answer.ok)
		throw new Error((await answer.text()).slice(0, 200));
	return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Replaces the element with this ID by that of a fetched page; a focused link
// keeps the focus if the new element has it.
export function takeOver(page, id)
{
	const mine = document.getElementById(id);
	const other = page.getElementById(id);

	if (mine === null || other === null)
		return null;
	const focus = mine.contains(document.activeElement) ?
		document.activeElement.getAttribute("href") : null;
	const next = document.importNode(other, true);

	mine.replaceWith(next);
	if (focus !== null)
		[...next.querySelectorAll("a")].find((link) =>
			link.getAttribute("href") === focus)?.focus();
	return next;
}
