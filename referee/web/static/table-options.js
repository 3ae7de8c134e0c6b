// referee/web/static/table-options.js - how this browser's user likes cards: four
// colours of suits instead of two, large indices.  It is kept in this browser.
//
//	section.append(drawOptions());
//
// table.css looks at the attributes of the root; they are set when this is loaded.
import { make } from "./elements.js";

const KEY = "referee-cards";
const OPTIONS = {
	suits: ["four", "Four colours"],
	indices: ["large", "Large indices"],
};

function load()
{
	try {
		return JSON.parse(localStorage.getItem(KEY)) ?? {};
	} catch {
		return {}; // none may be kept here
	}
}

function keep(chosen)
{
	try {
		localStorage.setItem(KEY, JSON.stringify(chosen));
	} catch {
		// It holds for this page.
	}
}

const chosen = load();

function apply()
{
	for (const [name, [value]] of Object.entries(OPTIONS))
		if (chosen[name] === value)
			document.documentElement.dataset[name] = value;
		else
			delete document.documentElement.dataset[name];
}

apply();

// A box to tick for each option.
export function drawOptions()
{
	const set = make("fieldset", { class: "table-options" },
		make("legend", {}, "Cards"));

	for (const [name, [value, text]] of Object.entries(OPTIONS)) {
		const box = make("input", { type: "checkbox" });

		box.checked = chosen[name] === value;
		box.addEventListener("change", () => {
			chosen[name] = box.checked ? value : undefined;
			apply();
			keep(chosen);
		});
		set.append(make("label", {}, box, ` ${text}`));
	}
	return set;
}
