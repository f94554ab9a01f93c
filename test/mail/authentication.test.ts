/**
 * Whether receivers can tell that an email is its sender's, as two verifiers say that are not ours: on its way
 * straight from the mailbox's server, through a forwarder that seals it (ARC, RFC 8617), and through a list that adds
 * a line to it.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { type AuthenticateOptions, authenticate, sealMessage } from "mailauth";
import { unixMs } from "#domain/time.ts";
import { generateSigningKey, type KeyPair, signMessage } from "#mail/dkim.ts";
import { recordOfKey } from "#usecases/mailboxes/dkim.ts";
import { createLive } from "../engine/support.ts";
import { PYTHON, txtResolver, verifyByDkimpy } from "../support/dkim.ts";
import { skips } from "./spamd-server.ts";

const DOMAIN = "example.com";
const SENDER = { ip: "93.184.215.14", helo: `mail.${DOMAIN}`, sender: `ann@${DOMAIN}` };
const FORWARDER = { domain: "example.net", selector: "arc" };
/** Its address is in nobody's SPF record but its own. */
const FORWARDED = { ip: "93.184.215.99", helo: `mx.${FORWARDER.domain}`, sender: `ann@${DOMAIN}` };

let records: Record<string, string[]>;
let raw: Buffer;
let sealer: KeyPair;
beforeAll(async () => {
  const live = await createLive({ publicUrl: `https://go.${DOMAIN}` });
  await live.addAccount(`ann@${DOMAIN}`);
  await live.launch(
    [{ type: "email", subject: "Freight papers", body: "Hi Bob,\n\nwould Thursday suit you?" }],
    "bob@example.org",
  );
  await live.days(2);
  await live.app.close();
  const [pair, own] = await Promise.all([generateSigningKey(), generateSigningKey()]);
  sealer = own;
  const published = ({ publicKey }: KeyPair, domain: string, selector: string) => {
    const key = { domain, selector, publicKey, createdAt: unixMs(0), activeAt: null };
    const { name, value } = recordOfKey(key);
    return [name, [value]];
  };
  records = Object.fromEntries([
    published(pair, DOMAIN, "s1"),
    published(sealer, FORWARDER.domain, FORWARDER.selector),
    [DOMAIN, [`v=spf1 ip4:${SENDER.ip} -all`]],
    [`_dmarc.${DOMAIN}`, ["v=DMARC1; p=reject; adkim=s; aspf=s"]],
  ]);
  const { privateKey } = pair;
  const [taken] = live.mail.taken;
  const key = { domain: DOMAIN, selector: "s1", privateKey };
  raw = Buffer.from(await signMessage(taken?.raw ?? new Uint8Array(), key));
});

/** What a receiver's server finds, and what it writes above the message. */
async function found(message: Buffer, from: object, options: Partial<AuthenticateOptions> = {}) {
  const resolver = txtResolver(records);
  const mta = `mx.${FORWARDER.domain}`;
  const result = await authenticate(message, { ...from, mta, resolver, ...options });
  const resultOf = (check: false | { status: { result: string } }) =>
    check === false ? null : check.status.result;
  const { headers, spf, dkim, dmarc, arc } = result;
  const results = {
    spf: resultOf(spf),
    dkim: dkim?.results.map(({ status }) => status.result),
    dmarc: resultOf(dmarc),
    arc: resultOf(arc),
  };
  return { headers, results, said: arc ? (arc.authResults ?? "") : "" };
}

const seal = () => ({
  signingDomain: FORWARDER.domain,
  selector: FORWARDER.selector,
  privateKey: sealer.privateKey,
});

describe.skipIf(skips(PYTHON))("an email", () => {
  test("passes SPF, DKIM and DMARC with strict alignment, sent straight", async () => {
    const { results } = await found(raw, SENDER);
    expect(results).toEqual({ spf: "pass", dkim: ["pass"], dmarc: "pass", arc: "none" });
    expect(await verifyByDkimpy([raw], records)).toEqual([{ dkim: true, arc: "none" }]);
  });

  test("passes DKIM and DMARC through a forwarder, whose seal holds", async () => {
    const { headers } = await found(raw, SENDER, { seal: seal() });
    const forwarded = Buffer.concat([Buffer.from(headers), raw]);
    const { results } = await found(forwarded, FORWARDED);
    expect(results).toEqual({ spf: "fail", dkim: ["pass"], dmarc: "pass", arc: "pass" });
    expect(await verifyByDkimpy([forwarded], records)).toEqual([{ dkim: true, arc: "pass" }]);
  });

  test("with a line that a list adds, only the list's seal tells that it was the sender's", async () => {
    const changed = Buffer.concat([raw, Buffer.from("-- \r\nA list\r\n")]);
    const { said } = await found(raw, SENDER);
    const sealed = await sealMessage(changed, { ...seal(), authResults: said, cv: "none" });
    const listed = Buffer.concat([sealed, changed]);
    const { results } = await found(listed, FORWARDED);
    expect(results).toEqual({ spf: "fail", dkim: ["neutral"], dmarc: "fail", arc: "pass" });
    expect(said.match(/\b(?:dkim|spf|dmarc)=pass\b/g)).toHaveLength(3);
    expect(await verifyByDkimpy([listed], records)).toEqual([{ dkim: false, arc: "pass" }]);
  });

  test("whose From is another's fails DMARC", async () => {
    const text = raw.toString("latin1").replace(/^From: .*$/m, "From: ceo@example.com");
    const { results } = await found(Buffer.from(text, "latin1"), FORWARDED);
    expect(results).toMatchObject({ dkim: ["fail"], dmarc: "fail" });
  });
});
