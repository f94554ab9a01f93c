/** A name server over UDP that does what a test says, and counts what it is asked. */

import { type Answer, type DecodedPacket, decode, encode } from "dns-packet";

export interface Asked {
  packet: DecodedPacket;
  raw: Buffer;
  name: string;
  type: string;
}

export interface ScriptedServer extends Disposable {
  address: "127.0.0.1";
  port: number;
  /** All questions so far. */
  asked: Asked[];
  /** The ports that they came from. */
  from: number[];
}

/** `respond` gives the packets that are sent back; none is silence. */
export async function scriptedServer(
  respond: (asked: Asked) => readonly Uint8Array[],
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const from: number[] = [];
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      // Who asked may have gone.
      error: () => undefined,
      data: (own, raw, port, address) => {
        const packet = decode(raw);
        const [question] = packet.questions ?? [];
        const one = { packet, raw, name: question?.name ?? "", type: String(question?.type) };
        asked.push(one);
        from.push(port);
        for (const bytes of respond(one)) {
          own.send(bytes, port, address);
        }
      },
    },
  });
  const { port } = socket;
  return { address: "127.0.0.1", port, asked, from, [Symbol.dispose]: () => socket.close() };
}

/** A response to `asked` that holds `answers`. */
export function response(
  { packet }: Asked,
  answers: readonly Answer[],
  change: { id?: number; code?: number; flags?: number; name?: string } = {},
): Buffer {
  const { id = packet.id ?? 0, code = 0, flags = 0, name } = change;
  const questions = (packet.questions ?? []).map((one) => ({ ...one, name: name ?? one.name }));
  return encode({ type: "response", id, flags: flags | code, questions, answers: [...answers] });
}
