/**
 * Open and click tracking in a mail, where a campaign wants it. A link's token is signed for one message
 * and one place in it, and where it leads was stored when the message was written: nobody can make our
 * address lead anywhere else.
 */

import { linksOf, replaceLinks, webAddress } from "#domain/sending/html-links.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { insertTracking, trackingOf, updateTracking } from "#store/sending/tracking.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { findTeam } from "#store/team/teams.ts";
import type { World } from "#world.ts";

/** A token's first letter says which world it is of. */
export const WORLD_LETTER = { live: "l", test: "t" } as const;

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
export function trackMessage(world: World, message: MessageRow): void {
  const campaign = campaignById(world.db, message.campaignId);
  const base = trackingBase(world, message.teamId);
  const before = trackingOf(world.db, message.id);
  const wanted = base !== null && campaign !== undefined && message.html !== "";
  const pixel = wanted && campaign.trackOpens;
  const links = wanted && campaign.trackClicks ? linksOf(message.html) : [];
  const { id, teamId } = message;
  if (before !== undefined) {
    updateTracking(world.db, { ...before, base: base ?? before.base, pixel, links });
  } else if (base !== null && (pixel || links.length > 0)) {
    insertTracking(world.db, { ...UNTOUCHED, id, teamId, base, pixel, links });
  }
}

/** Where tracked links lead: a host of the team's own, else the public address; null: nowhere. */
export function trackingBase(world: World, teamId: Id): string | null {
  const host = findTeam(world.db, teamId)?.trackingHost ?? null;
  return host === null ? world.publicUrl : `https://${host}`;
}

/** The HTML of a message as it goes out. Its links to opt out stay as they are. */
export function trackedHtml(world: World, message: MessageRow): string {
  const tracking = message.kind === "step" ? trackingOf(world.db, message.id) : undefined;
  if (tracking === undefined) {
    return message.html;
  }
  const { base, links, pixel } = tracking;
  const html = replaceLinks(message.html, (url, index) => {
    return links[index] === url && !isOptOut(world, url)
      ? `${base}/t/c/${clickToken(world, message.id, index)}`
      : null;
  });
  return pixel ? withPicture(html, `${base}/t/o/${openToken(world, message.id)}`) : html;
}

function isOptOut(world: World, url: string): boolean {
  return world.publicUrl !== null && url.startsWith(`${webAddress(world.publicUrl)}u/`);
}

function withPicture(html: string, url: string): string {
  const picture = `<img src="${url}" width="1" height="1" alt="">`;
  const end = html.toLowerCase().lastIndexOf("</body");
  return end === -1 ? `${html}\n${picture}` : `${html.slice(0, end)}${picture}${html.slice(end)}`;
}

/** Names a message's picture: a letter for the world, then a signed id. Safe in a URL. */
export function openToken(world: World, messageId: Id): string {
  return WORLD_LETTER[world.env] + world.vault.sign("open", messageId);
}

/** Names one link of a message; its place is signed with it. */
export function clickToken(world: World, messageId: Id, index: number): string {
  return `${WORLD_LETTER[world.env]}${index}.${world.vault.sign(`click ${index}`, messageId)}`;
}
