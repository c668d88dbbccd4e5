import { reserve, saveResponse } from "../accounts/idempotency.ts"
import { createBatch } from "../automation/batches.ts"
import { gatherDeliveries, keepTried } from "../automation/digests.ts"
import { advanceJobHook, createJobHook, dropJobHook } from "../automation/job-hooks.ts"
import { createMonitorLink, revokeMonitorLink } from "../automation/monitor-links.ts"
import { noteRun } from "../automation/monitors.ts"
import { changeRecipe, createRecipe, deleteRecipe } from "../automation/recipes.ts"
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  fireSchedule,
  replanSchedule,
  runScheduleNow,
} from "../automation/schedules.ts"
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateSecret,
} from "../automation/webhooks.ts"
import {
  changeDestination,
  createDestination,
  deleteDestination,
} from "../destinations/destinations.ts"
import {
  advanceRunDelivery,
  claimDestination,
  endDelivery,
  freeDestinations,
  planPart,
  redeliver,
} from "../destinations/run-deliveries.ts"
import {
  claimDeliveries,
  queueDelivery,
  recordTry,
  releaseDelivery,
  replayDelivery,
} from "../notifications/deliveries.ts"
import { announce } from "../notifications/events.ts"
import { createDatasetLink, revokeDatasetLink } from "../runs/dataset-links.ts"
import { deleteDataset, deleteRun } from "../runs/deletions.ts"
import { queueRunDelivery } from "../runs/run-destinations.ts"

/** Changes to batches, schedules and webhooks, deletions, and idempotent calls. */
export const automationCommands = {
  "idempotency.reserve": reserve,
  "idempotency.save": saveResponse,
  "batches.create": createBatch,
  "schedules.create": createSchedule,
  "schedules.change": changeSchedule,
  "schedules.delete": deleteSchedule,
  "schedules.fire": fireSchedule,
  "schedules.replan": replanSchedule,
  "schedules.runNow": runScheduleNow,
  "monitors.note": noteRun,
  "monitors.link": createMonitorLink,
  "monitors.unlink": revokeMonitorLink,
  "recipes.create": createRecipe,
  "recipes.change": changeRecipe,
  "recipes.delete": deleteRecipe,
  "webhooks.create": createWebhook,
  "webhooks.change": changeWebhook,
  "webhooks.rotate": rotateSecret,
  "webhooks.delete": deleteWebhook,
  "hooks.create": createJobHook,
  "hooks.advance": advanceJobHook,
  "hooks.drop": dropJobHook,
  "deliveries.queue": queueDelivery,
  "deliveries.gather": gatherDeliveries,
  "deliveries.keepTried": keepTried,
  "deliveries.claim": claimDeliveries,
  "deliveries.release": releaseDelivery,
  "deliveries.tried": recordTry,
  "deliveries.replay": replayDelivery,
  "destinations.create": createDestination,
  "destinations.change": changeDestination,
  "destinations.delete": deleteDestination,
  "destinations.claim": claimDestination,
  "destinations.free": freeDestinations,
  "destinations.plan": planPart,
  "destinations.advance": advanceRunDelivery,
  "destinations.endDelivery": endDelivery,
  "destinations.queue": queueRunDelivery,
  "destinations.redeliver": redeliver,
  "events.announce": announce,
  "runs.delete": deleteRun,
  "datasets.delete": deleteDataset,
  "datasets.link": createDatasetLink,
  "datasets.unlink": revokeDatasetLink,
}
