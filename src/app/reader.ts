/** Where the second thread of this program starts: it answers the questions about the future, plays it, and
 * reads what takes long. */

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { answerQuestions } from "#platform/side-thread.ts";
import { segmentSteps } from "#usecases/experiments/experiment-segments.ts";
import { effectSteps } from "#usecases/forecast/effect.ts";
import { explainSteps } from "#usecases/forecast/explain-lead.ts";
import { forecastSteps, statusSteps } from "#usecases/forecast/forecast.ts";
import { type ReadingSetup, reading } from "#usecases/forecast/foresight.ts";
import { rehearsalSteps } from "#usecases/sandbox/rehearsal.ts";
import { buildEnvironments } from "./environments.ts";
import { staging } from "./stage.ts";

// As in `main.ts`: what starts compiles little, and this one has started.
Bun.unsafe.setJITPolicy(1);
const answers = {
  effect: effectSteps,
  explain: explainSteps,
  forecast: forecastSteps,
  rehearsal: rehearsalSteps,
  segments: segmentSteps,
  status: statusSteps,
};
const setup = workerData as ReadingSetup;
answerQuestions(
  parentPort as MessagePort,
  reading(setup, answers, staging(buildEnvironments, setup)),
);
