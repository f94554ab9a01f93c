/** The prose of the document: what holds for every operation, and what each resource is. */

export const TITLE = "Outrider API";

export const DESCRIPTION = `
Campaigns of outreach mail through your own mailboxes: sequences, leads, sending accounts,
suppressions, and what comes back.

## Keys and environments
Every request carries \`Authorization: Bearer <key>\`. A key is \`outrider_live_…\` or
\`outrider_test_…\`, and that word chooses one of two separate worlds. In the test world no mail
leaves the machine: recipients are simulated, mail is captured, and the clock can be moved
(\`/sandbox\`). Records of one world are unknown in the other.

A key holds scopes: \`read\`, \`write\` and \`admin\`, or \`<resource>:read\` and \`<resource>:write\`.
Each operation names the one that it needs; \`write\` includes \`read\`, and \`admin\` everything.
Keys, billing and the audit log are opened by \`admin\` or their own scopes only.

## Requests
- JSON in and out. Times are ISO 8601 in UTC with milliseconds. Ids are UUIDs.
- An unknown field or query parameter is refused by name, never ignored.
- PATCH is a JSON merge patch (RFC 7396): what is absent stays, \`null\` clears, \`{}\` changes
  nothing. A record may be sent back as it was read: fields that only the engine moves are ignored,
  identity fields must be the record's own.
- \`If-Match\` with the \`ETag\` of a read refuses a change (412) when the settable fields have
  changed since.
- \`Idempotency-Key\` on a POST: for 24 hours the same request gets the first answer again, and is
  done once. The same key with another request is 422; while the first is under way, 409.
- A JSON body may have 8 MiB.

## Answers
- A POST that creates answers 201 with \`Location\`, an action 200, a DELETE 204 without a body.
- What does not exist yet is \`null\`.
- Lists take \`limit\` (1 to 100) and \`offset\`. Large ones also take \`after\` with the
  \`next_cursor\` of the page before, which costs the same on every page.
- New fields may appear in answers at any time; clients must let them pass.

## Refusals
Every refusal has the body \`{type, message, field, status}\`. \`type\` is stable, \`message\` is for
people, \`field\` is a dotted path into the body or the query (\`send_window.timezone\`,
\`leads.2.email\`) or \`null\`. A known path with another method is 405 with \`Allow\`.

## Events
Everything that happens is an event. Have it sent (\`/webhooks\`), read it (\`/events\`) or listen
(\`/events/stream\`). Deliveries are signed as Standard Webhooks 1.0.0 says, come at least once and
in no promised order; \`webhook-id\` is the same at every try.

## Rate limit
A bucket for each key, 600 requests a minute unless the operator chose otherwise. \`RateLimit\`
tells what is left; 429 carries \`Retry-After\`.
`.trim();

interface Tag {
  name: string;
  description: string;
}

/** In the order in which a reader meets them. */
export const TAGS: readonly Tag[] = [
  { name: "campaigns", description: "Sequences, their schedule and state, and how they do" },
  { name: "leads", description: "People, and their way through a campaign" },
  { name: "imports", description: "Files of leads, read as they come, and taken back" },
  { name: "exports", description: "Everything out again, as CSV or NDJSON" },
  { name: "tasks", description: "Steps of a sequence that a person does" },
  { name: "accounts", description: "Mailboxes that send and are read" },
  { name: "suppressions", description: "Addresses and domains that are never written to" },
  { name: "inbox", description: "What came back" },
  { name: "experiments", description: "Variants of a step against each other" },
  { name: "placement", description: "Where test mails arrive" },
  { name: "webhooks", description: "Events sent to your own addresses" },
  { name: "events", description: "Everything that happened, in order" },
  { name: "keys", description: "API keys; a live key also manages the test keys" },
  { name: "team", description: "The team's name and what is printed under its mail" },
  { name: "audit", description: "Who changed what, when, and how it was before" },
  { name: "requests", description: "What the keys have asked lately" },
  { name: "billing", description: "The plan" },
  { name: "backups", description: "The installation's backups; its operator's keys alone" },
  { name: "system", description: "How the installation is; its operator's keys alone" },
  { name: "sandbox", description: "The test world: its clock, its people, its captured mail" },
];
