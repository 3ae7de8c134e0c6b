// referee/serve/static/replay-text.js - a table as text, to be sent to others.

function pieceText(piece)
{
	return typeof piece === "string" ? piece : piece.code;
}

// The lines that tell what lies where, as in the protocol.
export function tableText(table)
{
	const owned = (owner) => [
		...table.gauges.filter((one) => one.owner === owner &&
			one.value !== undefined)
			.map((one) => `${one.label} ${one.value}` +
				(one.goal ? ` of ${one.goal}` : "")),
		...table.zones.filter((one) => one.owner === owner &&
			one.pieces.length > 0)
			.map((one) => `${one.label}: ` +
				one.pieces.map(pieceText).join(" ")),
	].join("; ");

	return [`middle: ${owned(undefined)}`,
		...table.seats.map((seat) => `seat ${seat.number} ${seat.name}` +
			(seat.flags ? ` (${seat.flags.join(", ")})` : "") +
			`: ${owned(seat.number)}`)].join("\n");
}
