import { Type } from "@sinclair/typebox";
import {
  Count,
  Described,
  IdOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TimestampOf,
} from "#api/schema.ts";
import { DOMAIN_STATES } from "#usecases/placement/domain-watch.ts";
import { Check, Checks, Seen } from "./dns-schema.ts";

const DOMAIN_CHARS_MAX = 255;

export const DomainParams = Shape({
  domain: Type.String({
    minLength: 1,
    maxLength: DOMAIN_CHARS_MAX,
    description: "The sending domain",
    examples: ["example.com"],
  }),
});

export const Domain = Shape({
  domain: Type.String({ description: "The sending domain", examples: ["example.com"] }),
  state: OneOf(DOMAIN_STATES, {
    description:
      "The worst verdict of the checks that count; `unchecked` before the first look, `unknown` when DNS gave no response",
  }),
  broken: Type.Array(
    Shape({
      check: Check,
      since: TimestampOf("When it was first seen to fail"),
      message: Type.String({ description: "What was found" }),
    }),
    { description: "Checks that passed once and fail now" },
  ),
  mailboxes: Count("Accounts of the domain"),
  checked_at: Nullable(TimestampOf("When it was last looked at; null before the first time")),
  next_check_at: TimestampOf("When it is looked at next"),
});

export const DomainPage = Page(Domain);
export const DomainQuery = PageQuery;

export const DomainDetail = Shape({
  ...Domain.properties,
  checks: Checks,
  changes: Type.Array(
    Shape({
      at: TimestampOf("When it was seen"),
      check: Check,
      was: Described(Seen, "What was found before"),
      is: Described(Seen, "What was found then"),
    }),
    { description: "What changed, newest first; the last 100" },
  ),
  listings: Type.Array(
    Shape({
      ip: Type.String({ description: "Address that sends", examples: ["192.0.2.25"] }),
      list: Type.String({ description: "The block list", examples: ["bl.spamcop.net"] }),
      since: TimestampOf("When it was first seen there"),
    }),
    { description: "Block lists that list an address of the domain's email" },
  ),
  accounts: Type.Array(
    Shape({
      id: IdOf("The account's id"),
      email: Type.String({ description: "Address of the mailbox", examples: ["ann@example.com"] }),
    }),
    { description: "The domain's mailboxes" },
  ),
});

export const DomainSenders = Shape({
  domain: Type.String({ description: "The sending domain", examples: ["example.com"] }),
  days: Type.Integer({ description: "Days that are summed up, until now" }),
  verified: Type.Boolean({
    description:
      "Whether the mailbox's server confirmed who wrote the reports; others are used only while there are no such reports",
  }),
  reports: Count("Reports used"),
  reporters: Type.Array(Type.String(), {
    description: "Receivers that reported",
    examples: [["google.com"]],
  }),
  senders: Type.Array(
    Shape({
      name: Type.String({
        description: "The service, the domain of the servers, or the address of one without a name",
        examples: ["Google"],
      }),
      addresses: Type.Array(Type.String(), {
        description: "Addresses of its servers, at most 20",
        examples: [["192.0.2.25"]],
      }),
      host: Nullable(
        Type.String({ description: "Name of the first server; null when none leads back to it" }),
      ),
      ours: Type.Boolean({
        description: "Whether SPF lists it, or placement tests were seen to come from it",
      }),
      messages: Count("Emails that receivers saw"),
      passed: Count("Of these, emails that passed DMARC"),
      failed: Count("Of these, emails that failed DMARC"),
      spf: Count("Emails with aligned SPF"),
      dkim: Count("Emails with aligned DKIM"),
      quarantined: Count("Emails filed as spam because of the DMARC policy"),
      rejected: Count("Emails rejected because of the DMARC policy"),
      advice: Nullable(Type.String({ description: "What to do; null when nothing" })),
    }),
    { description: "Who sends as the domain, those with the most emails first" },
  ),
  tls: Shape(
    {
      passed: Count("Encrypted connections to the domain's mail servers"),
      failed: Count("Connections that failed"),
      failures: Type.Array(
        Shape({
          type: Type.String({
            description: "Kind of failure (RFC 8460 §4.3)",
            examples: ["certificate-expired"],
          }),
          host: Type.String({
            description: "The mail server; empty when the report doesn't name it",
            examples: ["mx.example.com"],
          }),
          sessions: Count("Connections that failed in this way"),
        }),
        { description: "Failures by kind and server" },
      ),
    },
    { description: "What TLS reports say of encryption" },
  ),
});
