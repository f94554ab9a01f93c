/** Emails that no sane program sends, made by hand. */

import { bytes, join } from "./mutate.ts";

const HEAD = "From: ada@example.com\r\nTo: sam@out.test\r\nSubject: x\r\nMIME-Version: 1.0\r\n";
const DAEMON = "Return-Path: <>\r\nFrom: MAILER-DAEMON@example.com\r\nSubject: Returned mail\r\n";

function nested(depth: number): string {
  return `${HEAD}${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}From: x@y.z\r\n\r\nend`;
}

function nestedParts(depth: number): string {
  const open = Array.from({ length: depth }, (_, at) => {
    return `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`;
  });
  return `${HEAD}${open.join("")}Content-Type: text/plain\r\n\r\nend`;
}

/** Every monster of the list of bad input, and of the ones behind known faults of other parsers. */
export const MALFORMED: readonly { name: string; make: () => Uint8Array }[] = [
  { name: "nothing", make: () => bytes("") },
  { name: "only line ends", make: () => bytes("\r\n".repeat(1000)) },
  { name: "only zeros", make: () => new Uint8Array(10_000) },
  { name: "headers without an end", make: () => bytes("Subject: x\r\nFrom: a@b.c") },
  { name: "a line of 10 MB", make: () => bytes(`${HEAD}\r\n${"a".repeat(10_000_000)}`) },
  {
    name: "a line of 1 MB of phrases",
    make: () => bytes(`${DAEMON}\r\n${"user not ".repeat(110_000)}`),
  },
  { name: "a header of 1 MB", make: () => bytes(`Subject: ${"x ".repeat(500_000)}\r\n\r\nhi`) },
  {
    name: "20,000 headers",
    make: () => bytes(`${"X-Header: value\r\n".repeat(20_000)}${HEAD}\r\nhello`),
  },
  { name: "a message nested 100 deep", make: () => bytes(nested(100)) },
  { name: "parts nested 100 deep", make: () => bytes(nestedParts(100)) },
  {
    name: "20,000 empty parts",
    make: () =>
      bytes(
        `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n".repeat(20_000)}`,
      ),
  },
  {
    name: "an empty delivery-status",
    make: () =>
      bytes(
        `${DAEMON}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n--b--\r\n`,
      ),
  },
  {
    name: "a delivery-status of 20,000 groups",
    make: () =>
      bytes(
        `${DAEMON}Content-Type: message/delivery-status\r\n\r\n${"Action: failed\r\nStatus: 5.1.1\r\n\r\n".repeat(20_000)}`,
      ),
  },
  {
    name: "an unknown charset",
    make: () => bytes(`${HEAD}Content-Type: text/plain; charset=x-none\r\n\r\nhi`),
  },
  {
    name: "the wrong charset",
    make: () =>
      join(
        bytes(`${HEAD}Content-Type: text/plain; charset=utf-8\r\n\r\n`),
        new Uint8Array([0xff, 0xc3, 0x28, 0xe4]),
      ),
  },
  {
    name: "broken base64",
    make: () => bytes(`${HEAD}Content-Transfer-Encoding: base64\r\n\r\n****====A`),
  },
  {
    name: "raw 8-bit headers",
    make: () => join(bytes("Subject: "), new Uint8Array([0xe4, 0xf6, 0xfc]), bytes("\r\n\r\nx")),
  },
  { name: "bare carriage returns", make: () => bytes("From: a@b.c\rSubject: x\r\rhello\r") },
  {
    name: "boundaries that never come",
    make: () => bytes(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\nno parts here`),
  },
  {
    name: "a boundary without a name",
    make: () => bytes(`${HEAD}Content-Type: multipart/mixed\r\n\r\n--\r\nx`),
  },
  {
    name: "200,000 quoted lines",
    make: () => bytes(`${HEAD}\r\n${"> quoted\r\n".repeat(100_000)}`),
  },
  {
    name: "100,000 attributions",
    make: () => bytes(`${HEAD}\r\n${"On Monday Ada\r\n".repeat(60_000)}`),
  },
  {
    name: "100,000 dates",
    make: () => bytes(`${HEAD}Auto-Submitted: auto-replied\r\n\r\n${"until 5/3 ".repeat(100_000)}`),
  },
  {
    name: "100,000 addresses",
    make: () =>
      bytes(`${DAEMON}To: ${"a@b.c, ".repeat(30_000)}\r\n\r\n${"a@b.co ".repeat(100_000)}`),
  },
  {
    name: "a megabyte of HTML tags",
    make: () => bytes(`${HEAD}Content-Type: text/html\r\n\r\n${"<div><b>".repeat(120_000)}`),
  },
  { name: "blanks without end", make: () => bytes(`${HEAD}\r\n${" \t".repeat(400_000)}x`) },
  {
    name: "brackets without end",
    make: () => bytes(`References: ${"<".repeat(100_000)}\r\n\r\n${"<a@".repeat(100_000)}`),
  },
  {
    name: "encoded words without end",
    make: () => bytes(`Subject: ${"=?utf-8?Q?a?= ".repeat(50_000)}\r\n\r\nx`),
  },
];
