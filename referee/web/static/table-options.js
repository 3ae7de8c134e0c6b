// referee/web/static/table-options.js - the user's options for cards: four
// colours of suits instead of two, large indices.  The browser keeps them.
// section.append(drawOptions()); table.css looks at the attributes of the root;
// they are set when this is loaded.
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
		return {}; // the browser stores nothing for this page
	}
}

function keep(chosen)
{
	try {
		localStorage.setItem(KEY, JSON.stringify(chosen));
	} catch {
		// The option holds only for this page.
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

// Makes a checkbox for each option.
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
