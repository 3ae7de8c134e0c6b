// referee/web/static/events.js - what happens now, from /api/1/events: one stream
// for a page.
//
//	const stream = listen(root, ["frames:ID", "ladder:NAME"], {
//		frames(lines, first) {},  // of the game; `first`: the number of lines[0]
//		over() {},                // the game is over
//		again() {},               // it begins again with its first line
//		ladder(change) {},
//		refused() {},             // nothing of it can be watched now
//	});
//	stream.close();
//
// A page that is hidden for a minute lets its stream go, and takes it up again when
// it is seen.  Lines come once and in order, whatever was lost between.

const HIDDEN_MS = 60000;
const AGAIN_MS = 2000; // after a refusal; twice as long each time, up to
const AGAIN_MAX_MS = 60000;

class Stream {
	constructor(root, topics, heard)
	{
		this.url = `${root}api/1/events?topic=${topics.join(",")}`;
		this.heard = heard;
		this.lines = 0; // of the game, so far
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
		});
		source.addEventListener("frame", (event) => this.take(event));
		source.addEventListener("again", () => {
			this.lines = 0;
			this.heard.again?.();
		});
		source.addEventListener("over", () => this.heard.over?.());
		source.addEventListener("ladder", (event) =>
			this.heard.ladder?.(JSON.parse(event.data)));
		source.addEventListener("error", () => {
			// Else the browser tries again by itself.
			if (source.readyState === EventSource.CLOSED)
				this.refused();
		});
	}

	// Who has come back is told some lines a second time.
	take(event)
	{
		const lines = event.data.split("\n");
		const last = Number(event.lastEventId.split(":")[1]);
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

// The same page as it would be now.
export async function fetchPage(url)
{
	const answer = await fetch(url, { cache: "no-cache" });

	if (!answer.ok)
		throw new Error((await answer.text()).slice(0, 200));
	return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Puts one element of such a page in the place of what has its ID here; what had
// the focus has it again, if there is such a link.
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
