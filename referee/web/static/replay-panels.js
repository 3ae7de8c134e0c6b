// referee/web/static/replay-panels.js - what the server alone knows of a moment: it
// comes once one stays there.

const PANEL_MS = 400; // that one stays before the server is asked for more
const PANELS = ["decision"];

// Returns a function that has them follow the replay.
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

				if (other)
					document.getElementById(id).replaceWith(
						document.importNode(other, true));
			}
		}, PANEL_MS);
	};
}
