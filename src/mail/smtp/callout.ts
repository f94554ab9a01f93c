/**
 * A callout over SMTP: to the domain's own exchange, encrypted where it offers that, up to RCPT. DATA isn't a word of
 * this file.
 *
 * Source: RFC 5321 §3.3 and §4.1.1; RFC 7435 (encryption with whoever offers it, whatever its certificate).
 */

import { connect } from "node:net";
import type { CalloutReply, CalloutSession } from "#domain/mailboxes/callout.ts";
import type { SendOutcome, SendStage } from "#domain/mailboxes/send-outcome.ts";
import { within } from "#mail/deadline.ts";
import type { MailLimits, MailOptions } from "#mail/options.ts";
import { reasonOf } from "#mail/server-text.ts";
import { Wire } from "#mail/wire.ts";
import { resolveAllowed } from "#platform/http/guard.ts";
import type { Callout } from "#platform/ports/mail.ts";
import { outcomeOfReply, replyText } from "./smtp-outcome.ts";

const MX_PORT = 25;
/** Exchanges of a domain that are tried, where the first can't be reached. */
const HOSTS_MAX = 2;
/** For which the last reply is waited for: nothing depends on it. */
const QUIT_MS_MAX = 2_000;
/** One reply whole, and whatever came after it. */
const REPLIED = /^(?:\d{3}-[^\n]*\n)*(?!\d{3}-)[^\n]*\n/;
const ONE_REPLY = /^(?:(\d{3})-[^\n]*\n)*\d{3}(?: [^\n]*|\r?)\n$/;
/** What RCPT may carry as it is: an address of visible ASCII. */
const PLAIN_ADDRESS = /^[\x21-\x3b=\x3f-\x7e]{1,320}$/;

type Next = (replies: readonly CalloutReply[]) => string | null;
type Options = Pick<MailOptions, "dns" | "allowCidrs" | "mxPort">;

/** As the port says. */
export async function callOut(
  options: Options,
  { calloutMs }: Pick<MailLimits, "calloutMs">,
  callout: Callout,
  next: Next,
): Promise<CalloutSession> {
  let session: CalloutSession = noConnection("the domain has no mail exchange");
  const hosts = callout.hosts.slice(0, HOSTS_MAX);
  for (const host of hosts) {
    session = await askAt(options, calloutMs / hosts.length, { ...callout, host }, next);
    if (session.ended?.kind !== "unreachable" || session.ended.stage !== "connect") {
      break;
    }
  }
  return session;
}

async function askAt(
  options: Options,
  ms: number,
  callout: Callout & { host: string },
  next: Next,
): Promise<CalloutSession> {
  const { host, teamId } = callout;
  const found = await resolveAllowed(options.dns, { host, team: teamId }, options.allowCidrs);
  if (found.kind === "refused") {
    return noConnection(found.reason);
  }
  const wire = new Wire(connect({ host: found.ip, port: options.mxPort ?? MX_PORT }), ms);
  const talk = new Talk(wire);
  try {
    await wire.once("connect");
    const ended = await talk.begin(callout);
    return ended === null ? await talk.ask(next) : { replies: [], ended };
  } catch (error) {
    const { replies, stage } = talk;
    return { replies, ended: unreachable(stage, reasonOf(error)) };
  } finally {
    await talk.quit();
    wire.close();
  }
}

/** What is said on one connection. */
class Talk {
  private readonly wire: Wire;
  readonly replies: CalloutReply[] = [];
  stage: SendStage = "connect";

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** Greets, encrypts and names the sender; null where the server agrees. */
  async begin({ name, from, host }: Callout & { host: string }): Promise<SendOutcome | null> {
    const refusal = outcomeOfReply("connect", await this.reply());
    if (refusal !== null) {
      return refusal;
    }
    const offers = await this.say(`EHLO ${name}`);
    if (/^250[ -]STARTTLS\b/im.test(offers)) {
      const ready = await this.say("STARTTLS");
      if (ready.startsWith("220")) {
        await this.wire.upgrade({ rejectUnauthorized: false, servername: host });
        await this.say(`EHLO ${name}`);
      }
    } else if (!offers.startsWith("250")) {
      const greeted = outcomeOfReply("connect", await this.say(`HELO ${name}`));
      if (greeted !== null) {
        return greeted;
      }
    }
    this.stage = "mail";
    return outcomeOfReply("mail", await this.say(`MAIL FROM:<${from}>`));
  }

  async ask(next: Next): Promise<CalloutSession> {
    this.stage = "rcpt";
    for (let recipient = next(this.replies); recipient !== null; recipient = next(this.replies)) {
      const reply = PLAIN_ADDRESS.test(recipient) ? await this.say(`RCPT TO:<${recipient}>`) : null;
      this.replies.push({ recipient, outcome: outcomeOfRcpt(reply) });
      // 421 is a server that hangs up.
      if (reply?.startsWith("421")) {
        break;
      }
    }
    return { replies: this.replies, ended: null };
  }

  /** Never rejects. */
  async quit(): Promise<void> {
    try {
      await within(this.say("QUIT"), QUIT_MS_MAX, "no goodbye");
    } catch {
      // It's closed either way.
    }
  }

  private say(line: string): Promise<string> {
    this.wire.write(`${line}\r\n`);
    return this.reply();
  }

  /** Throws where the server isn't in step: its replies could be taken for those to other questions. */
  private async reply(): Promise<string> {
    const text = await this.wire.read(REPLIED);
    if (!ONE_REPLY.test(text)) {
      throw new Error("not one SMTP reply");
    }
    return text;
  }
}

/** Of RCPT only 250 and 251 say that email would be taken; 252 says nothing. */
function outcomeOfRcpt(reply: string | null): SendOutcome {
  const refusal = reply === null ? null : outcomeOfReply("rcpt", reply);
  if (refusal !== null) {
    return refusal;
  }
  return reply !== null && /^25[01]/.test(reply)
    ? { kind: "accepted", response: replyText(reply) }
    : unreachable("rcpt", "no verdict");
}

function noConnection(reason: string): CalloutSession {
  return { replies: [], ended: unreachable("connect", reason) };
}

function unreachable(stage: SendStage, reason: string): SendOutcome {
  return { kind: "unreachable", stage, reason, bodySent: false };
}
