// referee/web/static/replay-text.js - writes a time or a table as text.

import { gaugeText } from "./table.js";

function tenths(n)
{
	return `${Math.floor(n / 10)}.${n % 10}`;
}

// Writes microseconds like replay_time(): "0.8 ms", "1.5 s".
export function timeText(us)
{
	if (us < 100)
		return `0.0${us < 10 ? "0" : ""}${us} ms`;
	if (us < 9950)
		return `${tenths(Math.floor((us + 50) / 100))} ms`;
	return us < 999500 ? `${Math.floor((us + 500) / 1000)} ms` :
		`${tenths(Math.floor((us + 50000) / 100000))} s`;
}

function pieceText(piece)
{
	return typeof piece === "string" ? piece : piece.code;
}

// Returns lines that describe the table in the protocol's words.
export function tableText(table)
{
	const owned = (owner) => [
		...table.gauges.filter((one) => one.owner === owner &&
			one.value !== undefined)
			.map((one) => `${one.label} ${gaugeText(one)}`),
		...table.zones.filter((one) => one.owner === owner &&
			(one.pieces.length > 0 || (owner === undefined &&
			one.layout === "pile")))
			.map((one) => `${one.label}: ` +
				one.pieces.map(pieceText).join(" ")),
	].join("; ");

	return [`middle: ${owned(undefined)}`,
		...table.seats.map((seat) => `seat ${seat.number} ${seat.name}` +
			(seat.flags ? ` (${seat.flags.join(", ")})` : "") +
			`: ${owned(seat.number)}`)].join("\n");
}
