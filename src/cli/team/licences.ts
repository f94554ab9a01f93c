/**
 * `outrider license keygen`, `issue`, `add` and `show`: plans that are handed out as signed keys. Issuing
 * needs the private key, which no installation holds; checking needs the public one (`license_keys`).
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { readId, teamById, withEnvironments } from "#cli/server/environments.ts";
import { configOf, DATA_OPTIONS } from "#cli/server/settings.ts";
import { jsonLine, styled } from "#cli/term.ts";
import type { Licence } from "#domain/billing/licence.ts";
import { isPlan, LIMITS, type Limits, mergeLimits, PLANS } from "#domain/sending/plan.ts";
import { messageOf } from "#domain/thrown.ts";
import { fromIso, toIso, toIsoOrNull, type UnixMs } from "#domain/time.ts";
import { systemClock } from "#platform/clock.ts";
import { newSigningKeys } from "#platform/secrets/crypto.ts";

const PRIVATE_MODE = 0o600;
/** Far more than a private key or a licence takes. */
const FILE_BYTES_MAX = 16 * 1024;

const TEAM_OPTION = { type: "string", value: "ID", about: "The team (the first team)" } as const;

export const licenceKeygenCommand = command({
  about: "Create a key pair for issuing licenses",
  details: "Writes the private key to FILE and prints the public key, the value for license_keys.",
  options: {},
  positionals: [{ name: "FILE", about: "File for the private key; never overwritten" }],
  run: ({ words, json, terminal, workingDir }) => {
    const path = resolve(workingDir, words[0] ?? "");
    const { publicKey, privateKey } = newSigningKeys();
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, privateKey, { mode: PRIVATE_MODE, flag: "wx" });
    } catch (error) {
      throw new CommandError(EXIT.cannotCreate, `can't write ${path}: ${messageOf(error)}`);
    }
    terminal.out(json ? jsonLine({ public_key: publicKey, file: path }) : `${publicKey}\n`);
    return EXIT.done;
  },
});

export const licenceIssueCommand = command({
  about: "Sign a license and print it",
  options: {
    "key-file": { type: "string", value: "FILE", about: "Private key file", required: true },
    plan: { type: "string", value: "PLAN", about: PLANS.join(", "), required: true },
    "ends-at": {
      type: "string",
      value: "TIME",
      about: "End of the license, ISO 8601 with an offset",
      required: true,
    },
    "starts-at": {
      type: "string",
      value: "TIME",
      about: "Start of the license, ISO 8601 with an offset (now)",
    },
    team: { type: "string", value: "ID", about: "Only for this team (the first team to add it)" },
    holder: { type: "string", value: "NAME", about: "Name of the license holder" },
    limits: {
      type: "string",
      value: "JSON",
      about: `Limits that override the plan's: ${LIMITS.join(", ")}`,
    },
  },
  run: async ({ values, json, terminal, workingDir }) => {
    const { plan } = values;
    if (!isPlan(plan)) {
      throw usageError(`--plan must be one of ${PLANS.join(", ")}, not "${plan}"`);
    }
    const startsAt = values["starts-at"];
    const licence: Licence = {
      id: crypto.randomUUID(),
      team: values.team === undefined ? null : readId(values.team, "--team"),
      holder: values.holder ?? "",
      plan,
      limits: values.limits === undefined ? null : readLimits(values.limits),
      startsAt: startsAt === undefined ? systemClock.now() : readTime(startsAt, "--starts-at"),
      endsAt: readTime(values["ends-at"], "--ends-at"),
    };
    if (licence.endsAt <= licence.startsAt) {
      throw usageError("--ends-at must come after --starts-at");
    }
    const { issueLicence } = await import("#usecases/billing/licences.ts");
    const pem = await readSmall(resolve(workingDir, values["key-file"]));
    let key: string;
    try {
      key = issueLicence(licence, pem);
    } catch {
      throw new CommandError(EXIT.badData, `${values["key-file"]} is not an Ed25519 private key`);
    }
    terminal.out(json ? jsonLine({ licence: key, id: licence.id }) : `${key}\n`);
    return EXIT.done;
  },
});

export const licenceAddCommand = command({
  about: "Put a team on a license's plan",
  details: "Pass the license itself, or the path of a file that contains it.",
  options: { team: TEAM_OPTION, ...DATA_OPTIONS },
  positionals: [{ name: "LICENSE", about: 'License ("key/…") or a file that contains one' }],
  run: async (call) => {
    const given = call.words[0] ?? "";
    const text = given.startsWith("key/")
      ? given
      : await readSmall(resolve(call.workingDir, given));
    const { addLicence } = await import("#usecases/billing/billing.ts");
    return await withTeam(call, async (environments, team) => {
      await environments.live.commit(() => addLicence(environments.live, team.id, text));
    });
  },
});

export const licenceShowCommand = command({
  about: "Show a team's plan and where it comes from",
  options: { team: TEAM_OPTION, ...DATA_OPTIONS },
  run: (call) => withTeam(call, () => Promise.resolve()),
});

type Environments = Parameters<Parameters<typeof withEnvironments<unknown>>[1]>[0];
type TeamCall = Pick<Call, "json" | "terminal"> & Parameters<typeof configOf>[0];

/** Does `act`, then shows what the team has. */
async function withTeam(
  call: TeamCall & { values: { team?: string | undefined } },
  act: (environments: Environments, team: { id: string; name: string }) => Promise<void>,
) {
  const { config } = configOf(call);
  const { firstTeam } = await import("#usecases/team/teams.ts");
  const { subscriptionView } = await import("#usecases/billing/billing.ts");
  const shown = await withEnvironments(config, async (environments) => {
    const named = call.values.team;
    const team =
      named === undefined
        ? await environments.live.commit(() => firstTeam(environments.live))
        : await teamById(environments.live, named);
    await act(environments, team);
    const { plan, state, source, endsAt } = subscriptionView(environments.live, team.id);
    return {
      team_id: team.id,
      team: team.name,
      plan,
      status: state,
      source,
      ends_at: toIsoOrNull(endsAt),
    };
  });
  const { terminal, json } = call;
  const end = shown.ends_at === null ? "" : `, until ${shown.ends_at}`;
  const plan = styled(shown.plan, "bold", terminal.outColours);
  terminal.out(json ? jsonLine(shown) : `${shown.team}: ${plan} (${shown.status}${end})\n`);
  return EXIT.done;
}

function readTime(text: string, option: string): UnixMs {
  try {
    return fromIso(text, option);
  } catch {
    throw usageError(`${option} must be like ${toIso(systemClock.now())}, not "${text}"`);
  }
}

function readLimits(text: string): Partial<Limits> {
  const none = Object.fromEntries(LIMITS.map((name) => [name, null])) as unknown as Limits;
  try {
    const given = JSON.parse(text) as object;
    const merged = mergeLimits(none, given);
    return Object.fromEntries(
      Object.entries(merged).filter(([name]) => Object.hasOwn(given, name)),
    );
  } catch (error) {
    throw usageError(`--limits: ${messageOf(error)}`);
  }
}

async function readSmall(path: string): Promise<string> {
  try {
    return await Bun.file(path).slice(0, FILE_BYTES_MAX).text();
  } catch (error) {
    throw new CommandError(EXIT.badData, `can't read ${path}: ${messageOf(error)}`);
  }
}
