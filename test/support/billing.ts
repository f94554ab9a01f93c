/** A team's plan as tests need it: the page on which one is confirmed, and what the API says of it. */

import { expect } from "bun:test";
import type { TestApp } from "./app.ts";

export type Call = TestApp["call"];

/** Opens a page of the app, or sends its form. */
export function page(app: TestApp, url: string, form?: Record<string, string>): Promise<Response> {
  const sent = {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  };
  return app.fetch(new Request(url, form === undefined ? {} : sent));
}

export const subscribe = (call: Call, plan = "pro") => call("POST", "/billing/subscribe", { plan });

/** Brings the team of `call` onto a plan. */
export async function confirm(app: TestApp, call: Call, plan = "pro"): Promise<void> {
  const { body } = await subscribe(call, plan);
  expect((await page(app, body.url, {})).status).toBe(200);
}

export const subscription = async (call: Call) => (await call("GET", "/billing/subscription")).body;
