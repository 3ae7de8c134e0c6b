// referee/web/static/head.js - leads from the head of each page to the bots of the owner
// whose token this tab keeps (token.js).
import { make } from "./elements.js";

export const OWNER = "referee-owner:"; // followed by the name of the owner

// Shows the link, or none, after the token was kept or forgotten.
export function showOwner()
{
	const list = document.querySelector(".top nav ul");
	const key = Object.keys(sessionStorage).find((one) => one.startsWith(OWNER));

	list?.querySelector(".own")?.remove();
	if (list && key)
		list.append(make("li", { class: "own" }, make("a", {
			href: `${document.querySelector(".top .brand").getAttribute("href")
			}owners/${key.slice(OWNER.length)}` }, "Your bots")));
}

showOwner();
