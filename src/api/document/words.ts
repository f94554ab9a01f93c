/** The prose of the document: what holds for every operation, and what each resource is. */

export const TITLE = "Outrider API";

export const DESCRIPTION = `
Email outreach through your own mailboxes: campaigns and their sequences, leads, sending accounts,
suppressions, and the replies that come back.

## Keys and environments
Send \`Authorization: Bearer <key>\` with every request. A key begins with \`outrider_live_\` or
\`outrider_test_\`, which selects one of two separate environments. In the test environment no email
leaves the server: recipients are simulated, emails are captured, and you can move the clock
(\`/sandbox\`). Records of one environment do not exist in the other.

A key has scopes: \`read\`, \`write\` and \`admin\`, or \`<resource>:read\` and \`<resource>:write\`.
Each operation names the scope that it needs; \`write\` includes \`read\`, and \`admin\` includes
everything. Keys, billing and the audit log need \`admin\` or their own scopes.

## Requests
- Bodies are JSON, of up to 8 MiB. Times are ISO 8601 in UTC, with milliseconds. Ids are UUIDs.
- Unknown fields and query parameters are refused by name.
- PATCH is a JSON merge patch (RFC 7396): fields that you leave out stay, \`null\` clears a field, and
  \`{}\` changes nothing. You can send a record back as you read it: read-only fields are ignored, and
  ids must be the record's own.
- \`If-Match\` with the \`ETag\` of a read refuses a change with 412 if the record has changed since.
- \`Outrider-Version: 2026-11-29\` names the state of the API that you wrote your program for, so that later
  changes do not break it. Left out, it is the newest.
- \`Idempotency-Key\` makes a POST safe to repeat: for 24 hours, the same request gets the same response
  and is carried out once. The same key with another request is refused with 422, and with 409 while
  the first request is still running.

## Responses
- A POST that creates a record responds with 201 and \`Location\`, an action with 200, a DELETE with 204.
- A value that does not exist yet is \`null\`.
- Lists take \`limit\` (1 to 100) and \`offset\`. Large ones also take \`after\` with the \`next_cursor\` of
  the previous page, which is equally fast on every page. A search or filter of leads, and a list of
  events, counts up to 10,000; \`total_is_capped\` says that there may be more.
- New fields may appear at any time; ignore those that you do not know.

## Errors
Every error has the body \`{type, message, field, status}\`. \`type\` is stable, \`message\` is for people,
and \`field\` is the dotted path of the field or parameter at fault (\`send_window.timezone\`,
\`leads.2.email\`), or \`null\`. A known path with another method is 405 with \`Allow\`.

## Events
Everything that happens is an event. Have events sent to you (\`/webhooks\`), list them (\`/events\`) or
stream them (\`/events/stream\`). Deliveries are signed as in Standard Webhooks 1.0.0. They come at
least once and in no guaranteed order; \`webhook-id\` is the same for every attempt.

## Rate limit
600 requests per minute and key, unless the operator has set another limit, and ten times as many for
all keys and people of a team together. A request that takes more than 20 ms of the server's one thread
counts as one more for each 20 ms, up to a tenth of the limit. \`RateLimit\` says how many remain; 429
comes with \`Retry-After\`.
`.trim();

interface Tag {
  name: string;
  description: string;
}

/** In the order in which a reader meets them. */
export const TAGS: readonly Tag[] = [
  { name: "campaigns", description: "Sequences with their schedule, status and results" },
  { name: "leads", description: "People you email, and where they are in campaigns" },
  { name: "imports", description: "Files of leads, processed as they arrive, and undone" },
  { name: "exports", description: "Your data as CSV or NDJSON" },
  { name: "tasks", description: "Steps of a sequence that a person does" },
  { name: "accounts", description: "Mailboxes that send and receive" },
  { name: "suppressions", description: "Addresses and domains that are never emailed" },
  { name: "files", description: "Attachments and images of your emails" },
  { name: "inbox", description: "Conversations: received emails and your replies" },
  { name: "experiments", description: "Variants of a step, tested against each other" },
  { name: "placement", description: "Tests of where providers file your emails" },
  { name: "webhooks", description: "Events sent to addresses of yours" },
  { name: "deliveries", description: "What your address receives of each kind of event" },
  { name: "events", description: "Everything that happened, in order" },
  { name: "keys", description: "API keys; a live key also manages test keys" },
  { name: "batch", description: "Several requests in one transaction" },
  { name: "team", description: "The team's settings, members and invitations" },
  { name: "audit", description: "Who changed what, and when" },
  { name: "requests", description: "Recent requests of the team's keys" },
  { name: "billing", description: "The team's plan and its usage" },
  { name: "backups", description: "Backups of the installation; for keys of its operator only" },
  { name: "system", description: "State of the installation; for keys of its operator only" },
  { name: "sandbox", description: "The test environment: its clock, people and captured emails" },
];
