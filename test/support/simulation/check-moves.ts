/**
 * What rules have made of leads, by the words of `docs/concepts.md` alone: a small model that is asked of every lead
 * again, where the product follows one change after the other.
 */

import type { Scene } from "./scene.ts";
import type { EnrollmentFacts } from "./snapshot.ts";

const OPEN = ["pending", "active", "paused"];

interface RuleFacts {
  on: string;
  campaignId: string;
}

export function* checkMoves({ chronicle, snapshot }: Scene): Iterable<string> {
  const rows = new Map(snapshot.enrollments.map((row) => [row.id, row]));
  const campaigns = new Map(snapshot.campaigns.map((row) => [row.id, row]));
  const written = new Set(snapshot.messages.map(({ enrollment }) => enrollment));
  const replied = new Set(
    snapshot.inbound.filter(({ kind }) => kind === "reply").map(({ enrollment }) => enrollment),
  );
  const ruleOf = (row: EnrollmentFacts, on: string | null): RuleFacts | undefined =>
    (JSON.parse(campaigns.get(row.campaign)?.rules ?? "[]") as RuleFacts[]).find(
      (rule) => rule.on === on,
    );
  const isSilent = (row: EnrollmentFacts) =>
    row.status === "completed" && row.stopReason === "sequence_finished" && !replied.has(row.id);

  for (const moved of snapshot.enrollments) {
    const from = moved.movedFrom === null ? undefined : rows.get(moved.movedFrom);
    if (from === undefined) {
      continue;
    }
    const rule = ruleOf(from, moved.movedOn);
    const isOn =
      moved.movedOn === "completed"
        ? isSilent(from)
        : moved.movedOn === "replied"
          ? replied.has(from.id) && from.interest !== "not_interested"
          : from.interest === moved.movedOn;
    if (rule?.campaignId.replaceAll("-", "").toUpperCase() !== moved.campaign) {
      yield `${moved.id} was moved on ${moved.movedOn}, for which there is no such rule`;
    }
    if (moved.lead !== from.lead || OPEN.includes(from.status)) {
      yield `${moved.id} was moved on from ${from.id}, which is ${from.status}`;
    }
    if (OPEN.includes(moved.status) && !written.has(moved.id) && !isOn) {
      yield `${moved.id} waits after ${moved.movedOn}, but ${from.id} is ${from.status}, ${from.interest}`;
    }
  }
  const told = new Map(snapshot.moves.map((one) => [one.enrollment, one]));
  for (const row of snapshot.enrollments) {
    const rule = ruleOf(row, isSilent(row) ? "completed" : row.interest);
    if (rule !== undefined && !told.has(row.id)) {
      yield `${row.id} has ended ${row.status}, ${row.interest}, and nothing is said of its rule`;
    }
  }
  for (const { id, moved } of snapshot.campaigns) {
    const made = snapshot.enrollments.filter(
      ({ movedFrom }) => movedFrom !== null && rows.get(movedFrom)?.campaign === id,
    ).length;
    const all = snapshot.moves.filter(({ enrollment }) => rows.get(enrollment)?.campaign === id);
    const counted = all.reduce(
      (sum, { stays, takenBack }) => sum + (takenBack ? -1 : Number(stays === null)),
      0,
    );
    if (made > moved || (chronicle.erased.length === 0 && counted !== moved)) {
      yield `campaign ${id} counts ${moved} moved, there are ${made}, and ${counted} by the log`;
    }
  }
}
