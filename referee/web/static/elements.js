// referee/web/static/elements.js - makes elements of a page.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children)
{
	for (const [name, value] of Object.entries(attributes))
		if (value !== null && value !== undefined)
			element.setAttribute(name, value);
	element.append(...children.filter((child) => child !== null));
	return element;
}

// Makes an element with attributes and children, which are nodes or text;
// attributes without a value and children that are null are left out.
export function make(name, attributes = {}, ...children)
{
	return fill(document.createElement(name), attributes, children);
}

// Makes an element of an SVG picture in the same way.
export function makeSvg(name, attributes = {}, ...children)
{
	return fill(document.createElementNS(SVG, name), attributes, children);
}

// Replaces the hyphen of a negative number by a minus sign, as html_words()
// does.
export function words(text)
{
	return text.replace(/(^|[ (])-(?=[0-9])/g, "$1\u2212");
}

// Makes a button: screen readers are told its `key`; `act` is called when it is
// pressed.
export function makeButton(text, key, act, attributes = {})
{
	const button = make("button", { type: "button", "aria-keyshortcuts": key,
		...attributes }, text);

	button.addEventListener("click", act);
	return button;
}

// Returns what stands behind the name of standard error whose first bytes are
// not kept.
export function partText(from)
{
	return from > 0 ? `, without its first ${from} bytes` : "";
}
