/**
 * Open and click tracking in an email, where a campaign wants it. A link's token is signed for one message
 * and one place in it, and where it leads was stored when the message was written: nobody can make our
 * address lead anywhere else.
 */

import { linksOf, replaceLinks, webAddress } from "#domain/sending/html-links.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { insertTracking, trackingOf, updateTracking } from "#store/sending/tracking.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { findTeam } from "#store/team/teams.ts";

/** A token's first letter says which environment it is of. */
export const ENVIRONMENT_LETTER = { live: "l", test: "t" } as const;

const UNTOUCHED = {
  opens: 0,
  clicks: 0,
  machineOpens: 0,
  machineClicks: 0,
  firstOpenedAt: null,
  lastOpenedAt: null,
  firstClickedAt: null,
  lastClickedAt: null,
  lastLink: null,
  burstAt: null,
} as const;

/** Notes where the links of a message lead, if its campaign is tracked. Runs in the claim's transaction. */
export function trackMessage(env: Environment, message: MessageRow): void {
  const campaign = campaignById(env.db, message.campaignId);
  const base = trackingBase(env, message.teamId);
  const before = trackingOf(env.db, message.id);
  const wanted = base !== null && campaign !== undefined && message.html !== "";
  const pixel = wanted && campaign.trackOpens;
  const links = wanted && campaign.trackClicks ? linksOf(message.html) : [];
  const { id, teamId } = message;
  if (before !== undefined) {
    updateTracking(env.db, { ...before, base: base ?? before.base, pixel, links });
  } else if (base !== null && (pixel || links.length > 0)) {
    insertTracking(env.db, { ...UNTOUCHED, id, teamId, base, pixel, links });
  }
}

/** Where tracked links lead: a host of the team's own, else the public address; null: nowhere. */
export function trackingBase(env: Environment, teamId: Id): string | null {
  const host = findTeam(env.db, teamId)?.trackingHost ?? null;
  return host === null ? env.publicUrl : `https://${host}`;
}

/** The HTML of a message as it goes out. Its links to opt out stay as they are. */
export function trackedHtml(env: Environment, message: MessageRow): string {
  const tracking = message.kind === "step" ? trackingOf(env.db, message.id) : undefined;
  if (tracking === undefined) {
    return message.html;
  }
  const { base, links, pixel } = tracking;
  const html = replaceLinks(message.html, (url, index) => {
    return links[index] === url && !isOptOut(env, url)
      ? `${base}/t/c/${clickToken(env, message.id, index)}`
      : null;
  });
  return pixel ? withPicture(html, `${base}/t/o/${openToken(env, message.id)}`) : html;
}

function isOptOut(env: Environment, url: string): boolean {
  return env.publicUrl !== null && url.startsWith(`${webAddress(env.publicUrl)}u/`);
}

function withPicture(html: string, url: string): string {
  const picture = `<img src="${url}" width="1" height="1" alt="">`;
  const end = html.toLowerCase().lastIndexOf("</body");
  return end === -1 ? `${html}\n${picture}` : `${html.slice(0, end)}${picture}${html.slice(end)}`;
}

/** Names a message's picture: a letter for the environment, then a signed id. Safe in a URL. */
export function openToken(env: Environment, messageId: Id): string {
  return ENVIRONMENT_LETTER[env.name] + env.vault.sign("open", messageId);
}

/** Names one link of a message; its place is signed with it. */
export function clickToken(env: Environment, messageId: Id, index: number): string {
  return `${ENVIRONMENT_LETTER[env.name]}${index}.${env.vault.sign(`click ${index}`, messageId)}`;
}
