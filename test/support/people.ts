/** People before the console's door, without a browser: what it would send, and the cookie it keeps. */

import { createSignInLink } from "#usecases/team/sessions.ts";
import type { TestApp } from "./app.ts";

export const ORIGIN = "http://localhost";

export const ANN = { email: "ann@example.com", name: "Ann", password: "a long password" };

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
}

export interface Visitor {
  /** `name=value`, empty before anybody is signed in. */
  cookie: string;
  /** A request with the cookie, from our own page unless `headers` say otherwise. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
}

/** A browser that has not been here. */
export function visitor(app: TestApp, origin = ORIGIN): Visitor {
  const self: Visitor = {
    cookie: "",
    ask: async (method, path, body, headers = { Origin: origin }) => {
      const response = await app.fetch(
        // TLS ends before the program: it sees plain requests only.
        new Request(origin.replace(/^https:/, "http:") + path, {
          method,
          headers: {
            ...(self.cookie === "" ? {} : { Cookie: self.cookie }),
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const set = /^[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0];
      if (set !== undefined) {
        self.cookie = set.endsWith("=") ? "" : set;
      }
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : text;
      return { status: response.status, body: parsed, headers: response.headers };
    },
  };
  return self;
}

/** The word of a link that makes the first person. */
export function firstLink({ environments: { live } }: TestApp): Promise<string> {
  return live.commit(() => createSignInLink(live, null));
}

/** {@link ANN}, or `who`, the first here, who is signed in. */
export async function firstPerson(app: TestApp, origin = ORIGIN, who = ANN): Promise<Visitor> {
  const ann = visitor(app, origin);
  const token = await firstLink(app);
  const { status, body } = await ann.ask("POST", "/console/welcome", { token, ...who });
  if (status !== 201) {
    throw new Error(`welcome answered ${status}: ${JSON.stringify(body)}`);
  }
  return ann;
}

/** Somebody whom `host` has invited as `role`, signed in. */
export async function invited(app: TestApp, host: Visitor, role: string): Promise<Visitor> {
  const email = `${role}@example.com`;
  const made = await host.ask("POST", "/live/api/v1/team/invitations", { email, role });
  const token = String(made.body.url).split("#")[1];
  const guest = visitor(app);
  await guest.ask("POST", "/console/invitation/join", {
    token,
    name: role,
    password: ANN.password,
  });
  return guest;
}
