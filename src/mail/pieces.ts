/** Large messages in pieces: each is worked on in a turn of its own, so that others are served in between. */

import { ownTurn } from "#platform/turns.ts";

const PIECE_BYTES = 64 * 1024;
const HOLDER = "pieces of an email";

/** Views of `raw`, in order. Most messages are one, and wait for nobody. */
export async function* piecesOf(raw: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < raw.byteLength; from += PIECE_BYTES) {
    yield await inTurn(raw.subarray(from, from + PIECE_BYTES), from);
  }
}

/** The same of content that is in pieces already. */
export async function* inTurns(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  for (const [place, piece] of pieces.entries()) {
    yield await inTurn(piece, place);
  }
}

async function inTurn(piece: Uint8Array, place: number): Promise<Uint8Array> {
  if (place > 0) {
    await ownTurn({ by: HOLDER });
  }
  return piece;
}
