/** Who and what the demo is about: mailboxes, campaigns, and people made from a seed. All are made up. */

import type { SendWindow } from "#domain/campaigns/window.ts";
import { hashInt } from "#domain/random.ts";

const WORKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;

export interface DemoAccount {
  email: string;
  displayName: string;
  timezone: string;
}

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { email: "ada@northwind-labs.example", displayName: "Ada Berg", timezone: "Europe/Berlin" },
  { email: "ben@northwind-labs.example", displayName: "Ben Okoye", timezone: "Europe/London" },
  { email: "cleo@northwind-labs.example", displayName: "Cleo Marsh", timezone: "Europe/London" },
  { email: "dan@trynorthwind.example", displayName: "Dan Rivera", timezone: "America/New_York" },
  { email: "eve@trynorthwind.example", displayName: "Eve Laurent", timezone: "America/New_York" },
  { email: "finn@trynorthwind.example", displayName: "Finn Hale", timezone: "America/Chicago" },
];

/** Messages a mailbox; with these the last message of 2,000 leads goes out within the month. */
export const DEMO_LIMITS = { dailyLimit: 60, hourlyLimit: 15 } as const;

export interface DemoCampaign {
  name: string;
  sendWindow: Partial<SendWindow>;
  maxLeadsPerDay: number;
  steps: readonly { subject: string | null; body: string; waitDays: number }[];
}

export const DEMO_CAMPAIGNS: readonly DemoCampaign[] = [
  {
    name: "Logistics in Europe",
    sendWindow: { timezone: "Europe/Berlin", days: WORKDAYS, startHour: 8, endHour: 17 },
    maxLeadsPerDay: 80,
    steps: [
      {
        subject: "{Deliveries|Late deliveries} at {{company}}",
        body: "Hi {{first_name}},\n\nhow does {{company}} find out that a delivery will be late?\n\n{{sender.name}}",
        waitDays: 0,
      },
      {
        subject: null,
        body: "Hi {{first_name}},\n\nwe wrote down how three firms of your size halved late deliveries. {Shall I send it|May I send it}?\n\n{{sender.name}}",
        waitDays: 3,
      },
      {
        subject: null,
        body: "Hi {{first_name}},\n\nthis is my last note. If it is not for you, who else at {{company}} should I ask?\n\n{{sender.name}}",
        waitDays: 5,
      },
    ],
  },
  {
    name: "Clinics in the US",
    sendWindow: { timezone: "America/New_York", days: WORKDAYS, startHour: 9, endHour: 16 },
    maxLeadsPerDay: 80,
    steps: [
      {
        subject: "Missed appointments at {{company}}",
        body: "Hello {{first_name}},\n\nwhat does a missed appointment cost {{company}}?\n\n{{sender.name}}",
        waitDays: 0,
      },
      {
        subject: null,
        body: "Hello {{first_name}},\n\none reminder two days before halves them. Would ten minutes this week suit you?\n\n{{sender.name}}",
        waitDays: 4,
      },
    ],
  },
  {
    name: "Invitation to the workshop",
    sendWindow: {
      timezone: "Europe/London",
      days: ["tuesday", "wednesday", "thursday"],
      startHour: 9,
      endHour: 18,
    },
    maxLeadsPerDay: 120,
    steps: [
      {
        subject: "A workshop for {{company | default: 'your team'}}",
        body: "Dear {{first_name}},\n\nwe invite twelve firms to a morning on planning. {Would you come|Would you like a seat}?\n\n{{sender.name}}",
        waitDays: 0,
      },
      {
        subject: null,
        body: "Dear {{first_name}},\n\nfour seats are left. Shall I keep one for {{company}}?\n\n{{sender.name}}",
        waitDays: 6,
      },
    ],
  },
];

const PROMISE = "three clinics of your size have half as many";

/** One campaign's first step is varied, and people are made to like one variant better. */
export const DEMO_EXPERIMENT = {
  /** Which of the campaigns. */
  campaign: 1,
  name: "A question or a promise",
  variants: [
    { name: "Question", config: {}, weight: 1 },
    {
      name: "Promise",
      config: {
        subject: "Half as many missed appointments at {{company}}",
        body: `Hello {{first_name}},\n\n${PROMISE} missed appointments since spring. May I show you how?\n\n{{sender.name}}`,
      },
      weight: 1,
    },
  ],
  /** The truth: what people do who read the second one. Others answer as in the rest of the sandbox. */
  effect: { contains: PROMISE, rates: { reply: 0.2, interested: 0.1 } },
  better: "Promise",
  /** With as many leads in all it has to be decided. */
  decidedFrom: 1_500,
} as const;

const FIRST_NAMES = ["Anna", "Bruno", "Chidi", "Dana", "Emil", "Farah", "Grete", "Hugo", "Ines"];
const LAST_NAMES = ["Adler", "Brook", "Castillo", "Dahl", "Eriksen", "Fontaine", "Gupta", "Hart"];
const FIRM_HEADS = ["Alder", "Beacon", "Cobalt", "Delta", "Ember", "Falcon", "Garnet", "Harbor"];
const FIRM_TAILS = ["Works", "Freight", "Clinic", "Systems", "Partners", "Foods", "Energy"];
const ZONES = ["", "", "Europe/Madrid", "Europe/Warsaw", "America/Denver", "America/Toronto"];
const FIRMS = 600;

export interface DemoLead {
  email: string;
  firstName: string;
  lastName: string;
  company: string;
  timezone?: string;
}

/** Person `index` of the month that `seed` makes; about three to a firm, each with an address of its own. */
export function demoLead(seed: number, index: number): DemoLead {
  const pick = <Value>(from: readonly Value[], what: string, of: number = index): Value => {
    const value = from[hashInt(from.length, seed, what, of)];
    if (value === undefined) {
      throw new Error(`nothing to pick a ${what} from`);
    }
    return value;
  };
  const firm = hashInt(FIRMS, seed, "firm", index);
  const [head, tail] = [pick(FIRM_HEADS, "head", firm), pick(FIRM_TAILS, "tail", firm)];
  const [firstName, lastName] = [pick(FIRST_NAMES, "first"), pick(LAST_NAMES, "last")];
  const timezone = pick(ZONES, "zone", firm);
  return {
    email: `${firstName}.${lastName}.${index}@${head}-${tail}-${firm}.example`.toLowerCase(),
    firstName,
    lastName,
    company: `${head} ${tail}`,
    ...(timezone === "" ? {} : { timezone }),
  };
}
