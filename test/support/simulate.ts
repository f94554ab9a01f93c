/**
 * Weeks of a random team's life in a fraction of a second, from one seed: the real engine on a real
 * SQLite file, an environment of mail servers and people around it, processes that are ended and killed, and
 * every invariant looked at after every round.
 *
 * First everything goes wrong that can; then the weather is calm, people do what is waited for, and
 * all must come to an end.
 */

import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { type Log, silentLog } from "#platform/log.ts";
import { integrityCheck } from "#store/sqlite/database.ts";
import { sleepers } from "./simulation/awake.ts";
import { type Bytes, type BytesFigures, createBytes } from "./simulation/bytes.ts";
import { check, type Violation } from "./simulation/checks.ts";
import { createChronicle } from "./simulation/chronicle.ts";
import { createMovingClock, type MovingClock } from "./simulation/clock.ts";
import { equip } from "./simulation/deeds-placement.ts";
import { editSequences } from "./simulation/deeds-steps.ts";
import { leaveBehind, survives, tellsOfDisk } from "./simulation/disk.ts";
import { createDraw, type Draw } from "./simulation/draw.ts";
import { addWebhooks, checkTold, createEndpoints, type Endpoints } from "./simulation/endpoints.ts";
import { createInternet } from "./simulation/internet.ts";
import { DEATH, type Life } from "./simulation/life.ts";
import { recordProgress } from "./simulation/lines.ts";
import { DEEDS, INTERRUPTIONS } from "./simulation/people.ts";
import { type Process, startProcess } from "./simulation/process.ts";
import { calmDown, unfinished } from "./simulation/rest.ts";
import { forgetWalls } from "./simulation/scene.ts";
import { takeSnapshot } from "./simulation/snapshot.ts";
import type { Stage } from "./simulation/stage.ts";
import type { Tally } from "./simulation/tally.ts";
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

export interface SimulationOptions {
  seed: number;
  style?: Partial<Style>;
  /** Rounds of the first phase. */
  rounds?: number;
  /** Where the clock starts; drawn where absent. */
  start?: UnixMs;
  /** False: nothing fails, nobody answers or changes anything from the start. */
  rough?: boolean;
  plant?: Plant;
  /** Looks at these invariants only. */
  only?: readonly Violation["invariant"][];
  /** Rounds of the second phase at most. */
  calmRounds?: number;
  /** Email is spoken word by word, over real connections. */
  speaks?: boolean;
}

/** A violation that a test plants: what is tampered with behind the product's back. */
export interface Plant {
  /** Before each round's sending; what it does is undone by `after` before people look again. */
  before?: (db: Database, stage: Stage) => void;
  after?: (db: Database, stage: Stage) => void;
  /** A disk that loses what it said it had. */
  forgets?: boolean;
}

export interface SimulationResult {
  seed: number;
  violations: Violation[];
  /** What was lived through, to see that a run is worth its time. */
  figures: Figures;
  /** Where email was spoken word by word. */
  bytes?: BytesFigures;
}

export interface Figures {
  sent: number;
  kills: number;
  restarts: number;
  deeds: number;
  /** Of sequences. */
  edits: number;
  rounds: number;
  days: number;
  faults: Tally;
}

const STYLE: Style = { tasks: true, holes: true, nights: false, leads: 60 };
const ROUNDS = 10;
const CALM_ROUNDS_MAX = 60;
const CALM_ROUND_MS = 6 * DAY_MS;
/** While everything goes wrong. */
const ENDPOINTS_FAILING = 0.3;
/** As long as a worker rests after a failed step. */
const PAUSE_MS = 5 * SECOND_MS;
const POLL_EVERY_MS = 6 * HOUR_MS;
/** A death in the middle of recovering, as often as this at most. */
const REVIVALS_MAX = 50;

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
  start(): void;
}

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const directory = mkdtempSync(join(tmpdir(), "outrider-sim-"));
  const simulation = await begin(options, directory);
  try {
    const violations = await live(simulation, options);
    const { figures, bytes } = simulation;
    return { seed: options.seed, violations, figures, ...(bytes && { bytes: bytes.figures }) };
  } finally {
    await simulation.process.end();
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
  let process: Process;
  const log: Log = {
    ...silentLog,
    error: (message, fields) => {
      const isDisk = process.disk.hasFailed && tellsOfDisk(fields?.["cause"]);
      if (!process.life.dead && !isDisk) {
        bugs.push({ invariant: "internal", detail: `${message} ${JSON.stringify(fields)}` });
      }
    },
  };
  const endpoints = createEndpoints(options.seed, internet.tally);
  const http = (life: Life) => endpoints.port(life);
  const pathOf = (life: number) => join(directory, `live-${life}.db`);
  const bytes = options.speaks === true ? createBytes(options.seed, clock) : undefined;
  let lives = 0;
  const open = () =>
    startProcess({
      path: pathOf(lives),
      internet,
      clock,
      dice,
      log,
      pollEveryMs: POLL_EVERY_MS,
      http,
      ...(bytes && { bytes }),
    });
  process = open();
  const team = await makeTeam(process.env, draw, chronicle, { ...STYLE, ...options.style });
  await equip(process.env, team);
  if (team.style.webhooks === true) {
    await addWebhooks(process.env, team.caller);
  }
  return {
    team,
    internet,
    endpoints,
    bytes,
    draw,
    clock,
    bugs,
    figures,
    plant: options.plant ?? {},
    only: options.only,
    get process() {
      return process;
    },
    start: () => {
      process = open();
    },
    async revive() {
      for (let revivals = 0; revivals < REVIVALS_MAX; revivals += 1) {
        figures.kills += 1;
        const { told, life } = process;
        const isUnsynced = life.isUnsynced || options.plant?.forgets === true;
        const remains = { draw, tally: internet.tally, isUnsynced };
        await process.end(() => leaveBehind(pathOf(lives), pathOf(lives + 1), remains));
        lives += 1;
        process = open();
        if (process.found < told) {
          const detail = `event ${told} was told of, ${process.found} is the last`;
          bugs.push({ invariant: "durable", detail });
        }
        if (draw.chance(0.3)) {
          process.life.light(draw.int(1, 30));
        }
        if ((await process.recover()) !== DEATH) {
          process.life.spare();
          return;
        }
      }
      throw new Error("it dies over every recovery");
    },
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
      await goOn(simulation);
      await changeThings(simulation);
      brewTrouble(machineOf(simulation));
      await round(simulation, drawStretch(draw), draw.chance(0.5));
      const violations = look(simulation);
      if (violations.length > 0) {
        return violations;
      }
    }
  }
  const violations = await comeToRest(simulation, options);
  figures.days = Math.round((clock.now() - began) / DAY_MS);
  return violations;
}

function machineOf({ draw, clock, process, figures, team }: Simulation): Machine {
  return { draw, clock, process, tally: figures.faults, chronicle: team.chronicle };
}

/** A new process now and then, without a crash. */
async function goOn(simulation: Simulation): Promise<void> {
  if (simulation.draw.chance(0.15)) {
    await simulation.process.end();
    simulation.start();
    await simulation.process.recover();
    simulation.figures.restarts += 1;
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
  { rough = true, calmRounds = CALM_ROUNDS_MAX }: SimulationOptions,
): Promise<Violation[]> {
  simulation.internet.weather = { ...CALM };
  simulation.endpoints.failing = 0;
  let left: Violation[] = [];
  for (let rounds = 0; rounds < calmRounds; rounds += 1) {
    if (rough) {
      await calmDown(simulation);
      recordTerms(simulation.process.env, simulation.team);
    }
    await round(simulation, CALM_ROUND_MS, false);
    const violations = look(simulation);
    if (violations.length > 0) {
      return violations;
    }
    left = wanted(simulation, [...unfinished(simulation), ...told(simulation, true)]);
    if (left.length === 0) {
      return damage(simulation);
    }
  }
  return left;
}

function damage({ process }: Simulation): Violation[] {
  const found = integrityCheck(process.env.db);
  return found === "ok" ? [] : [{ invariant: "integrity", detail: found }];
}
