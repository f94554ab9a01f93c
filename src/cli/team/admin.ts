/**
 * `outrider admin link`, `create` and `password`: the first login and lost ones. Whoever has the data
 * directory may do this, whether or not a server runs on it.
 */

import { command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { consoleBase } from "#cli/server/addresses.ts";
import { operator, teamById, withEnvironments } from "#cli/server/environments.ts";
import { configOf, settingOptions } from "#cli/server/settings.ts";
import { jsonLine, styled } from "#cli/term.ts";
import { readBounded } from "#config/values.ts";
import { parseAddress } from "#domain/email-address.ts";
import { ROLES, type Role } from "#domain/team/role.ts";
import type { Environment } from "#environment.ts";
import type { UserRow } from "#store/tables/people.ts";

const PASSWORD_BYTES_MAX = 4 * 1024;

const OPTIONS = settingOptions(["data", "host", "port", "public_url"]);

const PASSWORD_OPTION = {
  type: "string",
  value: "FILE",
  about: "File with the password (- for stdin)",
} as const;

export const adminLinkCommand = command({
  about: "Print a one-time sign-in link for the console, valid for 30 minutes",
  details: "If no account exists yet, the link creates the first one.",
  options: {
    email: { type: "string", value: "EMAIL", about: "Who the link signs in (the first operator)" },
    ...OPTIONS,
  },
  run: async (call) => {
    const { config } = configOf(call);
    const { signInUrl } = await import("#usecases/team/sign-in-link.ts");
    const { hasUsers, listOperators } = await import("#store/team/people.ts");
    const { values, terminal } = call;
    const url = await withEnvironments(config, async ({ live }) => {
      const isNew = !hasUsers(live.db) && values.email === undefined;
      const user =
        values.email === undefined ? listOperators(live.db)[0] : await userWith(live, values.email);
      if (!isNew && user === undefined) {
        throw new CommandError(EXIT.failed, "there is no operator; name an account with --email");
      }
      return await signInUrl(live, consoleBase(config), user ?? null);
    });
    terminal.out(call.json ? jsonLine({ url }) : `${url}\n`);
    return EXIT.done;
  },
});

export const adminCreateCommand = command({
  about: "Create an operator account",
  details:
    "Operators can also manage the installation. Without a password file, prints a one-time sign-in link.",
  options: {
    email: {
      type: "string",
      value: "EMAIL",
      about: "Email address to sign in with",
      required: true,
    },
    name: { type: "string", value: "NAME", about: "1 to 100 characters", required: true },
    role: { type: "string", value: "ROLE", about: `${ROLES.join(", ")} (owner)` },
    team: { type: "string", value: "ID", about: "Team to join (the first team)" },
    "password-file": PASSWORD_OPTION,
    ...OPTIONS,
  },
  run: async (call) => {
    const { values, terminal } = call;
    const role = readRole(values.role ?? "owner");
    const { config } = configOf(call);
    const { createUser, readEmail, readName, readPerson } = await import("#usecases/team/users.ts");
    const { firstTeam, mirrorTeam } = await import("#usecases/team/teams.ts");
    const { signInUrl } = await import("#usecases/team/sign-in-link.ts");
    const { email, name } = values;
    const password = await passwordIn(values["password-file"]);
    const person =
      password === null
        ? { email: readEmail(email), name: readName(name), passwordHash: null }
        : await readPerson({ email, name, password });
    const made = await withEnvironments(config, async ({ live, test }) => {
      const team =
        values.team === undefined
          ? await live.commit(() => firstTeam(live))
          : await teamById(live, values.team);
      await test.commit(() => mirrorTeam(test, team));
      const as = { teamId: team.id, role, operator: true };
      const user = await live.commit(() => createUser(live, person, as));
      const url = password === null ? await signInUrl(live, consoleBase(config), user) : null;
      return { id: user.id, email: user.email, role, team_id: team.id, url };
    });
    if (call.json) {
      terminal.out(jsonLine(made));
    } else {
      terminal.out(`${made.url ?? made.id}\n`);
    }
    return EXIT.done;
  },
});

export const adminPasswordCommand = command({
  about: "Set a new password and end all sessions",
  options: {
    email: {
      type: "string",
      value: "EMAIL",
      about: "Email address of the account",
      required: true,
    },
    "password-file": { ...PASSWORD_OPTION, required: true },
    ...OPTIONS,
  },
  run: async (call) => {
    const { values, terminal } = call;
    const { config } = configOf(call);
    const { newPasswordHash, storePassword } = await import("#usecases/team/users.ts");
    const { teamsOf } = await import("#store/team/people.ts");
    const password = (await passwordIn(values["password-file"])) ?? "";
    const id = await withEnvironments(config, async ({ live }) => {
      const user = await userWith(live, values.email);
      const hash = await newPasswordHash(password, [user.email, user.name]);
      const teamId = teamsOf(live.db, user.id)[0]?.team.id ?? user.id;
      const whose = { userId: user.id, sessionId: null };
      await live.commit(() => storePassword(live, operator(teamId), whose, hash));
      return user.id;
    });
    if (call.json) {
      terminal.out(jsonLine({ id }));
    } else {
      terminal.err(
        styled("Password changed. All their sessions have ended.\n", "dim", terminal.errColours),
      );
    }
    return EXIT.done;
  },
});

async function userWith(live: Environment, text: string): Promise<UserRow> {
  const { findUserByEmail } = await import("#store/team/people.ts");
  const email = parseAddress(text)?.address;
  const user = email === undefined ? undefined : findUserByEmail(live.db, email);
  if (user === undefined) {
    throw new CommandError(EXIT.failed, `no account with the email ${text}`);
  }
  return user;
}

function readRole(text: string): Role {
  const role = ROLES.find((name) => name === text);
  if (role === undefined) {
    throw usageError(`--role must be one of ${ROLES.join(", ")}, not "${text}"`);
  }
  return role;
}

/** The password in a file, without the line end that an editor leaves. */
async function passwordIn(path: string | undefined): Promise<string | null> {
  if (path === undefined) {
    return null;
  }
  const text = path === "-" ? await Bun.stdin.text() : readBounded(path, PASSWORD_BYTES_MAX);
  return text.replace(/\r?\n$/, "");
}
