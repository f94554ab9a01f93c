/**
 * One question to one name server: a packet over UDP, and over TCP where the response was cut short.
 *
 * Each question has a random id and a socket of its own, whose port the system draws; the socket is
 * connected, so that the kernel drops what comes from any other address.
 *
 * Source: RFC 1035 §4, RFC 5452 §§4 and 9 (what a response has to match), RFC 6891 (EDNS), RFC 7766 (TCP).
 * The packets are `dns-packet`'s.
 */

import { createConnection, isIPv6 } from "node:net";
import { type Answer, decode, encode, RECURSION_DESIRED } from "dns-packet";
import { messageOf } from "#domain/thrown.ts";
import { DnsFailure } from "#platform/ports/dns.ts";

export interface NameServer {
  /** IPv4 or IPv6. */
  address: string;
  port: number;
}

export const RECORD_TYPES = ["A", "AAAA", "MX", "TXT", "PTR"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export interface Question {
  /** In lower case, in ASCII, without a dot at its end. */
  name: string;
  type: RecordType;
}

export interface WireRecord {
  /** As {@link Question} has it. */
  name: string;
  type: string;
  ttlSeconds: number;
  /** As `dns-packet` has it for the type. */
  data: unknown;
}

/** What a server knows. It may be nothing. */
export interface Response {
  answers: readonly WireRecord[];
  /** The server says itself that there is no such name, or nothing of that type (RFC 2308 §2). */
  isFinal: boolean;
  /** There is no such name, nor any below it (RFC 8020). */
  isAbsent: boolean;
}

/** Largest response over UDP that no network on the way splits (DNS Flag Day 2020). */
const UDP_BYTES = 1_232;
const HEADER_BYTES = 12;
const IS_RESPONSE = 0x80;
const IS_CUT = 0x02;
const CODE = 0x0f;
const NO_SUCH_NAME = 3;
const CODES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];

/**
 * Rejects with a {@link DnsFailure} where the server gives no response before `end`, none that can be read,
 * or says that it cannot tell. A
 * response that belongs to another question is passed over. `isExtended` states a size by EDNS, which a few
 * servers cannot read.
 */
export async function exchange(
  server: NameServer,
  question: Question,
  { end, isExtended }: { end: AbortSignal; isExtended: boolean },
): Promise<Response> {
  const id = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
  const query = encode({
    type: "query",
    id,
    flags: RECURSION_DESIRED,
    questions: [{ ...question, class: "IN" }],
    ...(isExtended ? { additionals: [EDNS] } : {}),
  });
  const bytes = await overUdp(server, query, end);
  const whole = isCut(bytes) ? await overTcp(server, query, end) : bytes;
  return read(whole);
}

const EDNS: Answer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: UDP_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

function read(bytes: Buffer): Response {
  const { answers, authorities, extended } = decoded(bytes);
  const code = ((bytes[3] ?? 0) & CODE) + extended * (CODE + 1);
  if (code !== 0 && code !== NO_SUCH_NAME) {
    throw new DnsFailure(CODES[code] ?? `response code ${code}`);
  }
  const isAbsent = code === NO_SUCH_NAME;
  const isFinal = isAbsent || authorities.some(({ type }) => type === "SOA");
  return { answers, isFinal, isAbsent };
}

function decoded(bytes: Buffer) {
  try {
    const { answers = [], authorities = [], additionals = [] } = decode(bytes);
    const edns = additionals.find(({ type }) => type === "OPT");
    const extended = edns?.type === "OPT" ? edns.extendedRcode : 0;
    return { answers: answers.map(recordOf), authorities, extended };
  } catch (error) {
    throw new DnsFailure(`a malformed response: ${messageOf(error)}`);
  }
}

function recordOf(answer: Answer): WireRecord {
  const { name, type } = answer;
  const { ttl, data } = answer.type === "OPT" ? {} : answer;
  return { name: nameIn(name), type, ttlSeconds: ttl ?? 0, data };
}

/** A name of a packet, as {@link Question} has it. */
export function nameIn(data: unknown): string {
  return String(data).toLowerCase().replace(/\.$/, "");
}

/**
 * Whether `bytes` responds to `query`: its id, and its question, letter case aside. One without a
 * question is believed only where it brings nothing but an error.
 */
function matches(bytes: Buffer, query: Buffer): boolean {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== query.readUInt16BE(0)) {
    return false;
  }
  const flags = bytes.readUInt16BE(2);
  if (((flags >> 8) & IS_RESPONSE) === 0) {
    return false;
  }
  const questions = bytes.readUInt16BE(4);
  if (questions === 0) {
    return (flags & CODE) !== 0 && bytes.readUInt16BE(6) === 0;
  }
  const asked = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
  const repeated = bytes.subarray(HEADER_BYTES, HEADER_BYTES + asked.length);
  return questions === 1 && isSameQuestion(repeated, asked);
}

/** Letters of either case are one. Neither lengths of labels nor types and classes asked for are letters. */
function isSameQuestion(a: Buffer, b: Buffer): boolean {
  return a.toString("latin1").toLowerCase() === b.toString("latin1").toLowerCase();
}

function isCut(bytes: Buffer): boolean {
  return ((bytes[2] ?? 0) & IS_CUT) !== 0;
}

async function overUdp(server: NameServer, query: Buffer, end: AbortSignal): Promise<Buffer> {
  const response = Promise.withResolvers<Buffer>();
  response.promise.catch(() => undefined);
  const expire = () => response.reject(new DnsFailure("no response in time"));
  end.addEventListener("abort", expire, { once: true });
  let close: () => void = () => undefined;
  try {
    const socket = await Bun.udpSocket({
      hostname: isIPv6(server.address) ? "::" : "0.0.0.0",
      connect: { hostname: server.address, port: server.port },
      socket: {
        data: (_socket, bytes) => {
          if (matches(bytes, query)) {
            response.resolve(Buffer.from(bytes));
          }
        },
        error: (_socket, error) => response.reject(new DnsFailure(messageOf(error))),
      },
    });
    close = () => socket.close();
    if (!socket.send(query)) {
      throw new DnsFailure("the question could not be sent");
    }
    return await response.promise;
  } catch (error) {
    throw error instanceof DnsFailure ? error : new DnsFailure(messageOf(error));
  } finally {
    end.removeEventListener("abort", expire);
    close();
  }
}

/** The same packet with its length before it, both ways. */
function overTcp(server: NameServer, query: Buffer, end: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = createConnection({ host: server.address, port: server.port });
  const expire = () => reject(new DnsFailure("no response over TCP in time"));
  end.addEventListener("abort", expire, { once: true });
  let heard = Buffer.alloc(0);
  socket.on("connect", () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
  });
  socket.on("data", (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    const whole = heard.length < 2 ? Infinity : 2 + heard.readUInt16BE(0);
    if (heard.length < whole) {
      return;
    }
    const bytes = heard.subarray(2, whole);
    if (matches(bytes, query) && !isCut(bytes)) {
      resolve(bytes);
    } else {
      reject(new DnsFailure("a response over TCP that is none"));
    }
  });
  socket.on("error", (error) => reject(new DnsFailure(`over TCP: ${messageOf(error)}`)));
  socket.on("close", () => reject(new DnsFailure("the connection was closed")));
  return promise.finally(() => {
    end.removeEventListener("abort", expire);
    socket.destroy();
  });
}
