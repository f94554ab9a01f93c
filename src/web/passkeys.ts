/** `/console/passkeys`: making, using and removing the keys of one's devices; and how one comes in at all. */

import { type AnyElysia, Elysia } from "elysia";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import {
  askForOwner,
  askForPasskey,
  credentialIn,
  type PasskeyQuestion,
  readNewPasskey,
  readOwner,
} from "#platform/secrets/passkeys.ts";
import type { PasskeyRow } from "#store/tables/people.ts";
import { findPasskey, identitiesOf, passkeysOf } from "#store/team/people.ts";
import {
  addPasskey,
  checkAnswered,
  removePasskey,
  unknownPasskey,
  usePasskey,
} from "#usecases/team/passkeys.ts";
import { callerOf, openSession } from "#usecases/team/sessions.ts";
import { recordRefusal } from "#usecases/team/users.ts";
import { createErrands } from "./errand.ts";
import { type Asked, leave, signedIn, userAgentOf, welcome } from "./sessions.ts";
import { checkOwnPage, type Door, isTls, readFields } from "./visitor.ts";

/** What the answer is checked against; for whom a passkey is made, null for whoever comes in. */
interface Asking {
  challenge: string;
  userId: string | null;
}

export function passkeyRoutes(live: Environment, door: Door): AnyElysia {
  const askings = createErrands<Asking>(live, "passkey");
  const ask = (
    { request, server }: Asked,
    { challenge, options }: PasskeyQuestion,
    of: Asking["userId"],
  ) => {
    const kept = askings.begin({ challenge, userId: of }, isTls(door, request, server));
    return Response.json(options, { headers: { "Set-Cookie": kept } });
  };
  const taken = ({ request, server }: Asked, of: Asking["userId"]): string => {
    const asking = askings.take(request, isTls(door, request, server));
    return checkAnswered(asking !== null && asking.userId === of ? asking.challenge : null);
  };
  return new Elysia({ name: "passkeys", normalize: false })
    .get("/console/ways", (asked) => {
      const { user } = signedIn(live, door, asked);
      return {
        password: user.passwordHash !== null,
        single_sign_on: identitiesOf(live.db, user.id).length > 0,
        passkeys: passkeysOf(live.db, user.id).map(presentPasskey),
      };
    })
    .post("/console/passkeys/door", async (asked) => {
      checkOwnPage(door, asked.request);
      return ask(asked, await askForOwner(originOf(asked.request)), null);
    })
    .post("/console/passkeys/session", async (asked) => {
      checkOwnPage(door, asked.request);
      const { credential } = await readFields(asked.request, ["credential"]);
      const challenge = taken(asked, null);
      const known = findPasskey(live.db, credentialIn(credential) ?? "");
      const origin = originOf(asked.request);
      const counter =
        known === undefined ? null : await readOwner(origin, challenge, credential, known);
      if (known === undefined || counter === null) {
        recordRefusal(live, "passkey", known?.userId);
        throw unknownPasskey();
      }
      const opened = await live.commit(() => {
        const user = usePasskey(live, known.credentialId, counter);
        leave(live, door, asked);
        return openSession(live, user, userAgentOf(asked.request));
      });
      return welcome(live, door, asked, opened);
    })
    .post("/console/passkeys/options", async (asked) => {
      const { user } = signedIn(live, door, asked);
      const known = passkeysOf(live.db, user.id).map(({ credentialId }) => credentialId);
      return ask(asked, await askForPasskey(originOf(asked.request), user, known), user.id);
    })
    .post("/console/passkeys", async (asked) => {
      const person = signedIn(live, door, asked);
      const { credential, name } = await readFields(asked.request, ["credential", "name"]);
      const challenge = taken(asked, person.user.id);
      const facts = checkAnswered(
        await readNewPasskey(originOf(asked.request), challenge, credential),
      );
      const caller = callerOf(live, person);
      const row = await live.commit(() => addPasskey(live, caller, person.user, { name, facts }));
      return Response.json(presentPasskey(row), { status: 201 });
    })
    .delete("/console/passkeys/:id", async (asked) => {
      const person = signedIn(live, door, asked);
      const id = asked.params.id.toLowerCase();
      await live.commit(() => removePasskey(live, callerOf(live, person), person.user, id));
      return new Response(null, { status: 204 });
    });
}

/** Of our own page, as `checkOwnPage` has seen; a browser says it with each POST. */
function originOf(request: Request): URL {
  return new URL(request.headers.get("origin") ?? request.url);
}

function presentPasskey(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    created_at: toIso(row.createdAt),
    last_used_at: toIsoOrNull(row.usedAt),
  };
}
