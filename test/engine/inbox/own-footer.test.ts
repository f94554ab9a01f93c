/**
 * What we print below our own emails is never read as an opt-out, however a reply repeats it; the same words
 * typed by a person are one.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { LANGUAGES } from "#domain/sending/languages.ts";
import { WORDS } from "#domain/sending/words.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { inboundOf } from "#store/inbox/inbound.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@client.example";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello Bob,\n\nmay I call you?\n\nAnn" },
  { type: "email", body: "Again", wait_days: 30 },
];
const WRITTEN = "Thanks, could you send the prices?";

let live: LiveApp;
afterEach(() => live.app.close());

interface Footer {
  /** The whole email. */
  sent: string;
  words: string;
  link: string;
}

/** How programs repeat an email below a reply. The first two mark it as a quote. */
const LAYOUTS: Record<string, (footer: Footer) => string> = {
  Gmail: ({ sent }) =>
    `${WRITTEN}\n\nOn Mon, Mar 2, 2026 at 3:04 PM Ann <${OWN}> wrote:\n\n${sent.replace(/^/gm, "> ")}`,
  Outlook: ({ sent }) =>
    `${WRITTEN}\n\nFrom: Ann <${OWN}>\nSent: 2026-03-02 15:04\nTo: Bob <${TO}>\nSubject: Offer\n\n${sent}`,
  "no marks": ({ sent }) => `${WRITTEN}\n\n${sent}`,
  "no marks, twice": ({ sent }) => `${WRITTEN}\n\n${sent}\n\n${sent}`,
  "the link in brackets": ({ sent, words, link }) =>
    `${WRITTEN}\n\n${sent.replace(/[^\n]+$/, `${words}<${link}>`)}`,
  "the link on a line of its own": ({ sent, link }) =>
    `${WRITTEN}\n\n${sent.replace(` ${link}`, `\n${link}`)}`,
  "the link wrapped by a filter": ({ sent, link }) =>
    `${WRITTEN}\n\n${sent.replace(link, `https://eu.safelinks.example/?url=${encodeURIComponent(link)}&data=05`)}`,
  "no link": ({ sent, words }) => `${WRITTEN}\n\n${sent.replace(/[^\n]+$/, words)}`,
  "the footer alone": ({ sent }) => sent.slice(sent.lastIndexOf("\n") + 1),
};

async function sentTo(team: object): Promise<{ lead: string; messageId: string; footer: Footer }> {
  await live.addAccount(OWN);
  const given = { postal_address: "Main Street 1\n12345 Town", ...team };
  expect((await live.call("PATCH", "/team", given)).status).toBe(200);
  const { id, leads } = await live.launch(STEPS, TO);
  await live.call("PATCH", `/campaigns/${id}`, { stop_on_reply: false });
  await live.run(HOUR_MS);
  const [lead = ""] = leads;
  const { text: sent = "", messageId = "" } = live.messages(lead)[0] ?? {};
  const [last = ""] = /[^\n]+$/.exec(sent) ?? [];
  const [link = ""] = /\S+$/.exec(last) ?? [];
  return { lead, messageId, footer: { sent, link, words: last.replace(/:? \S+$/, "") } };
}

async function receive(answers: string, text: string, type = "text/plain") {
  const lines = [
    `From: Bob <${TO}>`,
    `To: ${OWN}`,
    "Subject: Re: Offer",
    `Message-ID: <${crypto.randomUUID()}@client.example>`,
    `In-Reply-To: ${answers}`,
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: 8bit",
    "",
    text,
  ];
  live.deliver(OWN, lines.join("\n"));
  await live.run(2 * MINUTE_MS);
}

/** Kinds of what has come. */
const kindsOf = (lead: string) => inboundOf(live.env.db, lead).map(({ kind }) => kind);

async function isNoOptOut(team: object): Promise<Awaited<ReturnType<typeof sentTo>>> {
  const found = await sentTo(team);
  for (const [name, layout] of Object.entries(LAYOUTS)) {
    await receive(found.messageId, layout(found.footer));
    const { status } = live.lead(found.lead);
    const [kind] = kindsOf(found.lead).filter((one) => one !== "reply");
    expect([name, status, kind]).toEqual([name, "active", undefined]);
  }
  return found;
}

describe("Repeated by a reply without marks, nothing is an opt-out", () => {
  test.each([...LANGUAGES])("of our words in %s; typed, they are one", async (language) => {
    live = await createLive({ publicUrl: "https://out.example" });
    const { lead, messageId, footer } = await isNoOptOut({ language });
    expect(footer.words).toBe(WORDS[language].unsubscribe);
    await receive(messageId, `${footer.words}\n`);
    expect([language, live.lead(lead).status]).toEqual([language, "unsubscribed"]);
  });

  test.each([
    "No longer interested? Take me off your list",
    "Please remove me (really) from your database.",
    "Nehmen Sie mich aus dem Verteiler",
  ])("of a team's own wording: %s", async (unsubscribe_text) => {
    live = await createLive({ publicUrl: "https://out.example" });
    const { lead, messageId, footer } = await isNoOptOut({ unsubscribe_text });
    expect(footer.words).toBe(unsubscribe_text);
    // The wording may have changed since.
    await live.call("PATCH", "/team", { unsubscribe_text: "Another one" });
    await receive(messageId, footer.sent);
    expect(live.lead(lead).status).toBe("active");
    await receive(messageId, `${unsubscribe_text}\n`);
    expect(live.lead(lead).status).toBe("unsubscribed");
  });

  test("of an installation without a public address", async () => {
    live = await createLive();
    const { footer } = await isNoOptOut({ language: "de" });
    expect(footer.link).toStartWith(`mailto:${OWN}`);
  });
});
