// referee/web/static/replay-table.js - the table of a replay, on which pieces
// glide at steps.
import { move } from "./motion.js";
import { drawTable } from "./table.js";

const GLIDE_MS = 300; // the longest time of a glide
const NEAR = 40; // lines: nothing glides at larger steps

export class Table {
	constructor(replay)
	{
		this.replay = replay;
		this.view = undefined; // the shown view
		this.tall = this.wide = 0;
		addEventListener("resize", () => this.keepHeight());
	}

	get felt()
	{
		return this.replay.find(".felt");
	}

	// Shows the present moment; the one before was at line `before`.
	show(before)
	{
		const { n, player, timeline, view, viewer } = this.replay;
		const pause = player.pause ? player.pause / 2 : GLIDE_MS;
		const drawn = drawTable(timeline.table(n), viewer);

		if (this.view === view && n !== before &&
		    Math.abs(n - before) < NEAR)
			move(this.felt, drawn, Math.min(pause, GLIDE_MS));
		else
			this.felt.replaceWith(drawn);
		this.view = view;
	}

	// Keeps the height, so that the page below the table does not jump at steps.
	keepHeight()
	{
		const place = this.replay.find("#moment");
		const wide = place.clientWidth;
		const tall = this.felt.offsetHeight;

		this.tall = wide === this.wide ? Math.max(this.tall, tall) : 0;
		this.wide = wide;
		place.style.setProperty("--table-height", `${this.tall}px`);
	}
}
