import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import { listQuery } from "#api/filter.ts";
import {
  Count,
  Documented,
  FilteredCursorPage,
  Id,
  IdOf,
  IdParamsOf,
  Line,
  Nullable,
  OneOf,
  Shape,
  TeamId,
  TimestampOf,
} from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { PLACEMENTS } from "#domain/placement/placement.ts";
import { invalid } from "#domain/problem.ts";
import { toIso } from "#domain/time.ts";
import { type MovableClock, SPEED_MAX } from "#sandbox/clock.ts";
import { VERDICTS, type Verdict } from "#sandbox/people.ts";
import { headerOf, readMail } from "#sandbox/read-mail.ts";
import { PLAYED_ONLY } from "#sandbox/settings.ts";
import { SANDBOX_MESSAGE_LIST } from "#store/filter/log-lists.ts";
import type { SandboxMessageRow } from "#store/tables/sandbox.ts";
import type { Injected, Injection } from "#usecases/sandbox/sandbox.ts";
import type { PlacementInjection } from "#usecases/sandbox/sandbox-placement.ts";

const SPEED = "Seconds of sandbox time per second; 0 pauses the clock";

export const SandboxClock = Shape({
  now: TimestampOf("Current time of the test environment"),
  speed: Type.Number({ description: SPEED, examples: [1] }),
  advancing: Type.Boolean({ description: "Whether the clock is being moved" }),
});

export const ClockMove = Shape(
  {
    advance: Type.Optional(
      Documented(
        Type.String({
          minLength: 2,
          maxLength: 32,
          description: "How far to move the clock, 1s to 366d",
          examples: ["3d", "90m", "1h30m"],
        }),
        { pattern: "^([0-9]{1,6}d)?([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?$" },
      ),
    ),
    speed: Type.Optional(
      Type.Number({ minimum: 0, maximum: SPEED_MAX, description: SPEED, examples: [3600] }),
    ),
  },
  { description: "Either `advance` or `speed`", minProperties: 1 },
);

export function presentClock(clock: MovableClock): Static<typeof SandboxClock> {
  return { now: toIso(clock.now()), speed: clock.speed, advancing: clock.held };
}

export const SandboxMessageParams = IdParamsOf("Id of the captured message");

export const SandboxMessage = Shape({
  id: IdOf("Id of the captured message"),
  team_id: TeamId,
  account_id: IdOf("Account that sent it"),
  message_id: Type.String({ description: "`Message-ID` header with its angle brackets" }),
  sender: Type.String({ description: "Address of the sender", examples: ["ann@example.com"] }),
  recipient: Type.String({
    description: "Address of the recipient",
    examples: ["reply@sandbox.test"],
  }),
  subject: Type.String({ description: "Subject", examples: ["Quick question"] }),
  verdict: OneOf(VERDICTS, { description: "Where the simulated server put it" }),
  size: Count("Size in bytes"),
  sent_at: TimestampOf("When it was sent, by the sandbox clock"),
});

export const SandboxMessageDetail = Shape({
  ...SandboxMessage.properties,
  headers: Type.Array(
    Shape({
      name: Type.String({ description: "Name of the header", examples: ["Subject"] }),
      value: Type.String({ description: "Its value" }),
    }),
    { description: "All headers, in order" },
  ),
  text: Type.String({ description: "Plain-text part" }),
  html: Nullable(Type.String({ description: "HTML part; null without one" })),
});

export const SandboxMessagePage = FilteredCursorPage(SandboxMessage);

export const SandboxMessageQuery = listQuery(SANDBOX_MESSAGE_LIST, {
  recipient: Type.Optional(
    Type.String({ minLength: 3, maxLength: 254, description: "Only messages to this address" }),
  ),
  account_id: Type.Optional(IdOf("Only messages from this account")),
});

export function presentSandboxMessage(row: SandboxMessageRow): Static<typeof SandboxMessage> {
  const verdict = row.verdict as Verdict;
  return present(SandboxMessage, { ...row, verdict, size: row.raw.byteLength });
}

export function presentSandboxDetail(row: SandboxMessageRow): Static<typeof SandboxMessageDetail> {
  const mail = readMail(row.raw);
  const headers = mail.headers.map(({ name }) => ({ name, value: headerOf(mail, name) ?? "" }));
  return { ...presentSandboxMessage(row), headers, text: mail.text, html: mail.html };
}

const INJECT_KINDS = [
  "reply",
  "interested",
  "auto_reply",
  "bounce",
  "soft_bounce",
  "complaint",
  "unsubscribe",
  ...PLAYED_ONLY,
  "placement",
] as const;

const TEXT_MAX = 100_000;

export const Inject = Shape(
  {
    kind: OneOf(INJECT_KINDS, { description: "What comes back" }),
    message_id: Type.Optional(
      Type.Union([Id, Type.String({ pattern: "^<[^<>\\s]{1,996}>$" })], {
        description:
          "Email that it comes back for: its id, the id of the captured message, or its `Message-ID`",
      }),
    ),
    enrollment_id: Type.Optional(IdOf("Campaign lead whose last email it comes back for")),
    lead_id: Type.Optional(IdOf("Lead whose last email it comes back for")),
    account_id: Type.Optional(
      IdOf(
        "Account that a stranger writes to, with `from` and `text`; with `placement`, the sender",
      ),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description: "Text of the email; without one, a text that fits its kind",
      }),
    ),
    returns_on: Type.Optional(
      Type.String({
        format: "date",
        pattern: "^\\d{4}-\\d{2}-\\d{2}$",
        description: "First day back that an auto-reply names",
        examples: ["2026-03-16"],
      }),
    ),
    from: Type.Optional(
      Line(254, {
        minLength: 3,
        description: "Address that it comes from; without one, the lead's",
        examples: ["bo.li@acme.example"],
      }),
    ),
    run_id: Type.Optional(IdOf("Placement run whose result is set; with the kind `placement`")),
    seed_id: Type.Optional(IdOf("Seed whose result is set; with the kind `placement`")),
    placement: Type.Optional(
      OneOf(PLACEMENTS, { description: "Where the email is filed; with the kind `placement`" }),
    ),
  },
  {
    description:
      "Name the email that it comes back for, a lead or a campaign lead for the last one to it, or an " +
      "account that a stranger writes to. The kind `placement` sets the result of a placement test",
  },
);

export const InjectResult = Shape({
  kind: OneOf(INJECT_KINDS, { description: "What comes back" }),
  account_id: IdOf("Account that receives it"),
  answers: Nullable(IdOf("Email that it comes back for; null for a stranger's")),
  arrives_at: TimestampOf("When it arrives, by the sandbox clock"),
});

type PlayedInput = Static<typeof Inject> & {
  kind: Exclude<(typeof INJECT_KINDS)[number], "placement">;
};

/** Throws `validation_error` for fields that belong to the other kind of request. */
export function readInject(input: Static<typeof Inject>): Injection | PlacementInjection {
  return input.kind === "placement"
    ? readPlacement(input)
    : readPlayed({ ...input, kind: input.kind });
}

function readPlacement(input: Static<typeof Inject>): PlacementInjection {
  const stray = (
    ["message_id", "enrollment_id", "lead_id", "text", "returns_on", "from"] as const
  ).find((name) => input[name] !== undefined);
  if (stray !== undefined) {
    throw invalid(stray, `has no meaning with kind "placement"`);
  }
  const { runId, seedId, accountId, placement } = read(Inject, input);
  if (runId === undefined) {
    throw invalid("run_id", `is required with kind "placement"`);
  }
  if (seedId === undefined) {
    throw invalid("seed_id", `is required with kind "placement"`);
  }
  if (placement === undefined) {
    throw invalid("placement", `is required with kind "placement"`);
  }
  return { runId, seedId, placement, ...defined({ accountId }) };
}

function readPlayed(input: PlayedInput): Injection {
  const stray = (["run_id", "seed_id", "placement"] as const).find(
    (name) => input[name] !== undefined,
  );
  if (stray !== undefined) {
    throw invalid(stray, `is for kind "placement" only`);
  }
  const { messageId, enrollmentId, leadId, accountId, text, returnsOn, from } = read(Inject, input);
  return {
    kind: input.kind === "bounce" ? "hard_bounce" : input.kind,
    target: defined({ messageId, enrollmentId, leadId, accountId }),
    ...defined({ text, returnsOn, from }),
  };
}

export function presentInjected(
  { kind }: Static<typeof Inject>,
  injected: Pick<Injected, "accountId" | "arrivesAt"> & { answers: { id: string } | null },
): Static<typeof InjectResult> {
  return present(InjectResult, { kind, ...injected, answers: injected.answers?.id ?? null });
}
