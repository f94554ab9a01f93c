/** `outrider admin`: the way in for whoever has the data directory, beside a server that runs on it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestApp, type TestApp } from "../support/app.ts";
import { ANN, firstPerson, type Visitor, visitor } from "../support/people.ts";
import { run } from "./support.ts";

const PUBLIC = "https://mail.example.com";
const CLEO = ["--email", "cleo@example.com", "--name", "Cleo"];

let dir: string;
let app: TestApp;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-admin-"));
  const paths = { live: join(dir, "live.db"), test: join(dir, "test.db") };
  app = await createTestApp({ paths });
});
afterEach(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

function admin(word: string, ...args: string[]) {
  return run(["admin", word, "--data", dir, "--public-url", PUBLIC, ...args]);
}

function passwordFile(text: string): string {
  const path = join(dir, "password.txt");
  writeFileSync(path, `${text}\n`);
  return path;
}

async function follow(printed: string): Promise<Visitor> {
  const [page, token] = printed.trim().split("#");
  expect(page).toBe(`${PUBLIC}/enter`);
  const guest = visitor(app);
  expect((await guest.ask("POST", "/console/enter", { token })).status).toBe(201);
  expect((await visitor(app).ask("POST", "/console/enter", { token })).status).toBe(404);
  return guest;
}

const who = async (guest: Visitor) => (await guest.ask("GET", "/console/session")).body.user;

const signIn = (email: string, password: string) =>
  visitor(app).ask("POST", "/console/session", { email, password });

describe("admin link", () => {
  test("makes the first account where nobody can sign in yet", async () => {
    const { exit, out } = await admin("link");
    expect([exit, out]).toEqual([0, expect.stringMatching(/^https:[^\s]+\/welcome#[\w-]{43}\n$/)]);
    const token = out.trim().split("#")[1];
    const { status } = await visitor(app).ask("POST", "/console/welcome", { token, ...ANN });
    expect(status).toBe(201);
  });

  test("lets the first operator in once, who has forgotten the password", async () => {
    await firstPerson(app);
    expect((await who(await follow((await admin("link")).out))).email).toBe(ANN.email);
  });

  test("lets in whom it names, as JSON where that is asked for", async () => {
    await firstPerson(app);
    await admin("create", ...CLEO);
    const { out } = await admin("link", "--email", "Cleo@example.com", "--json");
    expect((await who(await follow(JSON.parse(out).url))).name).toBe("Cleo");
  });

  test("fails for an address that nobody has", async () => {
    await firstPerson(app);
    const { exit, out, err } = await admin("link", "--email", "bob@example.com");
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain("no account with the email bob@example.com");
  });
});

describe("admin create", () => {
  test("makes an owner who operates the installation, and a link for them", async () => {
    const { exit, out } = await admin("create", ...CLEO);
    expect(exit).toBe(0);
    const user = await who(await follow(out));
    expect(user).toMatchObject({ email: "cleo@example.com", role: "owner", operator: true });
  });

  test("takes a password, a role and a team", async () => {
    const { team } = await app.addTeam("Second");
    const path = passwordFile("a password of a file");
    const more = ["--role", "viewer", "--team", team.id, "--password-file", path, "--json"];
    const { exit, out } = await admin("create", ...CLEO, ...more);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ role: "viewer", team_id: team.id, url: null });
    const { status, body } = await signIn("cleo@example.com", "a password of a file");
    expect([status, body.user.role, body.team.name]).toEqual([201, "viewer", "Second"]);
    // Seeing to the installation takes an admin's role too.
    expect(body.scopes).not.toContain("operator");
  });

  test("ends the first account's link: somebody is there", async () => {
    const token = (await admin("link")).out.trim().split("#")[1];
    await admin("create", ...CLEO);
    const { status } = await visitor(app).ask("POST", "/console/welcome", { token, ...ANN });
    expect(status).toBe(404);
  });

  test.each<[string, string[], number, string]>([
    ["a role that is none", ["--role", "king"], 64, "--role must be one of owner, admin"],
    ["a team that is none", ["--team", "x"], 64, "--team must be a UUID"],
    ["an unknown team", ["--team", "0198a000-0000-7000-8000-000000000001"], 1, "no such team"],
    ["no file", ["--password-file", "/nowhere/at/all"], 78, "/nowhere/at/all"],
  ])("refuses %s", async (_name, more, code, words) => {
    const { exit, err } = await admin("create", ...CLEO, ...more);
    expect([exit, err]).toEqual([code, expect.stringContaining(words)]);
    expect((await admin("link", "--email", "cleo@example.com")).exit).toBe(1);
  });

  test("refuses a weak password, an address that is none, and one that is known", async () => {
    const path = passwordFile("short");
    const weak = await admin("create", ...CLEO, "--password-file", path);
    expect([weak.exit, weak.err]).toEqual([
      64,
      "outrider: password: must be 10 to 256 characters\n",
    ]);
    const none = await admin("create", "--email", "cleo", "--name", "Cleo");
    expect([none.exit, none.err]).toEqual([64, expect.stringContaining("email: must be an email")]);
    await admin("create", ...CLEO);
    const twice = await admin("create", ...CLEO);
    expect([twice.exit, twice.err]).toEqual([1, expect.stringContaining("already has an account")]);
  });
});

describe("admin password", () => {
  test("gives a new one, and ends every session of its owner and of nobody else", async () => {
    const ann = await firstPerson(app);
    const cleo = await follow((await admin("create", ...CLEO)).out);
    const path = passwordFile("another long one");
    const { exit, err } = await admin("password", "--email", ANN.email, "--password-file", path);
    expect([exit, err]).toEqual([0, expect.stringContaining("sessions have ended")]);
    expect((await ann.ask("GET", "/console/session")).status).toBe(401);
    expect((await cleo.ask("GET", "/console/session")).status).toBe(200);
    expect((await signIn(ANN.email, ANN.password)).status).toBe(401);
    expect((await signIn(ANN.email, "another long one")).status).toBe(201);
  });

  test("is in the audit log as the operator's", async () => {
    await firstPerson(app);
    const path = passwordFile("another long one");
    await admin("password", "--email", ANN.email, "--password-file", path);
    const { data } = (await app.live("GET", "/audit?limit=1")).body;
    expect(data[0]).toMatchObject({ action: "user.password", actor: "operator" });
    expect(JSON.stringify(data)).not.toContain("another long one");
  });

  test("fails for a weak one, and changes nothing", async () => {
    await firstPerson(app);
    const path = passwordFile(ANN.email);
    const { exit } = await admin("password", "--email", ANN.email, "--password-file", path);
    expect(exit).not.toBe(0);
    expect((await signIn(ANN.email, ANN.password)).status).toBe(201);
  });
});
