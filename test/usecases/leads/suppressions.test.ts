/**
 * The guard of every send finds what the API stored, and the sweep behind a suppressed domain ends every
 * open enrollment there however small its slices are.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isOpen } from "#domain/campaigns/enrollment.ts";
import { engineCaller } from "#environment.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { pendingSweeps } from "#store/leads/suppressions.ts";
import {
  isSuppressed,
  suppress,
  suppressionKey,
  sweepSuppressedDomains,
  unsuppress,
} from "#usecases/leads/suppressions.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const LOCALS = ["ann", "bob"];
const DOMAINS = ["x.example", "y.example", "sub.x.example"];
const anyAddress = () =>
  fc
    .record({ local: fc.constantFrom(...LOCALS), domain: fc.constantFrom(...DOMAINS) })
    .map(({ local, domain }) => ({ email: `${local}@${domain}`, domain }));
const anyEntry = () =>
  fc.oneof(
    anyAddress().map(({ email }) => email),
    fc.constantFrom(...DOMAINS).map((domain) => `@${domain}`),
  );

test("isSuppressed says what a set of the same entries says", async () => {
  const { test: env } = app.environments;
  const caller = engineCaller(app.team.id);
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEntry(), { maxLength: 6 }),
      anyAddress(),
      async (entries, asked) => {
        const rows = await env.commit(() =>
          entries.map((email) => suppress(env, caller, { email, reason: "manual" }).row),
        );
        const found = isSuppressed(env.db, app.team.id, asked.email, asked.domain);
        await env.commit(() => {
          for (const id of new Set(rows.map((row) => row.id))) {
            unsuppress(env, caller, id);
          }
        });
        const set = new Set(entries);
        const byDomain = set.has(`@${asked.domain}`) ? "domain" : null;
        expect(found).toBe(set.has(asked.email) ? "address" : byDomain);
        expect(isSuppressed(env.db, app.team.id, asked.email, asked.domain)).toBeNull();
      },
    ),
    { numRuns: 50 },
  );
});

test.each([
  ["Ann@X.Example ", "ann@x.example", false],
  [" @X.Example", "@x.example", true],
  ["@bücher.example", "@xn--bcher-kva.example", true],
])("%p is stored as %p", (text, email, isDomain) => {
  expect(suppressionKey(text)).toMatchObject({ email, isDomain });
});

describe("sweepSuppressedDomains", () => {
  const emails = DOMAINS.flatMap((domain) => LOCALS.map((local) => `${local}@${domain}`));
  const openOnes = () => {
    const { db } = app.environments.test;
    return emails.filter((email) => {
      const lead = leadByEmail(db, app.team.id, email);
      const rows = lead === undefined ? [] : enrollmentsOfLead(db, lead.id);
      return rows.some(({ status }) => isOpen(status));
    });
  };
  const sweep = async (limit: number) => {
    const { test: env } = app.environments;
    const looked: number[] = [];
    do {
      looked.push(await env.commit(() => sweepSuppressedDomains(env, limit)));
    } while (looked.at(-1) === limit);
    return looked;
  };

  test.each([1, 2, 3, 6, 100])("ends what is open there, %d at a time", async (limit) => {
    const { test: env } = app.environments;
    const { id } = await makeCampaign(app);
    await app.call("POST", `/campaigns/${id}/leads`, { leads: emails.map((email) => ({ email })) });
    const add = (email: string) =>
      env.commit(() => {
        suppress(env, engineCaller(app.team.id), { email, reason: "manual" });
      });
    await add("@y.example");
    await env.commit(() => sweepSuppressedDomains(env, limit));
    await add("@x.example");

    const looked = await sweep(limit);

    expect(openOnes()).toEqual(["ann@sub.x.example", "bob@sub.x.example"]);
    expect(looked.length).toBeLessThanOrEqual(Math.ceil(7 / limit));
    expect(pendingSweeps(env.db, 10)).toEqual([]);
    expect(await sweep(limit)).toEqual([0]);
  });

  test("leaves other teams alone", async () => {
    const { test: env } = app.environments;
    const other = await app.addTeam("Other");
    const { id } = await makeCampaign(app);
    await app.call("POST", `/campaigns/${id}/leads`, { leads: emails.map((email) => ({ email })) });
    await env.commit(() => {
      suppress(env, engineCaller(other.team.id), { email: "@x.example", reason: "manual" });
    });
    await sweep(100);
    expect(openOnes()).toEqual(emails);
  });
});
