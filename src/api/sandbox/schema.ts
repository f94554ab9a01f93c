import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import {
  CursorPage,
  CursorQuery,
  Documented,
  Id,
  Line,
  Nullable,
  OneOf,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { PLACEMENTS } from "#domain/placement/placement.ts";
import { invalid } from "#domain/problem.ts";
import { toIso } from "#domain/time.ts";
import { type MovableClock, SPEED_MAX } from "#sandbox/clock.ts";
import { VERDICTS, type Verdict } from "#sandbox/people.ts";
import { headerOf, readMail } from "#sandbox/read-mail.ts";
import {
  AUTH_FAILURES_MAX,
  DELAY_SECONDS_MAX,
  EFFECT_TEXT_MAX,
  EFFECTS_MAX,
  FAULT_NAMES,
  PLAYED_ONLY,
  RATE_NAMES,
  REACTION_KINDS,
  type ReactionKind,
  type SandboxSettings,
  SEED_MAX,
} from "#sandbox/settings.ts";
import type { SandboxMessageRow } from "#store/tables/sandbox.ts";
import type { Injected, Injection, SettingsPatch } from "#usecases/sandbox/sandbox.ts";
import type { PlacementInjection } from "#usecases/sandbox/sandbox-placement.ts";

export const SandboxClock = Shape({
  now: Timestamp,
  speed: Type.Number({ description: "Seconds of sandbox time a second; 0 stands still" }),
  advancing: Type.Boolean({ description: "It is being moved" }),
});

export const ClockMove = Shape(
  {
    advance: Type.Optional(
      Documented(
        Type.String({
          minLength: 2,
          maxLength: 32,
          description: "A duration, 1s to 366d; answers when all that was due has been done",
          examples: ["3d", "90m", "1h30m"],
        }),
        { pattern: "^([0-9]{1,6}d)?([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?$" },
      ),
    ),
    speed: Type.Optional(Type.Number({ minimum: 0, maximum: SPEED_MAX })),
  },
  { description: "One of the two", minProperties: 1 },
);

export function presentClock(clock: MovableClock): Static<typeof SandboxClock> {
  return { now: toIso(clock.now()), speed: clock.speed, advancing: clock.held };
}

const message = {
  id: Id,
  team_id: Id,
  account_id: Id,
  message_id: Type.String({ description: "The header, with its angle brackets" }),
  sender: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  verdict: OneOf(VERDICTS, { description: "Where the simulated recipient's server put it" }),
  size: Type.Integer({ minimum: 0, description: "Bytes" }),
  sent_at: Timestamp,
};
export const SandboxMessage = Shape(message);

export const SandboxMessageDetail = Shape({
  ...message,
  headers: Type.Array(Shape({ name: Type.String(), value: Type.String() })),
  text: Type.String(),
  html: Nullable(Type.String()),
});

export const SandboxMessagePage = CursorPage(SandboxMessage);

export const SandboxMessageQuery = Shape({
  ...CursorQuery.properties,
  recipient: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
  account_id: Type.Optional(Id),
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

/** A closed object with one property for each name. */
function RecordOf<const Names extends readonly string[], Schema extends TSchema>(
  names: Names,
  schema: Schema,
) {
  const properties = Object.fromEntries(names.map((name) => [name, schema]));
  return Shape(properties as Record<Names[number], Schema>);
}

const Share = Type.Number({ minimum: 0, maximum: 1 });
const Seconds = Type.Integer({ minimum: 0, maximum: DELAY_SECONDS_MAX });
const Delay = Shape({ min_seconds: Seconds, max_seconds: Seconds });
const Rates = RecordOf(RATE_NAMES, Share);
const Delays = RecordOf(REACTION_KINDS, Delay);
const DelaysPatch = RecordOf(REACTION_KINDS, Type.Partial(Delay));
const Faults = Shape({
  ...RecordOf(FAULT_NAMES, Share).properties,
  auth_failures: Type.Array(Id, {
    maxItems: AUTH_FAILURES_MAX,
    uniqueItems: true,
    description: "Accounts whose login is refused",
  }),
});

const Seed = Type.Integer({
  minimum: 0,
  maximum: SEED_MAX,
  description: "The same seed gives the same people",
});

const Effects = Type.Array(
  Shape({
    contains: Type.String({
      minLength: 1,
      maxLength: EFFECT_TEXT_MAX,
      pattern: "^[^\\u0000]*$",
      description: "Of subject or text, upper and lower case alike",
    }),
    rates: Type.Partial(Rates),
  }),
  {
    maxItems: EFFECTS_MAX,
    description: "People answer by what a message says: the first whose text it contains holds",
  },
);

export const SandboxSettingsBody = Shape({
  seed: Seed,
  rates: Rates,
  delays: Delays,
  faults: Faults,
  effects: Effects,
});

export const SandboxSettingsPatch = Shape({
  seed: Type.Optional(Seed),
  rates: Type.Optional(Type.Partial(Rates)),
  delays: Type.Optional(Type.Partial(DelaysPatch)),
  faults: Type.Optional(Type.Partial(Faults)),
  effects: Type.Optional(Effects),
});

export function presentSettings(settings: SandboxSettings): Static<typeof SandboxSettingsBody> {
  const delays = mapKinds((kind) => {
    const { minSeconds, maxSeconds } = settings.delays[kind];
    return { min_seconds: minSeconds, max_seconds: maxSeconds };
  });
  return {
    seed: settings.seed,
    rates: settings.rates,
    delays,
    faults: { ...settings.faults, auth_failures: [...settings.authFailures] },
    effects: settings.effects.map(({ contains, rates }) => ({ contains, rates: { ...rates } })),
  };
}

/** Wire to use case, merged into `before` where a delay is given by half. */
export function readSettings(
  input: Static<typeof SandboxSettingsPatch>,
  before: SandboxSettings,
): SettingsPatch {
  const { auth_failures: authFailures, ...faults } = input.faults ?? {};
  const delays = mapKinds((kind) => {
    const given = input.delays?.[kind];
    return {
      minSeconds: given?.min_seconds ?? before.delays[kind].minSeconds,
      maxSeconds: given?.max_seconds ?? before.delays[kind].maxSeconds,
    };
  });
  return defined({
    seed: input.seed,
    rates: input.rates === undefined ? undefined : defined(input.rates),
    delays,
    faults: defined(faults),
    authFailures,
    effects: input.effects?.map(({ contains, rates }) => ({ contains, rates: defined(rates) })),
  });
}

function mapKinds<Value>(make: (kind: ReactionKind) => Value): Record<ReactionKind, Value> {
  return Object.fromEntries(REACTION_KINDS.map((kind) => [kind, make(kind)])) as Record<
    ReactionKind,
    Value
  >;
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
    kind: OneOf(INJECT_KINDS),
    message_id: Type.Optional(
      Type.Union([Id, Type.String({ pattern: "^<[^<>\\s]{1,996}>$" })], {
        description: "Id of a message or a captured one, or the Message-ID header",
      }),
    ),
    enrollment_id: Type.Optional(Id),
    lead_id: Type.Optional(Id),
    account_id: Type.Optional(Id),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX })),
    returns_on: Type.Optional(
      Type.String({ format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$", examples: ["2026-03-16"] }),
    ),
    from: Type.Optional(Line(254, { minLength: 3, description: "Somebody else answers" })),
    run_id: Type.Optional(Id),
    seed_id: Type.Optional(Id),
    placement: Type.Optional(OneOf(PLACEMENTS)),
  },
  {
    description:
      "Answers the message named, or the last one to the lead or of the enrollment; with account_id a " +
      "stranger writes, and from and text are needed. The kind placement decides where the mail of a " +
      "placement run to a seed ends, with account_id where the run has several",
  },
);

export const InjectResult = Shape({
  kind: OneOf(INJECT_KINDS),
  account_id: Id,
  answers: Nullable(Id),
  arrives_at: Timestamp,
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
