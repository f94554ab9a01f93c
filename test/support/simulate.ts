/**
 * Weeks of a random team's life in a fraction of a second, from one seed: the real engine on a real
 * SQLite file, an environment of mail servers and people around it, processes that are ended and killed, and
 * every invariant looked at after every round.
 *
 * First everything goes wrong that can; then the weather is calm, people do what is waited for, and
 * all must come to an end.
 */

import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { type Log, silentLog } from "#platform/log.ts";
import { integrityCheck } from "#store/sqlite/database.ts";
import { sleepers } from "./simulation/awake.ts";
import { type Bytes, createBytes } from "./simulation/bytes.ts";
import { check, type Violation } from "./simulation/checks.ts";
import { type Chronicle, createChronicle } from "./simulation/chronicle.ts";
import { createMovingClock, type MovingClock } from "./simulation/clock.ts";
import { equip } from "./simulation/deeds-placement.ts";
import { editSequences } from "./simulation/deeds-steps.ts";
import { survives, tellsOfDisk } from "./simulation/disk.ts";
import { createDraw, type Draw } from "./simulation/draw.ts";
import { addWebhooks, checkTold, createEndpoints, type Endpoints } from "./simulation/endpoints.ts";
import { createInternet } from "./simulation/internet.ts";
import { DEATH } from "./simulation/life.ts";
import { recordProgress } from "./simulation/lines.ts";
import { createLives, type Lives } from "./simulation/lives.ts";
import type { Figures, Plant, SimulationOptions, SimulationResult } from "./simulation/options.ts";
import { DEEDS, INTERRUPTIONS } from "./simulation/people.ts";
import { calmDown, unfinished } from "./simulation/rest.ts";
import { forgetWalls } from "./simulation/scene.ts";
import { takeSnapshot } from "./simulation/snapshot.ts";
import type { Stage } from "./simulation/stage.ts";
import { createStorage, type Storage } from "./simulation/storage.ts";
import {
  drawStart,
  drawStretch,
  makeTeam,
  recordTerms,
  type Style,
  startAll,
} from "./simulation/team.ts";
import {
  AWAITS_MAX,
  brewTrouble,
  CLOCK_SET,
  type Machine,
  STATEMENTS_MAX,
  setClock,
} from "./simulation/trouble.ts";
import { CALM, drawWeather } from "./simulation/weather.ts";

const STYLE: Style = { tasks: true, holes: true, nights: false, leads: 60 };
const ROUNDS = 10;
const CALM_ROUNDS_MAX = 60;
const CALM_ROUND_MS = 6 * DAY_MS;
/** While everything goes wrong. */
const ENDPOINTS_FAILING = 0.3;
/** As long as a worker rests after a failed step. */
const PAUSE_MS = 5 * SECOND_MS;
/** What must hold under storage that lies; what it takes of other records, a restore takes too. */
const UNDER_DAMAGE: readonly Violation["invariant"][] = [
  ...(["twice", "suppressed", "reply", "window", "account_hour", "account_day"] as const),
  ...(["provider_day", "campaign_new", "campaign_day", "domain_day", "plan"] as const),
  ...(["damage", "internal", "integrity", "liveness", "completion"] as const),
];

interface Simulation extends Stage {
  draw: Draw;
  clock: MovingClock;
  endpoints: Endpoints;
  bytes: Bytes | undefined;
  /** Found as they happen, not by looking at what is there. */
  bugs: Violation[];
  figures: Figures;
  plant: Plant;
  only: readonly Violation["invariant"][] | undefined;
  lives: Lives;
  storage: Storage | undefined;
}

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const directory = mkdtempSync(join(tmpdir(), "outrider-sim-"));
  const simulation = await begin(options, directory);
  try {
    const violations = await live(simulation, options);
    const { figures, bytes, storage } = simulation;
    return {
      ...{ seed: options.seed, violations, figures },
      ...(bytes && { bytes: bytes.figures }),
      ...(storage && { storage: storage.figures }),
    };
  } finally {
    await simulation.lives.end();
    await simulation.bytes?.stop();
    rmSync(directory, { recursive: true, force: true });
    forgetWalls();
  }
}

async function begin(options: SimulationOptions, directory: string): Promise<Simulation> {
  const draw = createDraw(options.seed);
  const chronicle = createChronicle();
  const clock = createMovingClock(options.start ?? drawStart(draw));
  const internet = createInternet(draw, clock, chronicle);
  const bugs: Violation[] = [];
  const faults = internet.tally;
  const figures = {
    sent: 0,
    kills: 0,
    restarts: 0,
    deeds: 0,
    edits: 0,
    rounds: 0,
    days: 0,
    faults,
  };
  const dice = seededDice(options.seed);
  const storage =
    options.storage === true
      ? createStorage({ directory, draw, clock, chronicle, internet, tally: faults })
      : undefined;
  const log: Log = {
    ...silentLog,
    error: (message, fields) => {
      if (message.startsWith("the database is damaged")) {
        storage?.noticed();
      }
      const isDisk = lives.process.disk.hasFailed && tellsOfDisk(fields?.["cause"]);
      if (!lives.process.life.dead && !isDisk && storage?.isStruck() !== true) {
        bugs.push({ invariant: "internal", detail: `${message} ${JSON.stringify(fields)}` });
      }
    },
  };
  const endpoints = createEndpoints(options.seed, internet.tally);
  const bytes = options.speaks === true ? createBytes(options.seed, clock) : undefined;
  const lives = createLives({
    ...{ directory, draw, clock, internet, endpoints, dice, log, bytes, storage, figures, bugs },
    ...(options.plant && { plant: options.plant }),
    forgets: options.plant?.forgets === true,
    onRewound: ({ env }) => recordTerms(env, team),
  });
  const team = await makeTeam(lives.process.env, draw, chronicle, { ...STYLE, ...options.style });
  await equip(lives.process.env, team);
  if (team.style.webhooks === true) {
    await addWebhooks(lives.process.env, team.caller);
  }
  return {
    ...{ team, internet, endpoints, bytes, draw, clock, bugs, figures, lives, storage },
    plant: options.plant ?? {},
    only: options.only ?? (storage === undefined ? undefined : UNDER_DAMAGE),
    get process() {
      return lives.process;
    },
    revive: lives.revive,
  };
}

async function live(simulation: Simulation, options: SimulationOptions): Promise<Violation[]> {
  const { draw, clock, internet, figures, team } = simulation;
  const began = clock.now();
  await simulation.process.advance(plus(began, MINUTE_MS));
  await startAll(simulation.process.env, team);
  if (options.rough ?? true) {
    internet.weather = drawWeather(draw);
    simulation.endpoints.failing = ENDPOINTS_FAILING;
    internet.onInterruption = () => interrupt(simulation);
    for (let left = options.rounds ?? ROUNDS; left > 0; left -= 1) {
      await guarded(simulation, async () => {
        simulation.storage?.keep();
        await goOn(simulation);
        await changeThings(simulation);
        brewTrouble(machineOf(simulation));
        simulation.storage?.strike(simulation.process);
        await round(simulation, drawStretch(draw), draw.chance(0.5));
      });
      const violations = look(simulation);
      if (violations.length > 0) {
        return unlessBlamed(simulation, violations);
      }
    }
  }
  const violations = await comeToRest(simulation, options);
  figures.days = Math.round((clock.now() - began) / DAY_MS);
  return violations;
}

/** What a program does that finds its data damaged, and whoever runs it: it stops, and a backup is restored. */
async function guarded(simulation: Simulation, work: () => Promise<unknown>): Promise<void> {
  const { storage, bugs } = simulation;
  let isDamaged = false;
  try {
    await work();
  } catch (error) {
    isDamaged = storage?.isDamage(error) === true;
    if (!isDamaged && storage?.isStruck() !== true) {
      throw error;
    }
    if (!isDamaged) {
      bugs.push({ invariant: "internal", detail: String(error) });
    }
  }
  if (storage !== undefined) {
    for (const detail of storage.violations(simulation.process)) {
      bugs.push({ invariant: "damage", detail });
    }
    if (isDamaged || storage.hasNoticed(simulation.process)) {
      await simulation.lives.restore();
    }
  }
}

/** Harm that damage has done is counted: what is there, and nobody sees, nobody can stop. */
function unlessBlamed({ storage }: Simulation, found: Violation[]): Violation[] {
  const isInSight = found.some(({ invariant }) => invariant === "damage");
  return !isInSight && storage?.blames() === true ? [] : found;
}

function machineOf({ draw, clock, process, figures, team, storage }: Simulation): Machine {
  const { chronicle } = team;
  const isSlow = storage !== undefined;
  return { draw, clock, process, tally: figures.faults, chronicle, isSlow };
}

/** A new process now and then, without a crash. */
async function goOn(simulation: Simulation): Promise<void> {
  if (simulation.draw.chance(0.15)) {
    await simulation.lives.restart();
  }
}

async function changeThings(simulation: Simulation): Promise<void> {
  const { draw, figures, process } = simulation;
  if (draw.chance(0.2)) {
    process.life.light(draw.int(1, 12));
  }
  for (let deeds = draw.int(0, 4); deeds > 0; deeds -= 1) {
    await draw.pick(DEEDS)(simulation);
    figures.deeds += 1;
  }
  figures.edits += await editSequences(simulation);
  simulation.process.life.spare();
  recordTerms(simulation.process.env, simulation.team);
}

/** Something that a person does while an email is on its way; who dies over it does not ask again. */
async function interrupt(simulation: Simulation): Promise<void> {
  simulation.figures.deeds += 1;
  if (simulation.draw.chance(CLOCK_SET)) {
    setClock(machineOf(simulation), "clock_forward");
  }
  const { team, internet, process, draw } = simulation;
  const revive = () => new Promise<void>(() => undefined);
  await draw.pick(INTERRUPTIONS)({ team, internet, process, revive });
}

/** A stretch of time; with `deadly` the process dies somewhere in it, if it waits for that much. */
async function round(simulation: Simulation, ms: number, deadly: boolean): Promise<void> {
  const { clock, draw, figures, plant } = simulation;
  figures.rounds += 1;
  const to = plus(clock.now(), ms);
  plant.before?.(simulation.process.env.db.raw, simulation);
  if (deadly) {
    const { life } = simulation.process;
    const isBetween = draw.chance(0.5);
    isBetween
      ? life.lightStatement(draw.int(1, STATEMENTS_MAX))
      : life.light(draw.int(1, AWAITS_MAX));
  }
  await pass(simulation, to);
  simulation.process.life.spare();
  if (simulation.process.disk.hasFailed) {
    // What servers said while it failed is recorded before anybody looks.
    simulation.process.disk.mend();
    await pass(simulation, plus(clock.now(), 2 * PAUSE_MS));
  }
  simulation.internet.recordSettled();
  plant.after?.(simulation.process.env.db.raw, simulation);
}

/** Goes on until then, whoever dies on the way, and whatever the disk refuses. */
async function pass(simulation: Simulation, until: UnixMs): Promise<void> {
  const { clock } = simulation;
  for (let to = until; ; ) {
    let lived: unknown;
    const worked = await survives(async () => {
      lived = await simulation.process.advance(to);
    });
    if (!worked) {
      clock.advanceTo(plus(clock.now(), PAUSE_MS));
    } else if (lived === DEATH) {
      await simulation.revive();
    } else if (clock.now() > to) {
      // It was set forward on the way: what is due by now is done before anybody looks.
      to = clock.now();
    } else {
      return;
    }
  }
}

function look(simulation: Simulation): Violation[] {
  const { process, clock, team, bugs, figures } = simulation;
  const { chronicle } = team;
  figures.sent = chronicle.handed.filter(({ delivered }) => delivered).length;
  if (simulation.storage !== undefined) {
    return wanted(simulation, [...bugs, ...beside(simulation.storage, chronicle, clock)]);
  }
  recordProgress(process.env.db.raw, chronicle);
  const snapshot = takeSnapshot(process.env.db.raw, clock.now());
  // A mailbox may sleep by what the clock said before it was set back.
  const setBackFrom = clock.setBackFrom();
  const mayOversleep = setBackFrom !== undefined && clock.now() < plus(setBackFrom, DAY_MS);
  const asleep = mayOversleep ? [] : sleepers(process.env, team);
  const untold = told(simulation, false);
  const differences = simulation.bytes?.differences ?? [];
  const misheard = differences.map((detail) => ({ invariant: "misheard" as const, detail }));
  return wanted(simulation, [
    ...bugs,
    ...misheard,
    ...asleep,
    ...untold,
    ...check({ chronicle, snapshot, setBackFrom }),
  ]);
}

/** Over a connection of its own: what it meets, the program hasn't met. */
function beside(
  { path, isDamage }: Storage,
  chronicle: Chronicle,
  clock: MovingClock,
): Violation[] {
  const raw = new Database(path(), { readonly: true });
  try {
    const snapshot = takeSnapshot(raw, clock.now());
    return check({ chronicle, snapshot, setBackFrom: clock.setBackFrom() });
  } catch (error) {
    if (!isDamage(error)) {
      throw error;
    }
    return [];
  } finally {
    raw.close();
  }
}

function told({ process, team, endpoints }: Simulation, ended: boolean): Violation[] {
  const found = checkTold(process.env, team.caller.teamId, endpoints, ended);
  return found.slice(0, 3).map((detail) => ({ invariant: "told", detail }));
}

function wanted({ only }: Simulation, found: readonly Violation[]): Violation[] {
  return found.filter(({ invariant }) => only?.includes(invariant) ?? true);
}

/** Calm weather and willing people, until nothing is left to do. */
async function comeToRest(
  simulation: Simulation,
  { rough = true, storage, calmRounds = storage ? 12 : CALM_ROUNDS_MAX }: SimulationOptions,
): Promise<Violation[]> {
  simulation.internet.weather = { ...CALM };
  simulation.endpoints.failing = 0;
  let left: Violation[] = [];
  for (let rounds = 0; rounds < calmRounds; rounds += 1) {
    await guarded(simulation, async () => {
      if (rough) {
        await calmDown(simulation);
        recordTerms(simulation.process.env, simulation.team);
      }
      await round(simulation, CALM_ROUND_MS, false);
    });
    const violations = look(simulation);
    if (violations.length > 0) {
      return unlessBlamed(simulation, violations);
    }
    await guarded(simulation, async () => {
      left = wanted(simulation, [...unfinished(simulation), ...told(simulation, true)]);
    });
    if (left.length === 0) {
      return damage(simulation);
    }
  }
  return unlessBlamed(simulation, left);
}

function damage({ process, storage }: Simulation): Violation[] {
  if (storage?.isStruck() === true) {
    return [];
  }
  const found = integrityCheck(process.env.db);
  return found === "ok" ? [] : [{ invariant: "integrity", detail: found }];
}
