/** How much is measured: enough to stand, or just enough to see that nothing broke. */

export interface Scale {
  rounds: number;
  startRounds: number;
  restMs: number;
  loadMs: number;
  connections: number;
  campaigns: number;
  mailboxes: number;
  messages: number;
  sendRounds: number;
  importLeads: number;
  importRounds: number;
  plannedLeads: number;
  plannerRounds: number;
  workerSteps: number;
  /** Leads of which the growth of costs is told. */
  few: number;
  many: number;
  sizeRounds: number;
  sizeTimes: number;
  addedLeads: number;
  idleCampaigns: number;
  /** Mailboxes that are really watched, and the fewer through which the line goes to a thousand. */
  watched: number;
  watchedFew: number;
  watchRounds: number;
  /** To ten endpoints together. */
  deliveries: number;
  deliverRounds: number;
  /** Leads of a month in the sandbox; 0: it is left out, and so is what else takes minutes. */
  monthLeads: number;
}

export const FULL: Scale = {
  rounds: 7,
  startRounds: 11,
  restMs: 2000,
  loadMs: 2000,
  connections: 64,
  campaigns: 1000,
  mailboxes: 50,
  messages: 5000,
  sendRounds: 5,
  importLeads: 50_000,
  importRounds: 5,
  plannedLeads: 100_000,
  plannerRounds: 7,
  workerSteps: 2000,
  few: 10_000,
  many: 1_000_000,
  sizeRounds: 7,
  sizeTimes: 300,
  addedLeads: 10_000,
  idleCampaigns: 1000,
  watched: 1000,
  watchedFew: 200,
  watchRounds: 1,
  deliveries: 100_000,
  deliverRounds: 1,
  monthLeads: 100_000,
};

export const SHORT: Scale = {
  ...FULL,
  rounds: 3,
  startRounds: 3,
  restMs: 1000,
  loadMs: 500,
  campaigns: 200,
  messages: 1000,
  sendRounds: 3,
  importLeads: 20_000,
  importRounds: 3,
  plannedLeads: 20_000,
  plannerRounds: 3,
  workerSteps: 500,
  many: 40_000,
  sizeRounds: 3,
  sizeTimes: 100,
  addedLeads: 2000,
  idleCampaigns: 200,
  watched: 200,
  watchedFew: 100,
  watchRounds: 1,
  deliveries: 10_000,
  deliverRounds: 1,
  monthLeads: 0,
};
