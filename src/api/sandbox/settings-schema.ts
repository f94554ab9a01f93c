/** How a team's simulated people and servers behave, as the API has it. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import { Described, Id, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import { fromIso, toIso } from "#domain/time.ts";
import {
  AUTH_FAILURES_MAX,
  BLOCK_KINDS,
  BLOCKS_MAX,
  DELAY_SECONDS_MAX,
  EFFECT_TEXT_MAX,
  EFFECTS_MAX,
  type Effect,
  type FaultName,
  type ProviderBlock,
  type RateName,
  REACTION_KINDS,
  type ReactionKind,
  type SandboxSettings,
  SEED_MAX,
} from "#sandbox/settings.ts";
import type { SettingsPatch } from "#usecases/sandbox/sandbox.ts";

/** A closed object with one property for each name of `about`. */
function RecordOf<Name extends string, Schema extends TSchema>(
  about: Readonly<Record<Name, string>>,
  schema: Schema,
  description: string,
) {
  const entries = Object.entries<string>(about);
  const properties = entries.map(([name, words]) => [name, Described(schema, words)]);
  return Shape(Object.fromEntries(properties) as Record<Name, Schema>, { description });
}

const Share = Type.Number({ minimum: 0, maximum: 1 });
const Seconds = Type.Integer({ minimum: 0, maximum: DELAY_SECONDS_MAX, examples: [3600] });
const Delay = Shape({
  min_seconds: Described(Seconds, "Shortest time, in seconds"),
  max_seconds: Described(Seconds, "Longest time, in seconds"),
});
const Rates = RecordOf(
  {
    reply: "Share that gets a reply",
    interested: "Share that gets an interested reply",
    auto_reply: "Share that gets an out-of-office reply",
    hard_bounce: "Share that bounces because the address does not exist",
    soft_bounce: "Share that bounces temporarily",
    complaint: "Share that is reported as spam",
    unsubscribe: "Share whose reader unsubscribes",
    spam: "Share that is filed as spam, where no one reads it",
  } satisfies Record<RateName, string>,
  Share,
  "Shares of emails, 0 to 1, that people react to in each way",
);
const REACTIONS = {
  reply: "Time until a reply",
  interested: "Time until an interested reply",
  auto_reply: "Time until an out-of-office reply",
  hard_bounce: "Time until a permanent bounce",
  soft_bounce: "Time until a temporary bounce",
  complaint: "Time until a complaint",
  unsubscribe: "Time until an opt-out",
} satisfies Record<ReactionKind, string>;
const DELAYS_ABOUT = "How long people take to react";
const Delays = RecordOf(REACTIONS, Delay, DELAYS_ABOUT);
const DelaysPatch = RecordOf(REACTIONS, Type.Partial(Delay), DELAYS_ABOUT);
const FAULTS_ABOUT = "Shares of attempts, 0 to 1, at which a server fails";
const Faults = Shape(
  {
    ...RecordOf(
      {
        smtp421: "Share at which the server responds with 421 and hangs up",
        smtp450: "Share at which it responds with 450, to try later",
        smtp550: "Share at which it responds with 550, for good",
        timeout: "Share at which it does not respond",
        cut: "Share at which the connection breaks after the email, whether or not it was accepted",
        imap: "Share at which the mailbox cannot be read",
      } satisfies Record<FaultName, string>,
      Share,
      FAULTS_ABOUT,
    ).properties,
    auth_failures: Type.Array(Id, {
      maxItems: AUTH_FAILURES_MAX,
      uniqueItems: true,
      description: "Accounts whose login is refused",
    }),
  },
  { description: FAULTS_ABOUT },
);

const Seed = Type.Integer({
  minimum: 0,
  maximum: SEED_MAX,
  description: "Seed of the simulation; the same seed gives the same people",
});

/** Types of lists are written out: worked out from the schema they cost the compiler much more. */
const Effects = Type.Unsafe<Effect[]>(
  Type.Array(
    Shape({
      contains: Type.String({
        minLength: 1,
        maxLength: EFFECT_TEXT_MAX,
        pattern: "^[^\\u0000]*$",
        description: "Text in the subject or the body, in upper or lower case",
      }),
      rates: Type.Partial(Rates),
    }),
    {
      maxItems: EFFECTS_MAX,
      description: "Other rates for emails that contain a text; the first one that matches applies",
    },
  ),
);

type WireBlock = Omit<ProviderBlock, "from" | "until"> & { from: string; until: string };

const Blocks = Type.Unsafe<WireBlock[]>(
  Type.Array(
    Shape({
      provider: OneOf(MAIL_PROVIDERS, {
        description: "Who runs the recipients' servers; `custom`: anybody else",
      }),
      kind: OneOf(BLOCK_KINDS, {
        description:
          "`refuse`: the provider has the sender on its block list. `throttle`: it asks to try later",
      }),
      from: TimestampOf("When it begins, by the sandbox clock"),
      until: TimestampOf("When it ends"),
    }),
    {
      maxItems: BLOCKS_MAX,
      description: "Providers that refuse email from the team's mailboxes for a while",
    },
  ),
);

export const SandboxSettingsBody = Shape({
  seed: Seed,
  rates: Rates,
  delays: Delays,
  faults: Faults,
  effects: Effects,
  blocks: Blocks,
});

export const SandboxSettingsPatch = Shape({
  seed: Type.Optional(Seed),
  rates: Type.Optional(Type.Partial(Rates)),
  delays: Type.Optional(Type.Partial(DelaysPatch)),
  faults: Type.Optional(Type.Partial(Faults)),
  effects: Type.Optional(Effects),
  blocks: Type.Optional(Blocks),
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
    blocks: settings.blocks.map((block) => {
      return { ...block, from: toIso(block.from), until: toIso(block.until) };
    }),
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
    blocks: input.blocks?.map(({ from, until, ...block }, index) => {
      const at = (name: string, text: string) => fromIso(text, `blocks.${index}.${name}`);
      return { ...block, from: at("from", from), until: at("until", until) };
    }),
  });
}

function mapKinds<Value>(make: (kind: ReactionKind) => Value): Record<ReactionKind, Value> {
  return Object.fromEntries(REACTION_KINDS.map((kind) => [kind, make(kind)])) as Record<
    ReactionKind,
    Value
  >;
}
