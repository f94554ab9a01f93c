/**
 * Ten emails as teams send them, held against SpamAssassin and rspamd as a receiver runs them: nothing counts against
 * an email that is of our making. Both see it as it arrives, signed and with a Received header. Two verifiers that are
 * not ours check the signature.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import { generateSigningKey, type KeyPair, signMessage } from "#mail/dkim.ts";
import { createSpamd } from "#mail/spamd.ts";
import type { Envelope } from "#platform/ports/mail.ts";
import { recordOfKey } from "#usecases/mailboxes/dkim.ts";
import { createLive } from "../engine/support.ts";
import { verifyByDkimpy, verifyDkim } from "../support/dkim.ts";
import { LOCAL_DNS } from "../support/dns.ts";
import { RSPAMD, type RspamdServer, startRspamd } from "./rspamd-server.ts";
import { SPAMD, type SpamdServer, skips, startSpamd } from "./spamd-server.ts";

const STARTING_MS_MAX = 300_000;
/** Both filters know that this is a domain; of a reserved one they don't see the links. */
const DOMAIN = "example.com";
/** One that is in no list of those that don't exist. */
const RELAY_ADDRESS = "93.184.215.14";
/** The test's clock is another day's; Cyrillic and Japanese need an encoding. */
const UNAVOIDABLE = new Set(["DATE_IN_PAST", "MIME_BASE64_TEXT"]);
const SIGNATURE = "Ann Lee\nExample Works, 1 Harbor Street, Bristol";

const SEQUENCE = [
  {
    subject: "Freight papers",
    body: "Hi Bob,\n\nI saw that you look after freight at Client Works. We take half of the paperwork off teams like yours.\n\nWould Thursday suit you for ten minutes?\n\n{{signature}}",
  },
  { wait_days: 3, body: "Hi Bob,\n\nshall I ask somebody else about this?\n\nAnn" },
  { wait_days: 3, body: "If now isn't the time, just say so and I'll close the file." },
];
/** One email each. */
const ALONE = [
  {
    subject: "A company like yours",
    body: `<p>Hi,</p><p>here is <a href="https://www.${DOMAIN}/case">a short case</a> of a company like yours.</p><p>Would Tuesday suit you?</p><p>Ann</p>`,
    format: "html",
  },
  {
    subject: "Frage zu Ihren Frachtpapieren",
    body: "Guten Tag,\n\nwir können Ihnen die Hälfte der Arbeit mit Frachtpapieren abnehmen. Hätten Sie am Donnerstag zehn Minuten Zeit für mich?\n\nViele Grüße\nAnn",
  },
  {
    subject: "Вопрос о логистике",
    body: "Добрый день!\n\nМы помогаем компаниям сократить бумажную работу вдвое. Удобно ли созвониться в четверг?\n\nАнна",
  },
  {
    subject: "紙の書類について",
    body: "はじめまして。\n\n木曜日に十分ほどお時間をいただけますか。\n\nアン",
  },
  { subject: "Packaging", body: "Who buys packaging at your company?" },
  {
    subject: "A sample",
    body: "Hi there,\n\nmay I send you a sample of our boxes? You'd only have to tell me where to.\n\nThanks,\nAnn",
    format: "plain",
  },
  {
    subject: "Three numbers",
    body: "<p>Hi,</p><ul><li>12 carriers</li><li>4 hours a week less</li><li>one page to look at</li></ul><p>Shall I show you?</p><p>Ann</p>",
    format: "html",
  },
] as const;

async function emails(): Promise<Envelope[]> {
  const live = await createLive({ publicUrl: `https://go.${DOMAIN}` });
  const id = await live.addAccount(`ann@${DOMAIN}`);
  await live.call("PATCH", `/accounts/${id}`, { signature: SIGNATURE });
  await live.launch(
    SEQUENCE.map((step) => ({ type: "email", ...step })),
    "bob@example.org",
  );
  for (const [nth, step] of ALONE.entries()) {
    await live.launch([{ type: "email", ...step }], `person${nth}@example.org`);
  }
  await live.days(14);
  await live.app.close();
  return live.mail.taken;
}

describe.skipIf(skips(SPAMD, RSPAMD))("ten emails", () => {
  let pair: KeyPair;
  let spamd: SpamdServer;
  let rspamd: RspamdServer;
  let sent: Envelope[];
  beforeAll(async () => {
    [pair, spamd, rspamd, sent] = await Promise.all([
      generateSigningKey(),
      startSpamd(),
      startRspamd(),
      emails(),
    ]);
  }, STARTING_MS_MAX);
  afterAll(async () => {
    await Promise.all([spamd?.stop(), rspamd?.stop()]);
  });

  /** As the receiver's own server has taken it. */
  const arrived = async ({ raw }: Envelope) => {
    const { privateKey } = pair;
    const signed = await signMessage(raw, { domain: DOMAIN, selector: "s1", privateKey });
    const at = /^Date: (.*)$/m.exec(Buffer.from(raw).toString("latin1"))?.[1] ?? "";
    const by = `mail.${DOMAIN} (mail.${DOMAIN} [${RELAY_ADDRESS}])`;
    const received = `Received: from ${by}\r\n\tby mx.example.org with ESMTPS; ${at.trim()}\r\n`;
    return Buffer.concat([Buffer.from(received), signed]);
  };

  test("are ten", () => {
    expect(sent).toHaveLength(SEQUENCE.length + ALONE.length);
  });

  test("hit no rule of SpamAssassin that has points", async () => {
    const daemon = createSpamd({ ...spamd, dns: LOCAL_DNS });
    for (const envelope of sent) {
      const outcome = await daemon.score(await arrived(envelope));
      expect(outcome).toMatchObject({ kind: "judged", isSpam: false });
      const rules = outcome.kind === "judged" ? outcome.rules : [];
      expect(rules.filter(({ points }) => points > 0)).toEqual([]);
    }
  });

  test("hit no rule of rspamd that has points, but for what their letters are", async () => {
    for (const envelope of sent) {
      const rules = await rspamd.judge(await arrived(envelope), envelope);
      expect(rules.get("MIME_GOOD")).toBeDefined();
      const held = [...rules].filter(([name, points]) => points > 0 && !UNAVOIDABLE.has(name));
      expect(held).toEqual([]);
    }
  });

  test("are verified by mailauth and by dkimpy, and not once a word is another", async () => {
    const settings = { domain: DOMAIN, selector: "s1", publicKey: pair.publicKey };
    const { name, value } = recordOfKey({ ...settings, createdAt: unixMs(0), activeAt: null });
    const raws = await Promise.all(sent.map(arrived));
    const [first] = raws;
    const changed = Buffer.from(
      (first ?? Buffer.from("")).toString("latin1").replace("freight", "fraud"),
    );
    for (const raw of raws) {
      expect(await verifyDkim(raw, { [name]: [value] })).toMatchObject([{ result: "pass" }]);
    }
    const verified = await verifyByDkimpy([...raws, changed], { [name]: [value] });
    expect(verified.map(({ dkim }) => dkim)).toEqual([...raws.map(() => true), false]);
  });

  test("judges judge: capitals and money are held against an email", async () => {
    const [first] = sent;
    const shouted = Buffer.from(first?.raw ?? "")
      .toString("latin1")
      .replace(/^Subject: .*$/m, "Subject: BUY NOW AND SAVE $$$ 100% FREE");
    const raw = await arrived({ ...(first as Envelope), raw: Buffer.from(shouted, "latin1") });
    const outcome = await createSpamd({ ...spamd, dns: LOCAL_DNS }).score(raw);
    const names = outcome.kind === "judged" ? outcome.rules.map(({ name }) => name) : [];
    expect(names).toContain("SUBJ_ALL_CAPS");
    expect((await rspamd.judge(raw, first as Envelope)).get("SUBJ_ALL_CAPS")).toBeGreaterThan(0);
  });
});
