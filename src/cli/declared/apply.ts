/**
 * `outrider apply`: makes a server's campaigns what a file says. Shows what would change, and asks. What the
 * file leaves out stays as it is; nothing is deleted unless that is said; nothing is started.
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "#cli/requests/client.ts";
import { jsonLine, printable, styled, type Terminal } from "#cli/term.ts";
import { type Change, type Difference, differencesOf } from "./differences.ts";
import type { Fields } from "./file.ts";
import { formsOf } from "./server.ts";

const FORECAST_DAYS = 30;
const VALUE_CHARS_MAX = 60;

export const applyCommand = command({
  about: "Make campaigns what a YAML file says",
  details: [
    `${CLIENT_DETAILS} Shows what would change, and asks.`,
    "Campaigns are matched by name, mailboxes by address, steps by position, experiments by name.",
    "What the file leaves out stays as it is. Campaigns aren't started, and leads aren't part of it.",
  ].join("\n"),
  options: {
    yes: { type: "boolean", about: "Skip the confirmation" },
    delete: { type: "boolean", about: "Delete steps that the file doesn't have" },
    ...CLIENT_OPTIONS,
  },
  positionals: [{ name: "FILE", about: "A file such as outrider pull writes (- for stdin)" }],
  run: async (call) => {
    const [name = ""] = call.words;
    const { readCampaigns } = await import("./file.ts");
    const { shape } = await formsOf();
    const declared = readCampaigns(await textOf(name, call.workingDir), name, shape);
    const client = clientOf(call);
    const found = await differencesOf(client, declared, call.values.delete === true);
    const changes = found.flatMap((one) => one.changes);
    const before = await forecastsOf(client, found);
    if (!call.json) {
      await show(client, found, before, call.terminal);
    }
    if (changes.length > 0) {
      agree(call);
      await carryOut(client, found);
    }
    await report(client, found, before, call);
    return EXIT.done;
  },
});

async function textOf(name: string, workingDir: string): Promise<string> {
  try {
    return name === "-" ? await Bun.stdin.text() : readFileSync(resolve(workingDir, name), "utf8");
  } catch {
    throw new CommandError(EXIT.badData, `can't read ${name}`);
  }
}

function agree(call: Call<{ yes: { type: "boolean"; about: string } }>): void {
  if (call.values.yes === true) {
    return;
  }
  if (call.json || !call.terminal.isInteractive) {
    throw usageError("nothing has been changed; add --yes to do it");
  }
  if (!confirm("Do this?")) {
    throw new CommandError(EXIT.interrupted, "nothing has been changed");
  }
}

interface Forecast {
  total: number;
  next_send_at: string | null;
}

/** Of campaigns that are running and would change. */
async function forecastsOf(
  client: Client,
  found: readonly Difference[],
): Promise<ReadonlyMap<string, Forecast>> {
  const running = found.filter((one) => one.found?.status === "active" && one.changes.length > 0);
  const forecasts = new Map<string, Forecast>();
  for (const { found: campaign } of running) {
    const id = campaign?.id ?? "";
    const path = `/campaigns/${id}/forecast?days=${FORECAST_DAYS}`;
    forecasts.set(id, await client.call<Forecast>("GET", path));
  }
  return forecasts;
}

async function show(
  client: Client,
  found: readonly Difference[],
  forecasts: ReadonlyMap<string, Forecast>,
  terminal: Terminal,
): Promise<void> {
  for (const one of found.filter(({ changes, left }) => changes.length + left.length > 0)) {
    const { declared, found: campaign, left } = one;
    const isNew = campaign === null ? " (new)" : "";
    terminal.out(`${styled(printable(declared.name), "bold", terminal.outColours)}${isNew}\n`);
    await showChanges(client, one, terminal);
    for (const what of left) {
      terminal.out(`  ${what} isn't in the file and stays; --delete deletes it\n`);
    }
    const forecast = forecasts.get(campaign?.id ?? "");
    if (forecast !== undefined) {
      terminal.out(`  running: ${forecastText(forecast)} as it is now\n`);
    }
  }
}

async function showChanges(
  client: Client,
  { found, changes }: Difference,
  terminal: Terminal,
): Promise<void> {
  for (const change of changes) {
    terminal.out(changeText(change, terminal));
    const effect = found?.status === "active" ? await effectOf(client, found.id, change) : null;
    if (effect !== null) {
      terminal.out(`      ${effect}\n`);
    }
  }
}

/** What a change of a running campaign or of its steps does to its leads or emails; null of other changes. */
async function effectOf(
  client: Client,
  id: string,
  { method, path, body }: Change,
): Promise<string | null> {
  if (!/^\/campaigns\/[^/]+(\/steps(\/[^/]+)?)?$/.test(path)) {
    return null;
  }
  const tried = await client.call<{ effects?: { leads: number }; forecast?: { summary: string } }>(
    method,
    `${path.replace("{id}", id)}?dry_run=true`,
    body,
  );
  return tried.effects === undefined
    ? printable(tried.forecast?.summary ?? "")
    : `affects ${tried.effects.leads} leads under way`;
}

function changeText({ sign, what, fields }: Change, { outColours }: Terminal): string {
  const style = { "+": "green", "~": "amber", "-": "red" } as const;
  const head = `  ${styled(`${sign} ${printable(what)}`, style[sign], outColours)}\n`;
  const lines = fields.map(({ name, from, to }) => {
    const before = from === undefined ? "" : `${shortText(from)} → `;
    return `      ${printable(name)}: ${before}${shortText(to)}\n`;
  });
  return head + lines.join("");
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const line = printable(text.replaceAll("\n", "⏎"));
  return line.length > VALUE_CHARS_MAX ? `${line.slice(0, VALUE_CHARS_MAX - 1)}…` : line;
}

function forecastText({ total, next_send_at: next }: Forecast): string {
  const first = next === null ? "" : `, the first at ${next}`;
  return `${total} emails in the next ${FORECAST_DAYS} days${first}`;
}

/** In order, so that what is repeated after a failure goes on where it stopped. */
async function carryOut(client: Client, found: readonly Difference[]): Promise<void> {
  for (const { found: campaign, changes } of found) {
    let id = campaign?.id ?? "";
    for (const { method, path, body } of changes) {
      const named = body?.["campaign_id"] === "{id}" ? { ...body, campaign_id: id } : body;
      const answer = await client.call<Fields | undefined>(method, path.replace("{id}", id), named);
      id = path === "/campaigns" ? String(answer?.["id"]) : id;
    }
  }
}

async function report(
  client: Client,
  found: readonly Difference[],
  before: ReadonlyMap<string, Forecast>,
  { json, terminal }: Call,
): Promise<void> {
  const changes = found.flatMap((one) => one.changes);
  const after = changes.length === 0 ? new Map() : await forecastsOf(client, found);
  if (json) {
    const shown = changes.map(({ campaign, sign, what, fields }) => ({
      ...{ campaign, sign, what, fields },
    }));
    const left = found.flatMap((one) => one.left);
    terminal.out(jsonLine({ changes: shown, left, before: [...before], after: [...after] }));
    return;
  }
  for (const [id, forecast] of after) {
    const name = found.find((one) => one.found?.id === id)?.declared.name ?? id;
    const was = before.get(id)?.total ?? 0;
    terminal.out(`${printable(name)}: ${forecastText(forecast)} (before: ${was})\n`);
  }
  terminal.out(changes.length === 0 ? "nothing to change\n" : `${changes.length} changes done\n`);
}
