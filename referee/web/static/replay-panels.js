// referee/web/static/replay-panels.js - panels of a moment that only the server
// can make; they are fetched when the user stays there.

const PANEL_MS = 400; // pause before the server is asked
const PANELS = ["decision"];

// Returns a function that updates the panels.
export function createPanels(replay)
{
	let timer;

	return () => {
		const there = PANELS.filter((id) => document.getElementById(id));

		clearTimeout(timer);
		if (!replay.source.page || there.length === 0)
			return;
		timer = setTimeout(async () => {
			const { view, n } = replay;
			const page = await replay.source.page(view, n)
				.catch(() => null);

			if (view !== replay.view || n !== replay.n)
				return;
			for (const id of there) {
				const other = page?.getElementById(id);
				const old = document.getElementById(id);

				// The old one is of another moment.
				if (other)
					old.replaceWith(document.importNode(other, true));
				else
					old.replaceChildren();
			}
		}, PANEL_MS);
	};
}
