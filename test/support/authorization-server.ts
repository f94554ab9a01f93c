/**
 * A real authorization server on this machine (`oidc-provider`), with a person who agrees, declines or is
 * somebody else, as the test says, and a browser that goes there and comes back.
 */

import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Context, Provider } from "oidc-provider";
import { freePorts } from "../mailserver/mailserver.ts";
import { answerAssertion, type Delegation } from "./delegation.ts";

/** Steps of a browser before it gives up. */
const HOPS_MAX = 12;

export const CLIENT = { clientId: "outrider", clientSecret: "client-secret-of-the-operator" };
/** As what a mail server asks whether a token is good. */
const ASKER = { id: "mailserver", secret: "secret-of-the-mail-server" };

export interface AuthorizationServer {
  /** The issuer, without a slash at its end. */
  url: string;
  /** Where a mail server asks about tokens, with its credentials. */
  introspectionUrl: string;
  /** Who signs in next; null: somebody who declines. */
  person: string | null;
  /** What is said of them besides their address, which is their name here too. */
  claims: Record<string, unknown>;
  /** Changes an ID token on its way out; null: it is as it was signed. */
  spoil: ((idToken: string) => string) | null;
  /** Seconds of an access token's life from now on. */
  lifeSeconds: number;
  /** Parameters of every request that was granted a token, in order. */
  asked: URLSearchParams[];
  /** Ends every grant and every token of an application that was given so far. */
  revokeAll(): Promise<void>;
  /** Answers all token requests with 503 while it is true. */
  isDown: boolean;
  /** Returns a token request in the server's place; null: the server does. */
  inPlace: (() => Response | null) | null;
  /** Changes what the server says of itself; null: as it is. */
  describe: ((metadata: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Ends each access token that a code is traded for, not the grant, before anybody uses it. */
  endsFirst: boolean;
  /** Token requests that came, whatever became of them. */
  questions: number;
  stop(): Promise<void>;
}

export interface AuthorizationServerOptions {
  /** Below which the issuer stands, with a slash before it; at the root if left out. */
  path?: string;
  /** Where the server describes itself: as OpenID Connect Discovery says if left out, or RFC 8414. */
  wellKnown?: "oidc" | "oauth2";
  /** Grants service accounts tokens for mailboxes, and nothing else. */
  delegation?: Delegation;
  /** An application of a tenant's, which gets a token for all its mailboxes by its own secret (RFC 6749 §4.4). */
  application?: { clientId: string; clientSecret: string; scope: string };
  /** The one way in which the client may show its secret; either if left out. */
  authentication?: "client_secret_post" | "client_secret_basic";
}

/** `redirectUris` are those that the client may be sent back to. */
export async function startAuthorizationServer(
  redirectUris: readonly string[],
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> {
  const { path = "" } = options;
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}${path}`;
  const grants = new Set<string>();
  const server: State = {
    person: "ann@example.com",
    claims: {},
    spoil: null,
    lifeSeconds: 3_600,
    asked: [],
    isDown: false,
    inPlace: null,
    describe: null,
    endsFirst: false,
    questions: 0,
  };
  const provider = new Provider(url, settings(redirectUris, server, options));
  provider.use(async (context, next) => {
    if (context.path.startsWith("/interaction/")) {
      await interact(provider, context, server.person, grants);
      return;
    }
    await next();
    const { body } = context;
    if (context.path === "/token" && server.endsFirst && context.oidc.body["code"] !== undefined) {
      await (await provider.AccessToken.find(String(body?.["access_token"])))?.destroy();
    }
    const idToken = body?.["id_token"];
    if (context.path === "/token" && typeof idToken === "string" && server.spoil !== null) {
      context.body = { ...body, id_token: server.spoil(idToken) };
    }
    if (context.path === DESCRIPTION && body !== undefined && server.describe !== null) {
      context.body = server.describe(body);
    }
  });
  provider.on("grant.success", ({ oidc }) => {
    server.asked.push(new URLSearchParams(oidc.body));
  });
  const ofApplication: { destroy(): Promise<void> }[] = [];
  provider.on("client_credentials.saved", (token) => ofApplication.push(token));
  const handle = provider.callback();
  const listener = createServer(async (request, response) => {
    const at = placeBelow(request.url ?? "", options);
    if (at === null) {
      response.writeHead(404).end();
      return;
    }
    if (at === "/token") {
      server.questions += 1;
      const instead = server.isDown
        ? new Response("", { status: 503 })
        : (server.inPlace?.() ?? misplaced(request, options));
      const { delegation } = options;
      if (instead === null && delegation !== undefined) {
        const answer = await answerAssertion(provider, delegation, url, await textOf(request));
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(await answer.text());
        return;
      }
      if (instead !== null) {
        response.writeHead(instead.status, Object.fromEntries(instead.headers));
        response.end(await instead.text());
        return;
      }
    }
    Object.assign(request, { originalUrl: path + at, url: at });
    handle(request, response);
  });
  await new Promise<void>((done) => {
    listener.listen(port, "127.0.0.1", () => done());
  });
  return Object.assign(server, {
    url,
    introspectionUrl: `http://${ASKER.id}:${ASKER.secret}@127.0.0.1:${port}${path}/token/introspection`,
    revokeAll: async () => {
      await Promise.all(ofApplication.splice(0).map((token) => token.destroy()));
      for (const id of grants) {
        await (await provider.Grant.find(id))?.destroy();
        await provider.AccessToken.revokeByGrantId(id);
        await provider.RefreshToken.revokeByGrantId(id);
      }
    },
    stop: () => closed(listener),
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) {
    text += String(part);
  }
  return text;
}

/** What a server that insists on one way says of a secret shown in another; the package takes either. */
function misplaced(
  { headers }: IncomingMessage,
  { authentication }: AuthorizationServerOptions,
): Response | null {
  const way = headers.authorization === undefined ? "client_secret_post" : "client_secret_basic";
  return authentication === undefined || authentication === way
    ? null
    : Response.json(
        { error: "invalid_client" },
        { status: 401, headers: { "www-authenticate": "Basic" } },
      );
}

type State = Omit<AuthorizationServer, "url" | "introspectionUrl" | "revokeAll" | "stop">;

const DESCRIPTION = "/.well-known/openid-configuration";

/** What `address` is below the issuer; null: nothing of the server's. */
function placeBelow(
  address: string,
  { path = "", wellKnown = "oidc" }: AuthorizationServerOptions,
): string | null {
  if (wellKnown === "oauth2" && address.includes("/.well-known/")) {
    return address === `/.well-known/oauth-authorization-server${path}` ? DESCRIPTION : null;
  }
  return address.startsWith(path) ? address.slice(path.length) : null;
}

function closed(listener: Server): Promise<void> {
  listener.closeAllConnections();
  return new Promise((done) => {
    listener.close(() => done());
  });
}

function settings(
  redirectUris: readonly string[],
  server: Pick<AuthorizationServer, "claims" | "lifeSeconds">,
  { authentication = "client_secret_post", path = "", application }: AuthorizationServerOptions,
): object {
  return {
    ...(application !== undefined && { scopes: ["openid", application.scope] }),
    clients: [
      ...(application === undefined
        ? []
        : [
            {
              client_id: application.clientId,
              client_secret: application.clientSecret,
              scope: application.scope,
              redirect_uris: [],
              response_types: [],
              grant_types: ["client_credentials"],
              token_endpoint_auth_method: "client_secret_post",
            },
          ]),
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: authentication,
      },
      {
        client_id: ASKER.id,
        client_secret: ASKER.secret,
        redirect_uris: [],
        response_types: [],
        grant_types: [],
        token_endpoint_auth_method: "client_secret_basic",
      },
    ],
    features: {
      clientCredentials: { enabled: application !== undefined },
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
    },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["a key of tests"] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, ...server.claims }),
    }),
    // As Google does, which knows no scope for it.
    issueRefreshToken: () => true,
    interactions: {
      url: (_context: unknown, { uid }: { uid: string }) => `${path}/interaction/${uid}`,
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => server.lifeSeconds,
      ClientCredentials: () => server.lifeSeconds,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 3_600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 600,
    },
  };
}

/** What a person does on the provider's pages. */
async function interact(
  provider: Provider,
  context: Context,
  person: string | null,
  grants: Set<string>,
): Promise<void> {
  const { req, res } = context;
  const { prompt, params, session } = await provider.interactionDetails(req, res);
  const finish = async (result: object) => {
    context.redirect(await provider.interactionResult(req, res, result, MERGED));
  };
  if (person === null) {
    await finish({ error: "access_denied", error_description: "the person declined" });
  } else if (prompt.name === "login") {
    await finish({ login: { accountId: person } });
  } else {
    const accountId = session?.accountId ?? person;
    const grant = new provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const grantId = await grant.save();
    grants.add(grantId);
    await finish({ consent: { grantId } });
  }
}

const MERGED = { mergeWithLastSubmission: true };

/** Where a browser ends that follows `url`, kept from `stopAt` and what is below it. */
export class Browser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** Follows redirects until one leads below `stopAt`; answers that address. */
  async follow(url: string, stopAt: string): Promise<string> {
    let at = url;
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      if (at.startsWith(stopAt)) {
        return at;
      }
      const response = await fetch(at, {
        redirect: "manual",
        headers: { cookie: this.cookies(at) },
      });
      this.keep(at, response.headers);
      const location = response.headers.get("location");
      if (location === null) {
        throw new Error(
          `${at} answered ${response.status}: ${(await response.text()).slice(0, 500)}`,
        );
      }
      at = new URL(location, at).href;
    }
    throw new Error(`too many redirects, the last to ${at}`);
  }

  /** The Cookie header for an address. */
  cookies(url: string): string {
    const jar = this.jars.get(new URL(url).origin) ?? new Map<string, string>();
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  keep(url: string, headers: Headers): void {
    const { origin } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    for (const cookie of headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "" || /max-age=0/i.test(cookie)) {
        jar.delete(name);
      } else {
        jar.set(name, value);
      }
    }
  }
}
