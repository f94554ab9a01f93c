/**
 * A real authorization server on this machine (`oidc-provider`), with a person who agrees, declines or is
 * somebody else, as the test says, and a browser that goes there and comes back.
 *
 * The package stands in a folder of its own: it is for these tests alone.
 */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join, resolve } from "node:path";
import { freePorts } from "../mailserver/mailserver.ts";

const VERSION = "9.13.3";
const HOME = resolve(import.meta.dir, "../../.toolchain/oidc-provider");
const INSTALL_MS_MAX = 120_000;
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
  /** Ends every grant that was given so far. */
  revokeAll(): Promise<void>;
  /** Answers all token requests with 503 while it is true. */
  isDown: boolean;
  stop(): Promise<void>;
}

/** `redirectUris` are those that the client may be sent back to. */
export async function startAuthorizationServer(
  redirectUris: readonly string[],
): Promise<AuthorizationServer> {
  const Provider = await load();
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const grants = new Set<string>();
  const server: Omit<AuthorizationServer, "url" | "introspectionUrl" | "revokeAll" | "stop"> = {
    person: "ann@example.com",
    claims: {},
    spoil: null,
    lifeSeconds: 3_600,
    asked: [],
    isDown: false,
  };
  const provider = new Provider(url, settings(redirectUris, server));
  provider.use(async (context, next) => {
    if (context.path.startsWith("/interaction/")) {
      await interact(provider, context, server.person, grants);
      return;
    }
    await next();
    const { body } = context;
    if (context.path === "/token" && body?.id_token !== undefined && server.spoil !== null) {
      body.id_token = server.spoil(body.id_token);
    }
  });
  provider.on("grant.success", ({ oidc }) => {
    server.asked.push(new URLSearchParams(oidc.body));
  });
  const handle = provider.callback();
  const listener = createServer((request, response) => {
    if (request.url?.startsWith("/token") === true && server.isDown) {
      response.writeHead(503).end();
      return;
    }
    handle(request, response);
  });
  await new Promise<void>((done) => {
    listener.listen(port, "127.0.0.1", () => done());
  });
  return Object.assign(server, {
    url,
    introspectionUrl: `http://${ASKER.id}:${ASKER.secret}@127.0.0.1:${port}/token/introspection`,
    revokeAll: async () => {
      for (const id of grants) {
        await (await provider.Grant.find(id))?.destroy();
        await provider.AccessToken.revokeByGrantId(id);
        await provider.RefreshToken.revokeByGrantId(id);
      }
    },
    stop: () => closed(listener),
  });
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
): object {
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_post",
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
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => server.lifeSeconds,
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
  provider: ProviderLike,
  context: ContextLike,
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

interface ContextLike {
  path: string;
  body?: { id_token?: string };
  req: unknown;
  res: unknown;
  redirect(url: string): void;
  oidc: { body: Record<string, string> };
}

interface GrantLike {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
  destroy(): Promise<void>;
}

interface TokensLike {
  revokeByGrantId(id: string): Promise<void>;
}

interface ProviderLike {
  use(middleware: (context: ContextLike, next: () => Promise<void>) => Promise<void>): void;
  on(event: "grant.success", listener: (context: ContextLike) => void): void;
  callback(): (request: unknown, response: unknown) => void;
  interactionDetails(
    req: unknown,
    res: unknown,
  ): Promise<{
    prompt: { name: string };
    params: { client_id: string; scope: string };
    session?: { accountId: string };
  }>;
  interactionResult(req: unknown, res: unknown, result: object, how: object): Promise<string>;
  Grant: {
    new (of: { accountId: string; clientId: string }): GrantLike;
    find(id: string): Promise<GrantLike | undefined>;
  };
  AccessToken: TokensLike;
  RefreshToken: TokensLike;
}

type ProviderClass = new (issuer: string, settings: object) => ProviderLike;

async function load(): Promise<ProviderClass> {
  const folder = join(HOME, "node_modules/oidc-provider");
  if (!existsSync(join(folder, "package.json"))) {
    mkdirSync(HOME, { recursive: true });
    writeFileSync(join(HOME, "package.json"), '{"private": true}\n');
    const { exitCode, stderr } = Bun.spawnSync(
      [
        ...["npm", "install", "--prefix", HOME, "--ignore-scripts", "--no-audit", "--no-fund"],
        ...["--loglevel=error", "--save-exact", `oidc-provider@${VERSION}`],
      ],
      { timeout: INSTALL_MS_MAX },
    );
    if (exitCode !== 0) {
      throw new Error(`oidc-provider could not be installed: ${stderr.toString()}`);
    }
  }
  const module = (await import(join(folder, "lib/index.js"))) as { default: ProviderClass };
  return module.default;
}

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
