// referee/web/static/sign-up.js - makes an account with the organiser's code, and
// shows its token once.
import { ask, makeSaid, NAME, tokenShown } from "./account.js";
import { make } from "./elements.js";
import { keepOwner } from "./token.js";

const part = document.getElementById("account");
const { said, say } = makeSaid();
const code = make("input", { id: "code", required: "", autocomplete: "off",
	spellcheck: "false", autocapitalize: "none" });
const name = make("input", { id: "name", ...NAME });
const button = make("button", {}, "Make the account");
const form = make("form", {}, make("label", { for: "code" }, "Code"), " ", code,
	" ", make("label", { for: "name" }, "Your name here"), " ", name, " ", button);

form.addEventListener("submit", async (event) => {
	const owner = name.value.trim();

	event.preventDefault();
	button.disabled = true;
	const answer = await ask(say,
		`${part.dataset.root}owners/${encodeURIComponent(owner)}`,
		{ method: "PUT", headers: { "X-Code": code.value.trim() } });

	button.disabled = false;
	if (answer?.ok)
		welcome(owner, JSON.parse(answer.said).token);
});

function welcome(owner, token)
{
	const shown = tokenShown(owner, token, say);

	keepOwner(owner, token, []);
	part.replaceChildren(said, shown, make("p", {},
		make("a", { href: `${part.dataset.root}owners/${owner}` },
			"Go on to your bots")));
	say("The account is made.");
	shown.querySelector("button").focus();
}

// ---- an account that is there -------------------------------------------------

const known = make("input", { id: "known", ...NAME });
const go = make("form", {}, make("label", { for: "known" }, "Name of your account"),
	" ", known, " ", make("button", {}, "Go to your bots"));

go.addEventListener("submit", (event) => {
	event.preventDefault();
	location.href = `${part.dataset.root}owners/${
		encodeURIComponent(known.value.trim())}`;
});

part.replaceChildren(said, ...part.dataset.on === "yes" ? [form] : [],
	make("h2", {}, "You have an account"), go);
